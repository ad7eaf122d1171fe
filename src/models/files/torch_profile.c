/*
 * A trace of PyTorch's profiler (profile_memory=True, export_chrome_trace): the requests and
 * releases of an allocator in order. Events are read one at a time, because a trace may be large.
 *
 * Memory that zero_grad() releases is gradients; memory that the optimizer's step allocates and
 * keeps is its states. Both calls have a span in the trace.
 */
#include "models/file_reader.h"
#include "models/json_load.h"

#include "base/map.h"

#include <math.h>

enum { EVENTS_MAX = 4 << 20, SPANS_MAX = 1 << 20 };

static const char *bids(struct od_view head)
{
    return od_view_starts(od_view_trim(head), OD_VIEW("{")) &&
                   od_view_has(head, OD_VIEW("\"schemaVersion\"")) &&
                   (od_view_has(head, OD_VIEW("\"deviceProperties\"")) ||
                    od_view_has(head, OD_VIEW("\"traceEvents\"")))
               ? "profiler trace"
               : NULL;
}

/* A request, or a release if bytes is negative. */
struct moment {
    double at, gone; /* times in microseconds; gone: time of a request's release, infinite = none */
    int64_t bytes;
    uint64_t address;
    uint32_t block; /* for a release: index + 1 of its request; 0 = none */
    bool device;    /* the memory is on a GPU */
};

struct span {
    double begins, ends;
    bool clears; /* the span is a zero_grad(); otherwise it is a step of the optimizer */
};

struct profile {
    const struct od_file *file;
    struct od_model model;
    OD_VEC(struct moment) moments;
    OD_VEC(struct span) spans;
    bool whole, overflow, device, operates, multiplies;
};

static void take_memory(struct profile *p, const json_t *event)
{
    const json_t *args = json_object_get(event, "args");
    const json_t *bytes = json_object_get(args, "Bytes");
    struct moment m = {.at = json_number_value(json_object_get(event, "ts")),
                       .gone = (double)INFINITY,
                       .bytes = json_integer_value(bytes),
                       .address = (uint64_t)json_integer_value(json_object_get(args, "Addr")),
                       .device = json_integer_value(json_object_get(args, "Device Type")) == 1};
    if (!json_is_integer(bytes) || m.bytes == 0 || m.bytes == INT64_MIN ||
        p->moments.n == EVENTS_MAX)
        return;
    p->device |= m.device;
    od_vec_push(&p->moments, m);
}

/* Reads a span such as "Optimizer.step#Adam.step". */
static void take_span(struct profile *p, const json_t *event, struct od_view name)
{
    struct od_view step = OD_VIEW("Optimizer.step#"), clear = OD_VIEW("Optimizer.zero_grad#");
    struct span s = {.begins = json_number_value(json_object_get(event, "ts")),
                     .clears = od_view_starts(name, clear)};
    s.ends = s.begins + json_number_value(json_object_get(event, "dur"));
    if (!(s.clears || od_view_starts(name, step)) || p->spans.n == SPANS_MAX)
        return;
    od_vec_push(&p->spans, s);
    struct od_view rest = od_view_from(name, step.n), optimizer;
    if (!s.clears && od_view_cut(&rest, '.', &optimizer))
        p->model.traced.optimizer = od_arena_view(p->file->arena, optimizer);
}

static void take_event(struct profile *p, const json_t *event)
{
    const char *said = json_string_value(json_object_get(event, "name"));
    struct od_view name = od_view_of(said ? said : "");
    if (od_view_eq_str(name, "[memory]"))
        take_memory(p, event);
    else
        take_span(p, event, name);
    p->operates |= od_view_starts(name, OD_VIEW("aten::"));
    p->multiplies |= od_op_is_product(name);
}

/* Reads the list of events. False if it is truncated or damaged. */
static bool read_events(struct profile *p, struct od_view text)
{
    static const char key[] = "\"traceEvents\"";
    size_t at = od_view_find(text, od_view_of(key), 0);
    at = at == OD_VIEW_NONE ? at : od_view_find_char(text, '[', at);
    if (at == OD_VIEW_NONE)
        return false;
    for (text = od_view_from(text, at + 1);;) {
        text = od_view_trim(text);
        if (od_view_take(&text, OD_VIEW(",")))
            continue;
        if (text.n == 0 || text.p[0] == ']')
            return text.n > 0;
        json_error_t error;
        struct od_foreign held;
        json_t *event = od_json_load(text, JSON_DISABLE_EOF_CHECK, &error, &held);
        bool object = json_is_object(event);
        if (object)
            take_event(p, event);
        od_foreign_release(&held);
        if (!object)
            return false;
        text = od_view_from(text, (size_t)error.position);
    }
}

/* Finds the request of each release. A block without one existed before the trace. */
static void pair(struct profile *p)
{
    struct od_map live = {0}; /* maps an address to the index of its request + 1 */
    for (size_t i = 0; i < p->moments.n; i++) {
        struct moment *m = &p->moments.items[i];
        if (m->device != p->device) {
            m->bytes = 0;
            continue;
        }
        uint64_t *block =
            od_map_at(&live, (struct od_view){(const char *)&m->address, sizeof m->address});
        if (m->bytes > 0) {
            *block = i + 1;
            continue;
        }
        m->block = (uint32_t)*block;
        if (*block > 0)
            p->moments.items[*block - 1].gone = m->at;
        *block = 0;
    }
    od_map_done(&live);
}

static int by_begin(const void *a, const void *b)
{
    double x = ((const struct span *)a)->begins, y = ((const struct span *)b)->begins;
    return (x > y) - (x < y);
}

static void add(struct profile *p, uint64_t *sum, int64_t bytes)
{
    uint64_t more = bytes < 0 ? (uint64_t)-bytes : (uint64_t)bytes;
    if (ckd_add(sum, *sum, more))
        p->overflow = true;
}

/* Distinguishes gradients and states by the spans in which they are allocated and released. */
static void sort_out(struct profile *p)
{
    struct od_traced *t = &p->model.traced;
    uint64_t cleared = 0;
    size_t at = 0, last = SIZE_MAX;
    if (p->spans.n > 0)
        qsort(p->spans.items, p->spans.n, sizeof p->spans.items[0], by_begin);
    double end = p->spans.n > 0 ? p->spans.items[p->spans.n - 1].ends
                                : p->moments.items[p->moments.n - 1].at;
    OD_FOR_EACH (const struct moment, m, p->moments) {
        while (at < p->spans.n && p->spans.items[at].ends < m->at)
            at++;
        bool in = at < p->spans.n && p->spans.items[at].begins <= m->at;
        if (in && p->spans.items[at].clears && m->bytes < 0) {
            cleared = at == last ? cleared : 0;
            last = at;
            add(p, &cleared, m->bytes);
            t->gradients = cleared > t->gradients ? cleared : t->gradients;
        } else if (in && !p->spans.items[at].clears && m->gone > p->spans.items[at].ends) {
            add(p, &t->states, m->bytes < 0 ? 0 : m->bytes);
        } else if (m->bytes > 0 && at == 0 && m->gone > end) {
            add(p, &t->stays, m->bytes);
        }
    }
}

/* Lists the requests in order of the trace. Blocks from before it come first. */
static void list_requests(struct profile *p)
{
    struct od_traced *t = &p->model.traced;
    uint32_t *places = OD_NEW_N(p->file->arena, p->moments.n + 1, uint32_t);
    t->requests = OD_NEW_N(p->file->arena, 2 * p->moments.n + 1, struct od_traced_request);
    for (int before = 1; before >= 0; before--)
        for (size_t i = 0; i < p->moments.n; i++) {
            const struct moment *m = &p->moments.items[i];
            bool unknown = m->bytes < 0 && m->block == 0;
            struct od_traced_request r = {.bytes = (uint64_t)(m->bytes < 0 ? -m->bytes : m->bytes)};
            if (m->bytes == 0 || (before && !unknown))
                continue;
            if (m->bytes < 0 && !before)
                r = (struct od_traced_request){.of = places[unknown ? i : m->block - 1],
                                               .release = true};
            else
                places[i] = (uint32_t)t->nrequests;
            t->requests[t->nrequests++] = r;
        }
}

static enum od_err emit(struct profile *p)
{
    pair(p);
    if (p->moments.n > 0)
        sort_out(p);
    list_requests(p);
    if (p->model.traced.nrequests == 0 || p->overflow) {
        od_file_say(p->file, OD_ERROR, "profile(profile_memory=True) records them", "%s",
                    p->overflow ? "the sizes exceed 64 bits"
                                : "the trace has no requests of memory");
        return OD_LOST;
    }
    if (!p->whole)
        od_file_say(p->file, OD_WARNING, NULL,
                    "the trace is cut or damaged; the requests before that are replayed");
    p->model.traced.known = true;
    p->model.traced.no_products = p->operates && !p->multiplies;
    p->model.complete = p->whole;
    od_file_put_model(p->file, &p->model, "torch_profile", "profiler trace");
    return p->whole ? OD_OK : OD_LOST;
}

static enum od_err read(const struct od_file *file)
{
    struct profile p = {.file = file,
                        .model = {.format = OD_MODEL_TRACE,
                                  .framework = OD_VIEW("pytorch"),
                                  .at = {.source = file->source, .line = 1}}};
    p.whole = read_events(&p, file->bytes);
    enum od_err err = emit(&p);
    od_vec_done(&p.moments);
    od_vec_done(&p.spans);
    od_model_done(&p.model);
    return err;
}

const struct od_file_reader od_file_reader_torch_profile = {
    .name = "torch_profile", .bids = bids, .read = read};
