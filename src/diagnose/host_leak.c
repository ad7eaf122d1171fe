#include "diagnose/host.h"

/* Work that had fitted for long, and then the machine's memory is gone: something grew. What and
 * how fast, only a series of measurements shows. */
enum { LONG_PROGRESS = 10 };

static void look(struct od_diagnosis_context *context)
{
    struct od_host_scene host;
    if (!od_host_scene_of(context, &host) || host.scene.progress < LONG_PROGRESS)
        return;
    struct od_finding *finding = od_finding_add(context, OD_CAUSE_HOST_LEAK, OD_POSSIBLE, 0.35);
    od_finding_say(context, finding,
                   "It ended late, after work that had fitted: something in the machine's memory "
                   "seems to have grown. The log does not show what.");
    od_finding_host(finding, &host);
    od_finding_count(finding, "progress_lines_count", od_count_of(host.scene.progress));
}

const struct od_diagnoser od_diagnoser_host_leak = {"host_leak", look};
