#include "diagnose/finding.h"
#include "diagnose/host.h"
#include "failure/bound.h"

/* "28.1 KiB was requested, and 21.5 KiB was free." of the arena, or of the machine, whose RAM is
 * not what was short; the limit where it is printed. "" = no size is known. */
static const char *amounts(struct od_diagnosis_context *context, struct od_finding *finding)
{
    const struct od_failure *failure = context->failure;
    const struct od_account *account = &failure->account;
    struct od_host_level level = od_host_level_near(context->c, &failure->incident->at);
    struct od_bytes of_machine = od_host_level_free(&level), free = failure->incident->free;
    bool room = account->enforcer->room && of_machine.known;
    const char *asked =
        failure->asked.known ? od_bytes_text(context->arena, failure->asked) : "Memory";
    if (room)
        od_finding_evidence(finding, &level.said);
    if (room && level.capacity.known)
        return od_arena_printf(context->arena,
                               "%s was refused although %s of the machine's %s was free, by the "
                               "%s printed value. ",
                               asked, od_bytes_text(context->arena, of_machine),
                               od_bytes_text(context->arena, level.capacity),
                               level.later ? "next" : "last");
    if (room)
        return od_arena_printf(context->arena, "%s was refused although %s was free. ", asked,
                               od_bytes_text(context->arena, of_machine));
    if (account->limit.bytes.known)
        return od_arena_printf(context->arena, "%s was requested, and the limit is %s. ", asked,
                               od_bytes_text(context->arena, account->limit.bytes));
    if (free.known && failure->asked.known)
        return od_arena_printf(context->arena, "%s was requested, and %s was free. ", asked,
                               od_bytes_text(context->arena, free));
    return "";
}

/* More is asked for than the limit lets anything have. */
static bool is_beyond(const struct od_failure *failure)
{
    return od_bytes_less(failure->account.limit.bytes, failure->incident->requested) == OD_YES;
}

/* More is asked for than the machine has in all, as the log prints it. */
static bool is_beyond_machine(const struct od_diagnosis_context *context)
{
    const struct od_incident *incident = context->failure->incident;
    struct od_bytes capacity = od_host_level_near(context->c, &incident->at).capacity;
    return od_bytes_less(capacity, incident->requested) == OD_YES;
}

static void look(struct od_diagnosis_context *context)
{
    struct od_host_failure host;
    if (!od_host_failure_of(context, &host) || !od_account_is_other_limit(&host.failure->account) ||
        od_beyond_machines(host.failure->need) ||
        is_beyond_machine(context)) /* no limit would do */
        return;
    const struct od_account *account = &host.failure->account;
    const struct od_enforcer *row = account->enforcer;
    const struct od_incident *incident = host.failure->incident;
    struct od_finding *finding = od_finding_add(context, row->room ? OD_CLUE(OTHER_LIMIT, room)
                                                                   : OD_CLUE(OTHER_LIMIT, stated));
    finding->proven = row->certain || is_beyond(host.failure);
    finding->clause = row->reached;
    finding->first = row->first;
    od_finding_say(context, finding, "%s%s", amounts(context, finding), row->why);
    od_finding_host(context, finding, &host);
    od_finding_bytes(finding, "free_bytes", incident->free);
    od_finding_bytes(finding, "missing_bytes", od_bytes_sub(incident->requested, incident->free));
    const struct od_setting *set = od_bound_addresses(context->c, &incident->at);
    if (account->scope == OD_SCOPE_ADDRESSES && set)
        od_finding_evidence(finding, &set->said);
    if (account->scope == OD_SCOPE_ADDRESSES && !host.failure->limit.known)
        od_finding_bytes(finding, "limit_bytes", account->limit.bytes);
}

const struct od_diagnoser od_diagnoser_other_limit = {"other_limit", look};
