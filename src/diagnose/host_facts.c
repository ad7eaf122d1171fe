/* The facts about hosts (the section of rules/facts.def of that name). */
#include "diagnose/host.h"
#include "diagnose/taker.h"

#include "case/run_state.h"

/* --- data --- */

/*
 * The number of samples of an array whose first dimension counts a thousand at least, and far more
 * than any other does (of pictures, volumes: twice is enough). A batch is not made of thousands.
 */
static struct od_count samples_of(const struct od_shape *shape)
{
    enum { SAMPLES = 1000, FAR_MORE = 4, DIMS = 2 };
    uint64_t largest = 0;
    if (!shape->known || shape->n < DIMS || shape->dims[0] == OD_DIM_UNKNOWN)
        return (struct od_count){0};
    for (uint32_t i = 1; i < shape->n; i++) {
        if (shape->dims[i] == OD_DIM_UNKNOWN)
            return (struct od_count){0};
        largest = shape->dims[i] > largest ? shape->dims[i] : largest;
    }
    uint64_t more = shape->n > DIMS ? 2 : FAR_MORE;
    return shape->dims[0] >= SAMPLES && shape->dims[0] / more >= largest
               ? od_count_of(shape->dims[0])
               : (struct od_count){0};
}

static void take_doing(const struct taker *t)
{
    static const char *const words[] = {
        [OD_DOING_TRAINING] = "training", [OD_DOING_VALIDATION] = "validation",
        [OD_DOING_LOAD] = "load",         [OD_DOING_RESTORE] = "restore",
        [OD_DOING_DATA] = "data",
    };
    const struct od_doing *doing = t->failure->doing;
    take_count(t, OD_FACT_SAMPLES_COUNT, samples_of(&t->incident->tensor.shape));
    if (!doing)
        return;
    struct od_evidence line = {.at = doing->at, .text = {doing->said.p, doing->said.n}};
    t->facts->profile.values[OD_FACT_DOING] = od_fact_word(OD_FACT_DOING, words[doing->what]);
    t->facts->said[OD_FACT_DOING] = copy_line(t, line);
}

/* --- workers --- */

/* Several of the name of what was killed, where they hold much as well; or in a group, which is one
 * job, of another name, which hold most: the kernel may take the one process that gave them their
 * work. */
static struct od_held alike_of(const struct od_account *account)
{
    static const double part = 0.75; /* the others, of what the killed process holds */
    const struct od_held *most = od_account_largest(account);
    struct od_held alike = od_account_namesakes(account);
    if (od_account_is_of_group(account) && most)
        return *most;
    if (od_held_bytes(&alike) < (1 + part) * od_held_bytes(&account->victim))
        alike.count = (struct od_count){0};
    return alike;
}

static bool grew(const struct od_series *s)
{
    static const double least = 0.1; /* of what they began with */
    return s->metric == OD_SERIES_HOST_RSS && s->pid.known && s->last >= (1 + least) * s->first;
}

/* Processes of one name whose memory grew alike: workers that come to own what they only read. */
static uint64_t grown_alike(const struct od_case *c)
{
    uint64_t most = 0;
    OD_FOR_EACH (const struct od_series, s, c->series) {
        uint64_t alike = 0;
        double grown = s->last - s->first;
        OD_FOR_EACH (const struct od_series, o, c->series)
            alike += grew(s) && grew(o) && od_view_eq(o->process, s->process) &&
                     od_view_eq(o->producer, s->producer) && o->last - o->first >= grown / 2 &&
                     o->last - o->first <= 2 * grown;
        most = alike > most ? alike : most;
    }
    return most;
}

static void take_workers(const struct taker *t)
{
    const struct od_incident *worker = od_failure_find(t->c, OD_INC_WORKER_KILLED);
    const struct od_fact_value *workers = &t->facts->profile.values[OD_FACT_WORKERS];
    struct od_held alike = alike_of(&t->failure->account);
    take_truth(t, OD_FACT_BUILD, od_host_is_build(t->incident));
    take_count(t, OD_FACT_ALIKE_PROCESSES, alike.count);
    take_text(t, OD_FACT_ALIKE, od_arena_str(t->context->arena, alike.name));
    take_bytes(t, OD_FACT_ALIKE_HELD, alike.bytes);
    take_count(t, OD_FACT_GROWN_ALIKE, od_count_of(grown_alike(t->c)));
    take_truth(t, OD_FACT_VICTIM_IS_WORKER,
               worker && worker->process.pid.known && t->incident->process.pid.known &&
                   worker->process.pid.n == t->incident->process.pid.n);
    if (t->failure->of_network && !od_failure_is_server(t->failure))
        take_text(t, OD_FACT_LOADERS,
                  workers->known ? od_arena_printf(t->context->arena, "%llu workers",
                                                   (unsigned long long)workers->number.n)
                                 : "Workers");
}

void od_take_host(const struct taker *t)
{
    take_doing(t);
    take_workers(t);
}
