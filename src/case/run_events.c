#include "case/builder.h"

enum {
    /* KEPT_HEAD moments at the beginning stay when the list is full; the FORGOTTEN ones after them
     * are dropped together. */
    KEPT_HEAD = OD_RUN_EVENTS_MAX / 2,
    FORGOTTEN = OD_RUN_EVENTS_MAX / 4
};

/* The name that separates moments of one kind. All progress is one kind. */
static struct od_view name_of(const struct od_event *event)
{
    struct od_view name = od_event_text(event, OD_F_NAME);
    if (event->kind == OD_EV_PROGRESS)
        return (struct od_view){0};
    if (event->kind == OD_EV_DUMP && event->dump)
        return event->dump->allocator;
    return name.n > 0 ? name : od_event_text(event, OD_F_ALLOCATOR);
}

static size_t copy_head(char *to, size_t room, struct od_view from)
{
    size_t n = from.n < room ? from.n : room;
    if (n > 0)
        memcpy(to, from.p, n);
    return n;
}

static bool continues(const struct od_stretch *s, const struct od_event *event, struct od_view name,
                      struct od_count status)
{
    return s->moment.kind == event->kind && !s->moment.titled &&
           s->moment.first.source == event->at.source && s->moment.status.known == status.known &&
           s->moment.status.n == status.n &&
           od_view_eq((struct od_view){s->name, s->name_n}, od_view_head(name, sizeof s->name));
}

/* Drops moments from the middle, because the beginning and the end of a run matter more. */
static void make_room(struct od_case_builder *b)
{
    if (b->stretches.n < OD_RUN_EVENTS_MAX)
        return;
    b->c->closed |= 1U << OD_LIST_MOMENTS;
    memmove(b->stretches.items + KEPT_HEAD, b->stretches.items + KEPT_HEAD + FORGOTTEN,
            (OD_RUN_EVENTS_MAX - KEPT_HEAD - FORGOTTEN) * sizeof *b->stretches.items);
    b->stretches.n -= FORGOTTEN;
}

void od_run_event_add(struct od_case_builder *b, const struct od_event *event)
{
    struct od_view name = name_of(event);
    struct od_count status = od_event_count(event, OD_F_STATUS);
    size_t n = b->stretches.n;
    if (n == 0 || !continues(&b->stretches.items[n - 1], event, name, status)) {
        make_room(b);
        struct od_stretch fresh = {
            .moment = {.kind = event->kind,
                       .first = event->at,
                       .titled = event->line && event->line->segment == OD_SEGMENT_TITLE,
                       .status = status}};
        fresh.name_n = copy_head(fresh.name, sizeof fresh.name, name);
        od_vec_push(&b->stretches, fresh);
    }
    struct od_stretch *s = &b->stretches.items[b->stretches.n - 1];
    if (s->frame.file_n == 0 && event->kind == OD_EV_EXCEPTION)
        od_frames_of_user(b, event, s);
    s->moment.count++;
    s->moment.last = event->at;
    s->text_n = od_event_keep_evidence(event, s->text);
}

/* Takes the frames of a traceback that was cut, so that no error line ended it. */
static void take_cut_traceback(struct od_case_builder *b, struct od_stretch *s)
{
    if (s->frame.file_n > 0 || !od_view_eq_str((struct od_view){s->name, s->name_n}, "Traceback"))
        return;
    OD_FOR_EACH (const struct od_loose_frame, last, b->frames) {
        if (last->source != s->moment.last.source || last->line < s->moment.last.line)
            continue;
        const struct od_event end = {.kind = OD_EV_EXCEPTION,
                                     .at = {.source = last->source, .line = last->line}};
        const struct od_loose_frame before = s->frame;
        s->frame.file_n = 0;
        od_frames_of_user(b, &end, s);
        if (s->frame.file_n == 0)
            s->frame = before;
    }
}

void od_run_events_finish(struct od_case_builder *b)
{
    for (size_t i = 0; i < b->stretches.n; i++) {
        struct od_stretch *s = &b->stretches.items[i];
        take_cut_traceback(b, s);
        struct od_run_event moment = s->moment;
        moment.name = od_arena_view(b->arena, (struct od_view){s->name, s->name_n});
        if (s->frame.file_n > 0) {
            struct od_frame *frame = OD_NEW(b->arena, struct od_frame);
            *frame = od_frame_kept(b, &s->frame);
            moment.frame = frame;
        }
        moment.script = s->script;
        moment.said.at = moment.last;
        moment.said.text = od_arena_view(b->arena, (struct od_view){s->text, s->text_n});
        moment.said.means = od_meanings_of(OD_SUBJECT_SAID, moment.said.text, moment.name);
        od_vec_push(&b->c->run_events, moment);
    }
    od_vec_done(&b->stretches);
}

static bool is_after(const struct od_prov *a, const struct od_prov *b)
{
    return a->source == b->source && a->line > b->line;
}

bool od_run_events_went_on(const struct od_case *c, const struct od_prov *after)
{
    OD_FOR_EACH (const struct od_run_event, m, c->run_events) {
        if (!is_after(&m->last, after))
            continue;
        if (m->kind == OD_EV_PROGRESS)
            return true;
        if (m->kind == OD_EV_RUN_STARTED)
            return false;
    }
    return false;
}
