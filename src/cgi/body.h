/*
 * The body of a request, taken as it comes into memory before anything else is taken for it: who
 * sends slowly, or nothing, keeps nobody from a slot. Nothing of it is looked at here.
 */
#pragma once

#include "cgi/request.h"

enum od_body_end {
    OD_BODY_READ, /* as much as there is, or a byte more than is allowed */
    OD_BODY_SLOW, /* the time was over */
    OD_BODY_LEFT, /* nobody waits for an answer any more */
    OD_BODY_NO_MEMORY
};

/* From standard input, which is then the copy, at its start. In settings->seconds. */
enum od_body_end od_body_take(const struct od_cgi_request *request,
                              const struct od_cgi_settings *settings);
