/* The rows of a table near a failure: processes, containers or job steps that held the memory. */
#include "case/builder.h"

enum { TABLE_LINES = 64 }; /* of the table's row nearest to the failure */

/* The last point before the failure, or the first one after it. */
static struct od_point point_near(const struct od_series *s, const struct od_prov *at)
{
    size_t i = 0;
    while (i + 1 < s->nsamples && s->samples[i + 1].line < at->line)
        i++;
    return s->nsamples > 0 ? s->samples[i] : (struct od_point){0};
}

static bool is_own(const struct od_incident *inc, const struct od_series *s)
{
    return inc->process.pid.known && s->pid.known && inc->process.pid.n == s->pid.n;
}

/* Adds a process from a table of a device, or adds its name to a holder in the message. */
static void add_of_device(struct od_incident *inc, const struct od_series *s)
{
    struct od_tenant row = {.pid = s->pid, .name = s->process, .listed = true};
    bool apart = s->device.n > 0 && inc->device.n > 0 && !od_view_eq(s->device, inc->device);
    if (s->metric != OD_SERIES_DEVICE_USED || !s->listed || apart ||
        s->at.source != inc->at.source || is_own(inc, s))
        return;
    OD_FOR_EACH (struct od_tenant, t, inc->others)
        if (t->pid.known && t->pid.n == s->pid.n) {
            t->name = t->name.n > 0 ? t->name : s->process;
            return;
        }
    row.bytes = od_bytes_exact((uint64_t)point_near(s, &inc->at).value);
    if (row.bytes.n > 0 && inc->others.n < OD_TENANTS_MAX)
        od_vec_push(&inc->others, row);
}

/* Does a row of this kind count for that failure? ps and top list the machine's processes, docker
 * stats its containers, sacct the steps of a job. */
static bool counts(const struct od_incident *inc, const struct od_series *s)
{
    struct od_view rest = s->process, job;
    bool machine = inc->kind != OD_INC_JOB_LIMIT_KILL && inc->kind != OD_INC_CGROUP_OOM_KILL;
    if (s->process.n == 0 || s->nsamples == 0 || s->at.source != inc->at.source)
        return false;
    if (s->metric == OD_SERIES_HOST_PEAK)
        return !machine && od_view_cut(&rest, '.', &job) && od_view_has(inc->group, job);
    return machine && ((s->metric == OD_SERIES_HOST_RSS && s->listed) ||
                       (s->metric == OD_SERIES_HOST_USED && od_view_eq_str(s->producer, "docker")));
}

/* The program of a command: "java" of "/usr/bin/java -jar x", "postgres" of "postgres: writer". */
static struct od_view program_of(struct od_view command)
{
    struct od_view word = od_view_head(command, od_view_find_char(command, ' ', 0)), folder;
    while (od_view_find_char(word, '/', 0) != OD_VIEW_NONE && od_view_cut(&word, '/', &folder))
        ;
    return od_view_ends(word, OD_VIEW(":")) ? od_view_head(word, word.n - 1) : word;
}

static void add_of_host(struct od_incident *inc, const struct od_series *s, struct od_bytes bytes)
{
    struct od_held row = {.kind = OD_HELD_PROCESSES,
                          .name =
                              s->metric == OD_SERIES_HOST_RSS ? program_of(s->process) : s->process,
                          .count = od_count_of(1),
                          .pid = s->pid,
                          .bytes = bytes,
                          .least = bytes};
    OD_FOR_EACH (struct od_held, sum, inc->holdings)
        if (od_view_eq(sum->name, row.name)) {
            sum->count.n++;
            sum->pid = (struct od_count){0};
            sum->bytes = od_bytes_add(sum->bytes, bytes);
            sum->least = bytes.n < sum->least.n ? bytes : sum->least;
            return;
        }
    if (inc->holdings.n < OD_HOLDINGS_MAX)
        od_vec_push(&inc->holdings, row);
}

static uint64_t lines_away(const struct od_incident *inc, const struct od_series *s)
{
    return od_prov_distance(&inc->at, &(struct od_prov){.source = inc->at.source,
                                                        .line = point_near(s, &inc->at).line});
}

/* Are both rows of one table? */
static bool is_same_table(const struct od_incident *inc, const struct od_series *s,
                          const struct od_series *nearest)
{
    return counts(inc, s) && s->metric == nearest->metric &&
           lines_away(inc, s) <= lines_away(inc, nearest) + TABLE_LINES &&
           (point_near(s, &inc->at).line < inc->at.line) ==
               (point_near(nearest, &inc->at).line < inc->at.line);
}

/* Does the row show a container that holds as much as the killed process? The process counts in it,
 * too. */
static bool is_home(const struct od_incident *inc, const struct od_series *s, double bytes)
{
    static const double grown = 0.9; /* measured before the process had grown to its last size */
    return s->metric == OD_SERIES_HOST_USED && inc->process.rss.known &&
           bytes >= grown * (double)inc->process.rss.n;
}

void od_listed_add(struct od_incident *inc, const od_series_list *series)
{
    bool host = od_incident_kind_is_host(inc->kind);
    const struct od_series *nearest = NULL;
    size_t rows = 0;
    OD_FOR_EACH (const struct od_series, s, *series) {
        if (!host)
            add_of_device(inc, s);
        else if (inc->holdings.n == 0 && counts(inc, s) &&
                 (!nearest || lines_away(inc, s) < lines_away(inc, nearest)))
            nearest = s;
    }
    OD_FOR_EACH (const struct od_series, s, *series)
        rows += nearest && is_same_table(inc, s, nearest);
    OD_FOR_EACH (const struct od_series, s, *series) {
        double bytes = point_near(s, &inc->at).value;
        if (!nearest || !is_same_table(inc, s, nearest) || !(bytes > 0))
            continue;
        if (s->metric == OD_SERIES_HOST_PEAK && !(inc->peak.known && (double)inc->peak.n >= bytes))
            inc->peak = od_bytes_exact((uint64_t)bytes);
        if (rows > 1 && !is_own(inc, s) && !is_home(inc, s, bytes))
            add_of_host(inc, s, od_bytes_exact((uint64_t)bytes));
    }
}
