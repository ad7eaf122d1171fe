#include "input/codec.h"

#include "input/codec_kind.h"
#include "input/decode.h"

#include <errno.h>

enum { READ_BYTES = 64 * 1024 };

struct od_codec {
    const struct od_codec_kind *kind;
    void *state;
    struct od_foreign held; /* releases the library's memory if the work is interrupted */
    struct od_feed feed;
    uint64_t taken;
    const char *error;
    bool between;  /* a complete compressed file was read; another one may follow */
    bool appended; /* the rest of the file is uncompressed text */
    bool over;
    size_t at, n; /* the part of buf that was not decompressed yet */
    unsigned char buf[READ_BYTES];
};

static const struct od_codec_kind *const kinds[] = {
    &od_codec_gzip,
#ifdef HAVE_LZMA
    &od_codec_xz,
#endif
#ifdef HAVE_ZSTD
    &od_codec_zstd,
#endif
#ifdef HAVE_BZ2
    &od_codec_bzip2,
#endif
};

struct od_codec *od_codec_new(struct od_feed feed, struct od_view head)
{
    for (size_t i = 0; i < OD_COUNT_OF(kinds); i++) {
        if (!od_view_starts(head, kinds[i]->magic))
            continue;
        struct od_codec *codec = od_mem_alloc(1, sizeof *codec);
        codec->kind = kinds[i];
        codec->feed = feed;
        codec->state = kinds[i]->open();
        od_foreign_hold(&codec->held, codec->state, kinds[i]->close);
        if (codec->state)
            return codec;
        od_mem_free(codec);
        return NULL;
    }
    return NULL;
}

void od_codec_prepare(void)
{
    for (size_t i = 0; i < OD_COUNT_OF(kinds); i++) {
        void *state = kinds[i]->open();
        if (state)
            kinds[i]->close(state);
        od_mem_free(state);
    }
}

void od_codec_free(struct od_codec *codec)
{
    if (!codec)
        return;
    od_foreign_release(&codec->held);
    od_mem_free(codec->state);
    od_mem_free(codec);
}

static void end(struct od_codec *codec, const char *error)
{
    codec->over = true;
    codec->error = error;
}

/* Reads more compressed bytes. False at the end of the file. */
static bool fill(struct od_codec *codec)
{
    if (codec->n > 0)
        memmove(codec->buf, codec->buf + codec->at, codec->n);
    codec->at = 0;
    ssize_t n =
        codec->feed.read(codec->feed.self, (char *)codec->buf + codec->n, READ_BYTES - codec->n);
    if (n <= 0) {
        if (n < 0)
            end(codec, "it cannot be read further");
        return false;
    }
    codec->taken += (uint64_t)n;
    codec->n += (size_t)n;
    return true;
}

/* Does another compressed file follow a complete one? */
static bool begins_another(struct od_codec *codec)
{
    struct od_view magic = codec->kind->magic;
    while (codec->n < magic.n && fill(codec))
        ;
    struct od_view here = {(const char *)codec->buf + codec->at, codec->n};
    if (!od_view_starts(here, magic))
        return false;
    codec->between = false;
    errno = 0;
    bool ready = codec->kind->again(codec->state);
    if (!ready && errno == ENOMEM)
        od_mem_die();
    return ready;
}

/* Handles bytes after the last compressed file: passes text on unchanged. */
static void begin_appended(struct od_codec *codec)
{
    struct od_view rest = {(const char *)codec->buf + codec->at, codec->n};
    while (rest.n > 0 && (rest.p[0] == '\0' || od_is_space(rest.p[0])))
        rest = od_view_from(rest, 1);
    if (rest.n == 0)
        end(codec, NULL);
    else if (od_bytes_are_binary(rest))
        end(codec, "what follows its end is neither packed nor text");
    codec->appended = !codec->over;
}

static size_t copy_appended(struct od_codec *codec, unsigned char *to, size_t room)
{
    if (codec->n == 0 && !fill(codec)) {
        codec->over = true;
        return 0;
    }
    size_t n = codec->n < room ? codec->n : room;
    memcpy(to, codec->buf + codec->at, n);
    codec->at += n;
    codec->n -= n;
    return n;
}

/* Decompresses once, given input and space for output. */
static void step(struct od_codec *codec, unsigned char **to, size_t *room)
{
    struct od_codec_bytes bytes = {
        .in = codec->buf + codec->at, .nin = codec->n, .out = *to, .nout = *room};
    const char *why = NULL;
    errno = 0;
    enum od_codec_step got = codec->kind->step(codec->state, &bytes, &why);
    if (got == OD_CODEC_BROKEN && errno == ENOMEM)
        od_mem_die();
    codec->at += codec->n - bytes.nin;
    codec->n = bytes.nin;
    *to = bytes.out;
    *room = bytes.nout;
    if (got == OD_CODEC_END)
        codec->between = true;
    else if (got == OD_CODEC_BROKEN)
        end(codec, why ? why : "damaged");
}

size_t od_codec_read(struct od_codec *codec, char *to, size_t room)
{
    unsigned char *next = (unsigned char *)to;
    size_t left = room;
    while (!codec->over && left > 0) {
        size_t before = left;
        size_t had = codec->n;
        if (codec->appended) {
            size_t n = copy_appended(codec, next, left);
            next += n;
            left -= n;
            continue;
        }
        if (codec->between) {
            if (!begins_another(codec) && !codec->over)
                begin_appended(codec);
            continue;
        }
        step(codec, &next, &left);
        /* neither input nor output advanced: more input is needed */
        if (left == before && codec->n == had && !codec->over && !codec->between && !fill(codec) &&
            !codec->over)
            end(codec, "it is incomplete");
    }
    return room - left;
}

const char *od_codec_error(const struct od_codec *codec)
{
    return codec->error;
}

const char *od_codec_word(const struct od_codec *codec)
{
    return codec->kind->word;
}

uint64_t od_codec_taken(const struct od_codec *codec)
{
    return codec->taken;
}
