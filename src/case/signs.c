#include "case/builder.h"

/* Positions of one mark in the list: the first positions are filled once, the others in turn. */
struct places {
    uint64_t count;
    size_t at[OD_SEEN_EACH];
};

static struct places *places_of(struct od_case_builder *b, const struct od_sign *sign)
{
    struct od_view key = {.p = (const char *)&sign, .n = sizeof sign};
    uint64_t *kept = od_map_at(&b->signs, key);
    if (*kept == 0)
        *kept = (uintptr_t)OD_NEW(b->arena, struct places);
    return (struct places *)(uintptr_t)*kept;
}

/* The index for a new entry; SIZE_MAX = there is no room. */
static size_t place_for(struct od_case_builder *b, struct places *places)
{
    enum { FIRST = OD_SEEN_EACH / 2 };
    uint64_t n = places->count;
    if (n >= OD_SEEN_EACH)
        return places->at[FIRST + (size_t)(n % FIRST)];
    if (b->c->seen.n >= OD_SEEN_MAX)
        return SIZE_MAX;
    od_vec_push(&b->c->seen, (struct od_seen){0});
    return places->at[n] = b->c->seen.n - 1;
}

/* Overwrites the bytes of the position, so that repeated marks take no more memory. */
static struct od_view write_text(struct od_case_builder *b, const struct od_seen *seen,
                                 struct od_view text)
{
    char *to = (char *)(uintptr_t)seen->said.text.p;
    if (!to)
        to = od_arena_alloc(b->arena, OD_SEEN_TEXT, 1);
    size_t n = text.n < OD_SEEN_TEXT ? text.n : OD_SEEN_TEXT;
    memcpy(to, text.p, n);
    return (struct od_view){to, n};
}

void od_fold_sign(struct od_case_builder *b, const struct od_event *event)
{
    struct places *places = places_of(b, event->sign);
    size_t at = place_for(b, places);
    if (at == SIZE_MAX)
        return;
    places->count++;
    struct od_seen *seen = &b->c->seen.items[at];
    struct od_view value = od_event_text(event, OD_F_VALUE);
    struct od_view text = write_text(b, seen, event->excerpt);
    *seen = (struct od_seen){
        .sign = event->sign,
        .titled = event->line && event->line->segment == OD_SEGMENT_TITLE,
        .lane = event->line ? event->line->lane : 0,
        .said = {.at = event->at, .text = text},
    };
    size_t offset = value.n > 0 ? (size_t)(value.p - event->excerpt.p) : text.n;
    if (offset < text.n && value.n <= text.n - offset) /* the value was not cut */
        seen->value = od_view_head(od_view_from(text, offset), value.n);
}

static int by_place(const void *left, const void *right)
{
    const struct od_seen *l = left, *r = right;
    int order = od_prov_cmp(&l->said.at, &r->said.at);
    return order != 0 ? order : (l->sign > r->sign) - (l->sign < r->sign);
}

void od_signs_finish(struct od_case_builder *b)
{
    OD_FOR_EACH (struct od_seen, seen, b->c->seen)
        seen->worked = od_means(
            od_meanings_of(OD_SUBJECT_SAID, seen->said.text, (struct od_view){0}), OD_SAID_WORKED);
    if (b->c->seen.n > 1)
        qsort(b->c->seen.items, b->c->seen.n, sizeof *b->c->seen.items, by_place);
}
