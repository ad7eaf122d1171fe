#include "diagnose/finding.h"
#include "diagnose/host.h"

/* The kernel kills the largest; where even that one holds little, others hold the machine. */
static const double little_share = 0.2;
static const double most_share = 0.4; /* of those that are listed: the largest ones only */

static void look(struct od_diagnosis_context *context)
{
    struct od_host_failure host;
    if (!od_host_failure_of(context, &host))
        return;
    const struct od_incident *inc = host.failure->incident;
    bool global = inc->kind == OD_INC_HOST_OOM_KILL || inc->kind == OD_INC_PRESSURE_KILL ||
                  inc->kind == OD_INC_HOST_ALLOC_FAILED;
    if (!global || !host.known_shares || host.victim_share > little_share ||
        host.others_share < 2 * host.victim_share)
        return;
    bool most = host.others_share >= most_share;
    char held[OD_BYTES_TEXT], ram[OD_BYTES_TEXT];
    struct od_finding *finding =
        od_finding_add(context, most ? OD_CLUE(HOST_OTHER_TENANT, others_hold_most)
                                     : OD_CLUE(HOST_OTHER_TENANT, others_hold_more));
    od_finding_say(
        context, finding,
        "The terminated process used only %s of the machine's %s: other processes use the rest.",
        od_bytes_print(inc->process.rss, held), od_bytes_print(inc->capacity, ram));
    od_finding_host(finding, &host);
}

const struct od_diagnoser od_diagnoser_host_other_tenant = {"host_other_tenant", look};
