#include "report/headline.h"

#include "base/log_prefix.h"
#include "facts/claim.h"
#include "facts/prose.h"
#include "failure/remarks.h"
#include "report/words.h"

/* --- the parts of a sentence --- */

static const char *device_of(struct od_arena *arena, const struct od_incident *incident)
{
    return incident->device.n > 0 ? od_words_device(arena, incident->device) : "The device";
}

static const char *rank_of(struct od_arena *arena, const struct od_incident *incident)
{
    return incident->rank.known
               ? od_arena_printf(arena, " (rank %llu)", (unsigned long long)incident->rank.n)
               : "";
}

/* The account, with the numbers of the lines around the failure. */
static struct od_account account_of(const struct od_outline *o, const struct od_incident *incident)
{
    const struct od_failure *failure = o->diagnosis->failure;
    return incident == failure->incident ? failure->account : od_account_of(incident, NULL);
}

/* "python (PID 2512, 14.2 GiB) of trainer.service", or `other` if the log names no process. */
static const char *victim_of(const struct od_outline *o, const struct od_incident *incident,
                             const char *other)
{
    struct od_arena *arena = o->arena;
    const struct od_account account = account_of(o, incident);
    struct od_bytes held =
        account.victim.bytes.known ? account.victim.bytes : incident->process.rss;
    const struct od_process *process = &incident->process;
    struct od_view unit = od_incident_unit(incident);
    bool of_unit = incident->kind == OD_INC_HOST_OOM_KILL && process->name.n > 0 && unit.n > 0;
    const char *name = process->name.n > 0 ? od_arena_str(arena, process->name)
                       : incident->kind == OD_INC_PRESSURE_KILL && unit.n > 0
                           ? od_arena_str(arena, unit)
                           : other;
    const char *pid = process->pid.known
                          ? od_arena_printf(arena, "PID %llu", (unsigned long long)process->pid.n)
                          : NULL;
    const char *rss = held.known ? od_words_short(arena, held.n) : NULL;
    if (!pid && !rss)
        return name;
    return od_arena_printf(arena, "%s (%s%s%s)%s%.*s", name, pid ? pid : "", pid && rss ? ", " : "",
                           rss ? rss : "", of_unit ? " of " : "", of_unit ? (int)unit.n : 0,
                           unit.p ? unit.p : "");
}

struct od_bytes od_headline_request(const struct od_incident *incident)
{
    return incident->requested.known ? incident->requested : incident->tensor.bytes;
}

/* Why so much was free and did not serve the request. */
static const char *free_but(const struct od_outline *outline, const struct od_incident *incident,
                            uint64_t request)
{
    static const double little = 0.01; /* of the device */
    struct od_arena *arena = outline->arena;
    const struct od_failure *failure = outline->diagnosis->failure;
    uint64_t free = incident->free.n;
    uint64_t segment = od_account_segment(incident, request);
    uint64_t wanted;
    uint64_t held = incident->reserved.known ? incident->reserved.n : failure->in_use.n;
    if (failure->limit.known && incident->capacity.known && failure->in_use.known &&
        failure->limit.n < incident->capacity.lo &&
        !ckd_add(&wanted, held, segment > request ? segment : request) && wanted > failure->limit.n)
        return od_arena_printf(arena, ", its own limit of %s was reached",
                               od_words_short(arena, failure->limit.n));
    if (segment > free && request < free)
        return od_arena_printf(arena, " in a segment of %s, %s was free",
                               od_words_short(arena, segment), od_words_short(arena, free));
    if (incident->capacity.known && (double)free < little * (double)incident->capacity.n)
        return od_arena_printf(arena, ", almost nothing was free (%s)",
                               od_words_short(arena, free));
    if ((double)(free - request) < little * (double)free)
        return ", about as much was free";
    if (incident->kind == OD_INC_HOST_ALLOC_FAILED && incident->limit.known)
        return od_arena_printf(arena, ", its own limit of %s was reached",
                               od_words_short(arena, incident->limit.n));
    return od_arena_printf(arena, ", which the %s refused although %s was free",
                           incident->kind == OD_INC_HOST_ALLOC_FAILED ? "system" : "driver",
                           od_words_short(arena, free));
}

/* "; 4 GiB was refused, too": the least that the same device refused, where it is less. */
static const char *smallest_refused(const struct od_outline *o, const struct od_incident *incident)
{
    struct od_bytes least = incident->requested;
    OD_FOR_EACH (const struct od_incident, other, o->c->incidents)
        if (other->kind == incident->kind && od_view_eq(other->device, incident->device) &&
            other->at.source == incident->at.source &&
            od_bytes_less(other->requested, least) == OD_YES)
            least = other->requested;
    return od_bytes_less(least, incident->requested) == OD_YES
               ? od_arena_printf(o->arena, "; %s was refused, too",
                                 od_words_short(o->arena, least.n))
               : "";
}

/* ", 7.34 GiB was in use (5.05 GiB by it, 2.29 GiB besides), more than the 6.8 GiB that it may
 * use": where no line shows what was free. */
static const char *in_use_of(const struct od_outline *o, const struct od_incident *incident)
{
    struct od_arena *arena = o->arena;
    struct od_account a = od_account_of(incident, NULL);
    const char *limit = a.limit.bytes.known ? od_words_short(arena, a.limit.bytes.n) : NULL;
    if (a.scope != OD_SCOPE_DEVICE || a.conflict || !limit || !a.own.known)
        return "";
    if (a.own.n == 0)
        return od_arena_printf(arena, ", although it had allocated nothing of the device's %s%s",
                               limit, smallest_refused(o, incident));
    const char *parts =
        a.beside.known && a.beside.n > 0
            ? od_arena_printf(arena, " (%s by it, %s besides)", od_words_short(arena, a.own.n),
                              od_words_short(arena, a.beside.n))
            : "";
    bool pool = a.limit.scope == OD_SCOPE_POOL;
    uint64_t all = a.own.n + (*parts ? a.beside.n : 0);
    const char *used = od_words_short(arena, all);
    if (pool && all > a.limit.bytes.n)
        return od_arena_printf(arena, ", %s was in use%s, more than the %s that it may use", used,
                               parts, limit);
    return od_arena_printf(arena, ", %s of %s%s%s was in use%s", used, pool ? "the " : "", limit,
                           pool ? " that it may use" : "", parts);
}

/* ", 386 MiB was free": what the message or a whole dump says; "" where nothing does. */
static const char *room(const struct od_outline *outline, const struct od_incident *incident)
{
    enum {
        MUCH = 1 << 30
    }; /* bytes; as free memory it explains no failure of an unknown request */
    struct od_arena *arena = outline->arena;
    const struct od_allocator *a = outline->allocator;
    if (a && a->has_chunks && a->chunks_complete) {
        bool bfc = a->dump.family == OD_FAMILY_BFC;
        uint64_t bytes = bfc ? a->free_bytes : a->usable.bytes;
        uint64_t largest = bfc ? a->largest_free_bytes : a->usable.largest;
        if (a->verdict == OD_VERDICT_DEVICE_REFUSED)
            return ", which the driver refused";
        if (bytes == 0)
            return ", nothing was free";
        if (a->verdict != OD_VERDICT_FRAGMENTED)
            return od_arena_printf(arena, ", %s was free", od_words_short(arena, bytes));
        return od_arena_printf(arena, ", %s was free, but no block is larger than %s",
                               od_words_short(arena, bytes), od_words_short(arena, largest));
    }
    if (incident->free.known && incident->free.n == 0)
        return ", nothing was free";
    if (incident->free.known) {
        struct od_bytes request = od_headline_request(incident);
        if (od_bytes_less(incident->largest, request) == OD_YES && incident->free.n >= request.n)
            return od_arena_printf(arena, ", %s was free, but no block is larger than %s",
                                   od_words_short(arena, incident->free.n),
                                   od_words_short(arena, incident->largest.n));
        if (request.known && incident->free.n >= request.n)
            return free_but(outline, incident, request.n);
        return request.known || incident->free.n < MUCH
                   ? od_arena_printf(arena, ", %s was free",
                                     od_words_short(arena, incident->free.n))
                   : "";
    }
    if (a && a->in_use.known && a->limit.known)
        return od_arena_printf(arena, ", %s of %s was in use", od_words_short(arena, a->in_use.n),
                               od_words_short(arena, a->limit.n));
    return a ? "" : in_use_of(outline, incident);
}

/* The program whose memory it was; NULL = unknown. */
static const struct od_software *whose_memory(const struct od_outline *outline,
                                              const struct od_incident *incident)
{
    const struct od_stack *stack = &outline->report->diagnosis->failure->stack;
    bool starter = stack->driver && stack->driver->sort == OD_SORT_ORCHESTRATOR &&
                   incident->kind == OD_INC_HOST_ALLOC_FAILED && /* the memory may be of a program
                                                                    that the orchestrator started */
                   od_first_cause(outline->report->diagnosis) != OD_CAUSE_RUNTIME_LIMIT;
    const struct od_software *whose = starter ? NULL : stack->driver;
    for (size_t i = 0; i < stack->n && !whose; i++)
        if (stack->parts[i].near > 0 && (stack->parts[i].software->sort == OD_SORT_LIBRARY ||
                                         stack->parts[i].software->sort == OD_SORT_ARRAY))
            whose = stack->parts[i].software;
    bool nobody = incident->kind == OD_INC_DEVICE_CONTEXT_FAILED ||
                  outline->report->diagnosis->failure->incident != incident;
    return nobody ? NULL : whose;
}

/* " in Blender", where no request has a name in front. */
static const char *in_program(const struct od_outline *outline, const struct od_incident *incident)
{
    const struct od_software *whose = whose_memory(outline, incident);
    return whose ? od_arena_printf(outline->arena, " in %s", whose->title) : "";
}

/* The program whose message was printed. A program that contains another one prints the messages of
 * that one. */
static const char *who_asked(const struct od_outline *outline, const struct od_incident *incident)
{
    const struct od_failure *failure = outline->report->diagnosis->failure;
    const struct od_software *driver = failure->stack.driver, *library = failure->stack.printed_by;
    const struct od_software *words = od_software_find(incident->producer);
    bool inner = words && driver && words->sort == OD_SORT_SERVER &&
                 od_software_stands_on(driver, words) && driver != words;
    bool shared = words && failure->incident == incident && library != words;
    const struct od_software *whose = inner    ? driver
                                      : shared ? library
                                      : od_view_eq(incident->producer, OD_VIEW("other"))
                                          ? whose_memory(outline, incident)
                                          : NULL;
    return whose ? whose->title : od_words_producer(outline->arena, incident->producer);
}

/* " (5 × 5.7 GiB)": of a tensor of several samples as large as the request; "" = it is none. */
static const char *samples_of(struct od_arena *arena, const struct od_incident *incident)
{
    enum { MOST = 4096, OF_MANY_SAMPLES = 4 }; /* samples; axes */
    static const uint64_t large = UINT64_C(1) << 30;
    const struct od_tensor *tensor = &incident->tensor;
    if (!tensor->shape.known || tensor->shape.n < OF_MANY_SAMPLES || !tensor->bytes.known)
        return "";
    uint64_t samples = tensor->shape.dims[0];
    if (samples < 2 || samples > MOST || tensor->bytes.n / samples < large)
        return "";
    return od_arena_printf(arena, " (%llu \xc3\x97 %s)", (unsigned long long)samples,
                           od_words_short(arena, tensor->bytes.n / samples));
}

/* The type of the elements is not printed. */
static const char *asked_for_tensor(const struct od_outline *outline,
                                    const struct od_incident *incident, const char *free)
{
    struct od_bytes bytes = od_shape_bytes(&incident->tensor.shape, OD_FLOAT32);
    if (!bytes.known)
        return od_arena_printf(outline->arena, "%s.", in_program(outline, incident));
    return od_arena_printf(outline->arena, ": %s asked for a tensor of %s in float32%s.",
                           who_asked(outline, incident), od_words_short(outline->arena, bytes.n),
                           free);
}

/* ": PyTorch asked for 888 MiB, 386 MiB was free." */
static const char *asked(const struct od_outline *outline, const struct od_incident *incident)
{
    struct od_bytes request = od_headline_request(incident);
    const char *free = room(outline, incident);
    if (!request.known && incident->tensor.shape.known)
        return asked_for_tensor(outline, incident, free);
    if (!request.known || request.hi == 0)
        return *free ? od_arena_printf(outline->arena, ":%s.", free + 1)
                     : od_arena_printf(outline->arena, "%s.", in_program(outline, incident));
    return od_arena_printf(outline->arena, ": %s asked for %s%s%s.", who_asked(outline, incident),
                           od_words_short(outline->arena, request.n),
                           samples_of(outline->arena, incident), free);
}

/* " of 4.00 GiB", of the first that is known */
static const char *of(struct od_arena *arena, struct od_bytes first, struct od_bytes second)
{
    struct od_bytes known = first.known ? first : second;
    return known.known ? od_arena_printf(arena, " of %s", od_words_short(arena, known.n)) : "";
}

/* --- one sentence a kind of incident --- */

/* May the headline say that of the failure? */
static bool asserts(const struct od_outline *o, enum od_relation relation)
{
    const struct od_diagnosis *diagnosis = o->diagnosis;
    enum od_cause first = od_first_cause(diagnosis);
    struct od_assertion assertion = {.relation = relation};
    assertion.cause = first < OD_CAUSE_END ? od_cause_name(first) : NULL;
    OD_FOR_EACH (const struct od_finding, finding, diagnosis->findings)
        assertion.suspects |= UINT64_C(1) << finding->cause;
    return od_assertion_holds(diagnosis->failure->profile, &assertion);
}

/* "The tensor arena is too small: TensorFlow asked for 28.1 KiB, 21.5 KiB was free."; NULL where no
 * line names a limit. */
static const char *say_limit(const struct od_outline *o, const struct od_incident *incident)
{
    struct od_account account = account_of(o, incident);
    const struct od_enforcer *row = account.enforcer;
    struct od_bytes request = od_headline_request(incident);
    struct od_bytes limit = incident->limit.known ? incident->limit : account.limit.bytes;
    if (!row || !row->reached || !row->certain)
        return NULL;
    const char *what =
        request.known && od_bytes_less(limit, request) == OD_YES
            ? od_arena_printf(o->arena, ": %s asked for %s, and the limit is %s.",
                              who_asked(o, incident), od_words_short(o->arena, request.n),
                              od_words_short(o->arena, limit.n))
            : asked(o, incident);
    return od_arena_printf(o->arena, "%c%s%s%s", od_upper(row->reached[0]), row->reached + 1,
                           rank_of(o->arena, incident), what);
}

/* A session takes next to nothing, and what was free did not run out. */
static const char *say_device(const struct od_outline *o, const struct od_incident *incident)
{
    if (od_failure_is_beyond_a_piece(o->diagnosis->failure) &&
        incident == o->diagnosis->failure->incident)
        return say_limit(o, incident);
    bool opens = !incident->requested.known && od_incident_says(incident, OD_SAID_OPENING);
    const char *what = opens                            ? "refused a session"
                       : asserts(o, OD_ASSERTS_RAN_OUT) ? "ran out of memory"
                                                        : "refused memory";
    return od_arena_printf(o->arena, "%s%s %s%s", device_of(o->arena, incident),
                           rank_of(o->arena, incident), what, asked(o, incident));
}

static const char *say_plan(const struct od_outline *o, const struct od_incident *incident)
{
    struct od_bytes request = od_headline_request(incident);
    const char *needs =
        request.known
            ? od_arena_printf(o->arena, ": it needs %s%s", od_words_short(o->arena, request.n),
                              of(o->arena, incident->limit, incident->capacity))
            : "";
    return od_arena_printf(o->arena, "The compiled program does not fit the device%s.", needs);
}

static const char *say_context(const struct od_outline *o, const struct od_incident *incident)
{
    bool memory = incident->requested.known || od_incident_says(incident, OD_SAID_NO_MEMORY);
    return od_arena_printf(o->arena,
                           memory ? "%s%s had no memory left to start a library or its driver%s"
                                  : "%s%s could not start a library or its driver, most often for "
                                    "lack of memory%s",
                           device_of(o->arena, incident), rank_of(o->arena, incident),
                           asked(o, incident));
}

static const char *say_cache(const struct od_outline *o, const struct od_incident *incident)
{
    struct od_bytes request = od_headline_request(incident);
    const char *needs =
        request.known ? od_arena_printf(o->arena, "needs %s%s", od_words_short(o->arena, request.n),
                                        room(o, incident))
                      : "does not fit beside the weights";
    return od_arena_printf(o->arena, "%s cannot start: the KV cache %s.",
                           od_words_producer(o->arena, incident->producer), needs);
}

/* "the program" as the first word of a sentence; names stay as they are written. */
static const char *capital(struct od_arena *arena, const char *name)
{
    return strncmp(name, "the ", 4) == 0 ? od_arena_printf(arena, "The%s", name + 3) : name;
}

/* "RAM" where a number of the machine or the kernel shows it. A refused request may as well be a
 * limit, a promise of the system, or a wrong size: "host memory" where the run has a device, too.
 */
static const char *host_memory(const struct od_outline *o, const struct od_incident *incident)
{
    const struct od_account account = account_of(o, incident);
    bool ram = account.limit.bytes.known || account.used.known || account.free.known ||
               od_held_bytes(&account.victim) > 0 || account.killed_by_kernel;
    const struct od_software *words = od_software_find(incident->producer);
    bool device = o->c->devices.n > 0 || (words && words->sort <= OD_SORT_GUI);
    return ram ? "RAM" : device && od_headline_request(incident).known ? "host memory" : "memory";
}

/* The largest machines have tens of tebibytes. */
#define LARGEST_MACHINE (UINT64_C(1) << 46)

/* RAM, unless another limit explains it, or no line says which memory it was. */
static const char *say_host(const struct od_outline *o, const struct od_incident *incident)
{
    const struct od_diagnosis *d = o->diagnosis;
    if (od_beyond_machines(incident->requested))
        return od_arena_printf(o->arena, "%s asked for %s, more than %sany machine has.",
                               capital(o->arena, who_asked(o, incident)),
                               od_words_short(o->arena, incident->requested.n),
                               incident->requested.n < LARGEST_MACHINE ? "nearly " : "");
    const char *limit = say_limit(o, incident);
    if (limit)
        return limit;
    const struct od_enforcer *enforcer = account_of(o, incident).enforcer;
    if (enforcer && enforcer->scope == OD_SCOPE_RUNTIME && !od_headline_request(incident).known &&
        od_first_cause(d) != OD_CAUSE_RUNTIME_LIMIT)
        return od_arena_printf(o->arena, "Out of memory%s%s: %s is full.",
                               rank_of(o->arena, incident), in_program(o, incident),
                               enforcer->limited);
    return od_arena_printf(o->arena, "Out of %s%s%s",
                           asserts(o, OD_ASSERTS_RAM) ? host_memory(o, incident) : "memory",
                           rank_of(o->arena, incident), asked(o, incident));
}

static const char *say_machine(const struct od_outline *o, const struct od_incident *incident)
{
    return od_arena_printf(o->arena, "The kernel killed %s because the machine ran out of memory.",
                           victim_of(o, incident, "a process"));
}

/* Whose limit it was: "the pod". */
static const char *limited_of(const struct od_outline *o, const struct od_incident *incident)
{
    const struct od_enforcer *enforcer = account_of(o, incident).enforcer;
    return enforcer ? enforcer->limited : "its container or group";
}

static const char *say_group(const struct od_outline *o, const struct od_incident *incident)
{
    const char *limit = of(o->arena, incident->limit, incident->capacity);
    return od_arena_printf(o->arena, "The kernel killed %s because %s reached its memory limit%s.",
                           victim_of(o, incident, "a process"), limited_of(o, incident), limit);
}

/* Who ended it, as the first word of a sentence. */
static const char *producer_first(const struct od_outline *o, const struct od_incident *incident)
{
    const struct od_software *around = od_stack_surroundings(&o->diagnosis->failure->stack);
    bool unknown = od_view_eq_str(incident->producer, "other");
    const struct od_enforcer *enforcer = account_of(o, incident).enforcer;
    if (enforcer && enforcer->who && !(unknown && around))
        return capital(o->arena, enforcer->who);
    const char *name =
        unknown && around ? around->title : od_words_producer(o->arena, incident->producer);
    return capital(o->arena, name);
}

static const char *say_job(const struct od_outline *o, const struct od_incident *incident)
{
    const struct od_enforcer *enforcer = account_of(o, incident).enforcer;
    const char *limit = of(o->arena, incident->limit, incident->capacity);
    return od_arena_printf(o->arena, "%s %s %s: it reached its memory limit%s.",
                           producer_first(o, incident),
                           enforcer && enforcer->acts ? enforcer->acts : "ended",
                           victim_of(o, incident, enforcer ? enforcer->limited : "the job"), limit);
}

/* A guard compares with a limit, or acts on the pressure of the machine or of a group. */
static const char *say_pressure(const struct od_outline *o, const struct od_incident *incident)
{
    const struct od_enforcer *enforcer = account_of(o, incident).enforcer;
    const char *why = " under memory pressure", *held = "";
    if (incident->limit.known)
        why = od_arena_printf(o->arena, ": it exceeded its memory limit of %s",
                              od_words_short(o->arena, incident->limit.n));
    else if (enforcer && enforcer->acts && incident->free.known)
        why = od_arena_printf(o->arena, ": %s had %s of memory left", enforcer->limited,
                              od_words_short(o->arena, incident->free.n));
    if (enforcer && enforcer->acts && incident->in_use.known && !incident->process.rss.known)
        held =
            od_arena_printf(o->arena, " (%s in use)", od_words_short(o->arena, incident->in_use.n));
    return od_arena_printf(o->arena, "%s %s %s%s%s.", producer_first(o, incident),
                           enforcer && enforcer->acts ? enforcer->acts : "killed",
                           victim_of(o, incident, "a process"), held, why);
}

static const char *say_shm(const struct od_outline *o, const struct od_incident *incident)
{
    return od_arena_str(o->arena, od_incident_says(incident, OD_SAID_BUS_ERROR)
                                      ? OD_VIEW("A worker process died of a bus error.")
                                      : OD_VIEW("/dev/shm is full."));
}

static const char *say_worker(const struct od_outline *o, const struct od_incident *incident)
{
    return od_arena_printf(o->arena, "%s was killed, most likely by the OOM killer.",
                           victim_of(o, incident, "A worker process"));
}

/* " (exit status 137)": what a shell or a container reports of it; 128 and the number of the
 * signal.
 */
static const char *status_of(const struct od_outline *o, const struct od_incident *incident)
{
    return incident->status.known ? od_arena_printf(o->arena, " (exit status %llu)",
                                                    (unsigned long long)incident->status.n)
                                  : "";
}

static const char *say_kill(const struct od_outline *o, const struct od_incident *incident)
{
    return od_arena_printf(o->arena, "%s was killed%s, most likely for lack of memory.",
                           victim_of(o, incident, "The run"), status_of(o, incident));
}

/* "Ollama refused to start: by its own estimate it needs 39.4 GiB, 30 GiB was free." */
static const char *say_refusal(const struct od_outline *o, const struct od_incident *incident)
{
    struct od_bytes request = od_headline_request(incident);
    const char *needs =
        request.known ? od_arena_printf(o->arena, "it needs %s%s",
                                        od_words_short(o->arena, request.n), room(o, incident))
                      : "it needs more than there is";
    return od_arena_printf(o->arena, "%s refused to start: by its own estimate %s.",
                           who_asked(o, incident), needs);
}

typedef const char *say_fn(const struct od_outline *outline, const struct od_incident *incident);

static say_fn *const sayings[OD_INC_END] = {
    [OD_INC_DEVICE_ALLOC_FAILED] = say_device,    [OD_INC_DEVICE_COMPILE_OOM] = say_plan,
    [OD_INC_DEVICE_CONTEXT_FAILED] = say_context, [OD_INC_KV_CACHE_TOO_SMALL] = say_cache,
    [OD_INC_HOST_ALLOC_FAILED] = say_host,        [OD_INC_HOST_OOM_KILL] = say_machine,
    [OD_INC_CGROUP_OOM_KILL] = say_group,         [OD_INC_JOB_LIMIT_KILL] = say_job,
    [OD_INC_PRESSURE_KILL] = say_pressure,        [OD_INC_SHM_EXHAUSTED] = say_shm,
    [OD_INC_WORKER_KILLED] = say_worker,          [OD_INC_UNEXPLAINED_KILL] = say_kill,
    [OD_INC_SOFT_WARNING] = say_device,
};

/* --- the whole --- */

/* Does the sentence of the incident give the cause already? */
static bool is_in_event(const struct od_outline *o, enum od_cause cause)
{
    const struct od_incident *i = o->incident;
    return ((cause == OD_CAUSE_OTHER_LIMIT || cause == OD_CAUSE_CAPPED) && say_limit(o, i)) ||
           (cause == OD_CAUSE_KV_CACHE && i->kind == OD_INC_KV_CACHE_TOO_SMALL) ||
           (cause == OD_CAUSE_COMPILE_PLAN && i->kind == OD_INC_DEVICE_COMPILE_OOM) ||
           (cause == OD_CAUSE_DRIVER_REFUSED && i->requested.known && i->free.known &&
            i->free.n >= i->requested.n);
}

/* "Most likely the batch is too large for the device."; NULL where no cause is known well enough
 * to be named, or nothing failed. */
static const char *cause_of(const struct od_outline *o)
{
    const struct od_diagnosis *diagnosis = o->diagnosis;
    if (diagnosis->failure->run.outcome != OD_OUTCOME_MEMORY_FAILURE || !o->incident)
        return NULL;
    if (!od_diagnosis_names_cause(diagnosis))
        return asserts(o, OD_ASSERTS_UNEXPLAINED) ? "The log does not show why." : NULL;
    const struct od_finding *finding = &diagnosis->findings.items[0];
    if (is_in_event(o, finding->cause))
        return NULL;
    const char *clause = finding->clause ? finding->clause : od_cause_clause(finding->cause);
    const char *how = finding->certainty == OD_CERTAIN ? "The log proves that"
                      : finding->probability >= 0.75   ? "Most likely"
                                                       : "Probably";
    return clause ? od_arena_printf(o->arena, "%s %s.", how, clause) : NULL;
}

/* How often memory was short; how often an allocation failed, if it did. */
static const char *say_survived(const struct od_outline *o)
{
    uint64_t warned = 0, failed = 0;
    bool partly = o->diagnosis->failure->run.partly_read;
    OD_FOR_EACH (const struct od_incident, i, o->c->incidents) {
        uint64_t *count = i->kind == OD_INC_SOFT_WARNING ? &warned : &failed;
        if (ckd_add(count, *count, i->count))
            *count = UINT64_MAX;
    }
    const char *what = failed > 0
                           ? od_arena_printf(o->arena, "a request for memory failed %s",
                                             od_words_times(o->arena, failed))
                           : od_arena_printf(o->arena, "memory was short %s, according to warnings",
                                             od_words_times(o->arena, warned));
    return partly ? od_arena_printf(o->arena,
                                    "%c%s, and the run went on. A part of the input was not read.",
                                    od_upper(what[0]), what + 1)
                  : od_arena_printf(o->arena, "No failure: %s, and the run went on.", what);
}

static uint64_t lines_of(const struct od_report *report)
{
    uint64_t lines = 0;
    for (size_t i = 0; i < report->nsources; i++)
        lines += report->sources[i]->lines;
    return lines;
}

bool od_headline_is_prose(const struct od_outline *outline)
{
    const struct od_case *c = outline->c;
    bool run = c->incidents.n > 0 || c->allocators.n > 0 || c->series.n > 0 || c->models.n > 0;
    for (size_t i = 0; i < c->moments.n; i++)
        run = run || c->moments.items[i].kind != OD_EV_REMARK;
    return c->stated.n > 0 && !run &&
           outline->diagnosis->failure->run.outcome == OD_OUTCOME_NO_FAILURE;
}

bool od_headline_is_snapshot(const struct od_outline *outline)
{
    return lines_of(outline->report) == 0 && outline->c->allocators.n > 0 &&
           outline->diagnosis->failure->run.outcome == OD_OUTCOME_NO_FAILURE;
}

static const char *why_no_log(const struct od_outline *outline)
{
    const struct od_report *report = outline->report;
    bool empty = true, text = report->nsources == 0;
    for (size_t i = 0; i < report->nsources; i++) {
        empty = empty && report->sources[i]->bytes == 0;
        text = text || !report->sources[i]->binary;
    }
    return empty   ? "The input is empty."
           : !text ? "The input is not text."
           : od_headline_is_prose(outline)
               ? "This looks like text, not a log: no line of it is printed by a run."
               : NULL;
}

/* Does a quoted line of a person report a failure, neither supposed nor denied? */
static bool mentions_failure(const struct od_key_lines *telling)
{
    for (size_t i = 0; telling && i < telling->n; i++) {
        struct od_view text = telling->list[i].text;
        struct od_claim claim = od_claim_read(text);
        if (od_is_prose(text) && od_means(claim.means, OD_CLAIM_RAN_OUT))
            return true;
    }
    return false;
}

bool od_headline_is_all(const struct od_outline *outline)
{
    return outline->diagnosis->failure->run.outcome == OD_OUTCOME_NO_FAILURE &&
           (why_no_log(outline) || mentions_failure(outline->report->telling));
}

static const char *say_nothing_found(const struct od_outline *o)
{
    const char *no_log = why_no_log(o);
    bool partly = o->diagnosis->failure->run.partly_read;
    if (no_log)
        return no_log;
    const char *growth = od_outline_growth(o), *told = od_outline_growth_told(o);
    if (od_headline_is_snapshot(o))
        return partly ? "The part of the snapshot that was read records no memory failure."
                      : "The snapshot records no memory failure.";
    if (*growth)
        return od_arena_printf(o->arena, "No memory failure%s, but %s.",
                               partly ? " in the part of the input that was read" : "", growth);
    if (*told)
        return od_arena_printf(
            o->arena, "No failure is in this text, but it tells of memory that grows: %s", told);
    const char *lines = od_words_counted(o->arena, lines_of(o->report), "line", "lines");
    if (mentions_failure(o->report->telling))
        return od_arena_printf(
            o->arena,
            "The text mentions that memory ran out, but none of %s was read as a "
            "failure.",
            lines);
    return od_arena_printf(o->arena,
                           partly ? "Only a part of the input was read (%s)."
                                  : "No memory failure found in %s.",
                           lines);
}

/* ": 60 of 64 GiB were in use", ": the limit was 2 GiB"; "" = no amount is stated. */
static const char *claimed(const struct od_outline *o, const struct od_incident *claim)
{
    struct od_bytes all = claim->limit.known ? claim->limit : claim->capacity;
    const char *whole = all.known ? od_words_short(o->arena, all.n) : NULL;
    if (claim->in_use.known)
        return od_arena_printf(o->arena, ": %s%s%s in use",
                               od_words_short(o->arena, claim->in_use.n), whole ? " of " : "",
                               whole ? whole : "");
    if (!whole)
        return "";
    return od_arena_printf(o->arena, ": the %s %s",
                           claim->limit.known                      ? "limit was"
                           : od_incident_kind_is_host(claim->kind) ? "machine has"
                                                                   : "device has",
                           whole);
}

/* "The text reports that GPU memory ran out in Blender, but shows no log line of it." */
static const char *say_reported(const struct od_outline *o)
{
    const struct od_failure *failure = o->diagnosis->failure;
    const struct od_evidence *told = od_remark_anywhere(o->c, "reported");
    const struct od_software *driver = failure->stack.driver;
    const struct od_incident *claim = failure->incident == o->c->claim ? o->c->claim : NULL;
    if (!told || failure->run.outcome != OD_OUTCOME_UNKNOWN)
        return failure->run.why;
    if (claim && claim->kind == OD_INC_UNEXPLAINED_KILL)
        return od_arena_printf(o->arena,
                               "The text reports that %s was killed, but shows no log line of it. "
                               "Lack of memory is the usual reason.",
                               driver ? driver->title : "the run");
    bool device = claim ? !od_incident_kind_is_host(claim->kind)
                        : od_means(told->means, OD_SAID_DEVICE_MEMORY);
    const char *memory = device ? "GPU memory"
                         : claim && claim->kind == OD_INC_CGROUP_OOM_KILL
                             ? "the memory of its container or group"
                         : claim && !claim->place_assumed ? "RAM"
                                                          : "memory";
    const char *amounts = claim ? claimed(o, claim) : "";
    return od_arena_printf(o->arena, "The text reports that %s ran out%s%s%s%s", memory,
                           driver ? " in " : "", driver ? driver->title : "", amounts,
                           *amounts ? ". It shows no log line of it."
                                    : ", but shows no log line of it.");
}

static const char *say_unknown(const struct od_outline *o)
{
    const struct od_incident *incident = o->incident;
    if (o->diagnosis->failure->run.reported)
        return say_reported(o);
    if (incident && incident->kind == OD_INC_UNEXPLAINED_KILL)
        return od_arena_printf(o->arena, "%s was killed%s. The log does not show by whom.",
                               victim_of(o, incident, "The run"), status_of(o, incident));
    if (lines_of(o->report) > 0 || o->c->allocators.n > 0)
        return "The log does not show how the run ended.";
    return "Nothing could be read.";
}

struct od_view od_headline_error(const struct od_diagnosis *diagnosis)
{
    const struct od_failure *failure = diagnosis->failure;
    if (failure->run.outcome != OD_OUTCOME_OTHER_FAILURE ||
        failure->run.asked_for_nothing) /* its words are of memory */
        return (struct od_view){0};
    OD_FOR_EACH (const struct od_finding, finding, diagnosis->findings) {
        struct od_view text = finding->evidence[0].text;
        bool cut = od_means(finding->evidence[0].means, OD_SAID_TRACEBACK);
        if (finding->cause == OD_CAUSE_NOT_MEMORY && finding->nevidence > 0 && !cut)
            return od_view_head(text, OD_HEADLINE_ERROR);
    }
    return (struct od_view){0};
}

/* "the program crashed with a bad memory access", as the advice says; NULL where it does not. */
static const char *happened(const struct od_outline *o)
{
    const struct od_remedies *remedies = o->report->remedies;
    for (size_t i = 0; remedies && i < remedies->n; i++)
        if (remedies->list[i].advice->happened)
            return remedies->list[i].advice->happened;
    return NULL;
}

/* " (18 MiB of 256 MiB were in use)": of a process whose limit is printed; "" = it is not, or most
 * of it was in use. */
static const char *used_of_limit(const struct od_outline *o)
{
    static const double little = 0.5; /* of the limit */
    OD_FOR_EACH (const struct od_series, s, o->c->series)
        if (s->metric == OD_SERIES_HOST_PEAK && s->limit_known && s->max > 0 &&
            s->max < little * s->limit)
            return od_arena_printf(o->arena, " (%s of %s were in use)",
                                   od_words_short(o->arena, (uint64_t)s->max),
                                   od_words_short(o->arena, (uint64_t)s->limit));
    return "";
}

static const char *say_other(const struct od_outline *o)
{
    struct od_view whole = od_headline_error(o->diagnosis), line = od_view_trim(whole);
    struct od_view error = od_log_message(line);
    error = error.n > 0 ? error : line;
    const char *cut = whole.n < OD_HEADLINE_ERROR ? "" : o->unicode ? "\xe2\x80\xa6" : "...";
    const char *what = happened(o), *line_of = what && error.n > 0 ? ". The line: " : "";
    const char *used = used_of_limit(o);
    if (error.n == 0 && !what)
        return od_arena_printf(o->arena, "The run failed, but not because of memory%s.", used);
    return od_arena_printf(o->arena, "The run failed, but not because of memory%s: %s%s%s%s", used,
                           what ? what : "", line_of, od_arena_str(o->arena, error),
                           error.n > 0 ? cut : ".");
}

static const char *headline(const struct od_outline *o)
{
    switch (o->diagnosis->failure->run.outcome) {
    case OD_OUTCOME_MEMORY_FAILURE:
        return o->diagnosis->failure->run.reported ? say_reported(o)
               : !o->incident                      ? "Out of memory."
               : od_incident_says(o->incident, OD_SAID_GUARDED)
                   ? say_refusal(o, o->incident)
                   : sayings[o->incident->kind](o, o->incident);
    case OD_OUTCOME_SURVIVED:
        return say_survived(o);
    case OD_OUTCOME_OTHER_FAILURE:
        return say_other(o);
    case OD_OUTCOME_NO_FAILURE:
        return say_nothing_found(o);
    case OD_OUTCOME_UNKNOWN:
        break;
    }
    return say_unknown(o);
}

const char *od_headline_event(const struct od_outline *outline)
{
    return headline(outline);
}

void od_headline_add(struct od_outline *outline, struct od_text *text)
{
    const char *cause = cause_of(outline);
    const struct od_diagnosis *diagnosis = outline->diagnosis;
    outline->cause_stated = outline->incident && od_diagnosis_names_cause(diagnosis) &&
                            (cause || is_in_event(outline, od_first_cause(diagnosis)));
    od_say_as(text, OD_STRONG, "%s", headline(outline));
    if (cause)
        od_say(text, " %s", cause);
}
