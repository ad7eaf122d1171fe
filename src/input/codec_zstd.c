#include "input/codec_kind.h"

#include "base/mem.h"

#ifdef HAVE_ZSTD
#include <zstd.h>

static void *open_zstd(void)
{
    ZSTD_DStream *zstd = ZSTD_createDStream();
    if (!zstd)
        od_mem_die();
    return zstd;
}

static void close_zstd(void *state)
{
    (void)ZSTD_freeDStream(state);
}

static bool again(void *state)
{
    return !ZSTD_isError(ZSTD_initDStream(state));
}

static enum od_codec_step step(void *state, struct od_codec_bytes *bytes, const char **ret_why)
{
    ZSTD_inBuffer in = {.src = bytes->in, .size = bytes->nin};
    ZSTD_outBuffer out = {.dst = bytes->out, .size = od_codec_slice(bytes->nout)};
    size_t rc = ZSTD_decompressStream(state, &out, &in);
    bytes->in += in.pos;
    bytes->nin -= in.pos;
    bytes->out += out.pos;
    bytes->nout -= out.pos;
    if (ZSTD_isError(rc)) {
        *ret_why = ZSTD_getErrorName(rc);
        return OD_CODEC_BROKEN;
    }
    return rc == 0 ? OD_CODEC_END : OD_CODEC_ON;
}

const struct od_codec_kind od_codec_zstd = {.word = "zstd",
                                            .magic = {"\x28\xb5\x2f\xfd", 4},
                                            .open = open_zstd,
                                            .close = close_zstd,
                                            .again = again,
                                            .step = step};
#else
typedef int od_codec_zstd_is_missing;
#endif
