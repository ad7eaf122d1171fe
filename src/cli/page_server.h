/*
 * Serves the page without a separate web server: libmicrohttpd accepts requests, and oomdoctor.cgi
 * answers each of them, as with any other server. The whole body is received before the program
 * starts, so that a slow client occupies none of its slots.
 */
#pragma once

#include "base/base.h"

struct od_page_server {
    const char *address, *port; /* numbers, checked */
    const char *cgi;            /* path of oomdoctor.cgi */
};

/* Is the server built in, and its library installed? Call this before od_page_server_run. */
bool od_page_server_is_there(void);

/* Serves until a signal ends the process. Returns only on failure. */
void od_page_server_run(const struct od_page_server *server);
