#include "scan/filter_index.h"

enum {
    FAR_BYTES = 7,
    FAR_GRAMS = 4,
    NEAR_BYTES = 4,
    NEAR_GRAMS = 2,
    PAIR_BYTES = 2,
    ANY_BYTE = 256,
    GRAM_ROOM = 16,   /* size of a set of grams, in bits for each gram */
    WINDOW_ROOM = 64, /* size of a set of windows, in bits for each window */
    LEAST_BITS = 14,
    MOST_BITS = 22
};

/* An entry before sorting, in the order of the literals. */
struct unsorted {
    uint64_t key;
    uint32_t id, at;
};

/* Sets of grams while they are built. */
struct grams {
    uint32_t *bits;
    unsigned shift;
};

struct windows {
    uint64_t *bits;
    unsigned shift;
};

struct maker {
    struct od_arena *arena;
    const struct od_view *literals;
    size_t n;
    struct unsorted *unsorted;
    size_t nunsorted;
    struct grams far_grams, near_grams;
    struct windows far, near;
    uint64_t *pairs;
    /* for each kind of window, how common each byte is */
    uint8_t commonness[OD_WINDOW_PAIR + 1][256];
};

/* Approximate logarithm of a byte's frequency in logs. Digits and punctuation are in every time and
 * number. Spaces occur in runs, but two words with a single space between them are rarer than a
 * word. */
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

/* A gram that moves along a literal byte by byte, with its approximate frequency. */
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

/* Returns the frequency at the current position, then advances by one byte, up to `end`. */
static uint64_t pass(struct moving *gram, const char *end)
{
    uint64_t often = UINT64_C(1) << gram->bits;
    if (gram->to < end)
        gram->bits += gram->commonness_of[(unsigned char)*gram->to++];
    gram->bits -= gram->commonness_of[(unsigned char)*gram->from++];
    return often;
}

/* Offset of the rarest window of a literal. Sizes of window and gram are in bytes. */
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

static unsigned bits_for(size_t places)
{
    unsigned bits = LEAST_BITS;
    while (bits < MOST_BITS && (size_t)1 << bits < places)
        bits++;
    return bits;
}

static struct grams grams_new(struct od_arena *arena, size_t n)
{
    unsigned bits = bits_for(n * GRAM_ROOM);
    return (struct grams){.bits = OD_NEW_N(arena, ((size_t)1 << bits) / 32, uint32_t),
                          .shift = 32 - bits};
}

static void gram_add(struct grams *set, uint32_t gram)
{
    uint32_t hash = gram * UINT32_C(0x9e3779b1) >> set->shift;
    set->bits[hash / 32] |= UINT32_C(1) << hash % 32;
}

static struct windows windows_new(struct od_arena *arena, size_t n)
{
    unsigned bits = bits_for(n * WINDOW_ROOM);
    return (struct windows){.bits = OD_NEW_N(arena, ((size_t)1 << bits) / 64, uint64_t),
                            .shift = 64 - bits};
}

static void window_add(struct windows *set, uint64_t window)
{
    uint64_t hash = window * UINT64_C(0x9e3779b97f4a7c15) >> set->shift;
    set->bits[hash / 64] |= UINT64_C(1) << hash % 64;
}

/* ---- adding literals to the sets ---- */

static void add_entry(struct maker *maker, uint32_t id, size_t at, uint64_t key)
{
    maker->unsorted[maker->nunsorted++] =
        (struct unsorted){.key = key, .id = id, .at = (uint32_t)at};
}

static void add_far(struct maker *maker, struct od_view literal, uint32_t id)
{
    char bytes[8] = {0};
    size_t at = rarest(maker->commonness[OD_WINDOW_FAR], literal, FAR_BYTES, sizeof(uint32_t));
    memcpy(bytes, literal.p + at, FAR_BYTES);
    for (size_t i = 0; i < FAR_GRAMS; i++)
        gram_add(&maker->far_grams, od_gram_far(bytes + i));
    window_add(&maker->far, od_window_far(bytes));
    add_entry(maker, id, at, od_window_far(bytes) | OD_WINDOW_FAR);
}

static void add_near(struct maker *maker, struct od_view literal, uint32_t id)
{
    char bytes[8] = {0};
    size_t at = rarest(maker->commonness[OD_WINDOW_NEAR], literal, NEAR_BYTES, NEAR_BYTES - 1);
    memcpy(bytes, literal.p + at, NEAR_BYTES);
    for (size_t i = 0; i < NEAR_GRAMS; i++)
        gram_add(&maker->near_grams, od_gram_near(bytes + i));
    window_add(&maker->near, od_window_near(bytes));
    add_entry(maker, id, at, od_window_near(bytes) | OD_WINDOW_NEAR);
}

/* Adds a pair that is the first or the last two of three bytes. */
static void add_pair_bytes(struct maker *maker, uint32_t id, size_t at, const char pair[static 2])
{
    const char bytes[8] = {pair[0], pair[1]};
    uint64_t window = od_window_pair(bytes);
    for (unsigned any = 0; any < ANY_BYTE; any++) {
        const char before[8] = {(char)any, pair[0], pair[1]};
        const char behind[8] = {pair[0], pair[1], (char)any};
        gram_add(&maker->near_grams, od_gram_near(before));
        gram_add(&maker->near_grams, od_gram_near(behind));
    }
    maker->pairs[window >> 14] |= UINT64_C(1) << (window >> 8) % 64;
    add_entry(maker, id, at, window | OD_WINDOW_PAIR);
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

/* Computes the offset of each literal in the texts. */
static uint32_t *copy_texts(const struct maker *maker, struct od_filter_index *index)
{
    uint32_t *at = OD_NEW_N(maker->arena, maker->n + 1, uint32_t);
    for (size_t i = 0; i < maker->n; i++)
        at[i + 1] = at[i] + (uint32_t)maker->literals[i].n;
    char *texts = OD_NEW_N(maker->arena, at[maker->n] + 1, char);
    for (size_t i = 0; i < maker->n; i++)
        memcpy(texts + at[i], maker->literals[i].p, maker->literals[i].n);
    index->texts = texts;
    return at;
}

/* Makes an entry whose probe is the end of the literal, because many share their beginning. */
static struct od_window_entry entry_of(const struct maker *maker, const struct unsorted *from)
{
    struct od_view literal = maker->literals[from->id];
    struct od_window_entry entry = {
        .key = from->key, .id = from->id, .n = (uint32_t)literal.n, .at = from->at};
    size_t n = literal.n < sizeof entry.probe ? literal.n : sizeof entry.probe;
    entry.probe_at = (uint32_t)(literal.n - n);
    memcpy(&entry.probe, literal.p + entry.probe_at, n);
    memset(&entry.mask, 0xff, n);
    return entry;
}

/* Sorts entries by bucket; equal ones keep their order. */
static void sort_entries(const struct maker *maker, struct od_filter_index *index)
{
    size_t buckets = (size_t)1 << OD_WINDOW_BUCKETS;
    const uint32_t *texts = copy_texts(maker, index);
    uint32_t *first = OD_NEW_N(maker->arena, buckets + 2, uint32_t);
    struct od_window_entry *entries =
        OD_NEW_N(maker->arena, maker->nunsorted + 1, struct od_window_entry);
    for (size_t i = 0; i < maker->nunsorted; i++)
        first[od_window_bucket(maker->unsorted[i].key) + 2]++;
    for (size_t bucket = 2; bucket <= buckets + 1; bucket++)
        first[bucket] += first[bucket - 1];
    for (size_t i = 0; i < maker->nunsorted; i++) {
        struct od_window_entry entry = entry_of(maker, &maker->unsorted[i]);
        entry.text = texts[entry.id];
        entries[first[od_window_bucket(entry.key) + 1]++] = entry;
    }
    index->entries = entries;
    index->n = maker->nunsorted;
    index->first = first; /* counting moved each element to the start of the next bucket */
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

/* Allocates sets for that many literals of each kind. */
static void make_room(struct maker *maker, const size_t n[static OD_WINDOW_PAIR + 1])
{
    maker->far_grams = grams_new(maker->arena, n[OD_WINDOW_FAR] * FAR_GRAMS);
    maker->near_grams = grams_new(maker->arena, n[OD_WINDOW_NEAR] * NEAR_GRAMS +
                                                    n[OD_WINDOW_PAIR] * NEAR_GRAMS * ANY_BYTE);
    maker->far = windows_new(maker->arena, n[OD_WINDOW_FAR]);
    maker->near = windows_new(maker->arena, n[OD_WINDOW_NEAR]);
    maker->pairs = OD_NEW_N(maker->arena, OD_PAIR_WORDS, uint64_t);
}

struct od_filter_index od_filter_index_new(const struct od_view *literals, size_t n,
                                           struct od_arena *arena)
{
    struct maker maker = {.arena = arena, .literals = literals, .n = n};
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
    make_room(&maker, of_kind);
    maker.unsorted = od_mem_alloc(entries + 1, sizeof *maker.unsorted);
    for (size_t i = 0; i < n; i++)
        add_literal(&maker, literals[i], (uint32_t)i);
    struct od_filter_index index = {
        .far_grams = {.bits = maker.far_grams.bits, .shift = maker.far_grams.shift},
        .near_grams = {.bits = maker.near_grams.bits, .shift = maker.near_grams.shift},
        .far = {.bits = maker.far.bits, .shift = maker.far.shift},
        .near = {.bits = maker.near.bits, .shift = maker.near.shift},
        .pairs = maker.pairs,
    };
    sort_entries(&maker, &index);
    od_mem_free(maker.unsorted);
    return index;
}
