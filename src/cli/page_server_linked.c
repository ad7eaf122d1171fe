/* Used only in the command of `make static`: links libmicrohttpd, because a static program cannot
 * load it. */
#include "cli/page_server_calls.h"

#define LINKED(name) {#name, (void (*)(void))(name)},

extern const struct od_dynload_function od_page_server_linked[];
const struct od_dynload_function od_page_server_linked[] = {
    OD_PAGE_SERVER_CALLS(LINKED){NULL, NULL}};
