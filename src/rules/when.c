#include "rules/when.h"

#include "facts/amount.h"
#include "facts/cause.h"
#include "rules/software.h"

/* --- words of facts --- */

static const char *const memory_words[] = {"device", "host", NULL};
static const char *const enforcer_words[] = {"docker",  "kubernetes", "slurm", "systemd",
                                             "another", "other",      NULL};
static const char *const outcome_words[] = {"memory_failure", "survived", "other_failure",
                                            "no_failure",     "killed",   NULL};
static const char *const incident_words[] = {
    "device_alloc_failed", "device_compile_oom", "device_context_failed",
    "kv_cache_too_small",  "host_alloc_failed",  "host_oom_kill",
    "cgroup_oom_kill",     "job_limit_kill",     "pressure_kill",
    "shm_exhausted",       "worker_killed",      "unexplained_kill",
    "unnamed_memory",      "soft_warning",       NULL};
static const char *const moment_words[] = {"one_sample",
#define OD_PHASE(constant, word, frame, said, remark) #word,
#include "facts/phases.def"
#undef OD_PHASE
                                           NULL};
static const char *const doing_words[] = {"training", "validation", "load",
                                          "restore",  "data",       NULL};
static const char *const work_words[] = {"training", "inference", NULL};
static const char *const growth_words[] = {"training", "validation", "load", "checkpoint", NULL};
static const char *const numbered_words[] = {"training", "many_models", "some_models", "layers",
                                             NULL};
static const char *const sort_words[] = {
    "own",     "trainer",   "library",      "engine",   "server",   "gui",  "array",    "simulator",
    "runtime", "scheduler", "orchestrator", "compiler", "database", "tool", "platform", NULL};
/* Knowledge about the effect of a remedy, and sources of its step. */
static const char *const cure_words[] = {"fits", "computed", "together", "short", "delays", NULL};
static const char *const from_words[] = {
    "worked", "told",   "released", "advised", "heard",  "elsewhere",   "message", "runtime",
    "error",  "answer", "cause",    "setting", "number", "some_number", NULL};
static const char *const way_words[] = {"shown", "setting", "code", "worked", NULL};
static const char *const certainty_words[] = {"possible", "likely", "certain", NULL};
static const char *const product_words[] = {
#define OD_PRODUCT(kind, word, what) #word,
#include "facts/products.def"
#undef OD_PRODUCT
    NULL};
static const char *const cause_words[] = {
#define OD_CAUSE(name, ...) #name,
#include "facts/causes.def"
#undef OD_CAUSE
    NULL};

const char *const od_subject_words[] = {
    "answer",  "attention", "batch",  "data",    "devices", "evaluation", "gradients", "half",
    "heap",    "jobs",      "length", "named",   "network", "place",      "purchase",  "quoted",
    "several", "disk",      "stack",  "threads", "values",  "workers",    NULL};

const struct od_fact_row od_facts[OD_FACT_END] = {
#define OD_FACT(fact, constant, kind, list, about) \
    [OD_FACT_##constant] = {.name = #fact, .type = OD_FACT_IS_##kind, .words = list, .doc = about},
#define OD_DERIVED(fact, constant, condition, about) \
    [OD_FACT_##                                      \
        constant] = {.name = #fact, .type = OD_FACT_IS_DERIVED, .means = condition, .doc = about},
#include "rules/facts.def"
#undef OD_FACT
#undef OD_DERIVED
};

enum od_fact od_fact_named(struct od_view name)
{
    enum od_fact fact = (enum od_fact)0;
    while (fact < OD_FACT_END && !od_view_eq_str(name, od_facts[fact].name))
        fact++;
    return fact;
}

uint64_t od_fact_bit(enum od_fact fact, const char *word)
{
    const char *const *words = od_facts[fact].words;
    for (size_t i = 0; words && word && words[i]; i++)
        if (strcmp(words[i], word) == 0)
            return UINT64_C(1) << i;
    return 0;
}

enum { WHOLE = 100 }; /* in percent */

enum { STACK_MOST = 64 };

static enum od_tri tri_not(enum od_tri a)
{
    return a == OD_CANNOT_TELL ? a : a == OD_YES ? OD_NO : OD_YES;
}

/* Joins two truth values. decides: the value that decides, NO for "and", YES for "or". */
static enum od_tri tri_join(enum od_tri a, enum od_tri b, enum od_tri decides)
{
    if (a == decides || b == decides)
        return decides;
    return a == OD_CANNOT_TELL || b == OD_CANNOT_TELL ? OD_CANNOT_TELL : tri_not(decides);
}

enum od_tri od_when_holds(const struct od_when *when, od_when_ask *ask, const void *with)
{
    enum od_tri stack[STACK_MOST];
    size_t n = 0;
    for (size_t i = 0; i < when->n; i++) {
        const struct od_when_step *step = &when->steps[i];
        switch (step->op) {
        case OD_WHEN_NOT:
            stack[n - 1] = tri_not(stack[n - 1]);
            break;
        case OD_WHEN_UNLESS:
            stack[n - 1] = stack[n - 1] == OD_YES ? OD_NO : OD_YES;
            break;
        case OD_WHEN_AND:
        case OD_WHEN_OR:
            n--;
            stack[n - 1] =
                tri_join(stack[n - 1], stack[n], step->op == OD_WHEN_AND ? OD_NO : OD_YES);
            break;
        case OD_WHEN_TRUE:
        case OD_WHEN_IN:
        case OD_WHEN_LESS:
        case OD_WHEN_EQUAL:
        case OD_WHEN_BELOW:
        case OD_WHEN_UNKNOWN:
            stack[n++] = ask(with, step);
            break;
        }
    }
    return n == 0 ? OD_YES : stack[0];
}

/* Prints a test: "memory == device", "work in [training, unknown]". */
static void print_words(const struct od_when_step *test, struct od_buf *to)
{
    const char *const *words = od_facts[test->fact].words;
    bool several = (test->bits & (test->bits - 1)) != 0;
    const char *before = several ? " in [" : " == ";
    for (size_t i = 0; words && words[i]; i++) {
        if (!(test->bits & (UINT64_C(1) << i)))
            continue;
        od_buf_printf(to, "%s%s", before, words[i]);
        before = ", ";
    }
    if (test->bits & OD_FACT_UNKNOWN)
        od_buf_printf(to, "%sunknown", before);
    if (several)
        od_buf_add_char(to, ']');
}

/* Prints a comparison after its first fact: " < 80% of free" of "asked < 80% of free". */
static void print_below(const struct od_when_step *test, struct od_buf *to)
{
    if (test->share != WHOLE)
        od_buf_printf(to, " * %u%%", test->share);
    od_buf_add_str(to, " < ");
    if (test->other_share != WHOLE)
        od_buf_printf(to, "%u%% of ", test->other_share);
    od_buf_add_str(to, od_facts[test->bits].name);
}

static void print_test(const struct od_when_step *test, struct od_buf *to)
{
    od_buf_add_str(to, od_facts[test->fact].name);
    if (test->op == OD_WHEN_IN)
        print_words(test, to);
    else if (test->op == OD_WHEN_UNKNOWN)
        od_buf_add_str(to, " == unknown");
    else if (test->op == OD_WHEN_BELOW)
        print_below(test, to);
    else if (test->op == OD_WHEN_LESS && test->text)
        od_buf_printf(to, " < %s", test->text);
    else if (test->op != OD_WHEN_TRUE)
        od_buf_printf(to, " %s %" PRIu64, test->op == OD_WHEN_LESS ? "<" : "==", test->bits);
    else if (test->text)
        od_buf_printf(to, "(%s%s", test->text, test->options ? "" : ")");
    for (size_t i = 0; test->options && test->options[i]; i++)
        od_buf_printf(to, ", %s%s", test->options[i], test->options[i + 1] ? "" : ")");
}

/* For each step: its value, and the first step of the subexpression that ends with it. */
struct part {
    enum od_tri value;
    size_t from;
    bool matters; /* the condition is false because of this subexpression */
    enum od_tri wanted;
};

static void value_parts(const struct od_when *when, od_when_ask *ask, const void *with,
                        struct part *parts)
{
    for (size_t i = 0; i < when->n; i++) {
        const struct od_when_step *step = &when->steps[i];
        parts[i] = (struct part){.from = i};
        if (step->op < OD_WHEN_NOT) {
            parts[i].value = ask(with, step);
        } else if (step->op < OD_WHEN_AND) {
            bool yes = step->op == OD_WHEN_UNLESS && parts[i - 1].value == OD_CANNOT_TELL;
            parts[i].value = yes ? OD_YES : tri_not(parts[i - 1].value);
            parts[i].from = parts[i - 1].from;
        } else {
            const struct part *left = &parts[parts[i - 1].from - 1];
            parts[i].value =
                tri_join(left->value, parts[i - 1].value, step->op == OD_WHEN_AND ? OD_NO : OD_YES);
            parts[i].from = left->from;
        }
    }
}

/* Marks the tests, and the parts above them, that must change to make the condition true. */
static void mark_parts(const struct od_when *when, struct part *parts)
{
    parts[when->n - 1].matters = true;
    parts[when->n - 1].wanted = OD_YES;
    for (size_t i = when->n; i-- > 0;) {
        const struct part part = parts[i];
        enum od_when_op op = when->steps[i].op;
        parts[i].matters = part.matters && part.value != part.wanted;
        if (!parts[i].matters || op < OD_WHEN_NOT)
            continue;
        parts[i - 1].matters = true;
        parts[i - 1].wanted = op < OD_WHEN_AND ? tri_not(part.wanted) : part.wanted;
        if (op >= OD_WHEN_AND) {
            parts[parts[i - 1].from - 1].matters = true;
            parts[parts[i - 1].from - 1].wanted = part.wanted;
        }
    }
}

void od_when_misses(const struct od_when *when, od_when_ask *ask, const void *with,
                    struct od_buf *to)
{
    static const char *const words[] = {
        [OD_NO] = "no", [OD_YES] = "yes", [OD_CANNOT_TELL] = "unknown"};
    const char *before = "";
    if (when->n == 0)
        return;
    struct part *parts = od_mem_alloc(when->n, sizeof *parts);
    value_parts(when, ask, with, parts);
    mark_parts(when, parts);
    for (size_t i = 0; i < when->n; i++) {
        if (!parts[i].matters || when->steps[i].op >= OD_WHEN_NOT)
            continue;
        od_buf_add_str(to, before);
        print_test(&when->steps[i], to);
        od_buf_printf(to, " (%s)", words[parts[i].value]);
        before = ", ";
    }
    od_mem_free(parts);
}

const struct od_when_step *od_when_test_of(const struct od_when *when, enum od_fact fact,
                                           const struct od_when_step *after)
{
    const struct od_when_step *step = after ? after + 1 : when->steps;
    for (; when->n > 0 && step < when->steps + when->n; step++)
        if (step->op < OD_WHEN_NOT && step->fact == fact)
            return step;
    return NULL;
}

static uint64_t part_of(uint64_t number, unsigned percent)
{
    double part = (double)number / WHOLE * percent;
    return part >= 0x1p64 ? UINT64_MAX : (uint64_t)part;
}

static struct od_bytes share_of(struct od_bytes number, unsigned percent)
{
    if (percent == WHOLE)
        return number;
    number.lo = part_of(number.lo, percent);
    number.hi = part_of(number.hi, percent);
    return number;
}

enum od_tri od_fact_below(const struct od_fact_value *values, const struct od_when_step *test)
{
    const struct od_fact_value *one = &values[test->fact], *other = &values[test->bits];
    if (one->scope && other->scope && !od_scopes_compare(one->scope, other->scope))
        return OD_CANNOT_TELL;
    return od_bytes_less(share_of(one->number, test->share),
                         share_of(other->number, test->other_share));
}

enum od_tri od_fact_test(const struct od_fact_value *value, const struct od_when_step *test)
{
    if (test->op == OD_WHEN_UNKNOWN)
        return value->known && !(value->bits & OD_FACT_UNKNOWN) ? OD_NO : OD_YES;
    if (test->op == OD_WHEN_IN) {
        if (value->bits & test->bits)
            return OD_YES;
        bool asked = (test->bits & OD_FACT_UNKNOWN) != 0;
        return value->known ? OD_NO : asked ? OD_YES : OD_CANNOT_TELL;
    }
    if (!value->known)
        return OD_CANNOT_TELL;
    if (test->op == OD_WHEN_TRUE)
        return value->bits ? OD_YES : OD_NO;
    struct od_bytes number = {.lo = test->bits, .hi = test->bits, .known = true};
    return test->op == OD_WHEN_LESS ? od_bytes_less(value->number, number)
                                    : od_bytes_same(value->number, number);
}
