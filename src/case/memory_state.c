/*
 * Memory numbers outside of errors.
 */
#include "case/builder.h"

#include "case/device.h"

enum {
    NEAR_LINES = 300, /* most lines between a table and its failure */
    NEXT_LINES = 3    /* of any program: TensorFlow's driver messages also appear in JAX */
};

static void fill_sizes(struct od_memory_state *state, const struct od_event *event)
{
    state->requested = od_event_bytes(event, OD_F_REQUESTED);
    state->capacity = od_event_bytes(event, OD_F_CAPACITY);
    state->limit = od_event_bytes(event, OD_F_LIMIT);
    state->in_use = od_event_bytes(event, OD_F_IN_USE);
    state->reserved = od_event_bytes(event, OD_F_RESERVED);
    state->free = od_event_bytes(event, OD_F_FREE);
    state->peak = od_event_bytes(event, OD_F_PEAK);
}

/* An allocator's or job's summary below a failure adds numbers that the failure's message lacks,
 * unless its use is of another moment. */
static void complete_failure(struct od_case_builder *b, const struct od_memory_state *state,
                             const struct od_event *event)
{
    if (b->latest_failure == 0)
        return;
    struct od_incident *inc = &b->merges.items[b->latest_failure - 1].inc;
    bool same_device = state->device.n == 0 || od_view_eq(state->device, inc->device);
    uint64_t near = od_view_eq(state->producer, inc->producer) ? NEAR_LINES : NEXT_LINES;
    if (!same_device || event->at.source != inc->last.source ||
        event->at.line - inc->last.line > near ||
        od_bytes_same(inc->in_use, state->in_use) == OD_NO)
        return;
    od_fill_bytes(&inc->in_use, state->in_use);
    od_fill_bytes(&inc->reserved, state->reserved);
    od_fill_bytes(&inc->peak, state->peak);
    od_fill_bytes(&inc->capacity, state->capacity);
    od_fill_bytes(&inc->limit, state->limit);
    od_fill_bytes(&inc->free, state->free);
}

/* Is the plan known? A log and an exception may print the same one. */
static bool is_told(const struct od_case *c, const struct od_memory_state *state)
{
    OD_FOR_EACH (const struct od_memory_state, other, c->states)
        if (od_view_eq(other->producer, state->producer) && od_view_eq(other->name, state->name) &&
            other->count.n == state->count.n &&
            od_bytes_same(other->in_use, state->in_use) == OD_YES)
            return true;
    return false;
}

void od_fold_state(struct od_case_builder *b, const struct od_event *event)
{
    /* Numbers that complete a failure: an allocator's table, and the free memory of its driver. */
    static const char *const of_failure[] = {"memory_summary", "job_summary", "left", NULL};
    const struct od_field_value *shape = od_event_get(event, OD_F_SHAPE);
    const struct od_field_value *dtype = od_event_get(event, OD_F_DTYPE);
    struct od_memory_state state = {
        .name = od_event_text(event, OD_F_NAME),
        .producer = od_event_text(event, OD_F_PRODUCER),
        .device = od_device_normal(b->scratch, od_event_text(event, OD_F_DEVICE)),
        .op = od_event_text(event, OD_F_OP),
        .count = od_event_count(event, OD_F_COUNT),
    };
    fill_sizes(&state, event);
    if (od_view_eq_any(state.name, of_failure))
        complete_failure(b, &state, event);
    if (od_event_get(event, OD_F_ALLOCATOR) && is_told(b->c, &state))
        return;
    b->c->state_count++;
    if (b->c->states.n >= OD_STATES_MAX)
        return;
    state.shape = shape ? *shape->as.shape : (struct od_shape){0};
    state.dtype = dtype ? dtype->as.dtype : OD_DTYPE_UNKNOWN;
    /* "16283 images of 150x150x3": one array with all of them */
    if (state.count.known && state.shape.n > 0 && state.shape.n < OD_SHAPE_MAX &&
        od_view_eq_str(state.name, "dataset")) {
        memmove(state.shape.dims + 1, state.shape.dims, state.shape.n * sizeof *state.shape.dims);
        state.shape.dims[0] = state.count.n;
        state.shape.n++;
    }
    state.name = od_case_copy(b, state.name);
    state.producer = od_case_copy(b, state.producer);
    state.device = od_case_copy(b, state.device);
    state.op = od_case_copy(b, state.op);
    state.said = od_case_copy_evidence(b, event);
    od_vec_push(&b->c->states, state);
}

/* "After: --workers 4" completes what "Before: --workers 8" began. */
static void complete_proposed(struct od_case_builder *b, const struct od_event *event)
{
    struct od_view setting = od_event_text(event, OD_F_MESSAGE);
    for (size_t i = b->c->proposed.n; i-- > 0;) {
        struct od_proposed *one = &b->c->proposed.items[i];
        if (one->after.n == 0 && od_view_eq(one->setting, setting)) {
            one->after = od_case_copy(b, od_event_text(event, OD_F_VALUE));
            return;
        }
    }
}

static void fold_proposed(struct od_case_builder *b, const struct od_event *event)
{
    struct od_view name = od_event_text(event, OD_F_NAME);
    struct od_view what = od_event_text(event, OD_F_MESSAGE);
    struct od_view value = od_event_text(event, OD_F_VALUE);
    struct od_proposed proposed = {.at = event->at};
    if (b->c->proposed.n >= OD_STATED_MAX)
        return;
    if (od_view_eq_str(name, "bound")) {
        proposed.below = od_event_bytes(event, OD_F_PEAK);
        proposed.of_device = od_view_eq_str(od_event_text(event, OD_F_SPACE), "device");
    } else {
        proposed.setting = od_case_copy(b, what);
        proposed.before = od_case_copy(b, od_view_last_word(value)); /* "4 # Was 8" */
        if (od_view_eq_str(name, "changed"))
            proposed.after = od_case_copy(b, od_view_head(value, od_view_find_char(value, ' ', 0)));
    }
    od_vec_push(&b->c->proposed, proposed);
}

void od_fold_remark(struct od_case_builder *b, const struct od_event *event)
{
    struct od_view name = od_event_text(event, OD_F_NAME);
    bool phase = od_view_eq_str(name, "phase");
    if (od_view_eq_str(name, "not_ended"))
        od_fold_not_ended(b, event);
    if (od_view_eq_str(name, "reported") || od_view_eq_str(name, "stated"))
        od_fold_reported(b, event);
    if (od_view_eq_str(name, "bound") || od_view_eq_str(name, "changed") ||
        od_view_eq_str(name, "before"))
        fold_proposed(b, event);
    if (od_view_eq_str(name, "after"))
        complete_proposed(b, event);
    if ((!phase && !od_view_eq_str(name, "course")) || b->c->stated.n >= OD_STATED_MAX)
        return;
    struct od_stated stated = {.at = event->at,
                               .before = od_event_bytes(event, OD_F_IN_USE),
                               .after = od_event_bytes(event, OD_F_PEAK),
                               .saved = od_event_bytes(event, OD_F_FREE)};
    if (phase)
        stated.phase = od_case_copy(b, od_event_text(event, OD_F_MESSAGE));
    else if (!b->grown && od_view_eq_str(od_event_text(event, OD_F_SPACE), "host"))
        od_fold_grown(b, event);
    od_vec_push(&b->c->stated, stated);
}

const struct od_memory_state *od_case_disk_of(const struct od_case *c, struct od_view text)
{
    const struct od_memory_state *disk = NULL;
    OD_FOR_EACH (const struct od_memory_state, state, c->states)
        if (od_view_eq_str(state->name, "disk") && od_view_has(text, state->op) &&
            (!disk || state->op.n > disk->op.n))
            disk = state;
    return disk;
}
