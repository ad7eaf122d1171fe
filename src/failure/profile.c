#include "failure/profile.h"

#include "failure/bound.h"
#include "failure/failure.h"
#include "failure/level.h"
#include "failure/remarks.h"

#include <strings.h>

struct od_fact_value od_fact_truth(bool yes)
{
    return (struct od_fact_value){.known = true, .bits = yes};
}

struct od_fact_value od_fact_word(enum od_fact fact, const char *word)
{
    uint64_t bit = od_fact_bit(fact, word);
    return (struct od_fact_value){.known = bit != 0, .bits = bit};
}

struct od_fact_value od_fact_count(struct od_count count)
{
    struct od_bytes number = {.n = count.n, .lo = count.n, .hi = count.n, .known = count.known};
    return (struct od_fact_value){.known = count.known, .number = number};
}

struct od_fact_value od_fact_bytes(struct od_bytes number, enum od_scope scope)
{
    return (struct od_fact_value){.known = number.known, .number = number, .scope = scope};
}

/* --- the failure --- */

bool od_incident_is_of_machine(const struct od_incident *incident)
{
    bool warned = incident->kind == OD_INC_SOFT_WARNING && od_view_eq_str(incident->device, "CPU");
    return od_incident_kind_is_host(incident->kind) || warned;
}

/* Is the request a corrupted number: more than any machine can hold in one piece, or many times the
 * limit that the program prints? */
static bool is_garbage(const struct od_failure *failure)
{
    static const uint64_t most = UINT64_C(1) << 44; /* 16 TiB */
    /* factor over the limit; requests for whole data sets are smaller */
    static const double times = 64;
    struct od_bytes limit = failure->incident->limit;
    return failure->need.known &&
           (failure->need.lo >= most ||
            (limit.known && limit.hi > 0 && (double)failure->need.lo > times * (double)limit.hi));
}

static const char *outcome_of(enum od_outcome outcome)
{
    return outcome == OD_OUTCOME_UNKNOWN ? "killed" : od_outcome_name(outcome);
}

/* A loader of single samples has a word of its own; a file may contain all samples. */
static const char *moment_of(const struct od_failure *failure)
{
    const struct od_incident *incident = failure->incident;
    bool one = od_incident_calls(incident, OD_FRAME_ONE_SAMPLE) &&
               !od_incident_calls(incident, OD_FRAME_COLLATING) &&
               !od_incident_calls(incident, OD_FRAME_WHOLE_FILE);
    return one ? "one_sample" : od_phase_kinds[failure->phase].word;
}

/* A request so small that every machine has room for it: earlier allocations filled the memory, or
 * the limit is not RAM. */
static bool is_small_request(const struct od_failure *failure)
{
    enum { LITTLE = 1 << 20 };
    const struct od_incident *incident = failure->incident;
    return incident->kind == OD_INC_HOST_ALLOC_FAILED && incident->requested.known &&
           incident->requested.hi <= LITTLE && !incident->process.rss.known &&
           !incident->capacity.known;
}

/* Does any number show how much memory the failure was about, or how much there was? */
static bool prints_numbers(const struct od_case *c, const struct od_failure *failure)
{
    const struct od_incident *i = failure->incident;
    const struct od_bytes amounts[] = {i->requested, i->tensor.bytes, i->free,     i->in_use,
                                       i->limit,     i->reserved,     i->capacity, i->process.rss};
    bool shown = failure->dump || i->group.n > 0 || c->series.n > 0 || c->stated.n > 0;
    for (size_t k = 0; k < OD_COUNT_OF(amounts); k++)
        shown = shown || amounts[k].known;
    return shown;
}

/* Is the machine at least twice as large as what was used and requested? Then another limit refused
 * the request, unless others filled the machine. */
static bool is_machine_ample(const struct od_case *c, const struct od_failure *failure)
{
    const struct od_incident *incident = failure->incident;
    struct od_host_level level = od_host_level_near(c, &incident->at);
    struct od_bytes size = level.capacity, request = incident->requested,
                    used = incident->in_use.known ? incident->in_use : incident->process.rss;
    const struct od_setting *said =
        od_case_find_setting_at(c, OD_SETTING_MACHINE_MEMORY, &incident->at);
    if (!size.known && said)
        (void)od_setting_size(said, &size);
    struct od_bytes need = !used.known     ? request
                           : request.known ? od_bytes_add(used, request)
                                           : used;
    return incident->kind == OD_INC_HOST_ALLOC_FAILED && level.share < OD_HOST_NEARLY_FULL &&
           size.known && need.known && need.hi <= size.lo / 2;
}

static void take_failure(struct od_profile *p, const struct od_failure *failure)
{
    struct od_fact_value *v = p->values;
    const struct od_incident *incident = failure->incident;
    v[OD_FACT_MEMORY] =
        od_fact_word(OD_FACT_MEMORY, incident->kind == OD_INC_UNNAMED_MEMORY ? NULL
                                     : od_incident_is_of_machine(incident)   ? "host"
                                                                             : "device");
    v[OD_FACT_INCIDENT] = od_fact_word(OD_FACT_INCIDENT, od_incident_kind_name(incident->kind));
    v[OD_FACT_MOMENT] = od_fact_word(OD_FACT_MOMENT, moment_of(failure));
    v[OD_FACT_EVALUATES] = od_fact_truth(failure->evaluates);
    v[OD_FACT_ASKED] = od_fact_bytes(failure->asked, failure->account.scope);
    v[OD_FACT_LIMIT] = od_fact_count(failure->limit);
    v[OD_FACT_LIMIT].scope = failure->account.limit.scope;
    v[OD_FACT_IN_USE] = od_fact_count(failure->in_use);
    v[OD_FACT_IN_USE].scope = failure->account.scope;
    v[OD_FACT_CAPACITY] = od_fact_bytes(failure->capacity, OD_SCOPE_DEVICE);
    v[OD_FACT_GARBAGE] = od_fact_truth(is_garbage(failure));
    v[OD_FACT_MACHINE_AMPLE] = od_fact_truth(is_machine_ample(p->c, failure));
    v[OD_FACT_HAD_ROOM] = od_fact_truth(failure->account.had_room);
    v[OD_FACT_DUMP] = od_fact_truth(failure->dump != NULL);
    v[OD_FACT_PLACE_ASSUMED] = od_fact_truth(incident->place_assumed);
    v[OD_FACT_NUMBERS_PRINTED] = od_fact_truth(prints_numbers(p->c, failure));
    v[OD_FACT_BOUND] = od_fact_word(OD_FACT_BOUND, od_scope_name(failure->account.scope));
    v[OD_FACT_STRAW] = od_fact_truth(is_small_request(failure));
    const struct od_enforcer *enforcer = failure->account.enforcer;
    v[OD_FACT_ENFORCER] = od_fact_word(OD_FACT_ENFORCER, !enforcer      ? NULL
                                                         : enforcer->by ? enforcer->by
                                                                        : "other");
    v[OD_FACT_SHARED_LIMIT] = od_fact_truth(enforcer && enforcer->shared);
    v[OD_FACT_ALONE] = od_fact_truth(od_account_is_one_process(&failure->account));
    v[OD_FACT_PROGRESS] = od_fact_count(od_count_of(failure->progress));
    bool computed = incident->kind == OD_INC_HOST_ALLOC_FAILED && failure->op.n > 0 &&
                    failure->hint.role == OD_TENSOR_ACTIVATION;
    v[OD_FACT_BATCH] =
        od_fact_count(!failure->batch.known && computed ? failure->hint.batch : failure->batch);
    if (incident->tensor.dtype != OD_DTYPE_UNKNOWN)
        v[OD_FACT_ELEMENT_BITS] = od_fact_count(od_count_of(od_dtype_bits(incident->tensor.dtype)));
}

/* --- the software --- */

static bool sets_something(const struct od_case *c)
{
    OD_FOR_EACH (const struct od_setting, setting, c->settings)
        if ((setting->id < OD_SETTING_FOUND_FAILED || setting->id > OD_SETTING_FOUND_WORKED) &&
            !od_view_eq_str(setting->name, "made_tensor"))
            return true;
    return false;
}

/* Does a person report the failure, and name a library that scripts use? */
static bool is_reported_of_library(const struct od_case *c, const struct od_failure *failure)
{
    for (size_t i = 0; c->claim && failure->incident == c->claim && i < failure->stack.n; i++)
        if (failure->stack.parts[i].software->sort == OD_SORT_LIBRARY)
            return true;
    return false;
}

/* Is it the user's own script, or a program that has a batch? */
static bool is_script(const struct od_case *c, const struct od_failure *failure)
{
    const struct od_incident *incident = failure->run.ended;
    bool host = incident && od_incident_kind_is_host(incident->kind);
    bool ran = !host && (c->allocators.n > 0 || sets_something(c) || c->models.n > 0 ||
                         (incident && incident->nframes > 0));
    return failure->stack.own || (ran && !failure->stack.nothing) ||
           is_reported_of_library(c, failure);
}

/* The kind of a library that a script uses and whose error or computation failed. */
static const char *sort_of_part(const struct od_software_part *part, bool memory)
{
    enum od_sort sort = part->software->sort;
    bool own = sort == OD_SORT_LIBRARY && memory && od_software_used_is_its_error(part);
    return sort == OD_SORT_SIMULATOR || own ? od_sort_words[sort] : NULL;
}

static struct od_fact_value sorts_of(const struct od_case *c, const struct od_failure *failure)
{
    const struct od_software_used *stack = &failure->stack;
    struct od_fact_value sorts = {.known = true};
    if (od_software_used_arrays(stack))
        sorts.bits = od_fact_bit(OD_FACT_SORT, "array");
    if (!failure->batch.known && od_software_used_arrays_alone(stack))
        return sorts; /* no network, so no step of one */
    if (stack->driver) {
        sorts.bits |= od_fact_bit(OD_FACT_SORT, od_sort_words[stack->driver->sort]);
        return sorts;
    }
    bool memory = failure->run.outcome == OD_OUTCOME_MEMORY_FAILURE;
    for (size_t i = 0; i < stack->n; i++)
        sorts.bits |= od_fact_bit(OD_FACT_SORT, sort_of_part(&stack->parts[i], memory));
    if (is_script(c, failure))
        sorts.bits |= od_fact_bit(OD_FACT_SORT, "own");
    sorts.bits |= OD_FACT_UNKNOWN; /* other phases may exist that the log does not show */
    return sorts;
}

/* Does the trainer run a server of its own? The server holds the memory, and the trainer sets its
 * options. */
static bool serves_itself(const struct od_software *driver)
{
    for (size_t i = 0; driver && driver->sort == OD_SORT_TRAINER && od_shipped_software[i]; i++)
        if (od_shipped_software[i]->sort == OD_SORT_SERVER &&
            od_software_stands_on(driver, od_shipped_software[i]))
            return true;
    return false;
}

const struct od_profile *od_profile_of(const struct od_case *c, const struct od_failure *failure,
                                       struct od_arena *arena)
{
    struct od_profile *p = OD_NEW(arena, struct od_profile);
    struct od_fact_value *v = p->values;
    const struct od_use *use = &failure->use;
    p->c = c;
    p->failure = failure;
    v[OD_FACT_OUTCOME] = od_fact_word(OD_FACT_OUTCOME, outcome_of(failure->run.outcome));
    static const enum od_fact shown[] = {OD_FACT_EVALUATES, OD_FACT_GARBAGE, OD_FACT_HAD_ROOM,
                                         OD_FACT_ALONE, OD_FACT_STRAW};
    for (size_t i = 0; i < OD_COUNT_OF(shown); i++) /* these facts are known to be absent without
                                                       a failure */
        v[shown[i]] = od_fact_truth(false);
    if (failure->incident)
        take_failure(p, failure);
    v[OD_FACT_WORK] = od_fact_word(OD_FACT_WORK, use->infers   ? "inference"
                                                 : use->trains ? "training"
                                                               : NULL);
    v[OD_FACT_GUARDED] = od_fact_truth(use->guarded);
    v[OD_FACT_DEVICES] = od_fact_count(failure->devices);
    v[OD_FACT_BATCHLESS] = od_fact_truth(use->batchless);
    v[OD_FACT_NETWORK] = od_fact_truth(failure->of_network);
    v[OD_FACT_ARRAYS] = od_fact_truth(failure->of_arrays);
    v[OD_FACT_SAMPLES] = od_fact_word(OD_FACT_SAMPLES, failure->works_on);
    v[OD_FACT_SORT] = sorts_of(c, failure);
    v[OD_FACT_KNOWN_PROGRAM] = od_fact_truth(failure->stack.driver);
    v[OD_FACT_KILLED_TOGETHER] = od_fact_count(od_count_of(od_alike_killed(c, failure->run.ended)));
    v[OD_FACT_PROCESS_NAMED] =
        od_fact_truth(failure->run.ended && failure->run.ended->process.name.n > 0);
    v[OD_FACT_NOTHING] = od_fact_truth(failure->stack.nothing);
    const struct od_software_part *place = od_software_used_place(&failure->stack);
    v[OD_FACT_RUNS_IN] = od_fact_word(OD_FACT_RUNS_IN, place ? place->software->place : NULL);
    v[OD_FACT_ENGINE] =
        od_fact_truth(failure->stack.driver && failure->stack.driver->sort == OD_SORT_ENGINE);
    v[OD_FACT_SERVES_ITSELF] = od_fact_truth(serves_itself(failure->stack.driver));
    return p;
}

/* --- tests --- */

static bool is_called(struct od_view name, const char *wanted)
{
    bool called = od_view_eq_str(name, wanted);
#define OD_ALIAS(of, alias) \
    called = called || (strcmp(#of, wanted) == 0 && od_view_eq_str(name, #alias));
#include "failure/aliases.def"
    return called;
}

static bool has_folded(struct od_view text, const char *part)
{
    size_t n = strlen(part);
    for (size_t i = 0; n > 0 && i + n <= text.n; i++)
        if (strncasecmp(text.p + i, part, n) == 0)
            return true;
    return false;
}

static bool is_truth(struct od_view value)
{
    static const char *const words[] = {"true", "1", "on", "yes"};
    for (size_t i = 0; i < OD_COUNT_OF(words); i++)
        if (value.n == strlen(words[i]) && strncasecmp(value.p, words[i], value.n) == 0)
            return true;
    return false;
}

static bool contains(const struct od_setting *setting, const char *text)
{
    if (text[0] == '=')
        return od_view_eq_str(setting->value, text + 1);
    return has_folded(setting->value, text) ||
           (is_truth(setting->value) && has_folded(setting->name, text));
}

/* Is it the last value of a setting of that name? Earlier values were replaced. */
static bool is_last(const struct od_case *c, size_t at)
{
    for (size_t i = at + 1; i < c->settings.n; i++)
        if (od_view_eq(c->settings.items[i].name, c->settings.items[at].name))
            return false;
    return true;
}

/* Does the last value of a setting of that name (or of a synonym) contain one of the texts? A text
 * "=1" has to match the whole value; NULL or an empty list matches any value. A switch that is on
 * also matches by its name: "fp16: true" contains "16". Unknown where none of that name is shown.
 */
static enum od_tri is_set(const struct od_case *c, const char *name, const char *const *texts)
{
    enum od_tri set = OD_CANNOT_TELL;
    for (size_t i = 0; i < c->settings.n && set != OD_YES; i++) {
        const struct od_setting *setting = &c->settings.items[i];
        if (!is_called(setting->name, name))
            continue;
        bool shown = !texts;
        for (size_t k = 0; texts && texts[k]; k++)
            shown = shown || contains(setting, texts[k]);
        set = shown && is_last(c, i) ? OD_YES : OD_NO;
    }
    return set;
}

/* Calls about the lines, the traceback and the remarks of the failure. */
static enum od_tri ask_incident(const struct od_profile *p, const struct od_when_step *test)
{
    const struct od_incident *incident = p->failure->incident;
    bool holds = false;
    if (incident && test->fact == OD_FACT_PRINTS)
        holds = od_incident_says(incident, (enum od_said_meaning)test->bits);
    else if (incident && test->fact == OD_FACT_CALLS)
        holds = od_incident_calls(incident, (enum od_frame_meaning)test->bits);
    else if (incident && test->fact == OD_FACT_PRODUCER)
        holds = od_view_eq_str(incident->producer, test->text);
    else if (incident)
        holds = od_remark_find(p->c, incident, test->text) != NULL;
    return holds ? OD_YES : OD_NO;
}

enum od_tri od_profile_ask(const void *profile, const struct od_when_step *test)
{
    const struct od_profile *p = profile;
    if (test->fact == OD_FACT_USES)
        return od_software_used_has_named(&p->failure->stack, test->text) ? OD_YES : OD_NO;
    if (test->fact == OD_FACT_SET)
        return is_set(p->c, test->text, test->options);
    if (test->fact == OD_FACT_SAID)
        return od_bound_is_printed(p->c, &p->failure->run.at, test->text) ? OD_YES : OD_NO;
    if (test->fact == OD_FACT_NAMES)
        return !p->c->assigned                                                ? OD_CANNOT_TELL
               : od_assigned_has_object(p->c->assigned, (unsigned)test->bits) ? OD_YES
                                                                              : OD_NO;
    if (test->fact == OD_FACT_PRINTS || test->fact == OD_FACT_CALLS || test->fact == OD_FACT_TOLD ||
        test->fact == OD_FACT_PRODUCER)
        return ask_incident(p, test);
    if (test->op == OD_WHEN_BELOW)
        return od_fact_below(p->values, test);
    return od_fact_test(&p->values[test->fact], test);
}

bool od_profile_print(const void *with, struct od_view name, struct od_buf *to)
{
    const struct od_profile *profile = with;
    bool condition = od_view_take(&name, OD_VIEW("?"));
    bool optional = name.n > 0 && name.p[name.n - 1] == '?';
    name.n -= optional;
    enum od_fact fact = od_fact_named(name);
    if (fact == OD_FACT_END)
        return optional;
    const struct od_fact_value *value = &profile->values[fact];
    enum od_fact_type type = od_facts[fact].type;
    char text[OD_BYTES_TEXT];
    if (condition)
        return value->known && value->bits;
    if (!value->known || (type == OD_FACT_IS_SERIES && !value->text))
        return optional;
    if (type == OD_FACT_IS_BYTES)
        od_buf_add_str(to, od_bytes_print(value->number, text));
    else if (type == OD_FACT_IS_COUNT)
        od_buf_printf(to, "%" PRIu64, value->number.n);
    else
        od_buf_add_str(to, value->text);
    return true;
}
