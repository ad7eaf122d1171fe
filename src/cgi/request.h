/*
 * The request (RFC 3875) and the limits set by the server's operator, both from the environment.
 * Only length and form of headers are checked here; untrusted text is read in the locked process.
 */
#pragma once

#include "base/base.h"

/*
 * Set by OOMDOCTOR_BODY (MiB), OOMDOCTOR_SECONDS (to read, and again to analyze), OOMDOCTOR_MEMORY
 * (MiB a request), OOMDOCTOR_SLOTS (concurrent requests; default: see usual_slots), OOMDOCTOR_QUEUE
 * (waiting requests), OOMDOCTOR_EACH (concurrent requests from one address other than this
 * machine's; 0 = no limit). Values out of range are set to the nearest valid one.
 */
struct od_cgi_settings {
    uint64_t body_most, memory_most, output_most; /* bytes */
    unsigned seconds, slots, queue, each;
    bool no_figures; /* gnuplot cannot be started */
};

enum od_cgi_method { OD_CGI_GET, OD_CGI_HEAD, OD_CGI_POST, OD_CGI_OTHER };

/* Texts are never NULL and are valid as long as the environment. */
struct od_cgi_request {
    enum od_cgi_method method;
    const char *path;  /* path after the path of this program */
    const char *query; /* not decoded */
    const char *type;  /* Content-Type of the body */
    const char *from;  /* address of the client; "" = unknown */
    bool has_length, bad_length;
    uint64_t length;  /* Content-Length */
    bool wants_json;  /* Accept or ?format=json requests JSON */
    unsigned refused; /* status of the server's own error that our page must explain; 0 = none */
    bool foreign;     /* a page of another site sent the request */
};

struct od_cgi_settings od_cgi_settings_read(void);
struct od_cgi_request od_cgi_request_read(void);

/* Is the client still waiting? Servers close the other end of standard output when the client
 * disconnects. True if unknown. */
bool od_cgi_is_awaited(void);
