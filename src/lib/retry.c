#include "lib/retry.h"

#include "facts/mention.h"
#include "facts/setting_number.h"

#include <math.h>
#include <sys/resource.h>
#include <sys/vfs.h>

/* Can the soft limit of addresses be raised to the hard one? Raises it if that is wanted. */
static bool lift(bool wanted)
{
    struct rlimit limit;
    bool may = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < limit.rlim_max;
    limit.rlim_cur = limit.rlim_max;
    return may && (!wanted || setrlimit(RLIMIT_AS, &limit) == 0);
}

bool od_retry_prepare(const struct od_resume_command *again)
{
    return (!again->variable || setenv(again->variable, again->value, 1) == 0) &&
           (!again->lifts || lift(true));
}

/* ---- another folder for temporary files ---- */

/* Is it a folder in memory, with a file that the failing line names? */
static bool is_full(const struct od_failure *failure, const char *folder)
{
    const uint64_t in_memory = 0x01021994; /* TMPFS_MAGIC of linux/magic.h */
    const struct od_incident *ended = failure->run.ended;
    struct statfs system;
    if (!ended || ended->evidence.n == 0 || statfs(folder, &system) != 0)
        return false;
    struct od_view text = ended->evidence.items[0].text;
    size_t at = od_view_find(text, od_view_of(folder), 0), after = at + strlen(folder);
    bool names = at != OD_VIEW_NONE && after < text.n && text.p[after] == '/';
    return names && (uint64_t)system.f_type == in_memory;
}

static void move_temporary(const struct od_failure *failure, struct od_argv *command,
                           struct od_resume_command *to)
{
    static const char disk[] = "/var/tmp";
    const char *folder = getenv("TMPDIR");
    if (is_full(failure, disk))
        return;
    to->eased = is_full(failure, folder ? folder : "/tmp");
    if (to->eased) {
        to->variable = "TMPDIR";
        to->value = disk;
        od_argv_say(command, od_arena_printf(command->arena, "TMPDIR=%s", disk));
    }
    for (size_t i = 1; command->argv[i] && !to->eased; i++) {
        const char *value = od_option_value(command->argv, i);
        to->eased = od_is_option(command->argv[i]) && value && is_full(failure, value) &&
                    !od_view_has(od_view_of(command->argv[i]), OD_VIEW("out"));
        if (to->eased)
            od_argv_set(command, i, disk);
    }
}

/* ---- a smaller number ---- */

/* How much the memory may depend on a number with that name; 0 = not at all. A batch is small, and
 * a smaller one changes the result least. An upper bound that the program keeps itself may be what
 * stopped it. */
static double weight_of(const struct od_failure *failure, struct od_view name, double n)
{
    enum { BATCH = 1 << 16, SIZE = 1 << 6, LEAST = 100 };
    const uint64_t sizes = UINT64_C(1) << OD_SIZE_MEMORY | UINT64_C(1) << OD_SIZE_ITEMS |
                           UINT64_C(1) << OD_SIZE_EXTENT;
    uint64_t means = od_mention_means(name);
    bool bound = od_view_has(name, OD_VIEW("max")) || od_view_has(name, OD_VIEW("limit")) ||
                 od_view_has(name, OD_VIEW("heap"));
    if (od_means(means, OD_SIZE_OTHER) ||
        (bound && od_means(means, OD_SIZE_MEMORY) && !failure->account.killed_by_kernel))
        return 0;
    if (od_means(od_label_means(name), OD_LABEL_TRAIN_BATCH))
        return n * BATCH;
    if (means & sizes)
        return n * SIZE;
    return od_means(means, OD_SIZE_AT_ONCE) || n >= LEAST ? n : 0;
}

/* The number of option i, or of word i if that is a large number alone; unknown if there is none
 * above 1. */
static struct od_setting_number number_at(char *const *argv, size_t i)
{
    static const double alone = 1000, most = 1e18;
    bool option = od_is_option(argv[i]);
    bool taken = od_is_option(argv[i - 1]) && !od_option_own_value(argv[i - 1]);
    const char *value = option ? od_option_value(argv, i) : taken ? NULL : argv[i];
    struct od_setting_number number = od_setting_number_read(od_view_of(value ? value : ""));
    double bytes = od_setting_number_bytes(&number);
    number.known = number.known && bytes >= 2 && bytes < most &&
                   floor(number.value) >= number.value &&
                   (option || (number.unit.n == 0 && bytes >= alone));
    return number;
}

/* Lowers the number of the command on which the memory most probably depends, by 2, then 4 and 8.
 */
static bool lower_a_number(const struct od_resume_question *q, struct od_argv *command)
{
    enum { STEEPEST = 3 };
    struct od_setting_number number = {0};
    size_t at = 0;
    double best = 0;
    for (size_t i = 1; command->argv[i]; i++) {
        const struct od_setting_number now = number_at(command->argv, i);
        const struct od_view name = od_option_name(command->argv[i], command->arena);
        double weight = weight_of(q->diagnosis->failure, name, od_setting_number_bytes(&now));
        if (!now.known || weight <= best || od_argv_is_useless(command, command->argv[i]))
            continue;
        number = now;
        best = weight;
        at = i;
    }
    int times = (int)(q->attempt < STEEPEST ? q->attempt : STEEPEST);
    const char *to = od_setting_number_times(&number, ldexp(1, -times), command->arena);
    if (at > 0 && to)
        od_argv_set(command, at, to);
    return at > 0 && to;
}

/* ---- what the attempts have shown ---- */

static bool is_one_of(const struct od_diagnosis *diagnosis, const enum od_cause *causes, size_t n)
{
    for (size_t i = 0; i < n && diagnosis->findings.n > 0; i++)
        if (diagnosis->findings.items[0].cause == causes[i])
            return true;
    return false;
}

/* Returns the options and variables that did not help, with an empty one at the end. */
static struct od_view *judge(const struct od_failure *failure, struct od_attempts *attempts,
                             struct od_arena *arena)
{
    struct od_attempt *now = &attempts->list[attempts->n - 1], *base = &attempts->list[now->base];
    struct od_view *useless = OD_NEW_N(arena, attempts->n + 1, struct od_view);
    size_t n = 0;
    now->of_memory = failure->run.outcome == OD_OUTCOME_MEMORY_FAILURE;
    now->asked = failure->asked;
    now->limit = failure->limit;
    bool same = now->asked.known && base->asked.known && now->asked.lo == base->asked.lo &&
                now->asked.hi == base->asked.hi && now->limit.n == base->limit.n;
    now->useless = now->changes && (same || !now->of_memory);
    for (size_t i = 0; i < attempts->n; i++)
        if (attempts->list[i].useless && attempts->list[i].option.n > 0)
            useless[n++] = attempts->list[i].option;
    return useless;
}

struct od_retry od_retry_of(const struct od_report *report, struct od_attempts *attempts,
                            struct od_arena *arena)
{
    /* what no setting mends, and what another run would lose in the same way */
    static const enum od_cause beyond[] = {OD_CAUSE_OTHER_TENANT, OD_CAUSE_DRIVER_REFUSED,
                                           OD_CAUSE_HOST_OTHER_TENANT};
    static const enum od_cause leaks[] = {OD_CAUSE_DEVICE_LEAK, OD_CAUSE_HOST_LEAK,
                                          OD_CAUSE_GRAPH_GROWTH, OD_CAUSE_MODEL_RELOAD};
    const struct od_diagnosis *diagnosis = report->diagnosis;
    const struct od_attempt *now = &attempts->list[attempts->n - 1];
    const struct od_view *useless = judge(diagnosis->failure, attempts, arena);
    struct od_retry retry = {.base = now->useless ? now->base : attempts->n - 1};
    const struct od_resume_question question = {.c = report->c,
                                                .diagnosis = diagnosis,
                                                .answer = report->answer,
                                                .remedies = report->remedies,
                                                .lost = report->lost,
                                                .argv = attempts->list[retry.base].argv,
                                                .attempt = attempts->n,
                                                .useless = useless,

                                                .may_lift = lift(false)};
    bool may =
        attempts->list[retry.base].of_memory && !is_one_of(diagnosis, beyond, OD_COUNT_OF(beyond));
    if (may && now->of_memory)
        retry.again = od_resume_command_of(&question, arena);
    if (!retry.again.eased) {
        struct od_argv command = od_argv_start(question.argv, (struct od_view){0}, arena);
        command.useless = useless;
        move_temporary(diagnosis->failure, &command, &retry.again);
        if (may && !retry.again.eased &&
            !(is_one_of(diagnosis, leaks, OD_COUNT_OF(leaks)) &&
              od_diagnosis_names_cause(diagnosis)))
            retry.again.eased = lower_a_number(&question, &command);
        retry.again.argv = command.argv;
        retry.again.option = command.option;
        retry.again.changes = od_arena_str(arena, od_buf_view(&command.said));
        od_buf_done(&command.said);
    }
    if (!retry.again.eased)
        retry.why_not = now->useless ? "no other change is known to help"
                        : now->of_memory
                            ? "no remedy that helps can be set from outside"
                            : "the log does not show that it failed for lack of memory";
    return retry;
}
