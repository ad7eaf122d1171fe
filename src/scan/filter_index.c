#include "scan/filter_index.h"

#include "base/ascii.h"
#include "base/mem.h"

enum {
    FAR_BYTES = 7,
    FAR_GRAMS = 4,
    NEAR_BYTES = 4,
    NEAR_GRAMS = 2,
    PAIR_BYTES = 2,
    ANY_BYTE = 256,
    GRAM_ROOM = 16,   /* places of a set, a bit each, for each gram in it */
    WINDOW_ROOM = 64, /* the same, of windows */
    LEAST_BITS = 14,
    MOST_BITS = 22
};

/* An entry to be, in the order of the literals. */
struct draft {
    uint64_t key;
    uint32_t id, at;
};

struct maker {
    struct od_filter_index *index;
    const struct od_view *literals;
    struct draft *drafts;
    uint8_t commonness[OD_WINDOW_PAIR + 1][256]; /* of each byte */
};

/* How common is that byte in logs, roughly, as a logarithm? Figures and marks stand in every time
 * and number. Spaces stand in rows, but two words with one between them are rarer than one word. */
static unsigned commonness(char c, enum od_window_kind kind)
{
    if (c == ' ')
        return kind == OD_WINDOW_FAR ? 2 : 9;
    if (strchr("etaoinsr", c) && c)
        return 6;
    if (od_is_digit(c) || (strchr(".:,-/=_\t", c) && c))
        return 6;
    if (c >= 'a' && c <= 'z')
        return 4;
    return c >= 'A' && c <= 'Z' ? 2 : 1;
}

/* A gram that is moved on byte by byte: how often it stands in a text, roughly. */
struct moving {
    const uint8_t *commonness_of;
    const char *from, *to;
    unsigned bits;
};

static struct moving gram_at(const uint8_t commonness_of[static 256], const char *p, size_t n)
{
    struct moving gram = {.commonness_of = commonness_of, .from = p, .to = p + n};
    for (size_t i = 0; i < n; i++)
        gram.bits += commonness_of[(unsigned char)p[i]];
    return gram;
}

/* So often it stands where it is now; then it is moved on, where it ends before that. */
static uint64_t pass(struct moving *gram, const char *end)
{
    uint64_t often = UINT64_C(1) << gram->bits;
    if (gram->to < end)
        gram->bits += gram->commonness_of[(unsigned char)*gram->to++];
    gram->bits -= gram->commonness_of[(unsigned char)*gram->from++];
    return often;
}

/* Where the rarest window of a kind is, when it is looked for by grams of so many bytes. */
static size_t rarest(const uint8_t commonness_of[static 256], struct od_view literal, size_t window,
                     size_t gram)
{
    const char *end = literal.p + literal.n;
    struct moving first = gram_at(commonness_of, literal.p, gram), last = first;
    uint64_t common = 0;
    for (size_t i = gram; i < window; i++)
        common += pass(&last, end);
    size_t best = 0;
    uint64_t least = UINT64_MAX;
    for (size_t at = 0; at + window <= literal.n; at++) {
        common += pass(&last, end);
        if (common < least) {
            least = common;
            best = at;
        }
        common -= pass(&first, end);
    }
    return best;
}

static enum od_window_kind kind_of(struct od_view literal)
{
    if (literal.n >= FAR_BYTES)
        return OD_WINDOW_FAR;
    return literal.n >= NEAR_BYTES ? OD_WINDOW_NEAR : OD_WINDOW_PAIR;
}

/* ---- sets ---- */

static unsigned bits_for(size_t places)
{
    unsigned bits = LEAST_BITS;
    while (bits < MOST_BITS && (size_t)1 << bits < places)
        bits++;
    return bits;
}

static void gram_set_init(struct od_gram_set *set, size_t n)
{
    unsigned bits = bits_for(n * GRAM_ROOM);
    set->bits = od_mem_alloc(((size_t)1 << bits) / 32, sizeof *set->bits);
    set->shift = 32 - bits;
}

static void gram_set_add(struct od_gram_set *set, uint32_t gram)
{
    uint32_t hash = gram * UINT32_C(0x9e3779b1) >> set->shift;
    set->bits[hash / 32] |= UINT32_C(1) << hash % 32;
}

static void window_set_init(struct od_window_set *set, size_t n)
{
    unsigned bits = bits_for(n * WINDOW_ROOM);
    set->bits = od_mem_alloc(((size_t)1 << bits) / 64, sizeof *set->bits);
    set->shift = 64 - bits;
}

static void window_set_add(struct od_window_set *set, uint64_t window)
{
    uint64_t hash = window * UINT64_C(0x9e3779b97f4a7c15) >> set->shift;
    set->bits[hash / 64] |= UINT64_C(1) << hash % 64;
}

/* ---- literals into them ---- */

static void add_draft(struct maker *maker, uint32_t id, size_t at, uint64_t key)
{
    maker->drafts[maker->index->n++] = (struct draft){.key = key, .id = id, .at = (uint32_t)at};
}

static void add_far(struct maker *maker, struct od_view literal, uint32_t id)
{
    char bytes[8] = {0};
    size_t at = rarest(maker->commonness[OD_WINDOW_FAR], literal, FAR_BYTES, sizeof(uint32_t));
    memcpy(bytes, literal.p + at, FAR_BYTES);
    for (size_t i = 0; i < FAR_GRAMS; i++)
        gram_set_add(&maker->index->far_grams, od_gram_far(bytes + i));
    window_set_add(&maker->index->far, od_window_far(bytes));
    add_draft(maker, id, at, od_window_far(bytes) | OD_WINDOW_FAR);
}

static void add_near(struct maker *maker, struct od_view literal, uint32_t id)
{
    char bytes[8] = {0};
    size_t at = rarest(maker->commonness[OD_WINDOW_NEAR], literal, NEAR_BYTES, NEAR_BYTES - 1);
    memcpy(bytes, literal.p + at, NEAR_BYTES);
    for (size_t i = 0; i < NEAR_GRAMS; i++)
        gram_set_add(&maker->index->near_grams, od_gram_near(bytes + i));
    window_set_add(&maker->index->near, od_window_near(bytes));
    add_draft(maker, id, at, od_window_near(bytes) | OD_WINDOW_NEAR);
}

/* The pair alone, in whichever two of three bytes. */
static void add_pair_bytes(struct maker *maker, uint32_t id, size_t at, const char pair[static 2])
{
    const char bytes[8] = {pair[0], pair[1]};
    uint64_t window = od_window_pair(bytes);
    for (unsigned any = 0; any < ANY_BYTE; any++) {
        const char before[8] = {(char)any, pair[0], pair[1]};
        const char behind[8] = {pair[0], pair[1], (char)any};
        gram_set_add(&maker->index->near_grams, od_gram_near(before));
        gram_set_add(&maker->index->near_grams, od_gram_near(behind));
    }
    maker->index->pairs[window >> 14] |= UINT64_C(1) << (window >> 8) % 64;
    add_draft(maker, id, at, window | OD_WINDOW_PAIR);
}

static void add_pair(struct maker *maker, struct od_view literal, uint32_t id)
{
    if (literal.n >= PAIR_BYTES) {
        size_t at = rarest(maker->commonness[OD_WINDOW_PAIR], literal, PAIR_BYTES, PAIR_BYTES);
        add_pair_bytes(maker, id, at, literal.p + at);
        return;
    }
    for (unsigned any = 0; any < ANY_BYTE; any++)
        add_pair_bytes(maker, id, 0, (const char[]){*literal.p, (char)any});
}

/* The end of a literal tells more than its beginning, which many share. */
static struct od_window_entry entry_of(const struct maker *maker, const struct draft *draft)
{
    struct od_window_entry entry = {
        .literal = maker->literals[draft->id], .key = draft->key, .id = draft->id, .at = draft->at};
    size_t n = entry.literal.n < sizeof entry.probe ? entry.literal.n : sizeof entry.probe;
    entry.probe_at = (uint32_t)(entry.literal.n - n);
    memcpy(&entry.probe, entry.literal.p + entry.probe_at, n);
    memset(&entry.mask, 0xff, n);
    return entry;
}

/* Those of a bucket stay in their order. */
static void sort_entries(struct maker *maker)
{
    struct od_filter_index *index = maker->index;
    size_t buckets = (size_t)1 << OD_WINDOW_BUCKETS;
    uint32_t *first = od_mem_alloc(buckets + 2, sizeof *first);
    index->entries = od_mem_alloc(index->n + 1, sizeof *index->entries);
    for (size_t i = 0; i < index->n; i++)
        first[od_window_bucket(maker->drafts[i].key) + 2]++;
    for (size_t bucket = 2; bucket <= buckets + 1; bucket++)
        first[bucket] += first[bucket - 1];
    for (size_t i = 0; i < index->n; i++)
        index->entries[first[od_window_bucket(maker->drafts[i].key) + 1]++] =
            entry_of(maker, &maker->drafts[i]);
    index->first = first; /* each moved up to where the next one begins */
}

static void add_literal(struct maker *maker, struct od_view literal, uint32_t id)
{
    switch (kind_of(literal)) {
    case OD_WINDOW_FAR:
        add_far(maker, literal, id);
        break;
    case OD_WINDOW_NEAR:
        add_near(maker, literal, id);
        break;
    case OD_WINDOW_PAIR:
        add_pair(maker, literal, id);
        break;
    }
}

/* Room for so many literals of each kind. */
static void make_room(struct od_filter_index *index, const size_t n[static OD_WINDOW_PAIR + 1])
{
    gram_set_init(&index->far_grams, n[OD_WINDOW_FAR] * FAR_GRAMS);
    gram_set_init(&index->near_grams,
                  n[OD_WINDOW_NEAR] * NEAR_GRAMS + n[OD_WINDOW_PAIR] * NEAR_GRAMS * ANY_BYTE);
    window_set_init(&index->far, n[OD_WINDOW_FAR]);
    window_set_init(&index->near, n[OD_WINDOW_NEAR]);
    index->pairs = od_mem_alloc((1 << 16) / 64, sizeof *index->pairs);
}

void od_filter_index_init(struct od_filter_index *index, const struct od_view *literals, size_t n)
{
    struct maker maker = {.index = index, .literals = literals};
    size_t of_kind[OD_WINDOW_PAIR + 1] = {0};
    size_t entries = 0;
    for (unsigned byte = 0; byte < ANY_BYTE; byte++)
        for (unsigned kind = 0; kind <= OD_WINDOW_PAIR; kind++)
            maker.commonness[kind][byte] =
                (uint8_t)commonness((char)byte, (enum od_window_kind)kind);
    for (size_t i = 0; i < n; i++) {
        of_kind[kind_of(literals[i])]++;
        entries += literals[i].n < PAIR_BYTES ? ANY_BYTE : 1;
    }
    *index = (struct od_filter_index){0};
    make_room(index, of_kind);
    maker.drafts = od_mem_alloc(entries + 1, sizeof *maker.drafts);
    for (size_t i = 0; i < n; i++)
        add_literal(&maker, literals[i], (uint32_t)i);
    sort_entries(&maker);
    od_mem_free(maker.drafts);
}

void od_filter_index_done(struct od_filter_index *index)
{
    od_mem_free(index->far_grams.bits);
    od_mem_free(index->near_grams.bits);
    od_mem_free(index->far.bits);
    od_mem_free(index->near.bits);
    od_mem_free(index->pairs);
    od_mem_free(index->first);
    od_mem_free(index->entries);
}
