#include "report/outline_parts.h"

#include "advise/remedy.h"
#include "base/log_prefix.h"
#include "facts/claim.h"
#include "facts/segment.h"
#include "failure/remarks.h"
#include "report/words.h"
#include "rules/slots.h"

/* The sentences (rules/words/headlines.yaml). */
static const struct od_slot_word texts[] = {
#include "report/headlines.inc"
};

/* The values for the slots of a headline. */
struct said {
    const struct od_outline *o;
    const struct od_incident *i; /* NULL = none */
};

static const char *text_of(const struct said *said, const char *name);

/* --- parts of values --- */

static const struct od_account *account_of(const struct od_outline *o)
{
    return &o->diagnosis->failure->account;
}

/* "python (PID 2512, 14.2 GiB) of trainer.service", or `other` if the log names no process. */
static const char *victim_of(const struct od_outline *o, const struct od_incident *incident,
                             const char *other)
{
    struct od_arena *arena = o->arena;
    const struct od_account *account = account_of(o);
    struct od_bytes held =
        account->victim.bytes.known ? account->victim.bytes : incident->process.rss;
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
    const char *rss = held.known ? od_bytes_text(arena, held)
                      : incident->kills.known
                          ? od_words_counted(arena, incident->kills.n, "process", "processes")
                          : NULL;
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

/* The program whose memory it was; NULL = unknown. */
static const struct od_software *whose_memory(const struct od_outline *outline,
                                              const struct od_incident *incident)
{
    const struct od_software_used *stack = &outline->report->diagnosis->failure->stack;
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

/* Did the program print something near the failure? Its name alone, elsewhere in the log, may be
 * that of another tool. */
static bool is_near(const struct od_outline *o, const struct od_software *software)
{
    const struct od_software_used *stack = &o->diagnosis->failure->stack;
    for (size_t i = 0; i < stack->n; i++)
        if (stack->parts[i].software == software)
            return stack->parts[i].near > 0;
    return false;
}

/* "A process of MongoDB", "A worker process of Gunicorn": for a killed process without a name;
 * `other` if the log does not show its program. A script's library names workers that it started,
 * but not the run. */
static const char *process_of_program(const struct od_outline *o,
                                      const struct od_incident *incident, const char *other)
{
    static const unsigned places = 1u << OD_SORT_RUNTIME | 1u << OD_SORT_SCHEDULER |
                                   1u << OD_SORT_ORCHESTRATOR | 1u << OD_SORT_PLATFORM;
    static const unsigned called =
        1u << OD_SORT_LIBRARY | 1u << OD_SORT_ARRAY | 1u << OD_SORT_ENGINE;
    const struct od_software *whose = whose_memory(o, incident);
    bool worker = incident->kind == OD_INC_WORKER_KILLED;
    if ((!worker && incident->kind != OD_INC_UNEXPLAINED_KILL) || !whose || !is_near(o, whose) ||
        ((places | (worker ? 0 : called)) >> whose->sort & 1) != 0)
        return other;
    return od_arena_printf(o->arena, "A %sprocess of %s", worker ? "worker " : "", whose->title);
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

/* " in ComfyUI": the program that the user runs, where a library in it asked. */
static const char *program_around(const struct od_outline *o, const struct od_incident *incident)
{
    const struct od_software *whose = whose_memory(o, incident);
    static const unsigned programs = 1u << OD_SORT_TRAINER | 1u << OD_SORT_SERVER |
                                     1u << OD_SORT_GUI | 1u << OD_SORT_SIMULATOR |
                                     1u << OD_SORT_TOOL;
    struct od_view title = od_view_of(whose ? whose->title : "");
    struct od_view who = od_view_of(who_asked(o, incident));
    title = od_view_trim(od_view_head(title, od_view_find_char(title, '(', 0))); /* not its parts */
    bool program = whose && (programs >> whose->sort & 1) != 0;
    return program && !od_view_eq(od_view_head(who, title.n), title)
               ? od_arena_printf(o->arena, " in %.*s", (int)title.n, title.p)
               : "";
}

/* " (5 × 5.7 GiB)": the request as a tensor of several samples; "" = it is not one. */
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
                           od_bytes_text_u64(arena, tensor->bytes.n / samples));
}

/* Are the failure's numbers consistent with that relation? */
static bool asserts(const struct od_outline *o, enum od_relation relation)
{
    const struct od_diagnosis *diagnosis = o->diagnosis;
    enum od_cause first = od_first_cause(diagnosis);
    struct od_assertion assertion = {.relation = relation};
    assertion.cause = first < OD_CAUSE_END ? od_cause_name(first) : NULL;
    OD_FOR_EACH (const struct od_finding, finding, diagnosis->findings)
        assertion.suspects |= UINT64_C(1) << finding->cause;
    return od_assertion_holds(diagnosis->profile, &assertion);
}

/* "the program" as the first word of a sentence; names stay as they are written. */
static const char *capital(struct od_arena *arena, const char *name)
{
    return strncmp(name, "the ", 4) == 0 ? od_arena_printf(arena, "The%s", name + 3) : name;
}

/* What ended the run, as the first word of a sentence. */
static const char *producer_first(const struct od_outline *o, const struct od_incident *incident)
{
    const struct od_software *around = od_software_used_surroundings(&o->diagnosis->failure->stack);
    bool unknown = od_view_eq_str(incident->producer, "other");
    const struct od_enforcer *enforcer = account_of(o)->enforcer;
    if (enforcer && enforcer->who && !(unknown && around))
        return capital(o->arena, enforcer->who);
    const char *name =
        unknown && around ? around->title : od_words_producer(o->arena, incident->producer);
    return capital(o->arena, name);
}

static uint64_t lines_of(const struct od_report *report)
{
    uint64_t lines = 0;
    for (size_t i = 0; i < report->nsources; i++)
        lines += report->sources[i]->lines;
    return lines;
}

/* Did a person write one of the quoted lines? With `failed`: one that reports a failure, not just
 * supposes or denies it. */
static bool quotes_person(const struct od_key_lines *key_lines, bool failed)
{
    for (size_t i = 0; key_lines && i < key_lines->n; i++) {
        struct od_view text = key_lines->list[i].text;
        enum od_segment segment = od_segment_of(text);
        if ((segment == OD_SEGMENT_PERSON || (!failed && segment == OD_SEGMENT_TITLE)) &&
            (!failed || od_means(od_claim_read(text).means, OD_CLAIM_RAN_OUT)))
            return true;
    }
    return false;
}

bool od_headline_is_prose(const struct od_outline *outline)
{
    const struct od_case *c = outline->c;
    bool run = c->incidents.n > 0 || c->allocators.n > 0 || c->series.n > 0 || c->models.n > 0 ||
               c->devices.n > 0 || c->commands.n > 0 || c->states.n > 0;
    bool about = false;
    for (size_t i = 0; i < c->run_events.n; i++) {
        run = run || c->run_events.items[i].kind != OD_EV_REMARK;
        about = about || od_outline_topic(outline, &c->run_events.items[i]);
    }
    return !run && outline->diagnosis->failure->run.outcome == OD_OUTCOME_NO_FAILURE &&
           (about || c->stated.n > 0 || od_remark_anywhere(c, "growth") ||
            od_remark_anywhere(c, "asks") || quotes_person(outline->report->key_lines, false));
}

bool od_headline_is_snapshot(const struct od_outline *outline)
{
    return lines_of(outline->report) == 0 && outline->c->allocators.n > 0 &&
           outline->diagnosis->failure->run.outcome == OD_OUTCOME_NO_FAILURE;
}

/* Is every source empty? With `empty` false: is none of them text? */
static bool all_sources(const struct od_report *report, bool empty)
{
    bool all = true;
    for (size_t i = 0; i < report->nsources; i++)
        all = all && (empty ? report->sources[i]->bytes == 0 : report->sources[i]->binary);
    return all && (empty || report->nsources > 0);
}

bool od_headline_is_all(const struct od_outline *outline)
{
    return outline->diagnosis->failure->run.outcome == OD_OUTCOME_NO_FAILURE &&
           (all_sources(outline->report, true) || all_sources(outline->report, false) ||
            od_headline_is_prose(outline) || quotes_person(outline->report->key_lines, true));
}

struct od_view od_headline_error(const struct od_diagnosis *diagnosis)
{
    const struct od_failure *failure = diagnosis->failure;
    if (failure->run.outcome != OD_OUTCOME_OTHER_FAILURE ||
        failure->run.asked_for_nothing) /* still an error about memory */
        return (struct od_view){0};
    OD_FOR_EACH (const struct od_finding, finding, diagnosis->findings) {
        struct od_view text = finding->evidence[0].text;
        bool cut = od_means(finding->evidence[0].means, OD_SAID_TRACEBACK);
        if (finding->cause == OD_CAUSE_NOT_MEMORY && finding->nevidence > 0 && !cut)
            return od_view_head(text, OD_HEADLINE_ERROR);
    }
    return (struct od_view){0};
}

/* The advice of the cause with "the program crashed with a bad memory access", a clause for
 * headlines. */
static const struct od_advice_remedy *happening(const struct od_outline *o)
{
    static const struct od_advice_remedy none;
    const struct od_remedies *remedies = o->report->remedies;
    for (size_t i = 0; remedies && i < remedies->n; i++)
        if (remedies->list[i].advice->happened)
            return remedies->list[i].advice;
    return &none;
}

/* The largest machines have tens of tebibytes. */
#define LARGEST_MACHINE (UINT64_C(1) << 46)

/* --- the numbers of a failure --- */

/* The allocator's dump if all of its chunks are known; NULL = none. */
static const struct od_allocator *whole_dump(const struct said *said)
{
    const struct od_allocator *a = said->o->allocator;
    return a && a->has_chunks && a->chunks_complete ? a : NULL;
}

/* Free memory and the largest free block, from the complete dump, otherwise from the message. */
static struct od_bytes free_of(const struct said *said)
{
    const struct od_allocator *a = whole_dump(said);
    return !a ? said->i->free
              : od_bytes_exact(a->dump.family == OD_FAMILY_BFC ? a->free_bytes : a->usable.bytes);
}

static struct od_bytes largest_of(const struct said *said)
{
    const struct od_allocator *a = whole_dump(said);
    return !a ? said->i->largest
              : od_bytes_exact(a->dump.family == OD_FAMILY_BFC ? a->largest_free_bytes
                                                               : a->usable.largest);
}

/* Memory in use by the program and by libraries, if a line gives the device's or the pool's
 * limit. */
static struct od_bytes used_of(const struct od_account *a)
{
    bool known =
        a->scope == OD_SCOPE_DEVICE && !a->conflict && a->limit.bytes.known && a->own.known;
    return !known ? (struct od_bytes){0}
           : a->outside_framework.known && a->own.n > 0
               ? od_bytes_exact(a->own.n + a->outside_framework.n)
               : od_bytes_exact(a->own.n);
}

/* Do the program's memory and its request together exceed the program's own limit? */
static bool is_limit_near(const struct said *said, uint64_t request)
{
    const struct od_failure *failure = said->o->diagnosis->failure;
    uint64_t segment = od_account_segment(said->i, request), wanted;
    uint64_t held = said->i->reserved.known ? said->i->reserved.n : failure->in_use.n;
    return failure->limit.known && said->i->capacity.known && failure->in_use.known &&
           failure->limit.n < said->i->capacity.lo &&
           !ckd_add(&wanted, held, segment > request ? segment : request) &&
           wanted > failure->limit.n;
}

/* The claim of a person that decides the outcome; NULL = none. */
static const struct od_incident *claim_of(const struct od_outline *o)
{
    return o->diagnosis->failure->incident == o->c->claim ? o->c->claim : NULL;
}

/* The value of a condition. */
static const char *when(bool holds)
{
    return holds ? "" : NULL;
}

static const char *size(const struct said *said, struct od_bytes bytes)
{
    return bytes.known ? od_bytes_text(said->o->arena, bytes) : NULL;
}

/* Do the sentences about the first cause, or about the limit, have the amount? */
static bool is_told(const struct said *said, struct od_bytes amount)
{
    const char *words = size(said, amount);
    const struct od_finding *first = said->o->diagnosis->findings.items;
    const struct od_enforcer *by = account_of(said->o)->enforcer;
    const char *const sentences[] = {
        said->o->diagnosis->findings.n > 0 ? first->summary : NULL,
        said->o->diagnosis->findings.n > 0 ? first->clause : NULL,
        by ? by->reached : NULL,
    };
    for (size_t i = 0; words && i < OD_COUNT_OF(sentences); i++)
        if (sentences[i] && od_outline_names(sentences[i], words))
            return true;
    return false;
}

/* Do the lines around the failure count memory of the machine? */
static bool counts_ram(const struct od_account *account)
{
    return account->limit.bytes.known || account->used.known || account->free.known ||
           od_held_bytes(&account->victim) > 0 || account->killed_by_kernel;
}

/* Does the log name a device, or a program that uses one print the failure? */
static bool prints_of_device(const struct said *said)
{
    const struct od_software *printer = od_software_find(said->i->producer);
    return said->o->c->devices.n > 0 || (printer && printer->sort <= OD_SORT_GUI);
}

/* " (18 MiB of 256 MiB were in use)" for a process whose limit is printed; "" = no limit, or most
 * of it was in use. */
static const char *used_of_limit(const struct said *said)
{
    static const double little = 0.5; /* share of the limit; more use needs no explanation */
    struct od_arena *arena = said->o->arena;
    OD_FOR_EACH (const struct od_series, s, said->o->c->series)
        if (s->metric == OD_SERIES_HOST_PEAK && s->limit_known && s->max > 0 &&
            s->max < little * s->limit)
            return od_arena_printf(arena, " (%s of %s were in use)",
                                   od_bytes_text_u64(arena, (uint64_t)s->max),
                                   od_bytes_text_u64(arena, (uint64_t)s->limit));
    return "";
}

/* How often warnings reported a lack of memory, or an allocation failed; NULL = never. */
static const char *times_of(const struct said *said, bool warnings)
{
    uint64_t n = 0;
    OD_FOR_EACH (const struct od_incident, i, said->o->c->incidents)
        if ((i->kind == OD_INC_SOFT_WARNING) == warnings && ckd_add(&n, n, i->count))
            n = UINT64_MAX;
    if (warnings)
        return od_words_counted(said->o->arena, n, "warning", "warnings");
    return n > 0 ? od_words_times(said->o->arena, n) : NULL;
}

static const char *claimed_memory(const struct said *said)
{
    const struct od_incident *claim = claim_of(said->o);
    const struct od_evidence *told = od_remark_anywhere(said->o->c, "reported");
    bool device = claim ? claim->kind == OD_INC_DEVICE_ALLOC_FAILED
                        : told && od_means(told->means, OD_SAID_DEVICE_MEMORY);
    const struct od_account *account = account_of(said->o);
    bool own = claim && account->scope == OD_SCOPE_RUNTIME && account->enforcer->limited;
    return device                                           ? "GPU memory"
           : own                                            ? account->enforcer->limited
           : claim && claim->kind == OD_INC_CGROUP_OOM_KILL ? "the memory of its container or group"
           : claim && od_incident_kind_is_host(claim->kind) ? "RAM"
                                                            : "memory";
}

/* The words of an error that is not about memory; NULL = none. */
static const char *error_of(const struct said *said)
{
    struct od_view whole = od_headline_error(said->o->diagnosis), line = od_view_trim(whole);
    struct od_view error = od_log_message(line);
    error = error.n > 0 ? error : line;
    const char *cut = whole.n < OD_HEADLINE_ERROR ? "" : said->o->unicode ? "\xe2\x80\xa6" : "...";
    return error.n > 0 ? od_arena_printf(said->o->arena, "%.*s%s", (int)error.n, error.p, cut)
                       : NULL;
}

/* "The tensor arena is too small", if a line names the limit that was reached. */
static const char *reached_by(const struct said *said)
{
    const struct od_enforcer *row = account_of(said->o)->enforcer;
    return row && row->reached && row->certain
               ? od_arena_printf(said->o->arena, "%c%s", od_upper(row->reached[0]),
                                 row->reached + 1)
               : NULL;
}

/* "In Gradle, the Java heap reached its limit (-Xmx2g)", if the lines of the failure themselves
 * state it; NULL otherwise. */
static const char *stated_limit(const struct od_outline *o)
{
    static const double sure = 0.75; /* with a lower probability the headline says "probably" */
    const struct od_enforcer *by = account_of(o)->enforcer;
    const struct od_finding *first = o->diagnosis->findings.items;
    if (!od_diagnosis_names_cause(o->diagnosis) || first->cause != OD_CAUSE_RUNTIME_LIMIT ||
        !first->clause || o->incident->kind != OD_INC_HOST_ALLOC_FAILED ||
        (first->certainty != OD_CERTAIN &&
         !(by && by->words && by->limited && first->probability >= sure &&
           od_outline_names(first->clause, by->limited))))
        return NULL;
    const struct od_software *whose = whose_memory(o, o->incident);
    return whose && !od_outline_names(first->clause, whose->title)
               ? od_arena_printf(o->arena, "In %s, %s", whose->title, first->clause)
               : od_arena_printf(o->arena, "%c%s", od_upper(first->clause[0]), first->clause + 1);
}

/* A row of headline.def that every run has; other: the default text, or NULL. */
static bool of_run(const struct said *said, struct od_view name, const char *other,
                   const char **ret_value)
{
    const struct od_outline *o = said->o;
    struct od_arena *arena = o->arena;
    const struct od_verdict_of_run *run = &o->diagnosis->failure->run;
    const struct od_software *driver = o->diagnosis->failure->stack.driver;
    const char *growth = od_outline_growth(o), *told = od_outline_growth_told(o);
    const struct od_incident *claim = claim_of(o);
    const struct od_count unread = o->report->unknown_lines;
    const struct od_bytes none = {0};
    const struct od_slot_word words[] = {
#define RUN_IF(name, condition) {"?" #name, when(condition)},
#define RUN(name, value) {#name, value},
#include "report/headline.def"
    };
    return od_slots_find(words, OD_COUNT_OF(words), name, ret_value);
}

/* A row of headline.def that needs the incident. */
static bool of_incident(const struct said *said, struct od_view name, const char *other,
                        const char **ret_value)
{
    enum {
        MUCH = 1 << 30
    }; /* bytes; this much free memory does not explain the failure of an unknown request */
    static const double little = 0.01; /* share of the device */
    const struct od_outline *o = said->o;
    struct od_arena *arena = o->arena;
    const struct od_incident *i = said->i;
    const struct od_failure *failure = o->diagnosis->failure;
    const struct od_allocator *dump = whole_dump(said);
    const struct od_account *account = account_of(o);
    const struct od_enforcer *by = account->enforcer;
    const struct od_software *whose = whose_memory(o, i);
    struct od_bytes request = od_headline_request(i), left = free_of(said);
    struct od_bytes limit = i->limit.known ? i->limit : account->limit.bytes;
    bool group = i == failure->incident && od_account_is_of_group(account);
    struct od_bytes use = i->in_use.known ? i->in_use : i->peak;
    struct od_bytes most = i->limit.known || !i->capacity.known ? i->limit : i->capacity;
    most = most.known || !group ? most : account->limit.bytes;
    bool told = !use.known || use.n == 0 || is_told(said, use) ||
                (most.known && strcmp(size(said, use), size(said, most)) == 0);
    bool beyond = od_beyond_machines(i->requested);
    bool enough = !dump && !account->conflict && left.known && request.known && left.n >= request.n;
    uint64_t segment = request.known ? od_account_segment(i, request.n) : 0;
    const struct od_slot_word words[] = {
#define INCIDENT_IF(name, condition) {"?" #name, when(condition)},
#define INCIDENT(name, value) {#name, value},
#define SIZE(name, known, bytes) {#name, (known) ? size(said, bytes) : NULL},
#include "report/headline.def"
    };
    return od_slots_find(words, OD_COUNT_OF(words), name, ret_value);
}

/* Prints the value of a slot; a condition prints nothing. A slot that has no row and no text is a
 * fact. */
static bool print_slot(const void *with, struct od_view slot, struct od_buf *to)
{
    const struct said *said = with;
    const struct od_diagnosis *diagnosis = said->o->diagnosis;
    struct od_view words = slot, name;
    (void)od_view_cut(&words, ' ', &name);
    const char *other = words.n > 0 ? od_arena_str(said->o->arena, words) : NULL, *value = NULL;
    bool own = said->i && of_incident(said, name, other, &value);
    if (!value)
        own |= of_run(said, name, other, &value);
    const char *text;
    own |= od_slots_find(texts, OD_COUNT_OF(texts), name, &text);
    if (!value)
        value = text_of(said, od_arena_str(said->o->arena, name));
    if (value)
        od_buf_add_str(to, value);
    return value || (!own && said->i && said->i == diagnosis->failure->incident &&
                     od_profile_print(diagnosis->profile, name, to));
}

/* The text of that name; NULL = none, or a slot of each line is unknown. */
static const char *text_of(const struct said *said, const char *name)
{
    if (strcmp(name, "incident") == 0)
        return said->i ? text_of(said, od_incident_kind_name(said->i->kind)) : NULL;
    if (strcmp(name, "room_first") == 0) { /* "room" without its leading comma */
        const char *room = text_of(said, "room");
        return room && *room ? room + 1 : NULL;
    }
    const char *text;
    return od_slots_find(texts, OD_COUNT_OF(texts), od_view_of(name), &text)
               ? od_slots_print(text, print_slot, said, said->o->arena, NULL)
               : NULL;
}

const char *od_headline_event(const struct od_outline *outline)
{
    const struct said said = {.o = outline, .i = outline->incident};
    const char *event = text_of(&said, od_outcome_name(outline->diagnosis->failure->run.outcome));
    return event ? event : "The log does not show how the run ended.";
}

/* Does the sentence about the incident state the cause already? */
static bool is_in_event(const struct od_outline *o, enum od_cause cause)
{
    const struct od_incident *i = o->incident;
    return stated_limit(o) ||
           ((cause == OD_CAUSE_OTHER_LIMIT || cause == OD_CAUSE_CAPPED) &&
            text_of(&(struct said){o, i}, "beyond_limit")) ||
           (cause == OD_CAUSE_KV_CACHE && i->kind == OD_INC_KV_CACHE_TOO_SMALL) ||
           (cause == OD_CAUSE_COMPILE_PLAN && i->kind == OD_INC_DEVICE_COMPILE_OOM) ||
           (cause == OD_CAUSE_DRIVER_REFUSED && i->requested.known && i->free.known &&
            i->free.n >= i->requested.n);
}

/* "Most likely the batch is too large for the device."; NULL if no cause is probable enough, or
 * nothing failed. */
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

void od_headline_add(struct od_outline *outline, struct od_text *text)
{
    const char *cause = cause_of(outline);
    const struct od_diagnosis *diagnosis = outline->diagnosis;
    outline->cause_stated = outline->incident && od_diagnosis_names_cause(diagnosis) &&
                            (cause || is_in_event(outline, od_first_cause(diagnosis)));
    od_say_as(text, OD_STRONG, "%s", od_headline_event(outline));
    if (cause)
        od_say(text, " %s", cause);
}
