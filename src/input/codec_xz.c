#include "input/archive_calls.h"
#include "input/codec_kind.h"

#ifdef HAVE_LZMA
enum { MEMORY_MOST_MIB = 256 };

OD_DYNLOAD_CALLS(xz, OD_XZ_CALLS, OD_LZMA_LIBRARY, od_dynload_linked)

struct xz {
    struct xz_calls call;
    lzma_stream lzma;
};

static bool again(void *state)
{
    struct xz *xz = state;
    return xz->call.lzma_stream_decoder(&xz->lzma, (uint64_t)MEMORY_MOST_MIB << 20, 0) == LZMA_OK;
}

static void *open_xz(void)
{
    struct xz_calls call;
    if (!load_xz(&call))
        return NULL;
    struct xz *xz = od_mem_alloc(1, sizeof *xz);
    *xz = (struct xz){.call = call, .lzma = LZMA_STREAM_INIT};
    if (!again(xz))
        od_mem_die();
    return xz;
}

static void close_xz(void *state)
{
    struct xz *xz = state;
    xz->call.lzma_end(&xz->lzma);
}

static enum od_codec_step step(void *state, struct od_codec_bytes *bytes, const char **ret_why)
{
    struct xz *xz = state;
    lzma_stream *lzma = &xz->lzma;
    lzma->next_in = bytes->in;
    lzma->avail_in = bytes->nin;
    lzma->next_out = bytes->out;
    size_t room = od_codec_slice(bytes->nout);
    lzma->avail_out = room;
    lzma_ret rc = xz->call.lzma_code(lzma, LZMA_RUN);
    bytes->in = lzma->next_in;
    bytes->nin = lzma->avail_in;
    bytes->out = lzma->next_out;
    bytes->nout -= room - lzma->avail_out;
    if (rc == LZMA_STREAM_END)
        return OD_CODEC_END;
    if (rc == LZMA_OK || rc == LZMA_BUF_ERROR)
        return OD_CODEC_ON;
    *ret_why = rc == LZMA_MEMLIMIT_ERROR ? "its dictionary takes more memory than is given" : NULL;
    return OD_CODEC_BROKEN;
}

const struct od_codec_kind od_codec_xz = {.word = "xz",
                                          .magic = {"\xfd"
                                                    "7zXZ\0",
                                                    6},
                                          .open = open_xz,
                                          .close = close_xz,
                                          .again = again,
                                          .step = step};
#else
typedef int od_codec_xz_is_missing;
#endif
