#include "diagnose/finding.h"
#include "diagnose/host.h"

#include "failure/timeline.h"

/* Few workers are a process or two more; from here on they multiply what one holds. */
enum { MANY_WORKERS = 4, OF_ONE_KIND = 3 };

/* The worker is what the kernel killed. */
static bool is_victim(const struct od_incident *worker, const struct od_incident *kill)
{
    return worker->process.pid.known && kill->process.pid.known &&
           worker->process.pid.n == kill->process.pid.n;
}

/* Several of the name of what was killed, where they hold much as well; or in a group, which is one
 * job, of another name, which hold most: the kernel may take the one process that gave them their
 * work. */
static struct od_held alike_of(const struct od_failure *failure)
{
    static const double part = 0.75; /* the others, of what the killed process holds */
    const struct od_account *account = &failure->account;
    const struct od_held *most = od_account_largest(account);
    struct od_held alike = od_account_namesakes(account);
    if (od_account_is_of_group(account) && most)
        return *most;
    if (od_held_bytes(&alike) < (1 + part) * od_held_bytes(&account->victim))
        alike.count = (struct od_count){0};
    return alike;
}

static bool of_one_kind(const struct od_failure *failure)
{
    return alike_of(failure).count.n >= OF_ONE_KIND;
}

static enum od_clue sign_of(const struct od_host_failure *host)
{
    const struct od_incident *inc = host->failure->incident;
    bool many = host->workers.known && host->workers.n >= MANY_WORKERS;
    if (host->workers.known && host->workers.n == 0)
        return OD_CLUE_NONE;
    if (inc->kind == OD_INC_WORKER_KILLED)
        return od_incident_says(inc, OD_SAID_BUS_ERROR) ? OD_CLUE_NONE
               : od_is_sigkill(inc) ? OD_CLUE(WORKERS_HOST_MEMORY, worker_sigkill)
                                    : OD_CLUE(WORKERS_HOST_MEMORY, worker_died);
    if (host->kill && !od_host_is_build(inc) && of_one_kind(host->failure))
        return OD_CLUE(WORKERS_HOST_MEMORY, processes_alike);
    if (host->worker && host->kill)
        return many && is_victim(host->worker, inc) ? OD_CLUE(WORKERS_HOST_MEMORY, victim_of_many)
               : many                               ? OD_CLUE(WORKERS_HOST_MEMORY, worker_of_many)
                                                    : OD_CLUE(WORKERS_HOST_MEMORY, worker_and_kill);
    if (od_incident_says(inc, OD_SAID_WORKERS) ||
        (host->failure->phase == OD_PHASE_INPUT && !host->kill))
        return many ? OD_CLUE(WORKERS_HOST_MEMORY, named_many)
                    : OD_CLUE(WORKERS_HOST_MEMORY, named);
    return many && host->kill ? OD_CLUE(WORKERS_HOST_MEMORY, many_and_kill) : OD_CLUE_NONE;
}

/* Processes of one name whose memory grew alike: workers that come to own what they only read. */
static uint64_t grown_alike(const struct od_case *c)
{
    static const double grown = 0.1; /* of what they began with */
    uint64_t most = 0;
    OD_FOR_EACH (const struct od_series, s, c->series) {
        uint64_t alike = 0;
        if (s->metric != OD_SERIES_HOST_RSS || !s->pid.known || s->last < (1 + grown) * s->first)
            continue;
        OD_FOR_EACH (const struct od_series, o, c->series) {
            bool same = o->metric == s->metric && o->pid.known &&
                        od_view_eq(o->process, s->process) && od_view_eq(o->producer, s->producer);
            alike += same && o->last >= (1 + grown) * o->first &&
                     o->last - o->first >= 0.5 * (s->last - s->first) &&
                     o->last - o->first <= 2 * (s->last - s->first);
        }
        most = alike > most ? alike : most;
    }
    return most;
}

/* Of what was killed or, in a group, of another name. */
static void say_alike(struct od_diagnosis_context *context, struct od_finding *finding)
{
    struct od_held most = alike_of(context->failure);
    od_finding_say(context, finding,
                   "%llu processes called %.*s run side by side and hold %s together.",
                   (unsigned long long)most.count.n, (int)most.name.n, most.name.p,
                   od_bytes_text(context->arena, most.bytes));
}

static void look(struct od_diagnosis_context *context)
{
    struct od_host_failure host;
    if (!od_host_failure_of(context, &host))
        return;
    enum od_clue sign = sign_of(&host);
    uint64_t alike = grown_alike(context->c);
    if (alike >= MANY_WORKERS && (!host.workers.known || host.workers.n > 0))
        sign = OD_CLUE(WORKERS_HOST_MEMORY, grown_alike);
    if (sign == OD_CLUE_NONE)
        return;
    struct od_finding *finding = od_finding_add(context, sign);
    if (alike >= MANY_WORKERS)
        od_finding_say(context, finding,
                       "%llu processes of one kind grew in the same way: workers end up with their "
                       "own copy of data they only read.",
                       (unsigned long long)alike);
    else if (sign == OD_CLUE(WORKERS_HOST_MEMORY, processes_alike) && !host.workers.known)
        say_alike(context, finding);
    else if (!host.failure->of_network || od_failure_is_server(host.failure))
        finding->summary = "Worker processes run side by side, and each holds memory of its own.";
    else if (host.workers.known)
        od_finding_say(context, finding,
                       "%llu workers read the data, and each holds its own copy of what it reads.",
                       (unsigned long long)host.workers.n);
    else
        od_finding_say(context, finding,
                       "Workers read the data, and each holds its own copy of what it reads; the "
                       "log does not show how many there are.");
    od_finding_host(context, finding, &host);
    if (!host.workers.known && od_case_setting(context->c, OD_SETTING_JOBS).n > 0)
        finding->first = "fewer_jobs"; /* no loader's workers */
}

const struct od_diagnoser od_diagnoser_workers_host_memory = {"workers_host_memory", look};
