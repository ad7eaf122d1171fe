#include "case/builder.h"

#include "case/device.h"

enum { ROUNDING = 256 - 1 }; /* most bytes that the allocator adds to a request */

struct od_bytes od_request_of(struct od_bytes requested, struct od_bytes rounded)
{
    if (!od_bytes_is_exact(rounded) || od_bytes_is_exact(requested))
        return requested;
    struct od_bytes r = {.n = rounded.n, .hi = rounded.n, .known = true};
    r.lo = rounded.n > ROUNDING ? rounded.n - ROUNDING : 0;
    if (od_bytes_same(requested, r) != OD_YES)
        return requested.known ? requested : r;
    r.lo = requested.lo > r.lo ? requested.lo : r.lo;
    r.hi = requested.hi < r.hi ? requested.hi : r.hi;
    if (requested.n < r.hi)
        r.n = requested.n > r.lo ? requested.n : r.lo;
    else
        r.n = r.hi;
    return r;
}

enum od_tri od_request_is_tensor(struct od_bytes requested, const struct od_shape *shape,
                                 struct od_bytes tensor_bytes)
{
    uint64_t elements;
    if (tensor_bytes.known || !od_shape_elements(shape, &elements))
        return od_bytes_same(requested, tensor_bytes);
    if (!requested.known)
        return OD_CANNOT_TELL;
    for (uint64_t width = 1; width <= 16; width *= 2) {
        uint64_t bytes;
        if (!ckd_mul(&bytes, elements, width) &&
            od_bytes_same(requested, od_bytes_exact(bytes)) == OD_YES)
            return OD_YES;
    }
    return OD_NO;
}

/* Did any event so far concern a device? */
static bool knows_device(const struct od_case_builder *b)
{
    return b->of_device || b->c->devices.n > 0 || b->c->driver_refusal_count > 0 ||
           b->c->allocators.n > 0;
}

static uint64_t means_of(const struct od_event *event)
{
    char room[OD_EXCERPT];
    return od_meanings_of(OD_SUBJECT_SAID, od_event_evidence(event, room), (struct od_view){0});
}

/* Is it about host memory? An error of a program that is not known to use a device, without a
 * device in its message, is: "jq: error: out of memory". */
static bool is_of_machine(const struct od_case_builder *b, const struct od_event *event)
{
    uint64_t said = means_of(event);
    bool of_device = od_means(said, OD_SAID_OPENING) || od_means(said, OD_SAID_CONTEXT) ||
                     od_means(said, OD_SAID_DRIVER);
    return !of_device && event->rule && strcmp(event->rule, "sentence") == 0 &&
           event->kind == OD_EV_ALLOC_FAILED && od_event_text(event, OD_F_SPACE).n == 0 &&
           od_event_text(event, OD_F_DEVICE).n == 0 &&
           od_view_eq_str(od_event_text(event, OD_F_PRODUCER), "other") && !knows_device(b);
}

static struct od_view device_of(struct od_case_builder *b, const struct od_event *event)
{
    struct od_view device = od_device_normal(b->scratch, od_event_text(event, OD_F_DEVICE));
    if (device.n == 0)
        device = od_device_of_allocator(b->scratch, od_event_text(event, OD_F_ALLOCATOR));
    struct od_view space = od_event_text(event, OD_F_SPACE);
    if (device.n == 0 && (od_view_eq_str(space, "host") || od_view_eq_str(space, "pinned")))
        device = OD_VIEW("CPU");
    return device;
}

/* A device failure for accelerator memory, a host failure for memory of the machine. */
static enum od_incident_kind kind_of(const struct od_sighting *s)
{
    struct od_view space = od_event_text(s->event, OD_F_SPACE);
    if (od_view_eq_str(space, "host") || od_view_eq_str(space, "pinned"))
        return OD_INC_HOST_ALLOC_FAILED;
    if (space.n == 0 && od_view_eq_str(s->device, "CPU") && !od_device_is_pool(s->allocator))
        return OD_INC_HOST_ALLOC_FAILED;
    return OD_INC_DEVICE_ALLOC_FAILED;
}

struct od_sighting od_see(struct od_case_builder *b, const struct od_event *event)
{
    const struct od_place *place = event->line ? event->line->place : NULL;
    const struct od_field_value *shape = od_event_get(event, OD_F_SHAPE);
    const struct od_field_value *dtype = od_event_get(event, OD_F_DTYPE);
    struct od_sighting s = {.event = event, .rank = od_event_count(event, OD_F_RANK)};
    if (place) {
        s.host = place->host;
        if (!s.rank.known)
            s.rank = place->rank;
    }
    s.device = device_of(b, event);
    s.place_assumed = s.device.n == 0 && is_of_machine(b, event);
    if (s.place_assumed)
        s.device = OD_VIEW("CPU");
    s.allocator = od_event_text(event, OD_F_ALLOCATOR);
    s.op = od_event_text(event, OD_F_OP);
    s.shape = shape ? *shape->as.shape : (struct od_shape){0};
    s.dtype = dtype ? dtype->as.dtype : OD_DTYPE_UNKNOWN;
    s.tensor_bytes = od_shape_bytes(&s.shape, s.dtype);
    s.requested =
        od_request_of(od_event_bytes(event, OD_F_REQUESTED), od_event_bytes(event, OD_F_ROUNDED));
    s.kind = kind_of(&s);
    uint64_t said = s.kind == OD_INC_HOST_ALLOC_FAILED ? means_of(event) : 0;
    s.fork = od_means(said, OD_SAID_FORK);
    s.full_heap = od_means(said, OD_SAID_FULL_HEAP);
    return s;
}

struct od_merge *od_merge_new(struct od_case_builder *b, enum od_incident_kind kind,
                              struct od_prov at)
{
    if (b->merges.n >= OD_INCIDENTS_MAX) {
        b->c->closed |= 1U << OD_LIST_INCIDENTS;
        return NULL;
    }
    struct od_merge merge = {.attempt = b->attempt};
    merge.inc.kind = kind;
    merge.inc.at = merge.inc.last = at;
    merge.inc.fatal = kind == OD_INC_SOFT_WARNING ? OD_NO : OD_CANNOT_TELL;
    merge.inc.unified = OD_CANNOT_TELL;
    od_vec_push(&b->merges, merge);
    b->of_device = b->of_device || !od_incident_kind_is_host(kind);
    return &b->merges.items[b->merges.n - 1];
}

static void overwrite_last(struct od_case_builder *b, struct od_merge *d,
                           const struct od_event *event)
{
    struct od_evidence *last = &d->inc.evidence.items[d->inc.evidence.n - 1];
    if (!d->last_text)
        d->last_text = od_arena_alloc(b->arena, OD_EXCERPT, 1);
    size_t n = od_event_keep_evidence(event, d->last_text);
    *last = (struct od_evidence){.at = event->at, .text = {.p = d->last_text, .n = n}};
}

static void add_evidence(struct od_case_builder *b, struct od_merge *d,
                         const struct od_event *event)
{
    size_t n = d->inc.evidence.n;
    if (n > 0 && d->inc.evidence.items[n - 1].at.line == event->at.line &&
        d->inc.evidence.items[n - 1].at.source == event->at.source)
        return;
    if (n < OD_INCIDENT_EVIDENCE_MAX)
        od_vec_push(&d->inc.evidence, od_case_copy_evidence(b, event));
    else
        overwrite_last(b, d, event);
}

static void fill_tensor(struct od_case_builder *b, struct od_tensor *tensor,
                        const struct od_sighting *s)
{
    if (!tensor->shape.known)
        tensor->shape = s->shape;
    if (tensor->dtype == OD_DTYPE_UNKNOWN)
        tensor->dtype = s->dtype;
    od_fill_text(b, &tensor->op, s->op);
    tensor->bytes = od_shape_bytes(&tensor->shape, tensor->dtype);
}

/* Uses the exact size of the tensor if the request is only known roughly. */
static void sharpen_request(struct od_incident *inc)
{
    if (!od_bytes_is_exact(inc->tensor.bytes) || od_bytes_is_exact(inc->requested))
        return;
    if (od_bytes_same(inc->requested, inc->tensor.bytes) != OD_NO)
        inc->requested = inc->tensor.bytes;
}

static void fill_sizes(struct od_incident *inc, const struct od_event *event)
{
    static const struct {
        size_t member;
        enum od_field field;
        bool whole;
    } sizes[] = {
#define OD_WHOLE(name, from) {offsetof(struct od_incident, name), OD_F_##from, true},
#define OD_PART(name, from) {offsetof(struct od_incident, name), OD_F_##from, false},
#include "case/incident_sizes.def"
    };
    for (size_t i = 0; i < OD_COUNT_OF(sizes); i++) {
        struct od_bytes value = od_event_bytes(event, sizes[i].field);
        if (!sizes[i].whole || value.n > 0)
            od_fill_bytes((struct od_bytes *)((char *)inc + sizes[i].member), value);
    }
    if (od_bytes_same(inc->requested, inc->wanted) == OD_YES)
        inc->requested = (struct od_bytes){0}; /* "would be 3.58 GiB" is the sum, not the request */
    if (inc->requested.known)
        od_fill_bytes(&inc->in_use, od_bytes_sub(inc->wanted, inc->requested));
}

static void fill_process(struct od_case_builder *b, struct od_incident *inc,
                         const struct od_event *event)
{
    if (!inc->process.pid.known)
        inc->process.pid = od_event_count(event, OD_F_PID);
    od_fill_text(b, &inc->process.name, od_event_text(event, OD_F_PROCESS));
    od_fill_text(b, &inc->group, od_event_text(event, OD_F_GROUP));
    od_fill_text(b, &inc->trigger, od_event_text(event, OD_F_TRIGGER));
    od_fill_text(b, &inc->measured, od_event_text(event, OD_F_MEASURED));
    od_fill_text(b, &inc->threshold, od_event_text(event, OD_F_THRESHOLD));
    (void)od_event_number(event, OD_F_SCORE_ADJ, &inc->process.score_adj);
    inc->swapoff = inc->swapoff || od_view_eq_str(od_event_text(event, OD_F_PHASE), "swapoff");
    if (!inc->signal.known)
        inc->signal = od_event_count(event, OD_F_SIGNAL);
    if (!inc->status.known)
        inc->status = od_event_count(event, OD_F_STATUS);
    /* with a limit, the number is one of slots */
    if (!inc->kills.known && !od_event_get(event, OD_F_LIMIT))
        inc->kills = od_event_count(event, OD_F_COUNT);
    od_fill_text(b, &inc->counted, od_event_text(event, OD_F_COUNTED));
    if (!inc->needed.known)
        inc->needed = od_event_count(event, OD_F_NEEDED);
    if (!inc->fits.known)
        inc->fits = od_event_count(event, OD_F_FITS);
}

void od_merge_add_tensor(struct od_case_builder *b, struct od_merge *d, const struct od_sighting *s)
{
    fill_tensor(b, &d->inc.tensor, s);
    sharpen_request(&d->inc);
    add_evidence(b, d, s->event);
}

/* Lines common to TensorFlow and JAX differ only in the source path, because JAX builds the shared
 * code as an external package. */
static struct od_view producer_of(const struct od_event *event)
{
    static const char *const paths[] = {"external/xla/", "external/tsl/",
                                        "external/org_tensorflow/", NULL};
    struct od_view producer = od_event_text(event, OD_F_PRODUCER);
    bool jax = event->line && od_view_eq_str(producer, "tensorflow") &&
               od_view_has_any(event->line->text, paths);
    return jax ? OD_VIEW("jax") : producer;
}

/* FNV-1a hash of the excerpt, in which each number counts as one digit. */
static uint64_t wording_of(const struct od_event *event)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    bool digit = false;
    char room[OD_EXCERPT];
    struct od_view text = od_event_evidence(event, room);
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        bool was = digit;
        digit = c >= '0' && c <= '9';
        if (!digit || !was)
            hash = (hash ^ (digit ? '0' : c)) * UINT64_C(1099511628211);
    }
    return hash;
}

/* Counts occurrences. A program reports one failure in several lines; a repeated wording, or a line
 * further below, is another occurrence. */
static void count_occurrences(struct od_merge *d, const struct od_event *event)
{
    const struct od_prov *last = &d->inc.last, *at = &event->at;
    bool next = d->occurrences > 0 && last->source == at->source && at->line >= last->line &&
                at->line - last->line <= OD_NEXT_LINES;
    uint64_t wording = wording_of(event);
    bool again = d->nwordings == OD_WORDINGS;
    for (size_t i = 0; i < d->nwordings && at->line != last->line; i++)
        again = again || d->wordings[i] == wording;
    if (!next || again) {
        d->occurrences++;
        d->nwordings = 0;
    }
    d->wordings[d->nwordings++] = wording;
}

/* Is it the head of a notebook's traceback? It names the error, and the message follows the
 * frames. */
static bool is_head_of_frames(const struct od_incident *inc)
{
    return inc->evidence.n == 1 &&
           od_view_ends(inc->evidence.items[0].text, OD_VIEW("(most recent call last)"));
}

/* Replaces a title, or the head of a traceback, by the first line of the log that reports the
 * failure. It is neither another occurrence nor the place. */
static void replace_title(struct od_merge *d, const struct od_event *event)
{
    bool titled = d->inc.titled && event->line && event->line->segment != OD_SEGMENT_TITLE;
    if (!titled && !is_head_of_frames(&d->inc))
        return;
    if (titled) {
        d->inc.titled = false;
        d->inc.producer = (struct od_view){0};
    }
    d->inc.at = event->at;
    d->inc.evidence.n = 0;
    d->occurrences = d->failed = d->refused = 0;
    d->nwordings = 0;
}

/* The number of known facts. A line that adds none states nothing new. */
static unsigned count_known(const struct od_incident *inc)
{
    const bool known[] = {
#define OD_WHOLE(name, from) inc->name.known,
#define OD_PART(name, from) inc->name.known,
#include "case/incident_sizes.def"
        inc->requested.known, inc->tensor.shape.known, inc->tensor.dtype != OD_DTYPE_UNKNOWN,
        inc->tensor.op.n > 0, inc->process.pid.known,  inc->process.name.n > 0,
        inc->device.n > 0,    inc->allocator.n > 0,    inc->group.n > 0,
        inc->trigger.n > 0,   inc->signal.known,       inc->status.known,
        inc->fits.known,      inc->rank.known,         inc->kills.known,
        inc->needed.known,    inc->measured.n > 0,
    };
    unsigned n = 0;
    for (size_t i = 0; i < OD_COUNT_OF(known); i++)
        n += known[i];
    return n;
}

void od_merge_add(struct od_case_builder *b, struct od_merge *d, const struct od_sighting *s)
{
    struct od_incident *inc = &d->inc;
    replace_title(d, s->event);
    unsigned known = count_known(inc);
    size_t quoted = inc->evidence.n;
    count_occurrences(d, s->event);
    inc->last = s->event->at;
    if (!inc->rank.known)
        inc->rank = s->rank;
    od_fill_text(b, &inc->producer, producer_of(s->event));
    inc->place_assumed = s->place_assumed && (inc->place_assumed || inc->device.n == 0);
    od_fill_text(b, &inc->device, s->device);
    od_fill_text(b, &inc->allocator, s->allocator);
    if (s->event->line)
        od_fill_text(b, &inc->stamp, s->event->line->stamp);
    if (od_view_eq_str(od_event_text(s->event, OD_F_SPACE), "unified"))
        inc->unified = OD_YES;
    od_fill_bytes(&inc->requested, s->requested);
    fill_sizes(inc, s->event);
    fill_process(b, inc, s->event);
    od_merge_add_tensor(b, d, s);
    if (quoted > 0 && inc->evidence.n > quoted)
        inc->evidence.items[quoted].repeats = count_known(inc) == known;
    od_frames_attach(b, inc, s->event);
    if (inc->kind != OD_INC_SOFT_WARNING) {
        b->latest_failure = (size_t)(d - b->merges.items) + 1;
        b->trouble = true;
    }
}
