#include "advise/command_number.h"

#include "advise/remedy.h"
#include "base/code_line.h"
#include "base/named_number.h"
#include "facts/bounds.h"
#include "facts/mention.h"
#include "facts/setting_number.h"
#include "failure/bound.h"

bool od_failure_is_of_threads(const struct od_case *c, const struct od_failure *failure)
{
    return failure->run.outcome == OD_OUTCOME_OTHER_FAILURE &&
           od_bound_is_printed(c, &failure->run.at, "failure_threads") &&
           !od_bound_is_printed(c, &failure->run.at,
                                "limit_of_addresses"); /* of the threads' stacks */
}

bool od_number_is_at_once(struct od_view option)
{
    return od_means(od_mention_means(option), OD_SIZE_AT_ONCE) || od_view_eq_str(option, "j") ||
           od_view_eq_str(option, "P"); /* -P of make and xargs */
}

/* Does the failing line contain the number's name or value? "private_table_space" contains
 * --table-space, "size=4000" a value. */
static bool is_named(const struct od_failure *failure, const struct od_assigned *number,
                     struct od_arena *arena)
{
    enum { LEAST = 4 }; /* least number of letters that identify a word */
    const struct od_incident *ended = failure->run.ended;
    struct od_view rest = od_option_name(od_arena_str(arena, number->name), arena), word;
    if (!ended || ended->evidence.n == 0)
        return false;
    struct od_view line = ended->evidence.items[0].text;
    while (od_view_cut(&rest, '_', &word))
        if (word.n >= LEAST && od_has_word(line, od_arena_str(arena, word)))
            return true;
    return od_number_of(line, number->name, number->value) != OD_VIEW_NONE;
}

bool od_number_is_bound(const struct od_failure *failure, const struct od_assigned *number,
                        struct od_arena *arena)
{
    uint64_t means = od_mention_means(od_option_name(od_arena_str(arena, number->name), arena));
    enum od_scope scope = failure->account.scope;
    bool open = scope == OD_SCOPE_UNKNOWN || scope == OD_SCOPE_PROCESS;
    bool memory = od_means(means, OD_SIZE_MEMORY);
    const char *enforcer = failure->account.enforcer ? failure->account.enforcer->id : NULL;
    if (od_is_called(enforcer, "files_in_memory"))
        return false;
    if (od_is_called(enforcer, "stack")) /* each thread of OpenMP has its own stack */
        return od_means(means, OD_SIZE_STACK);
    return !failure->account.killed_by_kernel &&
           ((memory && open && (od_means(means, OD_SIZE_LIMIT) || failure->account.had_room)) ||
            (scope == OD_SCOPE_ARENA &&
             (memory || number->bytes.known || is_named(failure, number, arena))));
}

/* Weight of a number. A batch is small, and a smaller one changes the result least. An upper bound
 * that the program checks itself may have stopped it. */
double od_number_weight(const struct od_failure *failure, const struct od_assigned *number,
                        struct od_arena *arena)
{
    enum { BATCH = 1 << 16, SIZE = 1 << 6, LEAST = 100, AT_ONCE = 1024 };
    const uint64_t sizes = UINT64_C(1) << OD_SIZE_MEMORY | UINT64_C(1) << OD_SIZE_ITEMS |
                           UINT64_C(1) << OD_SIZE_EXTENT;
    const struct od_view option = od_option_name(od_arena_str(arena, number->name), arena);
    double n = od_setting_value(number->value, NULL);
    uint64_t means = od_mention_means(option);
    bool limit = od_means(means, OD_SIZE_LIMIT) && od_means(means, OD_SIZE_MEMORY);
    bool threads = failure->run.outcome == OD_OUTCOME_OTHER_FAILURE; /* threads were refused */
    if (n <= 1 || od_means(means, OD_SIZE_OTHER) || (threads && !od_number_is_at_once(option)))
        return 0;
    if (od_number_is_bound(failure, number, arena) ||
        od_means(od_label_means(option), OD_LABEL_TRAIN_BATCH))
        return OD_NAMED_WEIGHT * n * BATCH;
    if (means & sizes)
        return limit && !failure->account.killed_by_kernel ? 0 : OD_NAMED_WEIGHT * n * SIZE;
    if (od_number_is_at_once(option)) /* a number of jobs: "sacct -j 81233" */
        return n <= AT_ONCE ? OD_NAMED_WEIGHT * n : 0;
    return n >= LEAST ? n : 0;
}

/* The place of the last command above the failure. */
static struct od_prov command_at(const struct od_case *c, const struct od_incident *failure)
{
    const struct od_evidence *command = od_command_before(c, failure);
    struct od_prov at = command ? command->at : (struct od_prov){0};
    for (size_t i = 0; !command && failure && c->assigned && i < c->assigned->n; i++) {
        const struct od_assigned *one = &c->assigned->items[i];
        if (od_is_command_line(one->line) && od_prov_cmp(&one->at, &failure->at) < 0)
            at = one->at;
    }
    return at;
}

const struct od_assigned *od_command_number(const struct od_case *c,
                                            const struct od_failure *failure,
                                            const struct od_argv *argv, od_number_test *also,
                                            const void *with)
{
    const struct od_prov command = command_at(c, failure->run.ended);
    const struct od_assigned *best = NULL;
    enum { OF_COMMAND = 1 << 20 }; /* a number of the command outweighs one of a script */
    double most = 0;
    for (size_t i = 0; c->assigned && i < c->assigned->n; i++) {
        const struct od_assigned *one = &c->assigned->items[i];
        const char *name = od_arena_str(argv->arena, one->name),
                   *value = od_arena_str(argv->arena, one->value);
        bool own = od_prov_cmp(&one->at, &command) == 0;
        double weight = od_number_weight(failure, one, argv->arena);
        bool divides = weight > 1; /* half of 1 is 0 */
        weight *= own ? OF_COMMAND : 1;
        if (!divides || weight <= most || od_argv_is_useless(argv, name) ||
            od_argv_is_useless(argv, value) || !(own || (also && also(with, one))))
            continue;
        most = weight;
        best = one;
    }
    return best;
}

const struct od_evidence *od_command_before(const struct od_case *c,
                                            const struct od_incident *failure)
{
    const struct od_evidence *command = NULL;
    OD_FOR_EACH (const struct od_evidence, said, c->commands) {
        if (!failure || od_prov_cmp(&said->at, &failure->at) < 0)
            command = said;
    }
    return command;
}
