#include "advise/command_number.h"

#include "facts/mention.h"
#include "facts/setting_number.h"

#include <math.h>

bool od_number_is_at_once(struct od_view option)
{
    return od_means(od_mention_means(option), OD_SIZE_AT_ONCE) || od_view_eq_str(option, "j");
}

/* A batch is small, and a smaller one changes the result least. An upper bound that the program
 * keeps itself may be what stopped it. */
double od_number_weight(const struct od_failure *failure, struct od_view option, double n)
{
    enum { BATCH = 1 << 16, SIZE = 1 << 6, LEAST = 100 };
    const uint64_t sizes = UINT64_C(1) << OD_SIZE_MEMORY | UINT64_C(1) << OD_SIZE_ITEMS |
                           UINT64_C(1) << OD_SIZE_EXTENT;
    uint64_t means = od_mention_means(option);
    bool bound = od_means(means, OD_SIZE_LIMIT) && od_means(means, OD_SIZE_MEMORY);
    if (od_means(means, OD_SIZE_OTHER) || (bound && !failure->account.killed_by_kernel))
        return 0;
    if (od_means(od_label_means(option), OD_LABEL_TRAIN_BATCH))
        return OD_NAMED_WEIGHT * n * BATCH;
    if (means & sizes)
        return OD_NAMED_WEIGHT * n * SIZE;
    return od_number_is_at_once(option) ? OD_NAMED_WEIGHT * n : n >= LEAST ? n : 0;
}

/* The number of option i, or of word i if that is a large number alone; unknown if there is none
 * above 1. */
static struct od_setting_number number_at(char *const *argv, size_t i)
{
    static const double alone = 1000;
    bool option = od_is_option(argv[i]);
    bool taken = od_is_option(argv[i - 1]) && !od_option_own_value(argv[i - 1]);
    const char *value = option ? od_option_value(argv, i) : taken ? NULL : argv[i];
    struct od_setting_number number = od_setting_number_read(od_view_of(value ? value : ""));
    double bytes = od_setting_number_bytes(&number);
    number.known = number.known && bytes >= 2 && bytes < OD_NAMED_WEIGHT &&
                   floor(number.value) >= number.value &&
                   (option || (number.unit.n == 0 && bytes >= alone));
    return number;
}

bool od_command_halve(struct od_argv *command, const struct od_failure *failure)
{
    struct od_setting_number number = {0};
    size_t at = 0;
    double best = 0;
    for (size_t i = 1; command->argv[i]; i++) {
        const struct od_setting_number now = number_at(command->argv, i);
        const struct od_view name = od_option_name(command->argv[i], command->arena);
        double weight = od_number_weight(failure, name, od_setting_number_bytes(&now));
        if (!now.known || weight <= best || od_argv_is_useless(command, command->argv[i]))
            continue;
        number = now;
        best = weight;
        at = i;
    }
    const char *half = od_setting_number_times(&number, 0.5, command->arena);
    if (at > 0 && half)
        od_argv_set(command, at, half);
    return at > 0 && half;
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
