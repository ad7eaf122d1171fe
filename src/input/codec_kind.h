/*
 * The interface between codec.c and a format's library; one file codec_<format>.c for each.
 */
#pragma once

#include "base/base.h"
#include "config.h"

/* Input and output of a step, which advances both. */
struct od_codec_bytes {
    const unsigned char *in;
    size_t nin;
    unsigned char *out;
    size_t nout;
};

enum od_codec_step {
    OD_CODEC_ON,
    OD_CODEC_END,   /* end of one compressed file; another one may follow */
    OD_CODEC_BROKEN /* the data is invalid; ret_why gets the reason */
};

struct od_codec_kind {
    const char *word;
    struct od_view magic; /* first bytes of a file */
    void *(*open)(void);  /* allocates our state; NULL if the format's library is not available */
    void (*close)(void *state); /* frees the library's memory but not the state itself */
    /* Prepares for another file; false if that fails. */
    bool (*again)(void *state);
    enum od_codec_step (*step)(void *state, struct od_codec_bytes *bytes, const char **ret_why);
};

/* Maximum input of a call. If a block is damaged, libzstd, libbz2 and liblzma drop the output of
 * the same call, so small slices limit the loss. */
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
