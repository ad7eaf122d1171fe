#include "advise/command_number.h"

#include "facts/mention.h"
#include "facts/setting_number.h"

bool od_number_is_at_once(struct od_view option)
{
    return od_means(od_mention_means(option), OD_SIZE_AT_ONCE) || od_view_eq_str(option, "j");
}

bool od_number_is_bound(const struct od_failure *failure, const struct od_assigned *number,
                        struct od_arena *arena)
{
    uint64_t means = od_mention_means(od_option_name(od_arena_str(arena, number->name), arena));
    enum od_scope scope = failure->account.scope;
    bool open = scope == OD_SCOPE_UNKNOWN || scope == OD_SCOPE_PROCESS;
    return !failure->account.killed_by_kernel && od_means(means, OD_SIZE_MEMORY) &&
           (scope == OD_SCOPE_ARENA || (open && od_means(means, OD_SIZE_LIMIT)));
}

/* A batch is small, and a smaller one changes the result least. An upper bound that the program
 * keeps itself may be what stopped it. */
double od_number_weight(const struct od_failure *failure, const struct od_assigned *number,
                        struct od_arena *arena)
{
    enum { BATCH = 1 << 16, SIZE = 1 << 6, LEAST = 100 };
    const uint64_t sizes = UINT64_C(1) << OD_SIZE_MEMORY | UINT64_C(1) << OD_SIZE_ITEMS |
                           UINT64_C(1) << OD_SIZE_EXTENT;
    const struct od_view option = od_option_name(od_arena_str(arena, number->name), arena);
    double n = od_setting_value(number->value, NULL);
    uint64_t means = od_mention_means(option);
    bool limit = od_means(means, OD_SIZE_LIMIT) && od_means(means, OD_SIZE_MEMORY);
    if (n <= 1 || od_means(means, OD_SIZE_OTHER))
        return 0;
    if (od_number_is_bound(failure, number, arena) ||
        od_means(od_label_means(option), OD_LABEL_TRAIN_BATCH))
        return OD_NAMED_WEIGHT * n * BATCH;
    if (means & sizes)
        return limit && !failure->account.killed_by_kernel ? 0 : OD_NAMED_WEIGHT * n * SIZE;
    return od_number_is_at_once(option) ? OD_NAMED_WEIGHT * n : n >= LEAST ? n : 0;
}

const struct od_assigned *od_command_number(const struct od_case *c,
                                            const struct od_failure *failure,
                                            const struct od_argv *argv, od_number_test *also,
                                            const void *with)
{
    const struct od_evidence *command = od_command_before(c, failure->run.ended);
    const struct od_assigned *best = NULL;
    double most = 1; /* half of 1 is nothing */
    for (size_t i = 0; c->assigned && i < c->assigned->n; i++) {
        const struct od_assigned *one = &c->assigned->items[i];
        const char *name = od_arena_str(argv->arena, one->name),
                   *value = od_arena_str(argv->arena, one->value);
        double weight = od_number_weight(failure, one, argv->arena);
        if (weight <= most || od_argv_is_useless(argv, name) || od_argv_is_useless(argv, value) ||
            !((command && od_prov_cmp(&one->at, &command->at) == 0) || (also && also(with, one))))
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
