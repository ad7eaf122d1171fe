/*
 * Our own filter: of each literal the four bytes in a row that are rarest in logs are put into a
 * set of bits, by a hash; every place of the text is looked up there, and what is in it compared.
 * It is ready at once, where the library compiles for some 20 ms. Literals of less than four bytes
 * have a set of their own, of pairs of bytes.
 */
#include "base/ascii.h"
#include "scan/filter_engine.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdbool.h>
#include <string.h>

#define NONE UINT32_MAX

enum { GRAM = 4, BITS = 1 << 16, BUCKETS = 1 << 13, PIECE = 1 << 18 };

/* Where in a literal the bytes stand that it is found by. */
struct entry {
    struct od_view literal;
    uint32_t id;
    uint32_t at;
    uint32_t key;  /* those bytes */
    uint32_t mask; /* over as many of four */
    uint32_t next; /* in its bucket */
};

struct portable {
    uint64_t grams[BITS / 64]; /* by hash */
    uint64_t pairs[BITS / 64]; /* as they are */
    uint32_t gram_first[BUCKETS];
    uint32_t pair_first[256]; /* by the first byte */
    struct entry *entries;
    size_t overlap; /* bytes before a piece that an occurrence can begin in */
    OD_VEC(struct od_filter_hit) hits;
    size_t seen, end; /* of the piece: what ends behind seen, up to end, belongs to it */
};

static uint32_t gram_of(const char *p)
{
    uint32_t gram;
    memcpy(&gram, p, sizeof gram);
    return gram;
}

static uint32_t hash_of(uint32_t gram)
{
    return gram * UINT32_C(0x9e3779b1) >> 16;
}

static uint32_t pair_of(const char *p, size_t n)
{
    return (unsigned char)p[0] | (n > 1 ? (uint32_t)(unsigned char)p[1] << 8 : 0);
}

static void set_bit(uint64_t *bits, uint32_t i)
{
    bits[i / 64] |= UINT64_C(1) << i % 64;
}

static bool has_bit(const uint64_t *bits, uint32_t i)
{
    return (bits[i / 64] >> i % 64 & 1) != 0;
}

/* How common is that byte in logs, roughly? Figures and marks stand in every time and number. */
static unsigned commonness(char c)
{
    if (c == ' ')
        return 9;
    if (strchr("etaoinsr", c) && c)
        return 6;
    if (od_is_digit(c) || (strchr(".:,-/=_\t", c) && c))
        return 6;
    if (c >= 'a' && c <= 'z')
        return 4;
    return c >= 'A' && c <= 'Z' ? 2 : 1;
}

/* Where the rarest n bytes in a row are. */
static uint32_t rarest(struct od_view literal, size_t n)
{
    size_t best = 0;
    unsigned least = UINT32_MAX;
    for (size_t at = 0; at + n <= literal.n; at++) {
        unsigned sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += commonness(literal.p[at + i]);
        if (sum < least) {
            least = sum;
            best = at;
        }
    }
    return (uint32_t)best;
}

static void add_short(struct portable *f, struct entry *entry, uint32_t index)
{
    if (entry->literal.n > 1)
        entry->at = rarest(entry->literal, 2);
    const char *p = entry->literal.p + entry->at;
    entry->key = pair_of(p, entry->literal.n);
    entry->mask = entry->literal.n > 1 ? 0xffff : 0xff;
    if (entry->literal.n > 1)
        set_bit(f->pairs, entry->key);
    for (uint32_t second = 0; entry->literal.n == 1 && second < 256; second++)
        set_bit(f->pairs, pair_of(p, 1) | second << 8);
    uint32_t *first = &f->pair_first[(unsigned char)*p];
    entry->next = *first;
    *first = index;
}

static void add_long(struct portable *f, struct entry *entry, uint32_t index)
{
    entry->at = rarest(entry->literal, GRAM);
    entry->key = gram_of(entry->literal.p + entry->at);
    entry->mask = UINT32_MAX;
    uint32_t hash = hash_of(entry->key);
    set_bit(f->grams, hash);
    uint32_t *first = &f->gram_first[hash % BUCKETS];
    entry->next = *first;
    *first = index;
}

static void *create(const struct od_view *literals, size_t n)
{
    struct portable *f = od_mem_alloc(1, sizeof *f);
    f->entries = od_mem_alloc(n + 1, sizeof *f->entries);
    memset(f->gram_first, 0xff, sizeof f->gram_first);
    memset(f->pair_first, 0xff, sizeof f->pair_first);
    for (size_t i = 0; i < n; i++) {
        f->entries[i] = (struct entry){.literal = literals[i], .id = (uint32_t)i};
        if (literals[i].n < GRAM)
            add_short(f, &f->entries[i], (uint32_t)i);
        else
            add_long(f, &f->entries[i], (uint32_t)i);
        if (literals[i].n > f->overlap + 1)
            f->overlap = literals[i].n - 1;
    }
    return f;
}

static void destroy(void *engine)
{
    struct portable *f = engine;
    od_mem_free(f->entries);
    od_vec_done(&f->hits);
    od_mem_free(f);
}

/* Keeps the hits in order of their ends: the next one belongs at the back, or near it. */
static void note(struct portable *f, uint32_t id, size_t end)
{
    struct od_filter_hit hit = {.literal = id, .end = end};
    od_vec_push(&f->hits, hit);
    size_t i = f->hits.n - 1;
    for (; i > 0 && f->hits.items[i - 1].end > end; i--)
        f->hits.items[i] = f->hits.items[i - 1];
    f->hits.items[i] = hit;
}

/* The entries of a bucket, against the text around the bytes that led to it. */
static void compare(struct portable *f, struct od_view text, size_t at, uint32_t bytes,
                    uint32_t index)
{
    for (; index != NONE; index = f->entries[index].next) {
        const struct entry *entry = &f->entries[index];
        if (((bytes ^ entry->key) & entry->mask) != 0)
            continue;
        size_t start = at - entry->at;
        size_t end = start + entry->literal.n;
        if (at >= entry->at && end > f->seen && end <= f->end &&
            memcmp(text.p + start, entry->literal.p, entry->literal.n) == 0)
            note(f, entry->id, end);
    }
}

static void look(struct portable *f, struct od_view text, size_t at)
{
    uint32_t pair = pair_of(text.p + at, text.n - at);
    if (has_bit(f->pairs, pair))
        compare(f, text, at, pair, f->pair_first[pair & 0xff]);
    if (text.n - at < GRAM)
        return;
    uint32_t gram = gram_of(text.p + at), hash = hash_of(gram);
    if (has_bit(f->grams, hash))
        compare(f, text, at, gram, f->gram_first[hash % BUCKETS]);
}

static void scan_piece(struct portable *f, struct od_view text)
{
    size_t at = f->seen > f->overlap ? f->seen - f->overlap : 0;
    for (; at + GRAM <= f->end; at++) {
        uint32_t gram = gram_of(text.p + at), hash = hash_of(gram);
        uint64_t bits = f->pairs[(gram & 0xffff) / 64] >> gram % 64;
        bits |= f->grams[hash / 64] >> hash % 64;
        if (bits & 1)
            look(f, text, at);
    }
    for (; at < f->end; at++)
        look(f, text, at);
}

static void scan(void *engine, struct od_view text, const struct od_filter_sink *sink)
{
    struct portable *f = engine;
    for (f->seen = 0; f->seen < text.n; f->seen = f->end) {
        f->end = text.n - f->seen > PIECE ? f->seen + PIECE : text.n;
        f->hits.n = 0;
        scan_piece(f, text);
        for (size_t i = 0; i < f->hits.n; i++)
            sink->hit(sink->self, f->hits.items[i]);
    }
}

const struct od_filter_methods od_filter_portable = {
    .name = "portable", .create = create, .destroy = destroy, .scan = scan};
