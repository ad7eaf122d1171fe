#include "attribute/setup.h"

/* Smaller sizes are scalars, which every dump has. */
#define SMALLEST 1024

/* Least likeness of copies. Weights and states reached at least 0.45 where regions grew or the
 * program initialized its variables in another order; recurring activations reached at most
 * 0.25. */
static const double ALIKE = 0.4;

enum { PLACES_MOST = 4096, KINDS_LEAST = 4, REPEATS_MOST = 4, LOOKED_AT_MOST = 32 };

/* Counts of one size during a walk along the order of allocation. */
struct od_seen {
    uint64_t count;
    uint64_t expected; /* chunks of this size in one copy of all weights, by the layer table */
    uint64_t fixed;    /* part of expected without optimizer states */
};

struct od_search {
    const struct od_sequence *sequence;
    struct od_seen *seen; /* one for each size */
    size_t nseen;
    uint64_t bytes;                        /* bytes so far */
    uint64_t repeated[OD_COPIES_MOST + 1]; /* bytes in complete groups of this many chunks */
    uint64_t kinds[OD_COPIES_MOST + 1];    /* number of sizes that have a group */
    uint64_t grouped[OD_COPIES_MOST + 1];  /* number of chunks in groups */
    uint64_t pieces;                       /* number of chunks without scalars */
    uint64_t pairs, known_pairs; /* pairs of neighbours; number of them that occurred before */
    uint64_t *pair_slots;        /* hash table of known pairs; its size is a power of two */
    size_t npair_slots;
    uint32_t previous;                     /* size of the last piece that is not a scalar */
    uint64_t matched[OD_COPIES_MOST + 1];  /* bytes that the table expects and that occurred */
    uint64_t expected[OD_COPIES_MOST + 1]; /* bytes that the table expects */
    OD_VEC(struct od_setup) found;
    double *fresh; /* result of fresh_shares() */
};

/* For each position: the share of later bytes whose sizes occur only after it. */
static double *fresh_shares(const struct od_sequence *sequence, size_t nsizes,
                            struct od_arena *arena)
{
    /* position of the first chunk of each size + 1 */
    uint64_t *first = OD_NEW_N(arena, nsizes + 1, uint64_t);
    uint64_t *total = OD_NEW_N(arena, nsizes + 1, uint64_t);
    double *share = OD_NEW_N(arena, sequence->n + 1, double);
    double rest = 0, fresh = 0;
    for (size_t i = 0; i < sequence->n; i++) {
        const struct od_piece *piece = &sequence->items[i];
        if (first[piece->size] == 0)
            first[piece->size] = i + 1;
        total[piece->size] += piece->bytes;
    }
    share[sequence->n] = 1;
    for (size_t i = sequence->n; i-- > 0;) {
        const struct od_piece *piece = &sequence->items[i];
        rest += (double)piece->bytes;
        if (first[piece->size] == i + 1)
            fresh += (double)total[piece->size];
        share[i] = rest > 0 ? fresh / rest : 1;
    }
    return share;
}

/* Did these two sizes follow each other before? The states of weights are allocated in the order of
 * the weights. */
static bool is_known_pair(struct od_search *search, uint32_t first, uint32_t second)
{
    uint64_t key = ((uint64_t)first << 32 | second) + 1;
    size_t mask = search->npair_slots - 1;
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15u >> 20) & mask;
    for (; search->pair_slots[at] != 0; at = (at + 1) & mask) {
        if (search->pair_slots[at] == key)
            return true;
    }
    search->pair_slots[at] = key;
    return false;
}

static void step_pairs(struct od_search *search, const struct od_piece *piece)
{
    if (piece->bytes < SMALLEST)
        return;
    /* two states of one weight may be adjacent, which shows no order */
    if (search->previous == piece->size)
        return;
    if (search->previous != UINT32_MAX && search->pairs < search->npair_slots / 2) {
        search->pairs++;
        search->known_pairs += is_known_pair(search, search->previous, piece->size);
    }
    search->previous = piece->size;
}

static void step(struct od_search *search, const struct od_piece *piece)
{
    struct od_seen *seen = &search->seen[piece->size];
    seen->count++;
    search->bytes += piece->bytes;
    search->pieces += piece->bytes >= SMALLEST;
    step_pairs(search, piece);
    /* dividing by constants avoids a slow division */
    const uint64_t left_over[REPEATS_MOST + 1] = {
        [2] = seen->count % 2, [3] = seen->count % 3, [4] = seen->count % 4};
    for (uint64_t c = 2; c <= REPEATS_MOST; c++) {
        if (left_over[c] != 0)
            continue;
        search->repeated[c] += c * piece->bytes;
        search->kinds[c] += seen->count == c && piece->bytes >= SMALLEST;
        search->grouped[c] += piece->bytes >= SMALLEST ? c : 0;
    }
    for (uint64_t c = 1; c <= OD_COPIES_MOST && seen->expected > 0; c++) {
        uint64_t want = (seen->expected - seen->fixed) * c + seen->fixed;
        if (seen->count <= want)
            search->matched[c] += piece->bytes;
    }
}

static double score(const struct od_setup *setup)
{
    return setup->explained + setup->fresh;
}

/* Adam's two states are most frequent: other numbers of copies must match clearly better. */
static const double handicap[REPEATS_MOST + 1] = {[2] = 0.04, [4] = 0.1};

/* Is everything before this position a repetition? Requires several sizes, most of the pieces, one
 * order, and a certain weight. If growing regions left unsplit chunks of other sizes, the order
 * counts more. */
static bool is_repetition(const struct od_search *search, unsigned copies)
{
    if (search->bytes == 0 || search->pairs == 0 || search->kinds[copies] < KINDS_LEAST ||
        (double)search->grouped[copies] < 0.7 * (double)search->pieces ||
        search->repeated[copies] < search->sequence->bytes / 500)
        return false;
    double explained = (double)search->repeated[copies] / (double)search->bytes;
    double ordered = (double)search->known_pairs / (double)search->pairs;
    return (explained > 0.88 && ordered > 0.4) || (explained > 0.75 && ordered > 0.6);
}

static void try_repeats(struct od_search *search, size_t place)
{
    for (unsigned c = 2; c <= REPEATS_MOST; c++) {
        if (!is_repetition(search, c))
            continue;
        struct od_setup here = {.known = true, .end = place, .copies = c};
        here.explained = (double)search->repeated[c] / (double)search->bytes - handicap[c];
        /* only a dump without any tensor of a step ends here */
        if (place == search->sequence->n)
            here.explained -= 0.05;
        here.fresh = search->fresh[place];
        od_vec_push(&search->found, here);
    }
}

/* Similarity of the first copy and the others, from 0 to 1: whether each size occurs as often in
 * each copy. Recurring activations do not have this property. */
static double likeness(struct od_search *search, const struct od_setup *setup)
{
    const struct od_sequence *sequence = search->sequence;
    uint64_t whole = 0, sum = 0;
    double alike = 0, kinds = 0;
    memset(search->seen, 0, search->nseen * sizeof *search->seen);
    for (size_t i = 0; i < setup->end; i++)
        whole += sequence->items[i].bytes;
    OD_FOR_EACH_OF (const struct od_piece, piece, sequence->items, setup->end) {
        struct od_seen *seen = &search->seen[piece->size];
        bool first = (sum += piece->bytes) <= whole / setup->copies;
        bool scalar = piece->bytes < SMALLEST;
        seen->expected += first && !scalar ? setup->copies - 1 : 0;
        seen->count += !first && !scalar;
    }
    OD_FOR_EACH_OF (const struct od_seen, seen, search->seen, search->nseen) {
        uint64_t least = seen->count < seen->expected ? seen->count : seen->expected;
        uint64_t most = seen->count < seen->expected ? seen->expected : seen->count;
        if (most > 0) {
            alike += (double)least / (double)most;
            kinds += 1;
        }
    }
    return kinds > 0 ? alike / kinds : 0;
}

/* The best position whose copies are alike. */
static struct od_setup best_repeat(struct od_search *search)
{
    for (unsigned tries = 0; tries < LOOKED_AT_MOST; tries++) {
        struct od_setup *best = NULL;
        OD_FOR_EACH (struct od_setup, here, search->found)
            if (here->known && (!best || score(here) > score(best) + 1e-6))
                best = here;
        if (!best)
            break;
        if (likeness(search, best) > ALIKE)
            return *best;
        best->known = false;
    }
    return (struct od_setup){0};
}

/* Scores the layer table at a position: bytes both expected and present, divided by bytes either
 * expected or present. */
static void try_table(const struct od_search *search, size_t place, struct od_setup *best)
{
    for (unsigned c = 1; c <= OD_COPIES_MOST; c++) {
        double both = (double)search->matched[c];
        double either = (double)search->bytes + (double)search->expected[c] - both;
        struct od_setup here = {.known = true, .end = place, .copies = c, .by_table = true};
        here.explained = either > 0 ? both / either : 0;
        here.fresh = search->fresh[place];
        if (!best->known || score(&here) > score(best) + 1e-6)
            *best = here;
    }
}

static void expect(struct od_search *search, const struct od_named_list *weights)
{
    uint64_t fixed = 0, trained = 0;
    OD_FOR_EACH (const struct od_named, named, *weights)
        *(named->trained ? &trained : &fixed) += named->bytes;
    for (uint64_t c = 1; c <= OD_COPIES_MOST; c++)
        search->expected[c] = fixed + c * trained;
    OD_FOR_EACH (const struct od_piece, piece, *search->sequence) {
        struct od_seen *seen = &search->seen[piece->size];
        size_t n;
        const struct od_named *named = od_named_find(weights, piece->bytes, &n);
        if (!named || seen->expected > 0)
            continue;
        seen->expected = n;
        for (size_t k = 0; k < n; k++)
            seen->fixed += !named[k].trained;
    }
}

/* Does the table have most of the parameters? */
static bool tells_weights(const struct od_named_list *weights)
{
    return weights->n > 0 && (double)weights->parameters > 0.9 * (double)weights->described;
}

static void grade(struct od_setup *setup)
{
    if (!setup->known || setup->explained < 0.6 || setup->fresh < (setup->by_table ? 0.5 : 0.9))
        *setup = (struct od_setup){0};
    else if (setup->explained > 0.95 && setup->fresh > 0.95)
        setup->certainty = OD_LIKELY;
}

struct od_setup od_setup_find(const struct od_sequence *sequence, size_t sizes,
                              const struct od_named_list *weights, struct od_arena *arena)
{
    struct od_setup best = {0}, table = {0};
    struct od_search search = {.sequence = sequence, .previous = UINT32_MAX};
    size_t places = 0;
    if (!sequence->ordered || sequence->n == 0)
        return best;
    search.nseen = sizes;
    search.seen = OD_NEW_N(arena, sizes + 1, struct od_seen);
    search.fresh = fresh_shares(sequence, sizes, arena);
    expect(&search, weights);
    search.npair_slots = 1024;
    while (search.npair_slots < 2 * sequence->n && search.npair_slots < ((size_t)1 << 20))
        search.npair_slots *= 2;
    search.pair_slots = OD_NEW_N(arena, search.npair_slots, uint64_t);
    bool tells = tells_weights(weights);
    for (size_t i = 0; i <= sequence->n; i++) {
        const struct od_piece *piece = &sequence->items[i];
        bool fresh = i < sequence->n && search.seen[piece->size].count == 0;
        bool place = fresh && piece->bytes >= SMALLEST && places < PLACES_MOST;
        if (place || i == sequence->n) {
            places++;
            if (i <= sequence->step)
                try_repeats(&search, i);
            if (tells)
                try_table(&search, i, &table);
        }
        if (i < sequence->n)
            step(&search, piece);
    }
    best = best_repeat(&search);
    od_vec_done(&search.found);
    grade(&best);
    grade(&table);
    return table.known ? table : best;
}

unsigned od_setup_groups(const struct od_allocator *allocator, const bool *marked)
{
    enum { SIZES_LEAST = 8 };
    static const unsigned copies[] = {3, 2};
    for (size_t c = 0; c < OD_COUNT_OF(copies); c++) {
        unsigned sizes = 0;
        double whole = 0, all = 0;
        for (size_t i = 0; i < allocator->nsizes; i++) {
            const struct od_size *size = &allocator->sizes[i];
            bool fits = size->count % copies[c] == 0;
            if (size->bytes < SMALLEST || marked[i])
                continue;
            all += (double)size->total;
            whole += fits ? (double)size->total : 0;
            sizes += fits;
        }
        if (sizes >= SIZES_LEAST && whole > 0.99 * all)
            return copies[c];
    }
    return 0;
}
