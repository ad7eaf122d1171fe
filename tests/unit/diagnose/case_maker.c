#include "tests/unit/diagnose/case_maker.h"

void case_maker_init(struct case_maker *maker)
{
    *maker = (struct case_maker){.c.arena = od_arena_new()};
}

void case_maker_done(struct case_maker *maker)
{
    for (size_t i = 0; i < maker->c.incidents.n; i++) {
        od_vec_done(&maker->c.incidents.items[i].evidence);
        od_vec_done(&maker->c.incidents.items[i].others);
        od_vec_done(&maker->c.incidents.items[i].holdings);
    }
    od_vec_done(&maker->c.incidents);
    od_vec_done(&maker->c.allocators);
    od_vec_done(&maker->c.devices);
    od_vec_done(&maker->c.settings);
    od_vec_done(&maker->c.run_events);
    od_vec_done(&maker->c.series);
    od_vec_done(&maker->c.states);
    od_vec_done(&maker->c.driver_refusals);
    od_arena_free(maker->c.arena);
}

struct od_prov case_maker_next(struct case_maker *maker)
{
    return (struct od_prov){.nlines = 1, .line = ++maker->line};
}

struct od_incident *case_maker_incident(struct case_maker *maker, enum od_incident_kind kind,
                                        const char *text)
{
    struct od_prov at = case_maker_next(maker);
    struct od_incident incident = {.id = (uint32_t)maker->c.incidents.n + 1,
                                   .kind = kind,
                                   .at = at,
                                   .last = at,
                                   .count = 1,
                                   .fatal = OD_CANNOT_TELL,
                                   .unified = OD_CANNOT_TELL,
                                   .producer = OD_VIEW("tensorflow")};
    if (text) {
        struct od_view words = od_view_of(text);
        struct od_evidence said = {.at = at,
                                   .text = words,
                                   .means =
                                       od_meanings_of(OD_SUBJECT_SAID, words, (struct od_view){0})};
        od_vec_push(&incident.evidence, said);
    }
    od_vec_push(&maker->c.incidents, incident);
    return &maker->c.incidents.items[maker->c.incidents.n - 1];
}

struct od_run_event *case_maker_moment(struct case_maker *maker, enum od_event_kind kind,
                                       const char *name)
{
    struct od_prov at = case_maker_next(maker);
    struct od_run_event moment = {.kind = kind,
                                  .first = at,
                                  .last = at,
                                  .count = 1,
                                  .name = od_view_of(name),
                                  .said = {.at = at, .text = od_view_of(name)}};
    moment.said.means = od_meanings_of(OD_SUBJECT_SAID, moment.name, moment.name);
    od_vec_push(&maker->c.run_events, moment);
    return &maker->c.run_events.items[maker->c.run_events.n - 1];
}

struct od_device *case_maker_device(struct case_maker *maker)
{
    struct od_device device = {
        .said = {.at = case_maker_next(maker), .text = OD_VIEW("device found")}};
    od_vec_push(&maker->c.devices, device);
    return &maker->c.devices.items[maker->c.devices.n - 1];
}

void case_maker_setting(struct case_maker *maker, const char *name, const char *value)
{
    struct od_evidence said = {.at = case_maker_next(maker), .text = od_view_of(value)};
    struct od_setting setting = {od_view_of(name), od_setting_named(od_view_of(name)),
                                 od_view_of(value), said};
    od_vec_push(&maker->c.settings, setting);
}

void case_maker_driver(struct case_maker *maker, uint64_t times)
{
    struct od_evidence said = {.at = case_maker_next(maker),
                               .text = OD_VIEW("failed to allocate from device")};
    od_vec_push(&maker->c.driver_refusals, said);
    maker->c.driver_refusal_count += times;
}

struct od_incident *case_maker_failure(struct case_maker *maker, const char *shape, const char *op)
{
    struct od_incident *incident =
        case_maker_incident(maker, OD_INC_DEVICE_ALLOC_FAILED, "ResourceExhaustedError: OOM when");
    incident->op_error = true;
    incident->device = OD_VIEW("GPU:0");
    if (shape && od_shape_parse(od_view_of(shape), &incident->tensor.shape)) {
        incident->tensor.dtype = OD_FLOAT32;
        incident->tensor.bytes = od_shape_bytes(&incident->tensor.shape, OD_FLOAT32);
    }
    incident->tensor.op = od_view_of(op);
    return incident;
}

struct od_incident *case_maker_torch(struct case_maker *maker, const struct torch_numbers *numbers)
{
    struct od_incident *incident = case_maker_incident(maker, OD_INC_DEVICE_ALLOC_FAILED,
                                                       "OutOfMemoryError: CUDA out of memory.");
    incident->op_error = true;
    incident->producer = OD_VIEW("pytorch");
    incident->device = OD_VIEW("GPU:0");
    incident->requested = od_bytes_exact(numbers->need);
    incident->capacity = od_bytes_exact(numbers->capacity);
    incident->in_use = od_bytes_exact(numbers->in_use);
    incident->reserved = od_bytes_exact(numbers->reserved);
    incident->free = od_bytes_exact(numbers->free);
    if (numbers->limit > 0)
        incident->limit = od_bytes_exact(numbers->limit);
    return incident;
}

void case_maker_other(struct od_incident *incident, uint64_t pid, uint64_t bytes)
{
    struct od_tenant tenant = {.pid = od_count_of(pid), .bytes = od_bytes_exact(bytes)};
    od_vec_push(&incident->others, tenant);
}

void case_maker_frame(struct case_maker *maker, struct od_incident *incident, const char *file,
                      const char *function)
{
    struct od_frame *frame = OD_NEW(maker->c.arena, struct od_frame);
    *frame =
        (struct od_frame){od_view_of(file), od_view_of(function), od_count_of(7),
                          od_meanings_of(OD_SUBJECT_FRAME, od_view_of(file), od_view_of(function))};
    incident->frames = incident->frame = frame;
    incident->nframes = 1;
}

static void fill_sizes(struct case_maker *maker, struct od_allocator *dump, const uint64_t *sizes)
{
    while (sizes && sizes[2 * dump->nsizes] != 0)
        dump->nsizes++;
    dump->sizes = OD_NEW_N(maker->c.arena, dump->nsizes + 1, struct od_size);
    for (size_t i = 0; i < dump->nsizes; i++) {
        dump->sizes[i] =
            (struct od_size){sizes[2 * i], sizes[2 * i + 1], sizes[2 * i] * sizes[2 * i + 1]};
        dump->in_use_count += sizes[2 * i + 1];
    }
}

struct od_allocator *case_maker_dump(struct case_maker *maker, const struct dump_numbers *numbers)
{
    struct od_allocator *dump = OD_NEW(maker->c.arena, struct od_allocator);
    dump->dump.at = case_maker_next(maker);
    dump->dump.stats.num_allocs = od_count_of(numbers->allocations);
    dump->has_chunks = dump->chunks_complete = dump->complete = true;
    dump->need = od_bytes_exact(numbers->need);
    dump->limit = od_count_of(numbers->limit);
    dump->pool = od_count_of(numbers->pool);
    dump->in_use = od_count_of(numbers->in_use);
    dump->in_use_bytes = numbers->in_use;
    dump->free_bytes = numbers->free;
    dump->largest_free_bytes = numbers->largest_free;
    dump->free_count = 7;
    dump->usable = (struct od_holes){7, numbers->free, numbers->largest_free};
    dump->verdict = numbers->verdict;
    fill_sizes(maker, dump, numbers->sizes);
    od_vec_push(&maker->c.allocators, dump);
    if (maker->c.incidents.n > 0)
        maker->c.incidents.items[maker->c.incidents.n - 1].dump = maker->c.allocators.n;
    return dump;
}
