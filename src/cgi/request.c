#include "cgi/request.h"

#include "host/processors.h"

#include <poll.h>
#include <unistd.h>

enum { MIB = 1 << 20 };

static const char *text_of(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "";
}

static uint64_t setting(const char *name, uint64_t usual, uint64_t least, uint64_t most)
{
    uint64_t n;
    if (!od_num_parse_u64(od_view_trim(od_view_of(text_of(name))), &n))
        n = usual;
    return n < least ? least : n > most ? most : n;
}

/* Default number of concurrent requests: one for each processor, limited to half of the memory. */
static uint64_t usual_slots(uint64_t memory_most)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    long page = sysconf(_SC_PAGE_SIZE);
    uint64_t slots = od_processors();
    uint64_t fit = slots;
    if (pages > 0 && page > 0)
        fit = (uint64_t)pages * (uint64_t)page / 2 / memory_most;
    return fit < 1 ? 1 : fit < slots ? fit : slots;
}

struct od_cgi_settings od_cgi_settings_read(void)
{
    struct od_cgi_settings s = {.body_most = setting("OOMDOCTOR_BODY", 64, 1, 4096) * MIB,
                                .seconds = (unsigned)setting("OOMDOCTOR_SECONDS", 30, 1, 3600),
                                .output_most = (uint64_t)32 * MIB};
    s.memory_most = setting("OOMDOCTOR_MEMORY", 1024, 64, 1 << 20) * MIB;
    s.slots = (unsigned)setting("OOMDOCTOR_SLOTS", usual_slots(s.memory_most), 1, 1024);
    s.queue = (unsigned)setting("OOMDOCTOR_QUEUE", (uint64_t)s.slots * 8, 0, 4096);
    s.each = (unsigned)setting("OOMDOCTOR_EACH", 16, 0, 4096);
    return s;
}

static enum od_cgi_method method_of(const char *word)
{
    return strcmp(word, "GET") == 0    ? OD_CGI_GET
           : strcmp(word, "HEAD") == 0 ? OD_CGI_HEAD
           : strcmp(word, "POST") == 0 ? OD_CGI_POST
                                       : OD_CGI_OTHER;
}

/* The original status if Apache runs us as an ErrorDocument, otherwise 0. Some servers set 200 in
 * every request. */
static unsigned refused_with(const char *status)
{
    return strcmp(status, "408") == 0 ? 408 : strcmp(status, "413") == 0 ? 413 : 0;
}

/* Did a page of another site send the request? Browsers send that in a header. For older ones
 * Origin shows it, unless a proxy changes Host. Programs send neither. */
static bool is_foreign(void)
{
    const char *site = text_of("HTTP_SEC_FETCH_SITE"), *origin = text_of("HTTP_ORIGIN");
    const char *host = strstr(origin, "://");
    if (*site)
        return strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0;
    return *origin && (!host || strcmp(host + 3, text_of("HTTP_HOST")) != 0);
}

struct od_cgi_request od_cgi_request_read(void)
{
    struct od_cgi_request r = {.method = method_of(text_of("REQUEST_METHOD")),
                               .path = text_of("PATH_INFO"),
                               .query = text_of("QUERY_STRING"),
                               .type = text_of("CONTENT_TYPE"),
                               .from = text_of("REMOTE_ADDR")};
    const char *length = text_of("CONTENT_LENGTH");
    struct od_view digits = od_view_of(length);
    r.has_length = *length != '\0';
    r.bad_length = r.has_length && (!od_num_take_u64(&digits, &r.length) || digits.n > 0);
    r.wants_json = strstr(text_of("HTTP_ACCEPT"), "application/json") != NULL ||
                   strstr(r.query, "format=json") != NULL;
    r.foreign = is_foreign();
    r.refused = refused_with(text_of("REDIRECT_STATUS"));
    return r;
}

bool od_cgi_is_awaited(void)
{
    struct pollfd answer = {.fd = STDOUT_FILENO};
    return poll(&answer, 1, 0) <= 0 || (answer.revents & (POLLERR | POLLHUP)) == 0;
}
