/* What a format's library does for codec.c: one file codec_<format>.c each. */
#pragma once

#include "base/base.h"
#include "config.h"

/* What is to be read and where what comes out goes; a step takes from both. */
struct od_codec_bytes {
    const unsigned char *in;
    size_t nin;
    unsigned char *out;
    size_t nout;
};

enum od_codec_step {
    OD_CODEC_ON,
    OD_CODEC_END,   /* of this file; another may follow */
    OD_CODEC_BROKEN /* *ret_why says how */
};

struct od_codec_kind {
    const char *word;
    struct od_view magic;       /* with which a file begins */
    void *(*open)(void);        /* a block of ours; NULL where its library is not here */
    void (*close)(void *state); /* releases what the library holds; the block stays */
    /* Makes ready for another file; false when it cannot. */
    bool (*again)(void *state);
    enum od_codec_step (*step)(void *state, struct od_codec_bytes *bytes, const char **ret_why);
};

/* Where a block turns out to be damaged, libzstd, libbz2 and liblzma forget what the same call has
 * given: so little is asked for that little is lost. */
enum { OD_CODEC_SLICE = 256 };
static inline size_t od_codec_slice(size_t room)
{
    return room < OD_CODEC_SLICE ? room : OD_CODEC_SLICE;
}

extern const struct od_codec_kind od_codec_gzip;
#ifdef HAVE_LZMA
extern const struct od_codec_kind od_codec_xz;
#endif
#ifdef HAVE_ZSTD
extern const struct od_codec_kind od_codec_zstd;
#endif
#ifdef HAVE_BZ2
extern const struct od_codec_kind od_codec_bzip2;
#endif
