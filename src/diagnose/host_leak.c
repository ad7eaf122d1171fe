#include "diagnose/finding.h"
#include "diagnose/growth.h"
#include "diagnose/host.h"
#include "failure/remarks.h"

/* Work that had fitted for long, and then the machine's memory is gone: something grew. What and
 * how fast, only a series of measurements shows; where one shows that nothing did, it is no leak.
 */
enum { LONG_PROGRESS = 10, MANY_STEPS = 20 };

/* A cache whose size the log states; 0 often says that it has no end. */
static bool has_cache(const struct od_case *c)
{
    return od_case_setting(c, OD_SETTING_CACHE_SIZE).n > 0;
}

static void say_growth(struct od_diagnosis_context *context, const struct od_host_failure *host,
                       const struct od_growth *growth)
{
    struct od_finding *finding = od_finding_of_growth(context, OD_CAUSE_HOST_LEAK, growth);
    od_finding_say(context, finding,
                   growth->loading
                       ? "RAM in use grew %s, from the program's start to its end. The log shows "
                         "no step: something is kept, or data was still being read."
                       : "RAM in use grew %s, without slowing before the end: something is kept "
                         "that is not needed again.",
                   od_growth_words(context, growth));
    finding->first = has_cache(context->c) ? "bound_cache" : NULL;
    od_finding_host(context, finding, host);
}

/* Nobody says why it was killed; its memory does. */
static bool say_growth_until(struct od_diagnosis_context *context,
                             const struct od_host_failure *host)
{
    struct od_growth growth;
    if (host->failure->incident->kind != OD_INC_UNEXPLAINED_KILL ||
        !od_growth_until(context->c, host->failure->incident, &growth))
        return false;
    struct od_finding *finding = od_finding_add(context, OD_CLUE(HOST_LEAK, growth_until_kill));
    od_finding_say(context, finding,
                   "RAM in use grew from %s to %s%s, without slowing before the kill: %s.",
                   od_bytes_text_u64(context->arena, (uint64_t)growth.before),
                   od_bytes_text_u64(context->arena, (uint64_t)growth.series->last),
                   growth.in_validation ? ", most of it during validation" : "",
                   growth.in_validation
                       ? "validation results are kept, for example in a list that is never emptied"
                       : "something is kept that is not needed again");
    finding->first = growth.in_validation ? "drop_results" : NULL;
    od_finding_growth_until(finding, &growth);
    od_finding_host(context, finding, host);
    return true;
}

/* Steps that had fit many times, and no device or workers that could have grown beside. */
static void say_late(struct od_diagnosis_context *context, const struct od_host_failure *host)
{
    struct od_finding *finding = od_finding_add(context, OD_CLUE(HOST_LEAK, late_in_steps));
    od_finding_say(context, finding,
                   "It failed after %llu steps that had fit: something that each of them adds to "
                   "seems to be kept. The log shows no memory over time.",
                   (unsigned long long)host->failure->progress);
    finding->first = has_cache(context->c) ? "bound_cache" : "drop_results";
    od_finding_host(context, finding, host);
}

/* What a collector leaves after steps that had fit is still reachable: it is kept. */
static void say_late_in_heap(struct od_diagnosis_context *context,
                             const struct od_host_failure *host)
{
    struct od_finding *finding = od_finding_add(context, OD_CLUE(HOST_LEAK, late_in_heap));
    od_finding_say(context, finding,
                   "%llu steps ran, then the heap was full: objects of earlier steps are probably "
                   "still referenced.",
                   (unsigned long long)host->failure->progress);
    finding->clause = od_arena_printf(context->arena, "objects pile up in its heap%s",
                                      od_runtime_limit_words(context, host->failure->incident));
    finding->first = "bound_cache";
    od_finding_host(context, finding, host);
}

/* Of a growth that the author reports, most where it is the title of the text. */
static enum od_clue sign_of_told(const struct od_case *c, const struct od_incident *incident)
{
    return od_remark_in_title(c, incident, "growth") ? OD_CLUE(HOST_LEAK, told_in_title)
                                                     : OD_CLUE(HOST_LEAK, told_growth);
}

/* The phase whose memory a change lowered most, as the text states in a table; NULL = none. */
static const struct od_stated *largest_saving(const struct od_case *c)
{
    const struct od_stated *best = NULL;
    uint64_t most = 0;
    OD_FOR_EACH (const struct od_stated, row, c->stated) {
        bool whole = row->phase.n == 0 || od_means(od_label_means(row->phase), OD_LABEL_TOTAL);
        if (whole || !row->before.known || !row->after.known || row->before.n <= row->after.n ||
            row->before.n - row->after.n <= most)
            continue;
        most = row->before.n - row->after.n;
        best = row;
    }
    return best;
}

/* Whoever reports a leak has watched the program; a title is what the report is about. What was
 * killed without a step or a call of its own in sight is a program of others. */
static void say_told(struct od_diagnosis_context *context, const struct od_host_failure *host,
                     const struct od_evidence *told)
{
    const struct od_incident *incident = host->failure->incident;
    struct od_finding *finding = od_finding_add(context, sign_of_told(context->c, incident));
    const struct od_series *s = od_growth_reported(context->c);
    if (s)
        od_finding_say(context, finding,
                       "The author reports that memory grew; the log prints %s and later %s.",
                       od_bytes_text_u64(context->arena, (uint64_t)s->first),
                       od_bytes_text_u64(context->arena, (uint64_t)s->last));
    else
        finding->summary = "The log does not show it, but its author reports that memory grew.";
    const struct od_stated *saved = largest_saving(context->c);
    if (saved) {
        od_finding_say(context, finding,
                       "The text reports that memory grew. A change in \"%.*s\" lowered it most: "
                       "from %s to %s, as its table states.",
                       (int)saved->phase.n, saved->phase.p,
                       od_bytes_text(context->arena, saved->before),
                       od_bytes_text(context->arena, saved->after));
        finding->first = "drop_results";
    } else if (incident->nframes == 0 && host->failure->progress == 0 && !host->failure->use.trains)
        finding->first = "restart_before";
    od_finding_host(context, finding, host);
    od_finding_evidence(finding, told);
}

/* Most of what is resident lies outside of the runtime's heap, by the numbers that it printed. */
static bool say_outside_heap(struct od_diagnosis_context *context,
                             const struct od_host_failure *host)
{
    const struct od_incident *incident = host->failure->incident;
    const struct od_software *driver = host->failure->stack.driver;
    struct od_outside outside;
    if (!driver || driver->sort != OD_SORT_RUNTIME ||
        !od_growth_outside_heap(context->c, incident, &outside))
        return false;
    struct od_finding *finding = od_finding_add(
        context, od_remark_find(context->c, incident, "growth") ? sign_of_told(context->c, incident)
                                                                : OD_CLUE(HOST_LEAK, late_in_heap));
    const struct od_series *rss = outside.rss;
    const char *grew =
        rss->points > 1 && rss->last > rss->first
            ? od_arena_printf(context->arena, " grew from %s to %s",
                              od_bytes_text_u64(context->arena, (uint64_t)rss->first),
                              od_bytes_text_u64(context->arena, (uint64_t)rss->last))
            : od_arena_printf(context->arena, " is %s",
                              od_bytes_text_u64(context->arena, (uint64_t)rss->last));
    od_finding_say(
        context, finding,
        "Resident memory (RSS)%s, and %s of it is heap in use: the rest is native memory, "
        "outside of the heap (buffers, add-ons, threads).",
        grew, od_bytes_text_u64(context->arena, (uint64_t)outside.heap->last));
    finding->clause = "native memory grows, not the heap";
    finding->first = "restart_before";
    od_finding_host(context, finding, host);
    struct od_evidence last = {.at = rss->last_at, .text = rss->last_said};
    od_finding_evidence(finding, &last);
    return true;
}

static void look(struct od_diagnosis_context *context)
{
    struct od_host_failure host;
    struct od_growth growth;
    if (!od_host_failure_of(context, &host))
        return;
    if (say_growth_until(context, &host) || say_outside_heap(context, &host))
        return;
    if (od_growth_of(context->c, host.failure->incident, true, &growth)) {
        say_growth(context, &host, &growth);
        return;
    }
    if (od_growth_refuted(context->c, host.failure->incident, true))
        return;
    if (od_growth_of_few(context->c, host.failure->incident, true, &growth)) {
        say_growth(context, &host, &growth);
        return;
    }
    const struct od_evidence *told = od_remark_find(context->c, host.failure->incident, "growth");
    if (told) {
        say_told(context, &host, told);
        return;
    }
    if (host.failure->progress < LONG_PROGRESS)
        return;
    if (host.failure->progress >= MANY_STEPS && !od_host_has_device(context->c) && !host.worker &&
        !(host.workers.known && host.workers.n > 0) &&
        !od_runtime_error(context->c, host.failure->incident)) {
        say_late(context, &host);
        return;
    }
    if (od_runtime_error(context->c, host.failure->incident)) {
        say_late_in_heap(context, &host);
        return;
    }
    struct od_finding *finding = od_finding_add(context, OD_CLUE(HOST_LEAK, late));
    od_finding_say(context, finding,
                   "The run ended late, after work that had fit: RAM in use seems to have grown. "
                   "The log does not show what grew.");
    od_finding_host(context, finding, &host);
    od_finding_count(finding, "progress_lines_count", od_count_of(host.failure->progress));
}

const struct od_diagnoser od_diagnoser_host_leak = {"host_leak", look};
