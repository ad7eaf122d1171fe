#include "input/codec_kind.h"

#include "base/mem.h"

#include <limits.h>
#include <zlib.h>

enum { WINDOW = 15 + 16 /* zlib's word for a gzip header */ };

static void *open_gzip(void)
{
    z_stream *z = od_mem_alloc(1, sizeof *z);
    if (inflateInit2(z, WINDOW) != Z_OK)
        od_mem_die();
    return z;
}

static void close_gzip(void *state)
{
    (void)inflateEnd(state);
    od_mem_free(state);
}

static bool again(void *state)
{
    return inflateReset(state) == Z_OK;
}

static enum od_codec_step step(void *state, struct od_codec_bytes *bytes, const char **ret_why)
{
    z_stream *z = state;
    uInt nin = bytes->nin < UINT_MAX ? (uInt)bytes->nin : UINT_MAX;
    uInt nout = bytes->nout < UINT_MAX ? (uInt)bytes->nout : UINT_MAX;
    z->next_in = (z_const Bytef *)(uintptr_t)bytes->in;
    z->avail_in = nin;
    z->next_out = bytes->out;
    z->avail_out = nout;
    int rc = inflate(z, Z_NO_FLUSH);
    bytes->in += nin - z->avail_in;
    bytes->nin -= nin - z->avail_in;
    bytes->out += nout - z->avail_out;
    bytes->nout -= nout - z->avail_out;
    if (rc == Z_MEM_ERROR)
        od_mem_die();
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
