#include "failure/failure.h"
#include "failure/bound.h"
#include "failure/networks.h"

#include "facts/accelerator.h"
#include "facts/prov.h"
#include "failure/growth.h"
#include "failure/remarks.h"

enum { LEAK_CHUNKS = 32, LEAK_ALLOCATIONS_PER_CHUNK = 8, LEAK_PROGRESS = 10, LEAK_OUTLIER = 3 };
static const uint64_t leak_chunk_bytes = 1U << 20;
static const double leak_share = 0.35;

/* Kernels, schedulers and compilers have no allocator that could print a dump. */
static bool may_dump(enum od_incident_kind kind)
{
    return kind == OD_INC_DEVICE_ALLOC_FAILED || kind == OD_INC_HOST_ALLOC_FAILED ||
           kind == OD_INC_DEVICE_CONTEXT_FAILED || kind == OD_INC_SOFT_WARNING;
}

/* The incident's own dump, else the last one of the same allocator in the same source. */
static const struct od_allocator *find_dump(const struct od_case *c,
                                            const struct od_incident *incident)
{
    if (!may_dump(incident->kind))
        return NULL;
    if (incident->dump != 0 && incident->dump <= c->allocators.n)
        return c->allocators.items[incident->dump - 1];
    size_t i = c->allocators.n;
    while (i > 0 && (c->allocators.items[i - 1]->dump.at.source != incident->at.source ||
                     (incident->allocator.n > 0 && c->allocators.items[i - 1]->name.n > 0 &&
                      !od_view_eq(incident->allocator, c->allocators.items[i - 1]->name))))
        i--;
    return i > 0 ? c->allocators.items[i - 1] : NULL;
}

static bool is_about(const struct od_device *device, const struct od_incident *incident)
{
    return device->device.n == 0 || incident->device.n == 0 ||
           od_view_eq(device->device, incident->device);
}

static void take_device(struct od_failure *failure, const struct od_device *device)
{
    if (device->capacity.known) {
        failure->one_device &= !failure->capacity.known ||
                               od_bytes_same(failure->capacity, device->capacity) == OD_YES;
        failure->capacity = device->capacity;
        failure->device_said = &device->said;
    }
    if (device->free.known) {
        failure->free_at_start = device->free;
        failure->device_said = &device->said;
    }
    if (device->limit.known && !failure->limit.known)
        failure->limit = od_count_of(device->limit.n);
    if (!failure->device_said)
        failure->device_said = &device->said;
}

/* Devices of the same name in the catalogue have the same capacity. */
static void take_rating(struct od_failure *failure, const struct od_device *device)
{
    struct od_accelerator accelerator;
    if (failure->capacity.known || !od_accelerator_find(device->name, &accelerator))
        return;
    failure->rated = od_bytes_exact(accelerator.bytes);
    failure->usable =
        accelerator.several ? (struct od_bytes){0} : od_bytes_exact(accelerator.usable_bytes);
}

static bool has_course(const struct od_case *c, uint32_t source)
{
    for (size_t i = 0; i < c->courses.n; i++)
        if (c->courses.items[i].source == source && c->courses.items[i].doing.at.line > 0)
            return true;
    return false;
}

/* The kernel logs a kill in its own log. Returns the incident by which the run's log reports the
 * same kill. */
static const struct od_incident *as_reported_by_run(const struct od_case *c,
                                                    const struct od_incident *incident)
{
    for (size_t i = 0; i < c->incidents.n && !has_course(c, incident->at.source); i++) {
        const struct od_incident *echo = &c->incidents.items[i];
        if (echo->echo_of == incident->id && has_course(c, echo->at.source))
            return echo;
    }
    return incident;
}

/* The last start before the failure. Lines above it belong to another attempt or to another
 * program. */
struct od_prov od_start_of(const struct od_case *c, const struct od_incident *incident)
{
    incident = as_reported_by_run(c, incident);
    struct od_prov start = {.source = incident->at.source};
    OD_FOR_EACH (const struct od_run_event, moment, c->run_events)
        if (moment->kind == OD_EV_RUN_STARTED && moment->last.source == incident->at.source &&
            od_prov_cmp(&moment->last, &incident->at) < 0)
            start = moment->last;
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

/* Devices and pools of the failed attempt. Lines of other attempts and lines after the failure are
 * used only if there are no others. A device does not limit allocations in host memory. */
static void take_devices(struct od_failure *failure, const struct od_case *c)
{
    if (od_incident_kind_is_host(failure->incident->kind))
        return;
    struct od_prov start = od_start_of(c, failure->incident);
    failure->one_device = true;
    bool any = false;
    for (enum nearness near = OF_ATTEMPT; near < NEARNESS_END && !any; near++)
        OD_FOR_EACH (const struct od_device, device, c->devices) {
            if (nearness_of(&device->said.at, &start, failure->incident) != near ||
                !is_about(device, failure->incident))
                continue;
            take_device(failure, device);
            take_rating(failure, device);
            any = true;
        }
}

static struct od_count count_of_bytes(struct od_bytes bytes)
{
    return bytes.known ? od_count_of(bytes.n) : (struct od_count){0};
}

static void take_dump(struct od_failure *failure)
{
    const struct od_allocator *dump = failure->dump;
    if (!od_failure_is_beyond_a_piece(failure)) /* a limit on one allocation does not limit the
                                                   allocator */
        failure->limit = count_of_bytes(failure->incident->limit);
    failure->in_use = count_of_bytes(failure->incident->in_use);
    failure->pool = count_of_bytes(failure->incident->reserved);
    if (!dump)
        return;
    if (dump->limit.known)
        failure->limit = dump->limit;
    if (dump->in_use.known)
        failure->in_use = dump->in_use;
    if (dump->pool.known)
        failure->pool = dump->pool;
    failure->allocations = dump->dump.stats.num_allocs;
    failure->verdict = dump->verdict;
    failure->proven = dump->complete && dump->has_chunks && dump->chunks_complete;
    if (dump->need.known && failure->incident->dump != 0)
        failure->need = dump->need;
}

static void take_request(struct od_failure *failure)
{
    enum { ROUNDED = 256 };
    const struct od_incident *incident = failure->incident;
    failure->asked = incident->requested.known ? incident->requested : incident->tensor.bytes;
    if (!failure->need.known)
        failure->need = failure->asked;
    /* the request is printed rounded, or belongs to another operation than the dump */
    if (!failure->asked.known || failure->asked.lo < failure->asked.hi ||
        failure->asked.hi > failure->need.hi || failure->need.lo - failure->asked.lo >= ROUNDED)
        failure->asked = failure->need;
    failure->op = incident->tensor.op;
    if (failure->op.n == 0 && failure->dump && incident->dump != 0)
        failure->op = failure->dump->dump.op;
    failure->op_means = od_op_means(failure->op);
    failure->hint = od_shape_hint_of(&incident->tensor.shape, incident->tensor.dtype,
                                     failure->op_means, failure->batch);
    failure->hint.constant |= od_incident_calls(failure->incident, OD_FRAME_KERAS_DATA);
}

static struct od_count stated_as(const struct od_case *c, enum od_setting_id name,
                                 const struct od_incident *incident)
{
    uint64_t n;
    bool said = od_num_parse_u64(od_case_setting_at(c, name, &incident->at), &n) && n > 0;
    return said ? od_count_of(n) : (struct od_count){0};
}

/* In most programs "train batch size" is per process. In DeepSpeed it is the total over all
 * processes, and older scripts divide it by the accumulation steps. */
static struct od_count said_batch(const struct od_case *c, const struct od_incident *incident,
                                  const struct od_software *driver)
{
    static const enum od_setting_id of_all[] = {OD_SETTING_ZERO_STAGE, OD_SETTING_GLOBAL_BATCH_SIZE,
                                                OD_SETTING_WORLD_SIZE, OD_SETTING_NPROC_PER_NODE,
                                                OD_SETTING_NONE};
    struct od_count batch = stated_as(c, OD_SETTING_BATCH_SIZE, incident);
    struct od_count steps = stated_as(c, OD_SETTING_ACCUMULATION, incident);
    /* the program splits the batch within each process */
    bool split = driver && od_software_knob(driver, "micro_batch");
    if (batch.known || split || (steps.known && steps.n > 1) || od_case_sets_any(c, of_all))
        return batch;
    return stated_as(c, OD_SETTING_TRAIN_BATCH_SIZE, incident);
}

/* The one batch that makes the printed steps of an epoch out of the printed samples, with or
 * without a smaller last one. Bars of some trainers count the steps of all epochs. */
static struct od_count batch_of_epoch(const struct od_case *c, const struct od_failure *failure)
{
    uint64_t n = stated_as(c, OD_SETTING_TRAIN_SAMPLES, failure->incident).n;
    uint64_t steps = stated_as(c, OD_SETTING_EPOCH_STEPS, failure->incident).n;
    if (n == 0 || steps < 2 || od_software_used_has_named(&failure->stack, "transformers") ||
        od_software_used_has_named(&failure->stack, "diffusers"))
        return (struct od_count){0};
    uint64_t least = n / (steps + 1) + 1, most = (n - 1) / (steps - 1);
    return least == most ? od_count_of(least) : (struct od_count){0};
}

/* As the settings state it, else as a batch's printed shape shows it, else as it follows. */
static struct od_count stated_batch(const struct od_case *c, const struct od_failure *failure)
{
    struct od_count batch = said_batch(c, failure->incident, failure->stack.driver);
    if (!batch.known)
        batch = stated_as(c, OD_SETTING_BATCH_SHOWN, failure->incident);
    return batch.known ? batch : batch_of_epoch(c, failure);
}

static bool differs(const struct od_case *c, const struct od_prov *one, const struct od_prov *other)
{
    struct od_count a = od_failure_setting(c, OD_SETTING_BATCH_SIZE, one);
    struct od_count b = od_failure_setting(c, OD_SETTING_BATCH_SIZE, other);
    return a.known && b.known && a.n != b.n;
}

/* Did another attempt fail with the same request at another batch size? The request does not depend
 * on the batch then. (Equal failures of several attempts are one incident.) */
static bool asked_the_same(const struct od_case *c, const struct od_failure *failure)
{
    const struct od_incident *ours = failure->incident;
    if (!ours->requested.known || failure->progress > 0)
        return false;
    if (ours->count > 1 && differs(c, &ours->at, &ours->last))
        return true;
    OD_FOR_EACH (const struct od_incident, other, c->incidents)
        if (other->kind == ours->kind && other->attempt != ours->attempt &&
            od_bytes_same(other->requested, ours->requested) == OD_YES &&
            differs(c, &ours->at, &other->at))
            return true;
    return false;
}

/* Counts signs of progress. A failure that is reported again after progress came late or occurred
 * repeatedly. */
static uint64_t count_progress(const struct od_case *c, const struct od_incident *incident)
{
    struct od_prov start = od_start_of(c, incident);
    uint64_t n = 0;
    incident = as_reported_by_run(c, incident);
    OD_FOR_EACH (const struct od_run_event, moment, c->run_events)
        if (moment->kind == OD_EV_PROGRESS && !od_means(moment->said.means, OD_SAID_PREPARING) &&
            od_prov_cmp(&moment->last, &start) >= 0 &&
            moment->first.source == incident->at.source &&
            od_prov_cmp(&moment->first, &incident->last) < 0 &&
            ckd_add(&n, n, moment->count > 0 ? moment->count : 1))
            return UINT64_MAX;
    return n;
}

/* Training succeeded, and then the run requested all samples of a set at once. */
static bool asks_for_whole_set(const struct od_failure *failure)
{
    enum { TRAINED_ALLOCATIONS = 100000 };
    bool trained = failure->progress > 0 ||
                   (failure->allocations.known && failure->allocations.n >= TRAINED_ALLOCATIONS);
    return trained && failure->hint.dataset_like && !od_failure_exceeds_limit(failure);
}

/* What the run was doing when it ended. A message after the failure belongs to another attempt. */
static const struct od_doing *doing_of(const struct od_case *c, const struct od_incident *incident)
{
    incident = as_reported_by_run(c, incident);
    OD_FOR_EACH (const struct od_run_state, course, c->courses)
        if (course->source == incident->at.source && course->doing.at.line > 0 &&
            course->doing.at.line <= incident->last.line)
            return &course->doing;
    return NULL;
}

static bool is_validating(const struct od_doing *doing)
{
    return doing && doing->what == OD_DOING_VALIDATION && doing->begun;
}

static void look_for_evaluation(struct od_failure *failure, const struct od_case *c)
{
    const struct od_incident *incident = failure->incident;
    failure->names_evaluation = (failure->phase == OD_PHASE_EVALUATION && !failure->phase_told) ||
                                incident->evaluating || is_validating(failure->doing) ||
                                od_means(failure->op_means, OD_OP_EVALUATION) ||
                                od_incident_says(incident, OD_SAID_EVALUATION);
    failure->evaluates = failure->names_evaluation || asks_for_whole_set(failure) ||
                         od_remark_find(c, incident, "validation");
}

static void take_incident(struct od_failure *failure, const struct od_case *c,
                          const struct od_incident *incident)
{
    enum od_outcome outcome = failure->run.outcome;
    failure->incident = incident;
    const struct od_setting *stated = od_case_limit_at(c, &incident->at);
    if (stated)
        (void)od_setting_size(stated, &failure->stated_limit);
    failure->open = outcome != OD_OUTCOME_NO_FAILURE && outcome != OD_OUTCOME_OTHER_FAILURE;
    failure->dump = find_dump(c, incident);
    failure->batch = stated_batch(c, failure);
    take_dump(failure);
    if (od_account_is_of_group(&failure->account) && !failure->limit.known)
        failure->limit = count_of_bytes(failure->account.limit.bytes);
    failure->capacity = incident->capacity;
    take_devices(failure, c);
    take_request(failure);
    failure->progress = count_progress(c, incident);
    failure->batch_independent = asked_the_same(c, failure);
    failure->phase = od_phase_of(c, incident, &failure->phase_told);
    if (failure->phase == OD_PHASE_PREPARE) /* the batch is that of the training */
        failure->batch = (struct od_count){0};
    failure->doing = doing_of(c, incident);
    failure->copied = od_incident_says(incident, OD_SAID_COPIED);
    look_for_evaluation(failure, c);
    failure->of_network = od_failure_is_server(failure) || od_failure_is_of_network(c, failure);
    failure->of_arrays = od_failure_is_arrays(c, failure);
    failure->works_on = od_failure_works_on(c, failure);
}

/* How many workers or jobs the run says that it starts. */
static struct od_count stated_processes(const struct od_case *c, const struct od_prov *at)
{
    struct od_count workers = od_failure_setting(c, OD_SETTING_WORKERS, at);
    return workers.known ? workers : od_failure_setting(c, OD_SETTING_JOBS, at);
}

/* The devices that the settings spread the run over; unknown where none says so. */
static struct od_count devices_of(const struct od_case *c, const struct od_prov *at)
{
    static const enum od_setting_id ids[] = {OD_SETTING_WORLD_SIZE, OD_SETTING_NUM_GPUS,
                                             OD_SETTING_NPROC_PER_NODE,
                                             OD_SETTING_TENSOR_PARALLEL_SIZE};
    struct od_count most = {0};
    for (size_t i = 0; i < OD_COUNT_OF(ids); i++) {
        struct od_count one = od_failure_setting(c, ids[i], at);
        most = one.n > most.n ? one : most;
    }
    return most;
}

/* Does the log print memory that grows? Measurements outweigh what people report. */
static bool measured(const struct od_case *c)
{
    static const double much = 0.1; /* share of the final value */
    return od_growth_unfailed(c, much) != NULL;
}

const struct od_failure *od_failure_of(const struct od_case *c, struct od_arena *arena)
{
    struct od_failure *failure = OD_NEW(arena, struct od_failure);
    failure->drops = OD_NEW(arena, struct od_drops);
    failure->run = od_outcome_of(c);
    const struct od_incident *incident = failure->run.ended ? failure->run.ended
                                         : failure->run.reported && !measured(c) && c->claim
                                             ? c->claim
                                         : c->incidents.n > 0 ? c->incidents.items
                                                              : NULL;
    struct od_prov start = incident ? od_start_of(c, incident) : (struct od_prov){0};
    if (incident)
        failure->account = od_bound_account(c, incident);
    failure->stack = od_software_of_failure(c, incident, &failure->account, start, arena);
    failure->tries = od_tries_of(c, arena);
    failure->use = od_use_of(c, incident, &failure->stack);
    if (incident)
        take_incident(failure, c, incident);
    if (incident)
        failure->devices = devices_of(c, &incident->at);
    failure->parts = od_account_parts(&failure->account);
    if (incident)
        failure->alike = od_alike_of(&failure->account, stated_processes(c, &incident->at));
    failure->profile = od_profile_of(c, failure, arena);
    return failure;
}

const struct od_failure *od_failure_unread(void)
{
    static const struct od_profile unknown;
    static const struct od_failure unread = {
        .run = {.outcome = OD_OUTCOME_UNKNOWN, .why = "The input could not be read."},
        .stack = {.nothing = true},
        .profile = &unknown};
    return &unread;
}

bool od_failure_exceeds_limit(const struct od_failure *failure)
{
    return (failure->need.known && failure->limit.known && failure->need.lo > failure->limit.n) ||
           od_bytes_less(failure->capacity, failure->need) == OD_YES;
}

bool od_failure_refused_what_was_free(const struct od_failure *failure)
{
    const struct od_incident *inc = failure->incident;
    return !failure->dump && inc->limit.known && inc->free.known && inc->requested.known &&
           inc->free.lo >= inc->requested.hi;
}

bool od_failure_limit_is_tiny(const struct od_failure *failure)
{
    enum { TINY = 512 << 20 };
    return failure->incident->kind == OD_INC_DEVICE_ALLOC_FAILED && !failure->capacity.known &&
           failure->limit.known && failure->limit.n < TINY;
}

/* If several tables are printed, returns the largest total: what it does not explain, no table
 * does. */
static struct od_bytes program_total(const struct od_case *c)
{
    struct od_bytes total = {0};
    OD_FOR_EACH (const struct od_memory_state, state, c->states)
        if (od_view_eq_str(state->producer, "jax") && od_view_eq_str(state->name, "total") &&
            state->in_use.known && (!total.known || state->in_use.hi > total.hi))
            total = state->in_use;
    return total;
}

struct od_bytes od_failure_small_program(const struct od_case *c, const struct od_failure *failure)
{
    enum { SMALL = 1 << 30 }; /* no accelerator used for training has less */
    static const double small_share = 0.25;
    struct od_bytes total = program_total(c);
    double room =
        failure->capacity.known ? small_share * (double)failure->capacity.lo : (double)SMALL;
    bool small = total.known && (double)total.hi < room && !failure->dump &&
                 !failure->limit.known && failure->incident->kind == OD_INC_DEVICE_ALLOC_FAILED;
    return small ? total : (struct od_bytes){0};
}

bool od_beyond_devices(struct od_bytes need)
{
    struct od_accelerator largest = {0};
    for (size_t i = 0; od_accelerator_at(i, &largest); i++)
        ;
    return need.known && need.lo > largest.bytes;
}

bool od_beyond_machines(struct od_bytes need)
{
    return need.known && need.lo > UINT64_C(1) << 39;
}

bool od_failure_is_beyond_a_piece(const struct od_failure *failure)
{
    const struct od_incident *incident = failure->incident;
    bool fits =
        incident->limit.known && od_bytes_less(incident->limit, incident->requested) != OD_YES;
    return !fits && incident->requested.known && failure->account.enforcer &&
           failure->account.enforcer->scope == OD_SCOPE_PIECE;
}

bool od_failure_is_server(const struct od_failure *failure)
{
    const struct od_software *driver = failure->stack.driver;
    const struct od_incident *incident = failure->incident;
    return (driver && driver->sort == OD_SORT_SERVER) ||
           od_incident_says(incident, OD_SAID_SERVER) ||
           od_incident_calls(incident, OD_FRAME_SERVER);
}

double od_failure_need_share(const struct od_failure *failure)
{
    struct od_bytes need = failure->need;
    if (!need.known) /* most tensors are float32 if no type is printed */
        need = od_shape_bytes(&failure->incident->tensor.shape, OD_FLOAT32);
    struct od_count room =
        failure->limit.known ? failure->limit : count_of_bytes(failure->capacity);
    return need.known && room.known && room.n > 0 ? (double)need.n / (double)room.n : 0;
}

struct od_count od_failure_setting(const struct od_case *c, enum od_setting_id id,
                                   const struct od_prov *at)
{
    /* 2^53, the largest integer exact in a double */
    static const double exact = 9007199254740992.0;
    double value;
    if (!od_num_parse_double(od_case_setting_at(c, id, at), &value) || value < 0 || value > exact ||
        value - (double)(uint64_t)value > 0)
        return (struct od_count){0};
    return od_count_of((uint64_t)value);
}

const struct od_incident *od_failure_find(const struct od_case *c, enum od_incident_kind kind)
{
    for (size_t i = 0; i < c->incidents.n; i++)
        if (c->incidents.items[i].kind == kind)
            return &c->incidents.items[i];
    return NULL;
}

struct od_bytes od_failure_held_by_others(const struct od_failure *failure, bool *ret_most)
{
    const struct od_account *account = &failure->account;
    struct od_bytes size = failure->capacity.known ? failure->capacity : failure->rated;
    struct od_bytes limit =
        failure->limit.known ? od_bytes_exact(failure->limit.n) : (struct od_bytes){0};
    *ret_most = false;
    if (!failure->dump && account->named.known && account->named.n > 0)
        return account->named;
    *ret_most = !failure->free_at_start.known;
    if (!failure->dump && account->outside.known) {
        *ret_most = true;
        return account->outside;
    }
    return od_bytes_sub(size, *ret_most ? limit : failure->free_at_start);
}

bool od_failure_is_device(const struct od_failure *failure)
{
    return failure->incident && failure->incident->kind == OD_INC_DEVICE_ALLOC_FAILED;
}

/* Deep networks of equal layers have several sizes with many chunks each, but chunks retained at
 * every step are far more numerous. Sizes with as many chunks as the suspect may be retained
 * together with it. */
static bool stands_out(const struct od_allocator *dump, const struct od_size *suspect)
{
    OD_FOR_EACH_OF (const struct od_size, size, dump->sizes, dump->nsizes) {
        bool as_many = size->count >= suspect->count - suspect->count / 20 &&
                       size->count <= suspect->count + suspect->count / 20;
        bool counts = size->bytes >= leak_chunk_bytes || size->bytes >= suspect->bytes;
        if (counts && !as_many && size->count > suspect->count / LEAK_OUTLIER)
            return false;
    }
    return true;
}

struct od_accumulation od_failure_accumulation(const struct od_failure *failure)
{
    struct od_accumulation found = {0};
    const struct od_allocator *dump = failure->dump;
    uint64_t allocations = failure->allocations.known ? failure->allocations.n : 0;
    found.ran_long = failure->progress >= LEAK_PROGRESS;
    if (!dump || !dump->has_chunks)
        return found;
    if (dump->in_use_count > 0)
        found.ran_long |= allocations / dump->in_use_count >= LEAK_ALLOCATIONS_PER_CHUNK;
    OD_FOR_EACH_OF (const struct od_size, size, dump->sizes, dump->nsizes) {
        if (size->total > found.size.total)
            found.size = *size;
    }
    found.many = found.size.count >= LEAK_CHUNKS &&
                 (double)found.size.total >= leak_share * (double)dump->in_use_bytes &&
                 stands_out(dump, &found.size);
    return found;
}

struct od_bytes od_failure_buffers(const struct od_case *c, const struct od_incident *incident,
                                   const char *name)
{
    struct od_bytes held = {0}, own = {0};
    OD_FOR_EACH (const struct od_memory_state, state, c->states) {
        if (!od_view_eq_str(state->name, name) || !state->in_use.known || state->device.n == 0 ||
            od_prov_cmp(&state->said.at, &incident->at) >= 0)
            continue;
        held = held.known ? od_bytes_add(held, state->in_use) : state->in_use;
        if (od_view_eq(state->device, incident->device))
            own = own.known ? od_bytes_add(own, state->in_use) : state->in_use;
    }
    return own.known ? own : held;
}
