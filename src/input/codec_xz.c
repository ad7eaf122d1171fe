#include "input/codec_kind.h"

#include "base/mem.h"

#ifdef HAVE_LZMA
#include <lzma.h>

enum { MEMORY_MOST_MIB = 256 };

static bool again(void *state)
{
    return lzma_stream_decoder(state, (uint64_t)MEMORY_MOST_MIB << 20, 0) == LZMA_OK;
}

static void *open_xz(void)
{
    lzma_stream *lzma = od_mem_alloc(1, sizeof *lzma);
    *lzma = (lzma_stream)LZMA_STREAM_INIT;
    if (!again(lzma))
        od_mem_die();
    return lzma;
}

static void close_xz(void *state)
{
    lzma_end(state);
    od_mem_free(state);
}

static enum od_codec_step step(void *state, struct od_codec_bytes *bytes, const char **ret_why)
{
    lzma_stream *lzma = state;
    lzma->next_in = bytes->in;
    lzma->avail_in = bytes->nin;
    lzma->next_out = bytes->out;
    size_t room = od_codec_slice(bytes->nout);
    lzma->avail_out = room;
    lzma_ret rc = lzma_code(lzma, LZMA_RUN);
    bytes->in = lzma->next_in;
    bytes->nin = lzma->avail_in;
    bytes->out = lzma->next_out;
    bytes->nout -= room - lzma->avail_out;
    if (rc == LZMA_MEM_ERROR)
        od_mem_die();
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
