#include "diagnose/finding.h"
#include "diagnose/host.h"
#include "failure/namesakes.h"

/* The kernel kills the largest; where even that one holds little, others hold the machine. */
static const double little_share = 0.2;
static const double most_share = 0.4; /* of those that are listed: the largest ones only */

/* Another process holds most of what the group may use; more of its own kind are workers. */
static bool say_in_group(struct od_diagnosis_context *context, const struct od_host_failure *host)
{
    enum { OF_ONE_KIND = 3 };
    const struct od_incident *inc = host->failure->incident;
    const struct od_tenant *largest = NULL;
    for (size_t i = 0; i < inc->others.n; i++)
        if (inc->others.items[i].bytes.known &&
            (!largest || inc->others.items[i].bytes.n > largest->bytes.n))
            largest = &inc->others.items[i];
    if (!largest || !inc->limit.known || !inc->process.rss.known ||
        (double)largest->bytes.n < 0.5 * (double)inc->limit.lo ||
        largest->bytes.n < 2 * inc->process.rss.n || od_namesakes_alike(inc).count >= OF_ONE_KIND)
        return false;
    struct od_finding *finding = od_finding_add(context, OD_CLUE(HOST_OTHER_TENANT, in_group));
    od_finding_say(context, finding,
                   "Another process, %.*s, uses %s of the %s that the job or container may use.",
                   (int)largest->name.n, largest->name.p,
                   od_bytes_text(context->arena, largest->bytes),
                   od_bytes_text(context->arena, inc->limit));
    od_finding_host(context, finding, host);
    return true;
}

static void look(struct od_diagnosis_context *context)
{
    struct od_host_failure host;
    if (!od_host_failure_of(context, &host))
        return;
    const struct od_incident *inc = host.failure->incident;
    if (inc->kind == OD_INC_CGROUP_OOM_KILL && say_in_group(context, &host))
        return;
    bool global = inc->kind == OD_INC_HOST_OOM_KILL || inc->kind == OD_INC_PRESSURE_KILL ||
                  inc->kind == OD_INC_HOST_ALLOC_FAILED;
    if (!global || !host.known_shares || host.victim_share > little_share ||
        host.others_share < 2 * host.victim_share)
        return;
    bool most = host.others_share >= most_share;
    struct od_finding *finding =
        od_finding_add(context, most ? OD_CLUE(HOST_OTHER_TENANT, others_hold_most)
                                     : OD_CLUE(HOST_OTHER_TENANT, others_hold_more));
    od_finding_say(context, finding,
                   "The terminated process used only %s of the machine's %s: other processes use "
                   "the rest%s.",
                   od_bytes_text(context->arena, inc->process.rss),
                   od_bytes_text(context->arena, inc->capacity), od_host_most_held(context, inc));
    od_finding_host(context, finding, &host);
}

const struct od_diagnoser od_diagnoser_host_other_tenant = {"host_other_tenant", look};
