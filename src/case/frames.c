#include "case/builder.h"

/* A frame takes two lines in Python 2 and up to five in Python 3.13; wrapped code takes more. */
enum { FRAME_GAP = 12, FRAME_GAP_OF_RANKS = 500 };
/* Go prints two lines for each call, and a heading above the first. */
enum { CALLER_GAP = 5 };

static size_t copy_tail(char *to, size_t room, struct od_view from)
{
    size_t n = from.n < room ? from.n : room;
    if (n > 0)
        memcpy(to, from.p + (from.n - n), n);
    return n;
}

static uint32_t lane_of(const struct od_event *event)
{
    return event->line ? event->line->lane : 0;
}

static struct od_loose_frame frame_of(const struct od_event *event)
{
    struct od_loose_frame f = {.source = event->at.source,
                               .lane = lane_of(event),
                               .line = event->at.line,
                               .code_line = od_event_count(event, OD_F_COUNT)};
    f.file_n = copy_tail(f.file, sizeof f.file, od_event_text(event, OD_F_VALUE));
    struct od_view name = od_view_head(od_event_text(event, OD_F_NAME), sizeof f.function);
    f.function_n = copy_tail(f.function, sizeof f.function, name);
    return f;
}

void od_fold_frame(struct od_case_builder *b, const struct od_event *event)
{
    if (b->frames.n >= OD_FRAMES_MAX) {
        memmove(b->frames.items, b->frames.items + OD_FRAMES_MAX / 2,
                OD_FRAMES_MAX / 2 * sizeof *b->frames.items);
        b->frames.n = OD_FRAMES_MAX / 2;
    }
    od_vec_push(&b->frames, frame_of(event));
}

static bool stands_above(const struct od_loose_frame *f, const struct od_event *event)
{
    return f->source == event->at.source && f->lane == lane_of(event) && f->line <= event->at.line;
}

void od_frames_forget(struct od_case_builder *b, const struct od_event *event)
{
    size_t kept = 0;
    for (size_t i = 0; i < b->frames.n; i++)
        if (!stands_above(&b->frames.items[i], event))
            b->frames.items[kept++] = b->frames.items[i];
    b->frames.n = kept;
}

/* Writes the indexes of the frames of one traceback, innermost first. Each frame is near the next
 * one, and the last one near the error. */
static size_t gather(const struct od_case_builder *b, const struct od_event *event,
                     size_t found[static OD_TRACEBACK_MAX])
{
    size_t n = 0;
    uint64_t below = event->at.line;
    bool ranks = event->line && event->line->place && event->line->place->rank.known;
    uint64_t gap = ranks ? FRAME_GAP_OF_RANKS : FRAME_GAP;
    for (size_t i = b->frames.n; i-- > 0 && n < OD_TRACEBACK_MAX;) {
        const struct od_loose_frame *f = &b->frames.items[i];
        if (!stands_above(f, event))
            continue;
        /* ranks that print at the same time interleave their tracebacks */
        if (below - f->line > gap)
            break;
        found[n++] = i;
        below = f->line;
    }
    return n;
}

/* A source line with a call has no file; it only names the called function. */
static bool is_users(const struct od_loose_frame *f)
{
    return f->file_n > 0 && !od_means(f->means, OD_FRAME_FOREIGN);
}

/* Determines the meanings of the frames. Returns whether one of them is in the user's files. */
static bool reach_user(const struct od_case_builder *b, const size_t *found, size_t n)
{
    bool reached = false;
    for (size_t i = 0; i < n; i++) {
        struct od_loose_frame *f = &b->frames.items[found[i]];
        f->means = od_meanings_of(OD_SUBJECT_FRAME, (struct od_view){f->file, f->file_n},
                                  (struct od_view){f->function, f->function_n});
        reached |= is_users(f);
    }
    return reached;
}

/* Did the loop that waits for a worker raise the error again? The worker's own traceback
 * follows. */
static bool is_told_for_worker(const struct od_incident *inc)
{
    struct od_view text = inc->evidence.n > 0 ? inc->evidence.items[0].text : (struct od_view){0};
    return od_view_has(text, OD_VIEW("Caught ")) && od_view_has(text, OD_VIEW(" worker process"));
}

static void take_caller(struct od_case_builder *b, struct od_incident *inc,
                        const struct od_loose_frame *f)
{
    struct od_frame *frame = OD_NEW(b->arena, struct od_frame);
    *frame = od_frame_kept(b, f);
    inc->frame = frame;
}

/* Do the calls that begin there belong to that failure? Not if another error is between. */
static bool is_below(const struct od_case_builder *b, const struct od_incident *inc)
{
    uint64_t first = b->calls_begin.line, error = b->last_error.line;
    bool other =
        b->last_error.source == inc->last.source && error > inc->last.line && error <= first;
    return inc->last.source == b->calls_begin.source && !other && first >= inc->last.line &&
           first - inc->last.line <= CALLER_GAP;
}

void od_fold_caller(struct od_case_builder *b, const struct od_event *event)
{
    struct od_prov last = b->last_caller;
    struct od_incident *inc =
        b->latest_failure > 0 ? &b->merges.items[b->latest_failure - 1].inc : NULL;
    struct od_loose_frame f = frame_of(event);
    /* the JVM prints no folder, so the packages of the function decide whether the file is the
     * user's */
    struct od_view file = {f.file, f.file_n}, function = {f.function, f.function_n};
    bool folder = od_view_find_char(file, '/', 0) != OD_VIEW_NONE;
    f.means =
        od_meanings_of(OD_SUBJECT_FRAME, folder || function.n == 0 ? file : function, function);
    bool error = b->last_error.source == event->at.source && b->last_error.line > last.line;
    if (error || last.line == 0 || last.source != event->at.source ||
        event->at.line - last.line > CALLER_GAP) {
        b->caller = (struct od_loose_frame){0};
        b->calls_begin = event->at;
    }
    b->last_caller = event->at;
    if (!is_users(&f) || b->caller.file_n > 0)
        return;
    b->caller = f;
    if (inc && !inc->frame && is_below(b, inc))
        take_caller(b, inc, &f);
}

void od_frames_of_user(struct od_case_builder *b, const struct od_event *event,
                       struct od_stretch *to)
{
    size_t found[OD_TRACEBACK_MAX];
    size_t n = gather(b, event, found);
    (void)reach_user(b, found, n);
    for (size_t i = 0; i < n; i++) {
        const struct od_loose_frame *f = &b->frames.items[found[i]];
        if (to->frame.file_n == 0 && is_users(f))
            to->frame = *f;
        if (to->script.n == 0 && is_users(f) &&
            od_view_eq_str((struct od_view){f->function, f->function_n}, "<module>"))
            to->script = od_arena_view(b->arena, (struct od_view){f->file, f->file_n});
    }
}

struct od_frame od_frame_kept(struct od_case_builder *b, const struct od_loose_frame *f)
{
    return (struct od_frame){
        .file = od_arena_view(b->arena, (struct od_view){f->file, f->file_n}),
        .function = od_arena_view(b->arena, (struct od_view){f->function, f->function_n}),
        .line = f->code_line,
        .means = f->means};
}

void od_frames_attach(struct od_case_builder *b, struct od_incident *inc,
                      const struct od_event *event)
{
    size_t found[OD_TRACEBACK_MAX];
    /* a traceback that reaches the user's code replaces one that ends in a library */
    size_t n = inc->frame == NULL || is_told_for_worker(inc) ? gather(b, event, found) : 0;
    if (n > 0 && (reach_user(b, found, n) || inc->nframes == 0)) {
        struct od_frame *frames = OD_NEW_N(b->arena, n, struct od_frame);
        inc->nframes = 0;
        for (size_t i = n; i-- > 0;) {
            const struct od_loose_frame *f = &b->frames.items[found[i]];
            if (f->file_n == 0 && inc->nframes > 0) { /* the source line of the previous frame */
                struct od_frame *above = &frames[inc->nframes - 1];
                above->means |= f->means;
                above->line = above->line.known ? above->line : f->code_line;
                continue;
            }
            struct od_frame *frame = &frames[inc->nframes++];
            *frame = od_frame_kept(b, f);
            if (is_users(f))
                inc->frame = frame;
        }
        inc->frames = frames;
    }
    /* if the sentence of a failure ends below its calls, the calls were read before it */
    if (!inc->frame && b->caller.file_n > 0 && is_below(b, inc))
        take_caller(b, inc, &b->caller);
    od_frames_forget(b, event);
}

void od_frames_below(struct od_case_builder *b)
{
    for (size_t i = 0; i < b->merges.n; i++) {
        struct od_incident *inc = &b->merges.items[i].inc;
        struct od_event event = {.kind = OD_EV_EXCEPTION, .at = inc->last};
        bool title = inc->at.line == 1;
        uint64_t gap = title ? UINT64_MAX : CALLER_GAP;
        OD_FOR_EACH (const struct od_loose_frame, f, b->frames) {
            if (f->source != inc->last.source || f->line < event.at.line ||
                f->line - event.at.line > gap)
                continue;
            event.at.line = f->line;
            gap = title ? gap : FRAME_GAP;
        }
        if (inc->nframes == 0 && event.at.line > inc->last.line)
            od_frames_attach(b, inc, &event);
    }
}
