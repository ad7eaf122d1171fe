#include "input/archive_calls.h"
#include "input/codec_kind.h"

#include <limits.h>

enum { WINDOW = 15 + 16 /* zlib's code for: expect a gzip header */ };

OD_DYNLOAD_CALLS(gzip, OD_GZIP_CALLS, OD_ZLIB_LIBRARY, od_dynload_linked)

struct gzip {
    struct gzip_calls call;
    z_stream z;
};

static void *open_gzip(void)
{
    struct gzip_calls call;
    if (!load_gzip(&call))
        return NULL;
    struct gzip *gzip = od_mem_alloc(1, sizeof *gzip);
    gzip->call = call;
    if (call.inflateInit2_(&gzip->z, WINDOW, ZLIB_VERSION, sizeof gzip->z) != Z_OK)
        od_mem_die();
    return gzip;
}

static void close_gzip(void *state)
{
    struct gzip *gzip = state;
    (void)gzip->call.inflateEnd(&gzip->z);
}

static bool again(void *state)
{
    struct gzip *gzip = state;
    return gzip->call.inflateReset(&gzip->z) == Z_OK;
}

static enum od_codec_step step(void *state, struct od_codec_bytes *bytes, const char **ret_why)
{
    struct gzip *gzip = state;
    z_stream *z = &gzip->z;
    uInt nin = bytes->nin < UINT_MAX ? (uInt)bytes->nin : UINT_MAX;
    uInt nout = bytes->nout < UINT_MAX ? (uInt)bytes->nout : UINT_MAX;
    z->next_in = (z_const Bytef *)(uintptr_t)bytes->in;
    z->avail_in = nin;
    z->next_out = bytes->out;
    z->avail_out = nout;
    int rc = gzip->call.inflate(z, Z_NO_FLUSH);
    bytes->in += nin - z->avail_in;
    bytes->nin -= nin - z->avail_in;
    bytes->out += nout - z->avail_out;
    bytes->nout -= nout - z->avail_out;
    if (rc == Z_STREAM_END)
        return OD_CODEC_END;
    *ret_why = z->msg;
    return rc == Z_OK || rc == Z_BUF_ERROR ? OD_CODEC_ON : OD_CODEC_BROKEN;
}

const struct od_codec_kind od_codec_gzip = {.word = "gzip",
                                            .magic = {"\x1f\x8b", 2},
                                            .open = open_gzip,
                                            .close = close_gzip,
                                            .again = again,
                                            .step = step};
