/*
 * Serves the paste-in page without a separate web server: libmicrohttpd accepts requests, and
 * oomdoctor.cgi answers each, as with any other server. The whole body is received before the
 * program starts, so that a slow client occupies none of its slots.
 */
#pragma once

#include "base/base.h"

struct od_page_server {
    const char *address, *port; /* numbers, checked */
    const char *cgi;            /* path of oomdoctor.cgi */
};

/* Was the server built in, and is its library installed? Call this before od_page_server_run. */
bool od_page_server_is_there(void);

/* In a process of its own: serves until a signal ends it. Returns only where it cannot. */
void od_page_server_run(const struct od_page_server *server);
