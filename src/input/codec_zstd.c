#include "input/archive_calls.h"
#include "input/codec_kind.h"

#ifdef HAVE_ZSTD
OD_DYNLOAD_CALLS(zstd, OD_ZSTD_CALLS, OD_ZSTD_LIBRARY, od_dynload_linked)

struct zstd {
    struct zstd_calls call;
    ZSTD_DStream *stream;
};

static void *open_zstd(void)
{
    struct zstd_calls call;
    if (!load_zstd(&call))
        return NULL;
    struct zstd *zstd = od_mem_alloc(1, sizeof *zstd);
    *zstd = (struct zstd){call, call.ZSTD_createDStream()};
    if (!zstd->stream)
        od_mem_die();
    return zstd;
}

static void close_zstd(void *state)
{
    struct zstd *zstd = state;
    (void)zstd->call.ZSTD_freeDStream(zstd->stream);
}

static bool again(void *state)
{
    struct zstd *zstd = state;
    return !zstd->call.ZSTD_isError(zstd->call.ZSTD_initDStream(zstd->stream));
}

static enum od_codec_step step(void *state, struct od_codec_bytes *bytes, const char **ret_why)
{
    struct zstd *zstd = state;
    ZSTD_inBuffer in = {.src = bytes->in, .size = bytes->nin};
    ZSTD_outBuffer out = {.dst = bytes->out, .size = od_codec_slice(bytes->nout)};
    size_t rc = zstd->call.ZSTD_decompressStream(zstd->stream, &out, &in);
    bytes->in += in.pos;
    bytes->nin -= in.pos;
    bytes->out += out.pos;
    bytes->nout -= out.pos;
    if (zstd->call.ZSTD_isError(rc)) {
        *ret_why = zstd->call.ZSTD_getErrorName(rc);
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
