/* The functions of libmicrohttpd that the page's server calls. */
#pragma once

#include "base/dynload.h"

#include <microhttpd.h>

#define OD_PAGE_SERVER_CALLS(X)        \
    X(MHD_add_response_header)         \
    X(MHD_create_response_from_buffer) \
    X(MHD_destroy_response)            \
    X(MHD_get_connection_info)         \
    X(MHD_get_connection_values)       \
    X(MHD_lookup_connection_value)     \
    X(MHD_queue_response)              \
    X(MHD_start_daemon)
