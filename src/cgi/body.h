/*
 * Reads the body of a request before the request gets a slot, so that slow clients block no slot.
 * The body is not parsed here.
 */
#pragma once

#include "cgi/request.h"

enum od_body_end {
    OD_BODY_READ, /* the body was read, up to one byte more than allowed */
    OD_BODY_SLOW, /* the time limit was reached */
    OD_BODY_LEFT, /* the client disconnected */
    OD_BODY_NO_MEMORY
};

/* Reads the body from standard input, then replaces standard input by the copy, at its start. Time
 * limit: settings->seconds. */
enum od_body_end od_body_take(const struct od_cgi_request *request,
                              const struct od_cgi_settings *settings);
