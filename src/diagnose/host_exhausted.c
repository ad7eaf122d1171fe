#include "diagnose/finding.h"
#include "diagnose/host.h"
#include "diagnose/runtime_limit.h"

#include "failure/timeline.h"

/* More than half: it holds more than all others together. */
static const double most_share = 0.5;

/* An exception that names memory, and nobody said which memory or how much of it. */
static void report_bare(struct od_diagnosis_context *context)
{
    const struct od_verdict_of_run *run = &context->diagnosis->failure->run;
    if (run->outcome != OD_OUTCOME_MEMORY_FAILURE || run->ended || run->reported ||
        context->c->incidents.n > 0)
        return;
    struct od_finding *finding = od_finding_add(context, OD_CLUE(HOST_EXHAUSTED, exception_alone));
    finding->summary =
        "An exception reports out of memory, but neither which memory nor the size of the request.";
    for (size_t i = 0; i < context->c->moments.n; i++)
        if (context->c->moments.items[i].kind == OD_EV_EXCEPTION)
            od_finding_evidence(finding, &context->c->moments.items[i].said);
}

static const struct {
    enum od_clue sign;
    const char *summary;
} kinds[OD_INC_END] = {
    [OD_INC_HOST_OOM_KILL] = {OD_CLUE(HOST_EXHAUSTED, kernel_kill),
                              "The kernel killed a process because the machine's memory was "
                              "exhausted."},
    [OD_INC_PRESSURE_KILL] =
        {OD_CLUE(HOST_EXHAUSTED, pressure_kill),
         "A memory guard terminated a process before the machine ran out of memory."},
    [OD_INC_HOST_ALLOC_FAILED] = {OD_CLUE(HOST_EXHAUSTED, refused),
                                  "An allocation failed: the process could get no more memory."},
    [OD_INC_WORKER_KILLED] = {OD_CLUE(HOST_EXHAUSTED, worker_killed),
                              "A worker was killed, as the kernel does when the machine runs out "
                              "of memory; the log has no kernel message."},
    /* Halved where the outcome is not decided. */
    [OD_INC_UNEXPLAINED_KILL] = {OD_CLUE(HOST_EXHAUSTED, killed),
                                 "The process was killed, as the kernel does when the machine runs "
                                 "out of memory; the log has no kernel message."},
};

/* Learning by trial keeps its steps in one array of a length that a setting states. */
static void say_replay(struct od_diagnosis_context *context, const struct od_host_failure *host)
{
    struct od_finding *finding = od_finding_add(context, OD_CLUE(HOST_EXHAUSTED, replay));
    od_finding_say(
        context, finding,
        "%s requested for the buffer of past steps, which is allocated in full at the start: its "
        "length times the environments times one observation.",
        host->failure->need.known
            ? od_arena_printf(context->arena, "%s was",
                              od_bytes_text(context->arena, host->failure->need))
            : "More RAM was");
    od_finding_host(context, finding, host);
    finding->first = "smaller_buffer";
}

/* DeepSpeed keeps in the machine's memory what it is told to offload. */
static bool offloads(const struct od_case *c, const struct od_incident *inc)
{
    bool told = od_view_eq_str(inc->producer, "deepspeed");
    for (size_t i = 0; i < c->series.n && !told; i++)
        told = od_view_eq_str(c->series.items[i].producer, "deepspeed");
    return told;
}

/* Half of the machine was free in front of a refusal that does not tell what was asked for. */
static void say_room_unasked(struct od_diagnosis_context *context, struct od_finding *finding,
                             const struct od_host_level *level, uint64_t rest)
{
    const char *free = od_bytes_text_u64(context->arena, rest);
    od_finding_say(context, finding,
                   "Memory was refused although %s of the machine's %s was free, by the last "
                   "printed value: a limit of the process or of its group would explain it, or a "
                   "request for more than that.",
                   free, od_bytes_text(context->arena, level->capacity));
    finding->clause = od_arena_printf(context->arena,
                                      "a limit was reached, or more than the %s that was free was "
                                      "asked for",
                                      free);
    od_finding_evidence(finding, &level->said);
}

/* The machine was full when it was measured nearest; of a kill that nobody explains, or of a
 * request that was refused. */
static void say_full(struct od_diagnosis_context *context, struct od_finding *finding)
{
    static const double nearly_full = 0.85;
    const struct od_incident *inc = context->diagnosis->failure->incident;
    struct od_host_level level = od_host_level_near(context->c, &inc->at);
    bool refused = inc->kind == OD_INC_HOST_ALLOC_FAILED;
    if (!refused && !level.later && level.share >= 0 && level.share <= OD_HOST_HALF_FREE) {
        od_finding_clue(finding, OD_CLUE(HOST_EXHAUSTED, room_left));
        od_finding_evidence(finding, &level.said);
    }
    struct od_bytes rest = od_host_level_free(&level);
    if (refused && !level.later && level.share >= 0 && level.share <= OD_HOST_HALF_FREE &&
        rest.known && level.capacity.known && !inc->requested.known)
        say_room_unasked(context, finding, &level, rest.n);
    if (level.share < nearly_full)
        return;
    const char *full =
        level.used.known
            ? od_arena_printf(context->arena, "%s of the machine's %s",
                              od_bytes_text(context->arena, level.used),
                              od_bytes_text(context->arena, level.capacity))
            : od_arena_printf(context->arena, "%.0f %% of the machine's memory", 100 * level.share);
    od_finding_say(context, finding,
                   refused ? "An allocation failed: %s was in use, by %s."
                           : "The process was killed when %s was in use, by %s; "
                             "the log has no kernel message.",
                   full,
                   od_prov_distance(&level.said.at, &inc->at) == 0 ? "the message itself"
                   : level.later                                   ? "the next printed value"
                                                                   : "the last printed value");
    od_finding_clue(finding, OD_CLUE(HOST_EXHAUSTED, machine_full));
    od_finding_evidence(finding, &level.said);
}

/* Beside the weights, which are no smaller a part of it for fewer bits. */
static void say_compute(struct od_diagnosis_context *context, struct od_finding *finding)
{
    char need[OD_BYTES_TEXT];
    const struct od_failure *failure = context->failure;
    od_finding_say(context, finding,
                   "%s could not be allocated for the compute buffer, beside the weights: it grows "
                   "with the micro-batch of the prompt and, without flash attention, with the "
                   "context length.",
                   failure->need.known ? od_bytes_print(failure->asked, need) : "More RAM");
    finding->first = "smaller_compute_buffer";
    finding->vain = "quantize";
}

/* What the machine has to hold is no data and no request, but the model that is named. */
static bool loads_weights(const struct od_case *c, const struct od_failure *failure)
{
    const struct od_doing *doing = failure->doing;
    return doing && (doing->what == OD_DOING_LOAD || doing->what == OD_DOING_RESTORE) &&
           od_case_setting(c, OD_SETTING_MODEL).n > 0;
}

static void say_weights(struct od_diagnosis_context *context, struct od_finding *finding)
{
    struct od_view model = od_case_setting(context->c, OD_SETTING_MODEL);
    od_finding_say(context, finding,
                   "The run ended while the weights of %.*s were loaded: the machine's memory has "
                   "to hold them before the device does.",
                   (int)model.n, model.p);
    finding->first = "load_in_parts";
    finding->vain = "shorter_context";
    od_finding_doing(context, finding);
}

/* "The machine's memory was exhausted: 40 php-fpm processes held 39.90 GiB." */
static const char *summary_of_kill(struct od_diagnosis_context *context,
                                   const struct od_account *account)
{
    const char *swap = od_host_swap_words(context->arena, account);
    const char *held = od_account_words(context->arena, account);
    if (*held != '\0')
        return od_arena_printf(context->arena, "The machine's memory was exhausted: %s%s.", held,
                               swap);
    if (account->victim.bytes.known)
        return od_arena_printf(
            context->arena, "The machine's memory was exhausted; the killed process held %s%s%s.",
            od_account_small_victim(account) ? "only " : "",
            od_bytes_text(context->arena, account->victim.bytes), swap);
    return *swap ? od_arena_printf(context->arena, "The machine's memory was exhausted%s.", swap)
                 : kinds[OD_INC_HOST_OOM_KILL].summary;
}

/* What is no process's holds the machine. */
static void say_part(struct od_diagnosis_context *context, struct od_finding *finding,
                     const struct od_held *part)
{
    const struct od_account *account = &context->failure->account;
    const char *what = od_host_part_words(part->kind);
    od_finding_say(context, finding, "No process holds most of the machine's %s: %s take %s.",
                   od_bytes_text(context->arena, account->limit.bytes), what,
                   od_bytes_text(context->arena, part->bytes));
    finding->clause = od_arena_printf(context->arena, "%s fill the machine's memory", what);
    finding->first = "find_holder";
}

static const char *summary_of(struct od_diagnosis_context *context, const struct od_incident *inc)
{
    if (inc == context->c->claim)
        return "The machine's memory was exhausted.";
    if (inc->kind == OD_INC_HOST_OOM_KILL)
        return summary_of_kill(context, &context->failure->account);
    if (inc->kind == OD_INC_HOST_ALLOC_FAILED && od_runtime_error(context->c, inc))
        return "Or the machine's own RAM was short; the log does not show it.";
    if (context->failure->profile->values[OD_FACT_STRAW].bits == 1)
        return od_arena_printf(context->arena,
                               "%s is little: what was held before fills the memory, or a limit "
                               "of the process.",
                               od_bytes_text(context->arena, inc->requested));
    if (inc->kind == OD_INC_HOST_ALLOC_FAILED && od_bytes_less(inc->free, inc->requested) == OD_YES)
        return od_arena_printf(context->arena, "%s of RAM was requested, and %s was free.",
                               od_bytes_text(context->arena, inc->requested),
                               od_bytes_text(context->arena, inc->free));
    if (od_incident_says(inc, OD_SAID_GUARDED))
        return "By its own estimate it needs more memory than there is, and refused to start.";
    if (inc->kind == OD_INC_HOST_ALLOC_FAILED && inc->requested.known &&
        od_phase_reads_one_sample(inc))
        return od_arena_printf(context->arena,
                               "%s was requested while the data loader read one sample: its size "
                               "(resolution, number of objects) determines the need.",
                               od_bytes_text(context->arena, inc->requested));
    return kinds[inc->kind].summary;
}

static const char *const held_most =
    "The machine ran out of memory, and the killed process used most of it";

/* What the account shows beyond the processes. */
static void say_account(struct od_diagnosis_context *context, struct od_finding *finding)
{
    const struct od_account *account = &context->failure->account;
    const struct od_held *part = od_account_largest_part(account);
    if (account->swapoff) {
        finding->summary = "Swap was being switched off (swapoff) when memory ran out: what is in "
                           "swap has to move into RAM.";
        finding->clause = "swap was being switched off, and its contents do not fit RAM";
        finding->first = "keep_swap";
        finding->vain = "swap";
    } else if (account->scope == OD_SCOPE_MACHINE && part) {
        say_part(context, finding, part);
    } else if (od_account_small_victim(account)) {
        finding->first = "find_holder";
        finding->clause = "others than the killed process hold the memory";
    }
}

static void look(struct od_diagnosis_context *context)
{
    struct od_host_failure host;
    report_bare(context);
    if (!od_host_failure_of(context, &host))
        return;
    const struct od_incident *inc = host.failure->incident;
    enum od_clue sign = kinds[inc->kind].sign;
    bool most = inc->kind == OD_INC_HOST_OOM_KILL && host.victim_share >= most_share;
    const struct od_account *account = &host.failure->account;
    bool of_app = account->scope == OD_SCOPE_APP; /* the machine has room */
    bool other = od_account_is_other_limit(account) && account->enforcer->certain;
    if (sign == OD_CLUE_NONE || of_app || other)
        return;
    if (host.failure->phase == OD_PHASE_REPLAY && inc->kind == OD_INC_HOST_ALLOC_FAILED) {
        say_replay(context, &host);
        return;
    }
    if (most)
        sign = OD_CLUE(HOST_EXHAUSTED, held_most);
    else if (host.known_shares && host.kill)
        sign = OD_CLUE(HOST_EXHAUSTED, kill_shares_known);
    else if (inc->kind == OD_INC_WORKER_KILLED && !od_is_sigkill(inc))
        sign = OD_CLUE(HOST_EXHAUSTED, worker_died);
    struct od_finding *finding = od_finding_add(context, sign);
    if (account->enforcer && account->enforcer->room)
        od_finding_clue(finding, OD_CLUE(HOST_EXHAUSTED, room_left));
    finding->summary =
        most ? od_arena_printf(context->arena, "%s%s.", held_most,
                               od_host_swap_words(context->arena, &host.failure->account))
             : summary_of(context, inc);
    finding->first = offloads(context->c, inc) ? "offload_less" : od_host_first(context);
    if (inc->kind == OD_INC_HOST_ALLOC_FAILED)
        say_full(context, finding);
    if (od_incident_says(inc, OD_SAID_COMPUTE_BUFFER))
        say_compute(context, finding);
    if (loads_weights(context->c, host.failure))
        say_weights(context, finding);
    say_account(context, finding);
    od_host_say_workers(context, finding, &host, inc->capacity);
    if (finding->summary == kinds[inc->kind].summary && inc->kind != OD_INC_UNEXPLAINED_KILL &&
        inc->kind != OD_INC_WORKER_KILLED)
        finding->says = OD_SAYS_HEADLINE;
    od_finding_host(context, finding, &host);
    if (inc->kind == OD_INC_UNEXPLAINED_KILL || od_is_sigkill(inc))
        say_full(context, finding);
}

const struct od_diagnoser od_diagnoser_host_exhausted = {"host_exhausted", look};
