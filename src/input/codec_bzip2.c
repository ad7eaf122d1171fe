#include "input/codec_kind.h"

#include "base/mem.h"

#ifdef HAVE_BZ2
#include <bzlib.h>
#include <limits.h>

static void *open_bzip2(void)
{
    bz_stream *bz = od_mem_alloc(1, sizeof *bz);
    if (BZ2_bzDecompressInit(bz, 0, 0) != BZ_OK)
        od_mem_die();
    return bz;
}

static void close_bzip2(void *state)
{
    (void)BZ2_bzDecompressEnd(state);
    od_mem_free(state);
}

static bool again(void *state)
{
    (void)BZ2_bzDecompressEnd(state);
    return BZ2_bzDecompressInit(state, 0, 0) == BZ_OK;
}

static enum od_codec_step step(void *state, struct od_codec_bytes *bytes, const char **ret_why)
{
    bz_stream *bz = state;
    unsigned nin = bytes->nin < UINT_MAX ? (unsigned)bytes->nin : UINT_MAX;
    unsigned nout = (unsigned)od_codec_slice(bytes->nout);
    (void)ret_why;
    bz->next_in = (char *)(uintptr_t)bytes->in;
    bz->avail_in = nin;
    bz->next_out = (char *)bytes->out;
    bz->avail_out = nout;
    int rc = BZ2_bzDecompress(bz);
    bytes->in += nin - bz->avail_in;
    bytes->nin -= nin - bz->avail_in;
    bytes->out += nout - bz->avail_out;
    bytes->nout -= nout - bz->avail_out;
    if (rc == BZ_MEM_ERROR)
        od_mem_die();
    return rc == BZ_STREAM_END ? OD_CODEC_END : rc == BZ_OK ? OD_CODEC_ON : OD_CODEC_BROKEN;
}

const struct od_codec_kind od_codec_bzip2 = {.word = "bzip2",
                                             .magic = {"BZh", 3},
                                             .open = open_bzip2,
                                             .close = close_bzip2,
                                             .again = again,
                                             .step = step};
#else
typedef int od_codec_bzip2_is_missing;
#endif
