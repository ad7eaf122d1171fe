/*
 * The history of each device in a snapshot, and the settings of its allocator.
 */
#include "models/files/torch_snapshot.h"

#include "facts/setting.h"

#include <stdio.h>

enum { UNIT = 512 };

/* Interval of a request, whose entry has the rounded size. */
static struct od_bytes request_of(uint64_t size)
{
    if (size == 0 || size % UNIT != 0)
        return od_bytes_exact(size);
    return (struct od_bytes){.n = size, .lo = size - UNIT + 1, .hi = size, .known = true};
}

static struct od_view action_of(struct od_torch_snapshot *s, const struct od_pickle_value *entry)
{
    return od_pickle_text(od_torch_field(s, entry, "action"));
}

/* Index + 1 of the last allocation and of the last change. */
struct ends {
    size_t alloc, change;
};

static struct ends find_ends(struct od_torch_snapshot *s, const struct od_pickle_value *trace)
{
    struct ends ends = {0};
    size_t n = od_pickle_count(trace);
    for (size_t i = 0; i < n && !od_torch_is_spent(s); i++) {
        struct od_view action = action_of(s, od_pickle_item(trace, i));
        if (od_view_eq_str(action, "alloc"))
            ends.alloc = i + 1;
        if (!od_view_eq_str(action, "oom") && !od_view_eq_str(action, "snapshot"))
            ends.change = i + 1;
    }
    return ends;
}

/* Emits an entry. went_on: the program allocated again after it. */
static struct od_torch_failure emit(struct od_torch_snapshot *s, uint64_t device,
                                    const struct od_pickle_value *entry, bool went_on)
{
    struct od_torch_failure failure = {0};
    struct od_event event = {.kind = went_on ? OD_EV_ALLOC_REFUSED : OD_EV_ALLOC_FAILED,
                             .at = {.source = s->file->source},
                             .rule = "torch_snapshot"};
    char words[160], requested[OD_BYTES_TEXT], name[32];
    uint64_t size, left;
    if (!od_torch_size(s, entry, "size", &size))
        return failure;
    (void)snprintf(name, sizeof name, "cuda:%" PRIu64, device);
    failure.known = true;
    failure.requested = request_of(size);
    (void)od_bytes_print_u64(size, requested);
    od_event_set_text(&event, OD_F_PRODUCER, OD_VIEW("pytorch"));
    od_event_set_text(&event, OD_F_SPACE, OD_VIEW("device"));
    od_event_set_text(&event, OD_F_DEVICE, od_view_of(name));
    od_event_set_bytes(&event, OD_F_REQUESTED, failure.requested);
    if (od_torch_size(s, entry, "device_free", &left)) {
        failure.free = od_count_of(left);
        od_event_set_bytes(&event, OD_F_FREE, od_bytes_exact(left));
    }
    if (od_torch_size(s, entry, "stream", &left))
        failure.stream = od_count_of(left);
    struct od_view place = od_torch_place(s, od_torch_field(s, entry, "frames"));
    if (place.n > 0)
        od_event_set_text(&event, OD_F_OP, place);
    (void)snprintf(words, sizeof words, "out of memory on %s, %s requested", name, requested);
    event.excerpt = od_view_of(words);
    od_sink_put(s->file->sink, &event);
    return failure;
}

struct od_torch_failure od_torch_trace(struct od_torch_snapshot *s, uint64_t device)
{
    struct od_torch_failure last = {0};
    const struct od_pickle_value *traces = od_torch_field(s, s->top, "device_traces");
    if (device >= od_pickle_count(traces) || !od_pickle_is(traces, OD_PICKLE_LIST))
        return last;
    const struct od_pickle_value *trace = od_pickle_item(traces, (size_t)device);
    struct ends ends = find_ends(s, trace);
    size_t n = od_pickle_count(trace);
    for (size_t i = 0; i < n && !od_torch_is_spent(s); i++) {
        const struct od_pickle_value *entry = od_pickle_item(trace, i);
        if (!od_view_eq_str(action_of(s, entry), "oom"))
            continue;
        struct od_torch_failure failure = emit(s, device, entry, i < ends.alloc);
        if (i >= ends.change)
            last = failure;
    }
    return last;
}

static void add_option(struct od_buf *options, const char *name)
{
    od_buf_printf(options, "%s%s:", options->n > 0 ? "," : "", name);
}

static void add_roundup(struct od_torch_snapshot *s, const struct od_pickle_value *settings,
                        struct od_buf *options)
{
    const struct od_pickle_value *divisions =
        od_torch_field(s, settings, "roundup_power2_divisions");
    for (size_t i = 1; i < od_pickle_count(divisions); i += 2) {
        uint64_t n;
        if (!od_pickle_size(od_pickle_item(divisions, i), &n) || n == 0)
            continue;
        add_option(options, "roundup_power2_divisions");
        od_buf_printf(options, "%" PRIu64, n);
        return;
    }
}

/* Lists options in the syntax of PYTORCH_CUDA_ALLOC_CONF. */
static void list_options(struct od_torch_snapshot *s, const struct od_pickle_value *settings,
                         struct od_buf *options)
{
    const struct od_pickle_value *value = od_torch_field(s, settings, "expandable_segments");
    uint64_t bytes;
    if (od_pickle_is(value, OD_PICKLE_BOOL) && value->as.truth) {
        add_option(options, "expandable_segments");
        od_buf_add_str(options, "True");
    }
    /* no limit is recorded as -1 or as the largest number */
    if (od_torch_size(s, settings, "max_split_size", &bytes) && bytes > 0 && bytes < INT64_MAX) {
        add_option(options, "max_split_size_mb");
        od_buf_printf(options, "%" PRIu64, bytes >> 20);
    }
    value = od_torch_field(s, settings, "garbage_collection_threshold");
    if (od_pickle_is(value, OD_PICKLE_FLOAT) && value->as.f > 0 && value->as.f <= 1) {
        add_option(options, "garbage_collection_threshold");
        od_buf_printf(options, "%.2g", value->as.f);
    }
    add_roundup(s, settings, options);
}

void od_torch_settings(struct od_torch_snapshot *s)
{
    static const char *const whole[] = {"PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF"};
    const struct od_pickle_value *settings = od_torch_field(s, s->top, "allocator_settings");
    struct od_buf options = {0};
    for (size_t i = 0; i < OD_COUNT_OF(whole) && options.n == 0; i++)
        od_buf_add(&options, od_pickle_text(od_torch_field(s, settings, whole[i])));
    if (options.n == 0)
        list_options(s, settings, &options);
    if (options.n > 0) {
        struct od_event event = {.kind = OD_EV_SETTING,
                                 .at = {.source = s->file->source},
                                 .excerpt = OD_VIEW("allocator_settings of the snapshot"),
                                 .rule = "torch_snapshot"};
        od_event_set_text(&event, OD_F_PRODUCER, OD_VIEW("pytorch"));
        od_event_set_text(&event, OD_F_NAME,
                          od_view_of(od_setting_name(OD_SETTING_ALLOCATOR_OPTIONS)));
        od_event_set_text(&event, OD_F_VALUE, od_buf_view(&options));
        od_sink_put(s->file->sink, &event);
    }
    od_buf_done(&options);
}
