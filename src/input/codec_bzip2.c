#include "input/archive_calls.h"
#include "input/codec_kind.h"

#ifdef HAVE_BZ2
#include <limits.h>

OD_DYNLOAD_CALLS(bzip2, OD_BZIP2_CALLS, OD_BZ2_LIBRARY, od_dynload_linked)

struct bzip2 {
    struct bzip2_calls call;
    bz_stream bz;
};

static void *open_bzip2(void)
{
    struct bzip2_calls call;
    if (!load_bzip2(&call))
        return NULL;
    struct bzip2 *bzip2 = od_mem_alloc(1, sizeof *bzip2);
    bzip2->call = call;
    if (call.BZ2_bzDecompressInit(&bzip2->bz, 0, 0) != BZ_OK)
        od_mem_die();
    return bzip2;
}

static void close_bzip2(void *state)
{
    struct bzip2 *bzip2 = state;
    (void)bzip2->call.BZ2_bzDecompressEnd(&bzip2->bz);
}

static bool again(void *state)
{
    struct bzip2 *bzip2 = state;
    (void)bzip2->call.BZ2_bzDecompressEnd(&bzip2->bz);
    return bzip2->call.BZ2_bzDecompressInit(&bzip2->bz, 0, 0) == BZ_OK;
}

static enum od_codec_step step(void *state, struct od_codec_bytes *bytes, const char **ret_why)
{
    struct bzip2 *bzip2 = state;
    bz_stream *bz = &bzip2->bz;
    unsigned nin = bytes->nin < UINT_MAX ? (unsigned)bytes->nin : UINT_MAX;
    unsigned nout = (unsigned)od_codec_slice(bytes->nout);
    (void)ret_why;
    bz->next_in = (char *)(uintptr_t)bytes->in;
    bz->avail_in = nin;
    bz->next_out = (char *)bytes->out;
    bz->avail_out = nout;
    int rc = bzip2->call.BZ2_bzDecompress(bz);
    bytes->in += nin - bz->avail_in;
    bytes->nin -= nin - bz->avail_in;
    bytes->out += nout - bz->avail_out;
    bytes->nout -= nout - bz->avail_out;
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
