/*
 * The request as described by the server (RFC 3875) and the limits set by its operator, both from
 * the environment. Only length and form of the headers are examined here; untrusted text is read in
 * the locked process.
 */
#pragma once

#include "base/base.h"

/*
 * OOMDOCTOR_BODY (MiB), OOMDOCTOR_SECONDS (for reading, and again for analyzing), OOMDOCTOR_MEMORY
 * (MiB a request), OOMDOCTOR_SLOTS (concurrent requests; default: limited by processors and half of
 * the memory), OOMDOCTOR_QUEUE (waiting requests), OOMDOCTOR_EACH (concurrent requests from one
 * address other than this machine's; 0 = no limit). Values out of range are set to the nearest
 * valid one.
 */
struct od_cgi_settings {
    uint64_t body_most, memory_most, output_most; /* bytes */
    unsigned seconds, slots, queue, each;
    bool no_figures; /* gnuplot cannot be run */
};

enum od_cgi_method { OD_CGI_GET, OD_CGI_HEAD, OD_CGI_POST, OD_CGI_OTHER };

/* Texts are never NULL and live as long as the environment. */
struct od_cgi_request {
    enum od_cgi_method method;
    const char *path;  /* the path after the program's own */
    const char *query; /* still encoded */
    const char *type;  /* type of the body */
    const char *from;  /* the client's address; "" = unknown */
    bool has_length, bad_length;
    uint64_t length; /* length of the body according to the client */
    bool wants_json; /* Accept or ?format=json */
    unsigned
        refused;  /* status of an error of the server for which it requests our page; 0 = none */
    bool foreign; /* sent by a page of another site */
};

struct od_cgi_settings od_cgi_settings_read(void);
struct od_cgi_request od_cgi_request_read(void);

/* Is the client still waiting? Servers close the other end of standard output when they notice that
 * the client is gone. True if that cannot be determined. */
bool od_cgi_is_awaited(void);
