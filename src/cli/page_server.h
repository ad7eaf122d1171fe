/*
 * The paste-in page without a web server of its own kind: libmicrohttpd takes requests, and each is
 * answered by oomdoctor.cgi, as behind any other server. A body is taken whole before the program
 * is started, so that a slow client holds no slot of it.
 */
#pragma once

#include "base/base.h"

struct od_page_server {
    const char *address, *port; /* numbers, checked */
    const char *cgi;            /* path of oomdoctor.cgi */
};

/* Was it built in, and is its library there? To be asked before it is run. */
bool od_page_server_is_there(void);

/* In a process of its own: serves until a signal ends it. Returns only where it cannot. */
void od_page_server_run(const struct od_page_server *server);
