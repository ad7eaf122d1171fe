#include "attribute/tally.h"

enum { KEPT = 8 };

/* One explanation for chunks of a size, with their number. */
struct od_way {
    struct od_explanation how;
    uint64_t count;
};

struct od_ways {
    struct od_way list[KEPT];
    size_t n;
    uint64_t roles[OD_ROLES];
};

static bool is_alike(const struct od_explanation *a, const struct od_explanation *b)
{
    return a->role == b->role && a->what == b->what;
}

static void add_way(struct od_ways *ways, const struct od_explanation *how)
{
    ways->roles[how->role]++;
    for (size_t i = 0; i < ways->n; i++) {
        if (is_alike(&ways->list[i].how, how)) {
            ways->list[i].count++;
            return;
        }
    }
    if (ways->n < KEPT)
        ways->list[ways->n++] = (struct od_way){*how, 1};
}

static struct od_candidate candidate_of(const struct od_explanation *how,
                                        const struct od_named *what)
{
    struct od_candidate candidate = {.role = (enum od_role)how->role,
                                     .certainty = (enum od_certainty)how->certainty};
    if (what) {
        candidate.shape = what->shape;
        candidate.dtype = what->dtype;
        candidate.batch = what->batch;
        candidate.label = what->label;
    }
    return candidate;
}

/* The explanations of one size that were collected so far. */
struct od_found_candidates {
    struct od_candidate list[OD_CANDIDATES_MAX];
    size_t n;
};

static void add_candidate(struct od_found_candidates *to, const struct od_explanation *how,
                          const struct od_named *what)
{
    if (to->n < OD_CANDIDATES_MAX)
        to->list[to->n++] = candidate_of(how, what);
}

/* Puts the role with the most chunks first. Keeps the order of explanations within a role. */
static void settle(const struct od_ways *ways, struct od_found_candidates *to)
{
    bool done[OD_ROLES] = {[OD_ROLE_UNKNOWN] = true};
    for (unsigned round = 1; round < OD_ROLES; round++) {
        unsigned best = OD_ROLE_UNKNOWN;
        for (unsigned role = 1; role < OD_ROLES; role++) {
            if (!done[role] && ways->roles[role] > 0 &&
                (best == OD_ROLE_UNKNOWN || ways->roles[role] > ways->roles[best]))
                best = role;
        }
        if (best == OD_ROLE_UNKNOWN)
            return;
        done[best] = true;
        for (size_t i = 0; i < ways->n; i++) {
            if (ways->list[i].how.role == best)
                add_candidate(to, &ways->list[i].how, ways->list[i].how.what);
        }
    }
}

/* Adds all layers of the same size as candidates. */
static void add_alike(const struct od_ways *ways, struct od_found_candidates *to)
{
    if (ways->n != 1 || !ways->list[0].how.what)
        return;
    const struct od_explanation *how = &ways->list[0].how;
    for (size_t i = 1; i < how->same; i++) {
        struct od_explanation other = *how;
        if (how->role == how->what->role)
            other.role = (uint8_t)how->what[i].role;
        add_candidate(to, &other, &how->what[i]);
    }
    /* several tensors have this size */
    for (size_t i = 0; i < to->n && to->n > 1; i++)
        to->list[i].certainty = OD_POSSIBLE;
}

static struct od_size_candidates keep(const struct od_found_candidates *found,
                                      struct od_arena *arena)
{
    struct od_size_candidates kept = {.n = found->n};
    kept.list = found->n > 0 ? OD_NEW_N(arena, found->n, struct od_candidate) : NULL;
    for (size_t i = 0; i < found->n; i++) {
        kept.list[i] = found->list[i];
        if (found->list[i].label.n > 0)
            kept.list[i].label = od_arena_view(arena, found->list[i].label);
    }
    return kept;
}

void od_tally(const struct od_sequence *sequence, const struct od_explanation *all,
              struct od_arena *scratch, struct od_arena *arena, struct od_holding *holding)
{
    const struct od_allocator *allocator = holding->allocator;
    struct od_ways *ways = OD_NEW_N(scratch, allocator->nsizes + 1, struct od_ways);
    uint64_t told = 0;
    holding->sizes = OD_NEW_N(arena, allocator->nsizes + 1, struct od_size_candidates);
    for (size_t i = 0; i < sequence->n; i++) {
        const struct od_piece *piece = &sequence->items[i];
        add_way(&ways[piece->size], &all[i]);
        holding->bytes_by_role[all[i].role] += piece->bytes;
        told += piece->bytes;
    }
    if (told < allocator->in_use_bytes)
        holding->bytes_by_role[OD_ROLE_UNKNOWN] += allocator->in_use_bytes - told;
    for (size_t i = 0; i < allocator->nsizes; i++) {
        struct od_found_candidates found = {0};
        settle(&ways[i], &found);
        add_alike(&ways[i], &found);
        holding->sizes[i] = keep(&found, arena);
    }
}
