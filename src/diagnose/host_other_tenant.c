#include "diagnose/finding.h"
#include "diagnose/host.h"

/* The kernel kills the largest; where even that one holds little, others hold the machine. */
static const double little_share = 0.2;
static const double most_share = 0.4; /* of those that are listed: the largest ones only */

enum { WORKERS = 3 };

/* Another process holds most of what the group may use; more of its own kind are workers. */
static bool say_in_group(struct od_diagnosis_context *context, const struct od_host_failure *host)
{
    enum { OF_ONE_KIND = 3 };
    static const double half = 0.5; /* of the limit */
    const struct od_account *account = &host->failure->account;
    const struct od_held *most = od_account_largest(account);
    if (!most || most->count.n >= OF_ONE_KIND || !account->limit.bytes.known ||
        (double)most->bytes.n < half * (double)account->limit.bytes.lo)
        return false;
    struct od_finding *finding = od_finding_add(context, OD_CLUE(HOST_OTHER_TENANT, in_group));
    od_finding_say(context, finding,
                   "Another process, %.*s, uses %s of the %s that the job or container may use.",
                   (int)most->name.n, most->name.p, od_bytes_text(context->arena, most->bytes),
                   od_bytes_text(context->arena, account->limit.bytes));
    od_finding_host(context, finding, host);
    return true;
}

/* The other processes are of the victim's own name, as the workers of a loader or a server are. */
static bool are_siblings(const struct od_account *account)
{
    static const double half = 0.5; /* of what the other processes hold */
    struct od_held alike = od_account_namesakes(account);
    return alike.count.n >= WORKERS && od_held_bytes(&alike) - od_held_bytes(&account->victim) >=
                                           half * od_account_processes(account);
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
        host.others_share < 2 * host.victim_share || are_siblings(&host.failure->account))
        return;
    bool most = host.others_share >= most_share;
    struct od_finding *finding =
        od_finding_add(context, most ? OD_CLUE(HOST_OTHER_TENANT, others_hold_most)
                                     : OD_CLUE(HOST_OTHER_TENANT, others_hold_more));
    const struct od_account *account = &host.failure->account;
    const char *held = od_account_words(context->arena, account);
    od_finding_say(context, finding,
                   "The terminated process used only %s of the machine's %s%s%s%s.",
                   od_bytes_text(context->arena, inc->process.rss),
                   od_bytes_text(context->arena, inc->capacity), *held ? ": " : "", held,
                   od_host_swap_words(context->arena, account));
    const struct od_held *most_held = od_account_largest(account);
    if (most_held && most_held->count.n >= WORKERS) /* a server's: none of them is a leftover */
        finding->first = "lower_service";
    od_finding_host(context, finding, &host);
}

const struct od_diagnoser od_diagnoser_host_other_tenant = {"host_other_tenant", look};
