#include "lib/retry.h"

#include "advise/remedy.h"
#include "lib/watched.h"

#include <stdio.h>
#include <sys/resource.h>

/* Can the soft limit be raised to the hard one? Raises it if `wanted`. */
static bool lift(const struct od_shell_limit *one, bool wanted)
{
    struct rlimit limit;
    bool may = getrlimit((unsigned)one->number, &limit) == 0 && limit.rlim_cur < limit.rlim_max;
    limit.rlim_cur = limit.rlim_max;
    return may && (!wanted || setrlimit((unsigned)one->number, &limit) == 0);
}

static bool copy_file(const struct od_resume_copy *copy)
{
    struct od_arena *arena = od_arena_new();
    struct od_edit edit;
    char *line = NULL;
    size_t room = 0;
    uint64_t left = 0; /* lines before the named one */
    FILE *from = od_num_parse_u64(copy->line, &left) ? fopen(copy->file, "rbe") : NULL,
         *to = from ? fopen(copy->to, "wbe") : NULL;
    bool done = false;
    while (to && getline(&line, &room, from) > 0) {
        const struct od_evidence said = {.text = od_view_of(line)};
        bool here = --left == 0 && od_edit_number(&said, &copy->number, arena, &edit);
        done |= here;
        (void)fputs(here ? edit.to : line, to);
    }
    if (from)
        (void)fclose(from);
    free(line);
    od_arena_free(arena);
    return to && fclose(to) == 0 && done;
}

bool od_retry_prepare(const struct od_resume_command *again)
{
    OD_FOR_EACH_OF (const struct od_shell_limit, one, od_shell_limits, OD_SHELL_LIMITS)
        if (one->letter == again->lifts && !lift(one, true))
            return false;
    return (!again->variable || setenv(again->variable, again->value, 1) == 0) &&
           (!again->copy.to || copy_file(&again->copy));
}

static bool is_one_of(const struct od_diagnosis *diagnosis, const enum od_cause *causes, size_t n)
{
    for (size_t i = 0; i < n && diagnosis->findings.n > 0; i++)
        if (diagnosis->findings.items[0].cause == causes[i])
            return true;
    return false;
}

/* Did memory run out, or a shell's limit of memory, or threads? */
static bool is_of_memory(const struct od_report *report)
{
    const struct od_remedies *all = report->remedies;
    for (size_t i = 0; all && i < all->n; i++) {
        const struct od_remedy *one = &all->list[i];
        if (od_remedy_is_about(one->advice, "stack") || od_remedy_is_about(one->advice, "disk") ||
            od_remedy_is_about(one->advice, "threads") ||
            (one->nhow > 0 && one->how->edit.guess && i == 0) ||
            (one->nhow > 0 && one->how->code &&
             od_view_starts(od_view_of(one->how->code), OD_VIEW("ulimit -"))))
            return true;
    }
    return report->diagnosis->failure->run.outcome == OD_OUTCOME_MEMORY_FAILURE;
}

/* Was the request much smaller than the limit? Then earlier allocations matter more. */
static bool is_last_drop(const struct od_report *report)
{
    enum { DROPS = 8 };
    const struct od_failure *failure = report->diagnosis->failure;
    struct od_bytes limit = failure->account.limit.bytes;
    return limit.known && failure->asked.known && failure->asked.hi < limit.lo / DROPS;
}

/* Judges the last attempt. Returns the options and variables that did not help (*ret_nuseless of
 * them), an empty one, then those that were changed twice in a row. */
static struct od_view *judge(const struct od_report *report, struct od_attempts *attempts,
                             struct od_arena *arena, size_t *ret_nuseless)
{
    const struct od_failure *failure = report->diagnosis->failure;
    struct od_attempt *now = &attempts->list[attempts->n - 1], *base = &attempts->list[now->base];
    struct od_view *useless = OD_NEW_N(arena, 2 * attempts->n + 1, struct od_view);
    size_t n = 0;
    now->of_memory = is_of_memory(report);
    now->asked = failure->asked;
    now->limit = failure->limit;
    bool same = now->asked.known && base->asked.known && now->asked.lo == base->asked.lo &&
                now->asked.hi == base->asked.hi && now->limit.n == base->limit.n;
    now->useless = now->changes && ((same && !is_last_drop(report)) || !now->of_memory);
    for (size_t i = 0; i < attempts->n; i++)
        if (attempts->list[i].useless && attempts->list[i].option.n > 0)
            useless[n++] = attempts->list[i].option;
    *ret_nuseless = n;
    for (size_t i = 1; i < attempts->n; i++) {
        const struct od_attempt *one = &attempts->list[i], *before = &attempts->list[one->base];
        if (one->option.n > 0 && od_view_eq(one->option, before->option))
            useless[n++] = one->option;
    }
    return useless;
}

struct od_retry od_retry_of(const struct od_report *report, struct od_attempts *attempts,
                            struct od_arena *arena)
{
    /* causes outside of the run, and causes that would fail another run as well */
    static const enum od_cause beyond[] = {OD_CAUSE_OTHER_TENANT, OD_CAUSE_DRIVER_REFUSED,
                                           OD_CAUSE_HOST_OTHER_TENANT};
    static const enum od_cause leaks[] = {OD_CAUSE_DEVICE_LEAK, OD_CAUSE_HOST_LEAK,
                                          OD_CAUSE_GRAPH_GROWTH, OD_CAUSE_MODEL_RELOAD};
    const struct od_diagnosis *diagnosis = report->diagnosis;
    const struct od_attempt *now = &attempts->list[attempts->n - 1];
    bool memory = diagnosis->failure->run.outcome == OD_OUTCOME_MEMORY_FAILURE;
    size_t nuseless;
    struct od_view *useless = judge(report, attempts, arena, &nuseless);
    struct od_retry retry = {.base = now->useless ? now->base : attempts->n - 1};
    bool leaks_by_name =
        is_one_of(diagnosis, leaks, OD_COUNT_OF(leaks)) && od_diagnosis_names_cause(diagnosis);
    char may_lift[OD_SHELL_LIMITS + 1] = "";
    OD_FOR_EACH_OF (const struct od_shell_limit, one, od_shell_limits, OD_SHELL_LIMITS)
        if (lift(one, false))
            may_lift[strlen(may_lift)] = one->letter;
    const struct od_resume_question question = {.c = report->c,
                                                .diagnosis = diagnosis,
                                                .answer = report->answer,
                                                .remedies =
                                                    now->of_memory ? report->remedies : NULL,
                                                .lost = report->lost,
                                                .argv = attempts->list[retry.base].argv,
                                                .attempt = attempts->n,
                                                .useless = useless,
                                                .may_lower = !leaks_by_name && memory,
                                                .may_lift = may_lift};
    bool may =
        attempts->list[retry.base].of_memory && !is_one_of(diagnosis, beyond, OD_COUNT_OF(beyond));
    for (int i = 0; i < 2 && may && !retry.again.eased; i++) {
        retry.again = od_resume_command_of(&question, arena);
        /* first try another setting, then change the same setting once more */
        useless[nuseless] = (struct od_view){0};
    }
    if (!retry.again.eased)
        retry.why_not = now->useless ? "no other change is known to help"
                        : now->of_memory
                            ? "no remedy that helps can be set from outside"
                            : "the log does not show that it failed for lack of memory";
    return retry;
}
