#include "answer/workers.h"

static void take_host(const struct od_host_answer *host, struct od_worker_advice *advice)
{
    advice->current = host->workers;
    advice->recommended = host->recommended;
    advice->most = host->most;
    advice->fewer = host->fewer;
    if (host->grows) {
        advice->recommended = host->workers;
        advice->fewer = (struct od_count){0};
        advice->why = "Memory grows over time with any number of workers: end the growth first.";
    } else {
        advice->why = host->recommended.known || host->small ? host->workers_do : host->no_number;
    }
}

struct od_worker_advice od_worker_advice_of(const struct od_case *c,
                                            const struct od_failure *failure,
                                            const struct od_host_answer *host,
                                            const struct od_plan_request *request,
                                            struct od_arena *arena)
{
    struct od_worker_advice advice = {0};
    if (host) {
        take_host(host, &advice);
        return advice;
    }
    if (failure->run.outcome != OD_OUTCOME_MEMORY_FAILURE || !failure->incident)
        return advice;
    advice.current = od_failure_setting(c, OD_SETTING_WORKERS, &failure->incident->at);
    if (!advice.current.known || !od_failure_is_device(failure))
        return advice;
    struct od_count cpus = request && request->cpus.known
                               ? request->cpus
                               : od_failure_setting(c, OD_SETTING_CPUS, &failure->incident->at);
    bool many = cpus.known && cpus.n > 0 && cpus.n < advice.current.n;
    advice.recommended = many ? cpus : advice.current;
    advice.why =
        many
            ? od_arena_printf(arena, "There are %llu processors; more workers load nothing faster.",
                              (unsigned long long)cpus.n)
            : "The device's memory ran out; workers hold memory of the host.";
    return advice;
}
