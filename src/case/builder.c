#include "case/builder.h"

#include "case/series_key.h"

/* A full list drops entries from its middle, because the beginning and the end of a run matter most
 * (this and the next functions). */
static void bound_dumps(struct od_case_builder *b)
{
    struct od_allocator **all = b->c->allocators.items;
    size_t middle = OD_ALLOCATORS_MAX / 2;
    if (b->c->allocators.n <= OD_ALLOCATORS_MAX)
        return;
    b->c->dumps_forgotten++;
    b->chunks -= all[middle]->dump.chunks.n;
    b->c->chunk_lists_forgotten -= b->c->chunk_lists_forgotten >= middle;
    od_allocator_free(all[middle]);
    b->c->allocators.n--;
    memmove(all + middle, all + middle + 1, (b->c->allocators.n - middle) * sizeof *all);
}

static void bound_chunks(struct od_case_builder *b)
{
    while (b->chunks > OD_CHUNKS_MAX && b->c->chunk_lists_forgotten + 2 < b->c->allocators.n) {
        struct od_allocator *a = b->c->allocators.items[++b->c->chunk_lists_forgotten];
        b->chunks -= a->dump.chunks.n;
        od_allocator_forget_chunks(a);
    }
}

static void fold_dump(struct od_case_builder *b, const struct od_event *event)
{
    if (!event->dump)
        return;
    b->chunks += event->dump->chunks.n;
    od_vec_push(&b->c->allocators, od_allocator_new(event->dump));
    bound_dumps(b);
    bound_chunks(b);
}

static void fold_trouble(struct od_case_builder *b, const struct od_event *event)
{
    struct od_count pid = od_event_count(event, OD_F_PID);
    struct od_view space = od_event_text(event, OD_F_SPACE);
    b->device_fault |= event->kind == OD_EV_EXCEPTION && od_view_eq_str(space, "device");
    b->heap_fault |= event->kind == OD_EV_EXCEPTION && od_view_eq_str(space, "host");
    if (event->kind == OD_EV_EXCEPTION && pid.known)
        b->given_up[b->ngiven_up++ % OD_GIVEN_UP_MAX] = pid.n;
    od_frames_forget(b, event);
    b->last_error = event->at;
    b->trouble = true;
}

/* "python train.py --batch-size 32" is a command; a single word is a program's name. */
static void keep_command(struct od_case_builder *b, const struct od_event *event)
{
    enum { LONGEST = 16384 };
    struct od_view command = od_event_text(event, OD_F_NAME);
    struct od_case *c = b->c;
    if (od_view_find_char(command, ' ', 0) == OD_VIEW_NONE || command.n > LONGEST)
        return;
    if (c->commands.n == OD_COMMANDS_MAX) {
        c->commands.n--;
        memmove(c->commands.items, c->commands.items + 1,
                c->commands.n * sizeof *c->commands.items);
    }
    struct od_evidence said = {.at = event->at, .text = od_arena_view(b->arena, command)};
    od_vec_push(&c->commands, said);
}

/* Failures before and after a new start are not merged. */
static void fold_start(struct od_case_builder *b, const struct od_event *event)
{
    keep_command(b, event);
    b->attempt += b->trouble;
    b->trouble = false;
    b->device_fault = b->heap_fault = false;
}

/* How each kind of event changes the case. Other kinds make a moment or nothing. */
static const struct {
    void (*fold)(struct od_case_builder *b, const struct od_event *event);
    bool moment;
} folds[OD_EV_END] = {
    [OD_EV_ALLOC_REFUSED] = {od_fold_refused, true},
    [OD_EV_ALLOC_FAILED] = {od_fold_failed, true},
    [OD_EV_SOFT_WARNING] = {od_fold_soft, true},
    [OD_EV_DRIVER_REFUSED] = {od_fold_driver, false},
    [OD_EV_CONTEXT_FAILED] = {od_fold_plain, true},
    [OD_EV_COMPILE_FAILED] = {od_fold_plain, true},
    [OD_EV_KV_CACHE_FAILED] = {od_fold_plain, true},
    [OD_EV_SHM_EXHAUSTED] = {od_fold_plain, true},
    [OD_EV_HOST_KILLED] = {od_fold_plain, true},
    [OD_EV_CGROUP_KILLED] = {od_fold_plain, true},
    [OD_EV_JOB_KILLED] = {od_fold_plain, true},
    [OD_EV_PRESSURE_KILLED] = {od_fold_pressure, true},
    [OD_EV_SAMPLE] = {od_fold_reading, false},
    [OD_EV_WORKER_KILLED] = {od_fold_plain, true},
    [OD_EV_KILLED] = {od_fold_plain, true},
    [OD_EV_TENANT] = {od_fold_tenant, false},
    [OD_EV_HOLDING] = {od_fold_holding, false},
    [OD_EV_DUMP] = {fold_dump, true},
    [OD_EV_MEMORY_STATE] = {od_fold_state, false},
    [OD_EV_DEVICE] = {od_fold_device, false},
    [OD_EV_SETTING] = {od_fold_setting, false},
    [OD_EV_FRAME] = {od_fold_frame, false},
    [OD_EV_CALLER] = {od_fold_caller, false},
    [OD_EV_NODE] = {od_fold_node, false},
    [OD_EV_PROGRESS] = {NULL, true},
    [OD_EV_EXCEPTION] = {fold_trouble, true},
    [OD_EV_CRASH] = {fold_trouble, true},
    [OD_EV_RUN_STARTED] = {fold_start, true},
    [OD_EV_PROCESS_STARTED] = {NULL, false},
    [OD_EV_RUN_ENDED] = {fold_trouble, true},
    [OD_EV_MODEL] = {od_fold_model, false},
    [OD_EV_REMARK] = {od_fold_remark, true},
    [OD_EV_SIGN] = {od_fold_sign, false},
};

/* Did an earlier error name this process ("worker timeout")? Then the printing process ended it,
 * and only guesses that memory was the reason. */
static bool is_given_up(const struct od_case_builder *b, const struct od_event *event)
{
    if (event->kind != OD_EV_WORKER_KILLED)
        return false;
    struct od_count pid = od_event_count(event, OD_F_PID);
    size_t n = b->ngiven_up < OD_GIVEN_UP_MAX ? b->ngiven_up : OD_GIVEN_UP_MAX;
    for (size_t i = 0; pid.known && i < n; i++)
        if (b->given_up[i] == pid.n)
            return true;
    return false;
}

/* Did the job end below the limit of all its slots? Then it was killed for another reason. */
static bool is_below_limit(const struct od_event *event)
{
    /* below 1, because a peak is sampled and lacks the failed request */
    static const double full = 0.95;
    struct od_bytes peak = od_event_bytes(event, OD_F_PEAK);
    return event->kind == OD_EV_JOB_KILLED && od_event_count(event, OD_F_COUNT).known &&
           (double)peak.n < full * (double)od_limit_of_job(event).n;
}

/* After an assertion in a kernel, every call on the device fails. A library that cannot start, and
 * a host allocator that does not work here or has a damaged heap, print an out-of-memory message,
 * too. Memory is not the cause then. */
static bool is_aftermath(const struct od_case_builder *b, const struct od_event *event)
{
    return (b->device_fault && event->kind == OD_EV_CONTEXT_FAILED) ||
           (b->heap_fault && event->kind == OD_EV_ALLOC_FAILED &&
            od_view_eq_str(od_event_text(event, OD_F_SPACE), "host"));
}

/* Is text a truncated copy of whole: the same start, with the end within a word? */
static bool is_cut_off(struct od_view text, struct od_view whole)
{
    enum { LEAST = 24 };
    if (text.n < LEAST || text.n >= whole.n || !od_is_letter(text.p[text.n - 1]) ||
        !od_is_letter(whole.p[text.n]))
        return false;
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] != whole.p[i] && !(od_is_digit(text.p[i]) && od_is_digit(whole.p[i])))
            return false;
    return true;
}

/* Is the line a truncated copy of a warning, without the part that states that it is harmless? */
static bool is_warning_cut_off(const struct od_case_builder *b, const struct od_event *event)
{
    for (size_t i = 0; i < b->merges.n && event->kind == OD_EV_ALLOC_FAILED && event->line; i++) {
        const struct od_incident *inc = &b->merges.items[i].inc;
        if (inc->kind == OD_INC_SOFT_WARNING && inc->evidence.n > 0 &&
            is_cut_off(event->line->text, inc->evidence.items[0].text))
            return true;
    }
    return false;
}

/* Is the event in the first post of a thread? Title and first post are about one run. */
static bool is_first_post(struct od_case_builder *b, const struct od_event *event)
{
    bool post =
        event->kind == OD_EV_RUN_STARTED && od_view_eq_str(od_event_text(event, OD_F_NAME), "post");
    bool first = post && (!b->posted || b->posted_source != event->at.source);
    if (first) {
        b->posted = true;
        b->posted_source = event->at.source;
    }
    return first;
}

/* Does a summary count failures of which the log shows none? */
static bool counts_failures(const struct od_case_builder *b, const struct od_event *event)
{
    struct od_count failures = od_event_count(event, OD_F_COUNT);
    return event->kind == OD_EV_MEMORY_STATE && b->latest_failure == 0 && failures.known &&
           failures.n > 0 && od_view_eq_str(od_event_text(event, OD_F_NAME), "memory_summary");
}

static void take_event(void *self, const struct od_event *event)
{
    struct od_case_builder *b = self;
    struct od_event other, counted;
    if (event->kind >= OD_EV_END || is_given_up(b, event) || is_first_post(b, event) ||
        is_below_limit(event))
        return;
    bool aftermath = is_aftermath(b, event);
    if (aftermath || is_warning_cut_off(b, event)) {
        od_event_copy(&other, event);
        other.kind = aftermath ? OD_EV_EXCEPTION : OD_EV_SOFT_WARNING;
        event = &other;
    }
    b->c->events += event->kind != OD_EV_SIGN;
    if (folds[event->kind].moment)
        od_run_event_add(b, event);
    if (folds[event->kind].fold)
        folds[event->kind].fold(b, event);
    struct od_series_key room, *series_key = od_series_key_of(event, b->scratch, &room);
    od_fold_run_state(b, event, series_key);
    b->c->closed |=
        !od_series_fold(b->series, event, series_key, &b->clock) ? 1U << OD_LIST_SERIES : 0;
    od_arena_reset(b->scratch);
    if (counts_failures(b, event)) {
        od_event_copy(&counted, event);
        counted.kind = OD_EV_ALLOC_FAILED;
        take_event(b, &counted);
    }
}

struct od_case_builder *od_case_builder_new(void)
{
    struct od_case_builder *b = od_mem_alloc(1, sizeof *b);
    b->c = od_mem_alloc(1, sizeof *b->c);
    b->arena = b->c->arena = od_arena_new();
    b->scratch = od_arena_new();
    b->series = od_series_folder_new();
    return b;
}

struct od_sink od_case_builder_sink(struct od_case_builder *builder)
{
    return (struct od_sink){.event = take_event, .self = builder};
}

static int by_first_line(const void *left, const void *right)
{
    const struct od_allocator *const *l = left, *const *r = right;
    return od_prov_cmp(&(*l)->dump.at, &(*r)->dump.at);
}

/* The id of an incident is its order of arrival until the incidents are sorted. */
static int by_place(const void *left, const void *right)
{
    const struct od_incident *l = left, *r = right;
    int order = od_prov_cmp(&l->at, &r->at);
    return order != 0 ? order : (l->id > r->id) - (l->id < r->id);
}

static int by_conflict_place(const void *left, const void *right)
{
    const struct od_conflict *l = left, *r = right;
    return od_prov_cmp(&l->at, &r->at);
}

static void sort(void *items, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    if (n > 1)
        qsort(items, n, size, compare);
}

/* Applies the device size from the user or from a question, if no line prints it. It is the size of
 * the run's device only if it could hold the request. */
static void take_given(struct od_case_builder *b)
{
    OD_FOR_EACH (struct od_incident, inc, b->c->incidents) {
        struct od_amount given = {b->given.device, OD_SCOPE_DEVICE},
                         asked = {inc->requested, OD_SCOPE_DEVICE};
        bool beyond = od_amount_less(given, asked) == OD_YES;
        if (od_incident_kind_is_host(inc->kind) || inc->capacity.known || inc->limit.known)
            continue;
        if (b->given.capacity.known)
            inc->capacity = b->given.capacity;
        else if (beyond)
            inc->capacity = b->given.device;
    }
}

/* A framework without an accelerator computes in RAM, whatever its messages name. */
static void place_on_cpu(const struct od_case_builder *b)
{
    OD_FOR_EACH (struct od_incident, inc, b->c->incidents) {
        if (b->on_cpu.n == 0 || inc->kind != OD_INC_DEVICE_ALLOC_FAILED || inc->device.n > 0 ||
            !od_view_eq(inc->producer, b->on_cpu))
            continue;
        inc->kind = OD_INC_HOST_ALLOC_FAILED;
        inc->device = OD_VIEW("CPU");
    }
}

/* Computes the meanings of texts at the end, because repeats overwrite the last text. The name of
 * an exception states nothing new about the failure. */
static void read_words(struct od_case *c)
{
    static const uint64_t form = UINT64_C(1) << OD_SAID_EXCEPTION | UINT64_C(1)
                                                                        << OD_SAID_TRACEBACK;
    OD_FOR_EACH (struct od_incident, inc, c->incidents) {
        uint64_t stated = form;
        OD_FOR_EACH (struct od_evidence, said, inc->evidence) {
            said->means = od_meanings_of(OD_SUBJECT_SAID, said->text, (struct od_view){0});
            said->repeats = said->repeats && (said->means & ~stated) == 0;
            stated |= said->means;
        }
    }
}

/* Marks the processes that the run's launcher ends as ranks, and those that hold as much, because
 * it does not name ranks that have ended. */
static void mark_ranks(struct od_case *c)
{
    uint64_t pid;
    OD_FOR_EACH (const struct od_setting, s, c->settings) {
        if (s->id != OD_SETTING_RANK_PROCESS || !od_num_parse_u64(s->value, &pid))
            continue;
        OD_FOR_EACH (struct od_incident, inc, c->incidents) {
            struct od_bytes held = {0};
            OD_FOR_EACH (const struct od_tenant, t, inc->others)
                if (t->pid.known && t->pid.n == pid)
                    held = t->bytes;
            OD_FOR_EACH (struct od_tenant, t, inc->others)
                t->of_run |= od_bytes_same(t->bytes, held) == OD_YES;
        }
    }
}

static void finish_incidents(struct od_case_builder *b)
{
    struct od_case *c = b->c;
    for (size_t i = 0; i < b->merges.n; i++) {
        struct od_incident inc = b->merges.items[i].inc;
        inc.id = (uint32_t)i;
        inc.attempt = b->merges.items[i].attempt;
        od_vec_push(&c->incidents, inc);
    }
    sort(c->incidents.items, c->incidents.n, sizeof *c->incidents.items, by_place);
    for (size_t i = 0; i < c->incidents.n; i++)
        c->incidents.items[i].id = (uint32_t)i + 1;
    place_on_cpu(b);
    OD_FOR_EACH (struct od_incident, inc, c->incidents)
        od_listed_add(inc, &c->series);
    mark_ranks(c);
    read_words(c);
    od_reported_finish(b);
    take_given(b);
    od_consequences_find(c);
}

void od_case_builder_text(struct od_case_builder *builder, const struct od_around *around)
{
    builder->around = around;
}

void od_case_builder_observe(struct od_case_builder *builder, const struct od_trace *trace)
{
    builder->c->trace = trace;
}

void od_case_builder_given(struct od_case_builder *builder, const struct od_given *given)
{
    builder->given = *given;
}

const struct od_case *od_case_freeze(struct od_case_builder *builder)
{
    struct od_case_builder *b = builder;
    struct od_case *c = b->c;
    od_run_events_finish(b);
    od_signs_finish(b);
    od_models_finish(b);
    sort(c->allocators.items, c->allocators.n, sizeof *c->allocators.items, by_first_line);
    od_dumps_assign(b);
    od_driver_incident(b);
    od_series_folded(b->series, b->arena, &c->series);
    od_series_folder_free(b->series);
    od_frames_below(b);
    finish_incidents(b);
    if (b->around) {
        struct od_assigned_list *assigned = od_assigned_of(
            b->around, c->incidents.n > 0 ? c->incidents.items[0].at.source : 0, b->arena);
        od_cures_drop(c, assigned);
        c->assigned = assigned;
    }
    od_series_forecast(b);
    od_conflicts_find(b);
    sort(c->conflicts.items, c->conflicts.n, sizeof *c->conflicts.items, by_conflict_place);
    od_buf_done(&b->key);
    od_map_done(&b->merges_by_key);
    od_map_done(&b->settings);
    od_map_done(&b->signs);
    od_vec_done(&b->merges);
    od_vec_done(&b->refused);
    od_vec_done(&b->frames);
    od_arena_free(b->scratch);
    od_mem_free(b);
    return c;
}

static void free_incident(struct od_incident *incident)
{
    od_vec_done(&incident->evidence);
    od_vec_done(&incident->others);
    od_vec_done(&incident->holdings);
}

void od_case_free(const struct od_case *c)
{
    if (!c)
        return;
    /* the case is const for its users, but this function owns it */
    struct od_case *mine = (struct od_case *)(uintptr_t)c;
    for (size_t i = 0; i < mine->allocators.n; i++)
        od_allocator_free(mine->allocators.items[i]);
    for (size_t i = 0; i < mine->incidents.n; i++)
        free_incident(&mine->incidents.items[i]);
    if (mine->claim)
        free_incident(mine->claim);
    od_vec_done(&mine->allocators);
    od_vec_done(&mine->incidents);
    od_vec_done(&mine->devices);
    od_vec_done(&mine->settings);
    od_vec_done(&mine->stated);
    od_vec_done(&mine->proposed);
    for (size_t i = 0; i < mine->models.n; i++)
        od_model_done(&mine->models.items[i]);
    od_vec_done(&mine->models);
    od_vec_done(&mine->states);
    od_vec_done(&mine->series);
    od_vec_done(&mine->courses);
    od_vec_done(&mine->run_events);
    od_vec_done(&mine->commands);
    od_vec_done(&mine->seen);
    od_vec_done(&mine->conflicts);
    od_vec_done(&mine->driver_refusals);
    od_arena_free(mine->arena);
    od_mem_free(mine);
}
