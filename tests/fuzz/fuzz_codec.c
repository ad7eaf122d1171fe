/* The unpackers that formats' own libraries are: whatever the room is that they are asked to fill,
 * the same bytes come out (but for a few of a damaged block), and packed text comes out up to where
 * it is cut. */
#include "base/buf.h"
#include "input/codec.h"
#include "input/codec_kind.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { ROOM = 4096, UNPACKED_MOST = 1 << 20 };

static void unpack(struct od_view bytes, size_t room, struct od_buf *to)
{
    char block[ROOM];
    struct od_stream stream;
    od_stream_of_memory(&stream, bytes);
    struct od_codec *codec = od_codec_new(od_stream_feed(&stream), od_stream_look(&stream));
    for (size_t n = 1; codec && n > 0 && to->n < UNPACKED_MOST;) {
        n = od_codec_read(codec, block, room);
        od_buf_add(to, (struct od_view){block, n});
    }
    if (codec && (!od_codec_word(codec) || od_codec_taken(codec) > bytes.n))
        abort();
    od_codec_free(codec);
    od_stream_done(&stream);
}

static void unpack_both_ways(struct od_view bytes, struct od_buf *to)
{
    struct od_buf small = {0};
    unpack(bytes, ROOM, to);
    unpack(bytes, 7, &small);
    size_t n = small.n < to->n ? small.n : to->n;
    size_t more = (small.n > to->n ? small.n : to->n) - n;
    if ((n > 0 && memcmp(small.p, to->p, n) != 0) || (more > OD_CODEC_SLICE && n < UNPACKED_MOST))
        abort();
    od_buf_done(&small);
}

/* The first byte says how much of the packed rest is kept. */
static void pack_and_cut(struct od_view bytes)
{
    uLongf n = compressBound(bytes.n) + 64;
    Bytef *packed = malloc(n);
    z_stream z = {0};
    struct od_buf out = {0};
    if (!packed || deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        abort();
    z.next_in = (Bytef *)(uintptr_t)(bytes.p + 1);
    z.avail_in = (uInt)(bytes.n - 1);
    z.next_out = packed;
    z.avail_out = (uInt)n;
    if (deflate(&z, Z_FINISH) != Z_STREAM_END)
        abort();
    size_t kept = z.total_out * (unsigned char)bytes.p[0] / 255;
    unpack_both_ways((struct od_view){(const char *)packed, kept}, &out);
    if (out.n > bytes.n - 1 || (out.n > 0 && memcmp(out.p, bytes.p + 1, out.n) != 0) ||
        (kept == z.total_out && out.n != bytes.n - 1))
        abort();
    (void)deflateEnd(&z);
    od_buf_done(&out);
    free(packed);
}

static void codec(struct od_ruleset *rules, struct od_view bytes)
{
    struct od_buf out = {0};
    (void)rules;
    unpack_both_ways(bytes, &out);
    od_buf_done(&out);
    if (bytes.n > 1 && bytes.n < UNPACKED_MOST)
        pack_and_cut(bytes);
}

const struct od_fuzz od_fuzz_codec = {.name = "codec", .one = codec};
