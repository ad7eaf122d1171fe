#include "failure/timeline.h"

static void add_mark(struct od_timeline *timeline, struct od_turn mark)
{
    mark.order = timeline->marks.n;
    od_vec_push(&timeline->marks, mark);
}

/* Adds the first place of a message, and the last one if it was repeated. */
static void add_stretch(struct od_timeline *timeline, struct od_turn mark,
                        const struct od_prov *last)
{
    add_mark(timeline, mark);
    if (od_prov_cmp(&mark.at, last) < 0) {
        mark.at = *last;
        add_mark(timeline, mark);
    }
}

static enum od_turn_kind mark_of_incident(const struct od_incident *incident)
{
    bool refused =
        incident->kind == OD_INC_DEVICE_ALLOC_FAILED || incident->kind == OD_INC_HOST_ALLOC_FAILED;
    bool error = incident->op_error || incident->titled || incident->fatal == OD_YES;
    if (od_incident_is_handled(incident) || (refused && !error))
        return OD_TURN_REFUSED;
    if (incident->kind == OD_INC_SOFT_WARNING)
        return OD_TURN_SOFT;
    /* only the kernel sends SIGKILL to a worker */
    bool open = incident->kind == OD_INC_UNEXPLAINED_KILL ||
                (incident->kind == OD_INC_WORKER_KILLED && !od_is_sigkill(incident));
    return open ? OD_TURN_KILLED : OD_TURN_ERROR;
}

bool od_is_sigkill(const struct od_incident *incident)
{
    enum { SIGNAL_KILL = 9 };
    return incident->signal.known ? incident->signal.n == SIGNAL_KILL
                                  : od_incident_says(incident, OD_SAID_KILLED);
}

/* Did a segment not open for lack of file descriptors, by another line? That is no memory
 * failure. */
static bool lacks_descriptors(const struct od_case *c, const struct od_incident *incident)
{
    bool lacks = false;
    if (incident->kind != OD_INC_SHM_EXHAUSTED || incident->requested.known)
        return false;
    for (size_t i = 0; i < c->incidents.n; i++)
        if (c->incidents.items[i].kind == OD_INC_SHM_EXHAUSTED &&
            od_incident_says(&c->incidents.items[i], OD_SAID_DESCRIPTORS))
            return false; /* another error: the library has a second way to share memory */
    for (size_t i = 0; i < c->run_events.n; i++)
        lacks = lacks || (c->run_events.items[i].kind == OD_EV_EXCEPTION &&
                          od_means(c->run_events.items[i].said.means, OD_SAID_DESCRIPTORS));
    return lacks;
}

/* Did a library fail to start with a message that a wrong version also causes, and no other line is
 * about memory? */
static bool is_open(const struct od_case *c, const struct od_incident *incident)
{
    bool alone = incident->kind == OD_INC_DEVICE_CONTEXT_FAILED &&
                 od_incident_says(incident, OD_SAID_UNSTARTED) && c->driver_refusal_count == 0;
    for (size_t i = 0; i < c->incidents.n; i++)
        alone = alone && c->incidents.items[i].kind == incident->kind;
    return alone;
}

/* Is it a warning by the driver of a device? Its refusals are marks already. */
static bool is_of_driver(const struct od_case *c, const struct od_incident *incident)
{
    return incident->kind == OD_INC_SOFT_WARNING && !od_view_eq_str(incident->device, "CPU") &&
           c->driver_refusals.n > 0 &&
           od_prov_cmp(&incident->at, &c->driver_refusals.items[0].at) == 0;
}

static void add_incident(struct od_timeline *timeline, const struct od_case *c,
                         const struct od_incident *incident)
{
    const struct od_incident *root =
        incident->echo_of != 0 ? &c->incidents.items[incident->echo_of - 1] : incident;
    /* the other incident has all of its information */
    if (root->kind != incident->kind || lacks_descriptors(c, incident) || is_of_driver(c, incident))
        return;
    struct od_turn mark = {.at = incident->at,
                           .kind = is_open(c, root) ? OD_TURN_KILLED : mark_of_incident(incident),
                           .surfaced = od_incident_kind_is_guard(incident->kind) ||
                                       incident->kind == OD_INC_WORKER_KILLED ||
                                       (od_incident_says(incident, OD_SAID_EXCEPTION) &&
                                        !od_incident_is_handled(incident)),
                           .titled = incident->titled,
                           .incident = root};
    add_stretch(timeline, mark, &incident->last);
}

static void add_end(struct od_timeline *timeline, const struct od_run_event *moment)
{
    if (!moment->status.known) {
        if (!od_means(moment->said.means, OD_SAID_KILLED) ||
            od_means(moment->said.means, OD_SAID_ACQUITTED))
            add_mark(timeline, (struct od_turn){.at = moment->last, .kind = OD_TURN_STOPPED});
        return;
    }
    bool well = moment->status.n == 0;
    add_mark(timeline, (struct od_turn){.at = moment->last,
                                        .kind = well ? OD_TURN_ALIVE : OD_TURN_OTHER,
                                        .ended = !well,
                                        .bare = !well});
}

static bool is_caught(const struct od_run_event *moment)
{
    bool memory =
        moment->kind == OD_EV_ALLOC_FAILED ||
        (moment->kind == OD_EV_EXCEPTION && od_means(moment->said.means, OD_SAID_NO_MEMORY));
    return memory && od_means(moment->said.means, OD_SAID_HANDLED);
}

static void add_moment(struct od_timeline *timeline, const struct od_run_event *moment)
{
    struct od_turn mark = {.at = moment->first, .titled = moment->titled};
    mark.ended = od_view_eq_str(moment->name, "LastWords");
    mark.bare = od_means(moment->said.means, OD_SAID_RELAY);
    if (moment->kind == OD_EV_RUN_STARTED)
        mark.kind = OD_TURN_START;
    else if (moment->kind == OD_EV_PROGRESS)
        mark.kind = OD_TURN_ALIVE;
    else if (moment->kind == OD_EV_CRASH)
        mark.kind = OD_TURN_OTHER;
    else if (is_caught(moment)) {
        mark.kind = OD_TURN_REFUSED;
    } else if (moment->kind == OD_EV_ALLOC_FAILED) {
        mark.kind = OD_TURN_ERROR;
        mark.surfaced = od_means(moment->said.means, OD_SAID_EXCEPTION);
    } else if (moment->kind == OD_EV_EXCEPTION) {
        mark.surfaced = od_means(moment->said.means, OD_SAID_NO_MEMORY);
        mark.kind = mark.surfaced ? OD_TURN_ERROR : OD_TURN_OTHER;
    } else {
        if (moment->kind == OD_EV_RUN_ENDED)
            add_end(timeline, moment);
        return;
    }
    add_stretch(timeline, mark, &moment->last);
}

static int mark_cmp(const void *a, const void *b)
{
    const struct od_turn *x = a;
    const struct od_turn *y = b;
    int order = od_prov_cmp(&x->at, &y->at);
    bool alive = x->kind == OD_TURN_ALIVE;
    /* a progress bar on the line of an error was printed before the error */
    if (order == 0 && alive != (y->kind == OD_TURN_ALIVE))
        order = alive ? -1 : 1;
    if (order == 0)
        order = x->order < y->order ? -1 : x->order > y->order;
    return order;
}

void od_timeline_make(struct od_timeline *timeline, const struct od_case *c)
{
    *timeline = (struct od_timeline){0};
    for (size_t i = 0; i < c->incidents.n; i++)
        add_incident(timeline, c, &c->incidents.items[i]);
    for (size_t i = 0; i < c->run_events.n; i++)
        add_moment(timeline, &c->run_events.items[i]);
    for (size_t i = 0; i < c->driver_refusals.n; i++)
        add_mark(timeline,
                 (struct od_turn){.at = c->driver_refusals.items[i].at, .kind = OD_TURN_DRIVER});
    if (timeline->marks.n > 1)
        qsort(timeline->marks.items, timeline->marks.n, sizeof *timeline->marks.items, mark_cmp);
}

void od_timeline_done(struct od_timeline *timeline)
{
    od_vec_done(&timeline->marks);
}
