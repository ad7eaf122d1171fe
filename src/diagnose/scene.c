#include "diagnose/scene.h"

#include "base/num.h"
#include "estimate/parameters.h"
#include "facts/accelerator.h"
#include "facts/prov.h"

enum { LEAK_CHUNKS = 32, LEAK_ALLOCATIONS_PER_CHUNK = 8, LEAK_PROGRESS = 10, LEAK_OUTLIER = 3 };
static const uint64_t leak_chunk_bytes = 1U << 20;
static const double leak_share = 0.35;

/* A complaint outranks another by what it proves. */
static int gravity(const struct od_incident *incident)
{
    if (incident->kind == OD_INC_SOFT_WARNING)
        return 0;
    if (incident->echo_of != 0)
        return 0;
    return incident->op_error ? 3 : incident->dump != 0 ? 2 : 1;
}

const struct od_incident *od_scene_incident(const struct od_case *c,
                                            const struct od_diagnosis *diagnosis)
{
    if (diagnosis->failure)
        return diagnosis->failure;
    const struct od_incident *best = NULL;
    for (size_t i = 0; i < c->incidents.n; i++) {
        const struct od_incident *incident = &c->incidents.items[i];
        if (!best || gravity(incident) > gravity(best))
            best = incident;
    }
    return best;
}

/* Kernels, schedulers and compilers have no allocator that would dump. */
static bool may_dump(enum od_incident_kind kind)
{
    return kind == OD_INC_DEVICE_ALLOC_FAILED || kind == OD_INC_HOST_ALLOC_FAILED ||
           kind == OD_INC_DEVICE_CONTEXT_FAILED || kind == OD_INC_SOFT_WARNING;
}

/* The incident's own dump, else the nearest of the same allocator in the same source. */
static const struct od_allocator *find_dump(const struct od_case *c,
                                            const struct od_incident *incident)
{
    if (!may_dump(incident->kind))
        return NULL;
    if (incident->dump != 0 && incident->dump <= c->allocators.n)
        return c->allocators.items[incident->dump - 1];
    const struct od_allocator *best = NULL;
    for (size_t i = 0; i < c->allocators.n; i++) {
        const struct od_allocator *dump = c->allocators.items[i];
        if (dump->dump.at.source != incident->at.source ||
            (incident->allocator.n > 0 && dump->name.n > 0 &&
             !od_view_eq(incident->allocator, dump->name)))
            continue;
        if (!best || od_prov_distance(&dump->dump.at, &incident->at) <
                         od_prov_distance(&best->dump.at, &incident->at))
            best = dump;
    }
    return best;
}

static bool is_about(const struct od_device *device, const struct od_incident *incident)
{
    return device->device.n == 0 || incident->device.n == 0 ||
           od_view_eq(device->device, incident->device);
}

static void take_device(struct od_scene *scene, const struct od_device *device)
{
    if (device->capacity.known) {
        scene->one_device &=
            !scene->capacity.known || od_bytes_same(scene->capacity, device->capacity) == OD_YES;
        scene->capacity = device->capacity;
        scene->device_said = &device->said;
    }
    if (device->free.known) {
        scene->free_at_start = device->free;
        scene->device_said = &device->said;
    }
    if (device->limit.known && !scene->limit.known)
        scene->limit = od_count_of(device->limit.n);
    if (!scene->device_said)
        scene->device_said = &device->said;
}

/* Two devices of one name are as large as one. */
static void take_rating(struct od_scene *scene, const struct od_device *device)
{
    struct od_accelerator accelerator;
    if (!scene->capacity.known && od_accelerator_find(device->name, &accelerator))
        scene->rated = od_bytes_exact(accelerator.bytes);
}

/* The last start in front of the failure: what stands above it belongs to another attempt, or to
 * somebody else. */
struct od_prov od_start_of(const struct od_case *c, const struct od_incident *incident)
{
    struct od_prov start = {.source = incident->at.source};
    for (size_t i = 0; i < c->moments.n; i++) {
        const struct od_moment *moment = &c->moments.items[i];
        if (moment->kind == OD_EV_RUN_STARTED && moment->last.source == incident->at.source &&
            od_prov_cmp(&moment->last, &incident->at) < 0)
            start = moment->last;
    }
    return start;
}

enum nearness { OF_ATTEMPT, IN_FRONT, BEHIND, NEARNESS_END };

static enum nearness nearness_of(const struct od_prov *at, const struct od_prov *start,
                                 const struct od_incident *incident)
{
    if (od_prov_cmp(at, &incident->at) > 0)
        return BEHIND;
    return od_prov_cmp(at, start) >= 0 ? OF_ATTEMPT : IN_FRONT;
}

/* Lines of another attempt or behind the failure belong to another run, unless there are no others.
 */
static void take_devices(struct od_scene *scene, const struct od_case *c)
{
    struct od_prov start = od_start_of(c, scene->incident);
    scene->one_device = true;
    bool any = false;
    for (enum nearness near = OF_ATTEMPT; near < NEARNESS_END && !any; near++)
        for (size_t i = 0; i < c->devices.n; i++) {
            const struct od_device *device = &c->devices.items[i];
            if (nearness_of(&device->said.at, &start, scene->incident) != near ||
                !is_about(device, scene->incident))
                continue;
            take_device(scene, device);
            take_rating(scene, device);
            any = true;
        }
}

static struct od_count count_of_bytes(struct od_bytes bytes)
{
    return bytes.known ? od_count_of(bytes.n) : (struct od_count){0};
}

static void take_dump(struct od_scene *scene)
{
    const struct od_allocator *dump = scene->dump;
    if (!od_scene_is_beyond_a_piece(scene)) /* that limit is of no allocator */
        scene->limit = count_of_bytes(scene->incident->limit);
    scene->in_use = count_of_bytes(scene->incident->in_use);
    scene->pool = count_of_bytes(scene->incident->reserved);
    if (!dump)
        return;
    if (dump->limit.known)
        scene->limit = dump->limit;
    if (dump->in_use.known)
        scene->in_use = dump->in_use;
    if (dump->pool.known)
        scene->pool = dump->pool;
    scene->allocations = dump->dump.stats.num_allocs;
    scene->verdict = dump->verdict;
    scene->proven = dump->complete && dump->has_chunks && dump->chunks_complete;
    if (dump->need.known && scene->incident->dump != 0)
        scene->need = dump->need;
}

static void take_request(struct od_scene *scene)
{
    enum { ROUNDED = 256 };
    const struct od_incident *incident = scene->incident;
    scene->asked = incident->requested.known ? incident->requested : incident->tensor.bytes;
    if (!scene->need.known)
        scene->need = scene->asked;
    /* printed rounded, or of another operation than the dump's */
    if (!scene->asked.known || scene->asked.lo < scene->asked.hi ||
        scene->asked.hi > scene->need.hi || scene->need.lo - scene->asked.lo >= ROUNDED)
        scene->asked = scene->need;
    scene->op = incident->tensor.op;
    if (scene->op.n == 0 && scene->dump && incident->dump != 0)
        scene->op = scene->dump->dump.op;
    scene->hint =
        od_shape_hint_of(&incident->tensor.shape, incident->tensor.dtype, scene->op, scene->batch);
}

static struct od_count stated_batch(const struct od_case *c, const struct od_incident *incident)
{
    uint64_t n;
    if (od_num_parse_u64(od_case_setting_at(c, "batch_size", &incident->at), &n) && n > 0)
        return od_count_of(n);
    return (struct od_count){0};
}

bool od_is_preparation(const struct od_moment *moment)
{
    static const char *const words[] = {"oading", "shards", "ownload", "etching", "Map",
                                        "okeniz", "aching", "xtract",  NULL};
    return od_view_has_any(moment->said.text, words);
}

/* A failure that is told again after progress was a late one, or came again. */
static uint64_t count_progress(const struct od_case *c, const struct od_incident *incident)
{
    struct od_prov start = od_start_of(c, incident);
    uint64_t n = 0;
    for (size_t i = 0; i < c->moments.n; i++) {
        const struct od_moment *moment = &c->moments.items[i];
        if (moment->kind == OD_EV_PROGRESS && !od_is_preparation(moment) &&
            od_prov_cmp(&moment->last, &start) >= 0 &&
            moment->first.source == incident->at.source &&
            od_prov_cmp(&moment->first, &incident->last) < 0 &&
            ckd_add(&n, n, moment->count > 0 ? moment->count : 1))
            return UINT64_MAX;
    }
    return n;
}

/* The runtime's words for an array of the program that did not get onto the device. */
static bool is_copy(const struct od_incident *incident)
{
    static const char *const words[] = {"Dst tensor is not initialized",
                                        "Failed copying input tensor", NULL};
    return od_incident_says(incident, words);
}

bool od_scene_look(const struct od_case *c, const struct od_diagnosis *diagnosis,
                   struct od_scene *ret_scene)
{
    enum od_outcome outcome = diagnosis->outcome;
    const struct od_incident *incident = od_scene_incident(c, diagnosis);
    if (!incident || outcome == OD_OUTCOME_NO_FAILURE || outcome == OD_OUTCOME_OTHER_FAILURE)
        return false;
    struct od_scene scene = {.incident = incident, .dump = find_dump(c, incident)};
    scene.batch = stated_batch(c, incident);
    take_dump(&scene);
    scene.capacity = incident->capacity;
    take_devices(&scene, c);
    take_request(&scene);
    scene.progress = count_progress(c, incident);
    scene.holders = od_holders_of(incident);
    scene.phase = od_phase_of(incident, &scene.telling);
    scene.copied = is_copy(incident);
    *ret_scene = scene;
    return true;
}

bool od_scene_of(const struct od_diagnosis_context *context, struct od_scene *ret_scene)
{
    return od_scene_look(context->c, context->diagnosis, ret_scene);
}

static const struct od_holding *holding_of(const struct od_diagnosis_context *context,
                                           const struct od_scene *scene)
{
    return context->attribution && scene->dump ? od_holding_of(context->attribution, scene->dump)
                                               : NULL;
}

double od_scene_fixed_share(const struct od_diagnosis_context *context,
                            const struct od_scene *scene)
{
    const struct od_holding *holding = holding_of(context, scene);
    if (!holding || !holding->fixed.known || !scene->limit.known || scene->limit.n == 0)
        return -1;
    return (double)holding->fixed.lo / (double)scene->limit.n;
}

/* Spread over devices or packed, weights take less than their number says. */
static bool is_spread(const struct od_case *c)
{
    static const char *const names[] = {"sharding",      "zero_stage",    "tensor_parallel_size",
                                        "quantize_bits", "offload_param", NULL};
    return od_case_sets_any(c, names);
}

/* Of a table that the log prints, the weights alone, in the least that they are kept in. */
static double described_share(const struct od_diagnosis_context *context,
                              const struct od_scene *scene)
{
    const struct od_model *model = context->attribution ? context->attribution->model : NULL;
    uint64_t room = scene->limit.known      ? scene->limit.n
                    : scene->capacity.known ? scene->capacity.hi
                                            : 0;
    struct od_parameters parameters;
    if (!model || room == 0 || is_spread(context->c) || !od_parameters_of(model, &parameters))
        return -1;
    double width = od_view_eq_str(model->framework, "tensorflow") ? 4 : 2;
    return width * (double)parameters.all / (double)room;
}

double od_scene_model_share(const struct od_diagnosis_context *context,
                            const struct od_scene *scene)
{
    const struct od_holding *holding = holding_of(context, scene);
    struct od_parameters parameters;
    if (!holding)
        return described_share(context, scene);
    if (!context->attribution->model || !holding->optimizer_copies.known || !scene->limit.known ||
        scene->limit.n == 0 || !od_parameters_of(context->attribution->model, &parameters))
        return -1;
    double trained = (double)parameters.trainable * (double)holding->optimizer_copies.n;
    return 4 * ((double)parameters.all + trained) / (double)scene->limit.n;
}

bool od_scene_exceeds_limit(const struct od_scene *scene)
{
    return (scene->need.known && scene->limit.known && scene->need.lo > scene->limit.n) ||
           od_bytes_less(scene->capacity, scene->need) == OD_YES;
}

bool od_scene_limit_is_tiny(const struct od_scene *scene)
{
    enum { TINY = 512 << 20 };
    return scene->incident->kind == OD_INC_DEVICE_ALLOC_FAILED && !scene->capacity.known &&
           scene->limit.known && scene->limit.n < TINY;
}

/* The largest of the tables, should there be several: what it does not explain, none does. */
static struct od_bytes program_total(const struct od_case *c)
{
    struct od_bytes total = {0};
    for (size_t i = 0; i < c->states.n; i++) {
        const struct od_memory_state *state = &c->states.items[i];
        if (od_view_eq_str(state->producer, "jax") && od_view_eq_str(state->name, "total") &&
            state->in_use.known && (!total.known || state->in_use.hi > total.hi))
            total = state->in_use;
    }
    return total;
}

struct od_bytes od_scene_small_program(const struct od_case *c, const struct od_scene *scene)
{
    enum { SMALL = 1 << 30 }; /* no accelerator that trains has so little */
    static const double small_share = 0.25;
    struct od_bytes total = program_total(c);
    double room = scene->capacity.known ? small_share * (double)scene->capacity.lo : (double)SMALL;
    bool small = total.known && (double)total.hi < room && !scene->dump && !scene->limit.known &&
                 scene->incident->kind == OD_INC_DEVICE_ALLOC_FAILED;
    return small ? total : (struct od_bytes){0};
}

double od_share(struct od_count part, struct od_count whole)
{
    return part.known && whole.known && whole.n > 0 ? (double)part.n / (double)whole.n : 0.0;
}

bool od_beyond_devices(struct od_bytes need)
{
    struct od_accelerator largest = {0};
    for (size_t i = 0; od_accelerator_at(i, &largest); i++)
        ;
    return need.known && need.lo > largest.bytes;
}

bool od_scene_is_arrays(const struct od_scene *scene)
{
    enum { MUCH = 8 }; /* times what is there already */
    struct od_view producer = scene->incident->producer;
    static const char *const names[] = {"rmm", "numba", "xgboost", "lightgbm", "catboost", NULL};
    if (od_view_eq_any(producer, names))
        return true;
    /* Networks are trained on CuPy as well; they hold something before they ask. */
    return od_view_eq_str(producer, "cupy") && scene->in_use.known && scene->need.known &&
           scene->need.lo / MUCH >= scene->in_use.n;
}

bool od_scene_is_beyond_a_piece(const struct od_scene *scene)
{
    static const char *const words[] = {
        "can NOT allocate memory block", "maximum allowed buffer size",          "max alloc size",
        "larger than buffer maximum",    "greater than the maximum buffer size", NULL};
    const struct od_incident *incident = scene->incident;
    return od_bytes_less(incident->limit, incident->requested) == OD_YES &&
           od_incident_says(incident, words);
}

bool od_scene_is_server(const struct od_scene *scene)
{
    static const char *const names[] = {"llamacpp", "ollama", "vllm", "sglang", NULL};
    static const char *const homes[] = {
        "/vllm/", "\\vllm\\", "/sglang/", "/lmdeploy/", "/text_generation_server/", NULL};
    /* Of text-generation-inference, SGLang, ExLlama, Turbomind, CTranslate2 and others. */
    static const char *const words[] = {"text_generation_launcher",
                                        "prefill tokens",
                                        "Capture cuda graph failed",
                                        "model and cache",
                                        "space in device allocation",
                                        "TensorRT-LLM",
                                        "[TM][ERROR]",
                                        "CUDA failed with error",
                                        "WebLLM",
                                        NULL};
    const struct od_incident *incident = scene->incident;
    bool server = od_view_eq_any(incident->producer, names) || od_incident_says(incident, words);
    for (size_t i = 0; i < incident->nframes && !server; i++)
        server = od_view_has_any(incident->frames[i].file, homes);
    return server;
}

bool od_scene_is_compute_buffer(const struct od_scene *scene)
{
    static const char *const words[] = {"ggml_gallocr",       "compute buffer",
                                        "compute_pp_buffers", "compute pp buffers",
                                        "graph_reserve",      NULL};
    return od_incident_says(scene->incident, words);
}

bool od_scene_is_waking(const struct od_scene *scene)
{
    for (size_t i = 0; i < scene->incident->nframes; i++) {
        struct od_view name = scene->incident->frames[i].function;
        if (od_view_ends(name, OD_VIEW("wake_up")) ||
            od_view_ends(name, OD_VIEW("resume_memory_occupation")))
            return true;
    }
    return false;
}

double od_scene_need_share(const struct od_scene *scene)
{
    struct od_bytes need = scene->need;
    if (!need.known) /* most tensors are float32 where nothing is said */
        need = od_shape_bytes(&scene->incident->tensor.shape, OD_FLOAT32);
    struct od_count room = scene->limit.known ? scene->limit : count_of_bytes(scene->capacity);
    return od_share(count_of_bytes(need), room);
}

struct od_count od_scene_setting(const struct od_case *c, const char *name,
                                 const struct od_prov *at)
{
    static const double exact = 9007199254740992.0; /* 2^53 */
    double value;
    if (!od_num_parse_double(od_case_setting_at(c, name, at), &value) || value < 0 ||
        value > exact || value - (double)(uint64_t)value > 0)
        return (struct od_count){0};
    return od_count_of((uint64_t)value);
}

const struct od_incident *od_scene_find(const struct od_case *c, enum od_incident_kind kind)
{
    for (size_t i = 0; i < c->incidents.n; i++)
        if (c->incidents.items[i].kind == kind)
            return &c->incidents.items[i];
    return NULL;
}

bool od_scene_is_device(const struct od_scene *scene)
{
    return scene->incident->kind == OD_INC_DEVICE_ALLOC_FAILED;
}

bool od_incident_says(const struct od_incident *incident, const char *const *words)
{
    for (size_t i = 0; i < incident->evidence.n; i++)
        if (od_view_has_any(incident->evidence.items[i].text, words))
            return true;
    return false;
}

/*
 * Deep networks of equal layers have several sizes with many chunks each; what is kept of every
 * step stands out. Sizes with as many chunks as the suspect may be kept together with it.
 */
static bool stands_out(const struct od_allocator *dump, const struct od_size *suspect)
{
    for (size_t i = 0; i < dump->nsizes; i++) {
        const struct od_size *size = &dump->sizes[i];
        bool as_many = size->count >= suspect->count - suspect->count / 20 &&
                       size->count <= suspect->count + suspect->count / 20;
        if (size->bytes >= leak_chunk_bytes && !as_many &&
            size->count > suspect->count / LEAK_OUTLIER)
            return false;
    }
    return true;
}

struct od_accumulation od_scene_accumulation(const struct od_scene *scene)
{
    struct od_accumulation found = {0};
    const struct od_allocator *dump = scene->dump;
    uint64_t allocations = scene->allocations.known ? scene->allocations.n : 0;
    found.ran_long = scene->progress >= LEAK_PROGRESS;
    if (!dump || !dump->has_chunks)
        return found;
    if (dump->in_use_count > 0)
        found.ran_long |= allocations / dump->in_use_count >= LEAK_ALLOCATIONS_PER_CHUNK;
    for (size_t i = 0; i < dump->nsizes; i++) {
        const struct od_size *size = &dump->sizes[i];
        if (size->bytes < leak_chunk_bytes || size->total <= found.size.total)
            continue;
        found.size = *size;
    }
    found.many = found.size.count >= LEAK_CHUNKS &&
                 (double)found.size.total >= leak_share * (double)dump->in_use_bytes &&
                 stands_out(dump, &found.size);
    return found;
}
