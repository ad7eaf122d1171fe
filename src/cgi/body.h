/*
 * Reads the body of a request into memory before the request gets a slot, so that slow clients
 * block no slot. The body is not parsed here.
 */
#pragma once

#include "cgi/request.h"

enum od_body_end {
    OD_BODY_READ, /* as much as there is, or a byte more than is allowed */
    OD_BODY_SLOW, /* the time was over */
    OD_BODY_LEFT, /* the client no longer waits for an answer */
    OD_BODY_NO_MEMORY
};

/* From standard input, which is then the copy, at its start. In settings->seconds. */
enum od_body_end od_body_take(const struct od_cgi_request *request,
                              const struct od_cgi_settings *settings);
