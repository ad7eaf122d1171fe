/*
 * Memory of a device's allocator over the events recorded in a snapshot. The events are changes up
 * to the known final state, so the initial level is the difference. Blocks from before the
 * recording have no place.
 */
#include "models/files/torch_snapshot.h"

enum { LEAST = 8 };

struct change {
    int64_t allocated, reserved;
    uint32_t place; /* index of the place + 1; 0 = not recorded, or from before the recording */
};

struct place {
    struct od_view name;
    int64_t held; /* bytes held at the peak */
};

struct history {
    OD_VEC(struct change) changes;
    OD_VEC(struct place) places;
    struct od_map live;  /* maps an address to the index + 1 of the change that allocated it */
    struct od_map named; /* maps the text of a place to its index + 1 */
};

static uint32_t place_of(struct history *h, struct od_view name)
{
    if (name.n == 0)
        return 0;
    uint64_t *known = od_map_at(&h->named, name);
    if (*known == 0) {
        od_vec_push(&h->places, ((struct place){.name = name}));
        *known = h->places.n;
    }
    return (uint32_t)*known;
}

static void take_block(struct history *h, struct od_torch_snapshot *s,
                       const struct od_pickle_value *entry, int64_t bytes, bool alloc)
{
    uint64_t address = 0;
    struct change change = {.allocated = alloc ? bytes : -bytes};
    bool placed = od_torch_size(s, entry, "addr", &address);
    uint64_t *live = od_map_at(&h->live, (struct od_view){(const char *)&address, sizeof address});
    if (alloc)
        change.place = place_of(h, od_torch_place(s, od_torch_field(s, entry, "frames")));
    else if (placed && *live > 0)
        change.place = h->changes.items[*live - 1].place;
    *live = alloc && placed ? h->changes.n + 1 : 0;
    od_vec_push(&h->changes, change);
}

static void take_entry(struct history *h, struct od_torch_snapshot *s,
                       const struct od_pickle_value *entry)
{
    struct od_view action = od_pickle_text(od_torch_field(s, entry, "action"));
    uint64_t size;
    if (!od_torch_size(s, entry, "size", &size) || size > INT64_MAX)
        return;
    int64_t bytes = (int64_t)size;
    bool alloc = od_view_eq_str(action, "alloc");
    if (alloc || od_view_eq_str(action, "free_completed") || od_view_eq_str(action, "free"))
        take_block(h, s, entry, bytes, alloc);
    else if (od_view_eq_str(action, "segment_alloc") || od_view_eq_str(action, "segment_map"))
        od_vec_push(&h->changes, (struct change){.reserved = bytes});
    else if (od_view_eq_str(action, "segment_free") || od_view_eq_str(action, "segment_unmap"))
        od_vec_push(&h->changes, (struct change){.reserved = -bytes});
}

/* The level before the first event: the final level minus all changes, but so high that the level
 * never becomes negative. False if sums exceed 64 bits. */
static bool level_before(const struct history *h, bool reserved, uint64_t end, int64_t *ret_level)
{
    int64_t sum = 0, least = 0, before;
    OD_FOR_EACH (const struct change, c, h->changes) {
        if (ckd_add(&sum, sum, reserved ? c->reserved : c->allocated))
            return false;
        least = sum < least ? sum : least;
    }
    if (end > INT64_MAX || ckd_sub(&before, (int64_t)end, sum))
        return false;
    *ret_level = before > -least ? before : -least;
    return *ret_level < INT64_MAX / 2;
}

/* Computes the memory of each place at the peak. */
static void hold_at_peak(struct history *h)
{
    int64_t level = 0, most = 0;
    size_t peak = 0;
    for (size_t i = 0; i < h->changes.n; i++) {
        level += h->changes.items[i].allocated;
        peak = level > most || i == 0 ? i : peak;
        most = level > most || i == 0 ? level : most;
    }
    for (size_t i = 0; i <= peak; i++)
        if (h->changes.items[i].place > 0)
            h->places.items[h->changes.items[i].place - 1].held += h->changes.items[i].allocated;
}

/* Chooses the places with the most memory at the peak, in descending order, and numbers them. Other
 * places get OD_HISTORY_PLACES. */
static unsigned char *choose(const struct history *h, struct od_dump *dump, struct od_arena *arena)
{
    unsigned char *slots = OD_NEW_N(arena, h->places.n + 1, unsigned char);
    for (size_t i = 0; i <= h->places.n; i++)
        slots[i] = OD_HISTORY_PLACES;
    for (unsigned char slot = 0; slot < OD_HISTORY_PLACES; slot++) {
        size_t best = 0;
        for (size_t i = 1; i <= h->places.n; i++)
            if (slots[i] == OD_HISTORY_PLACES && h->places.items[i - 1].held > 0 &&
                (best == 0 || h->places.items[i - 1].held > h->places.items[best - 1].held))
                best = i;
        if (best == 0)
            break;
        slots[best] = slot;
        dump->history_places[slot] = h->places.items[best - 1].name;
    }
    return slots;
}

static uint64_t level_of(int64_t level)
{
    return level > 0 ? (uint64_t)level : 0;
}

/* Adds one point for each stretch of events, the one with the highest level. */
static void add_points(const struct history *h, const unsigned char *slots, int64_t allocated,
                       int64_t reserved, struct od_dump *dump)
{
    int64_t held[OD_HISTORY_PLACES + 1] = {0};
    size_t stride = h->changes.n / OD_HISTORY_POINTS + 1;
    dump->history_events = h->changes.n;
    for (size_t i = 0; i < h->changes.n; i++) {
        const struct change *c = &h->changes.items[i];
        allocated += c->allocated;
        reserved += c->reserved;
        held[slots[c->place]] += c->allocated;
        struct od_history_point point = {i + 1, level_of(allocated), level_of(reserved), {0}};
        for (size_t k = 0; k < OD_HISTORY_PLACES; k++)
            point.held[k] = level_of(held[k]);
        if (i % stride == 0)
            od_vec_push(&dump->history, point);
        else if (point.allocated >= dump->history.items[dump->history.n - 1].allocated)
            dump->history.items[dump->history.n - 1] = point;
    }
}

void od_torch_history(struct od_torch_snapshot *s, const struct od_torch_levels *end,
                      struct od_dump *dump)
{
    struct history h = {0};
    int64_t allocated, reserved;
    const struct od_pickle_value *traces = od_torch_field(s, s->top, "device_traces");
    const struct od_pickle_value *trace =
        od_pickle_is(traces, OD_PICKLE_LIST) && end->device < od_pickle_count(traces)
            ? od_pickle_item(traces, (size_t)end->device)
            : NULL;
    size_t n = trace ? od_pickle_count(trace) : 0;
    for (size_t i = 0; i < n && !od_torch_is_spent(s); i++)
        take_entry(&h, s, od_pickle_item(trace, i));
    if (h.changes.n >= LEAST && !od_torch_is_spent(s) &&
        level_before(&h, false, end->allocated, &allocated) &&
        level_before(&h, true, end->reserved, &reserved)) {
        hold_at_peak(&h);
        add_points(&h, choose(&h, dump, s->arena), allocated, reserved, dump);
    }
    od_vec_done(&h.changes);
    od_vec_done(&h.places);
    od_map_done(&h.live);
    od_map_done(&h.named);
}
