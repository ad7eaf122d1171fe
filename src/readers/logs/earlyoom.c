/*
 * earlyoom, which kills before the kernel does. The available and total memory are on one line
 * ("mem avail:  1024 of 15872 MiB ..."), the victim is on a later one ("sending SIGTERM to process
 * 1 uid 2 "x": badness 3, VmRSS 4 MiB"). Its MiB are binary. A signal may not end the process:
 * "process 1 did not exit" revokes it.
 */
#include "readers/measures/measure.h"
#include "readers/reader.h"

struct earlyoom {
    struct od_bytes free, capacity;
};

static const char *const openers[] = {"mem avail:",   "mem total:",    "VmRSS ", "illing process ",
                                      "did not exit", "kill failed: ", NULL};

static bool find_after(struct od_view text, struct od_view marker, struct od_view *ret_rest)
{
    size_t at = od_view_find(text, marker, 0);
    if (at == OD_VIEW_NONE)
        return false;
    *ret_rest = od_view_from(text, at + marker.n);
    od_view_skip_blanks(ret_rest);
    return true;
}

/* "mem avail:  1024 of 15872 MiB", "mem total: 15872 MiB" */
static bool take_figures(struct earlyoom *s, struct od_view text)
{
    struct od_view rest;
    uint64_t n;
    if (find_after(text, OD_VIEW("mem total:"), &rest)) {
        if (!od_num_take_u64(&rest, &n) || !od_view_starts(rest, OD_VIEW(" MiB")))
            return false;
        s->capacity = od_measure_mebibytes(n);
        return true;
    }
    if (!find_after(text, OD_VIEW("mem avail:"), &rest) || !od_num_take_u64(&rest, &n))
        return false;
    s->free = od_measure_mebibytes(n);
    if (od_view_take(&rest, OD_VIEW(" of "))) {
        od_view_skip_blanks(&rest);
        if (od_num_take_u64(&rest, &n) && od_view_starts(rest, OD_VIEW(" MiB")))
            s->capacity = od_measure_mebibytes(n);
    }
    return true;
}

struct victim {
    uint64_t pid;
    struct od_view name;
    struct od_bytes rss;
};

/* Parses the text after "process ": 1 uid 2 "x": badness 3, VmRSS 4 MiB */
static bool parse_victim(struct od_view rest, struct victim *ret_victim)
{
    struct victim victim = {0};
    uint64_t n;
    if (!od_num_take_u64(&rest, &victim.pid))
        return false;
    if (od_view_take(&rest, OD_VIEW(" uid ")) && !od_num_take_u64(&rest, &n))
        return false;
    if (!od_view_take(&rest, OD_VIEW(" \"")))
        return false;
    size_t end = od_view_find(rest, OD_VIEW("\": "), 0);
    if (end == OD_VIEW_NONE)
        end = od_view_find(rest, OD_VIEW("\" with signal "), 0);
    if (end == OD_VIEW_NONE)
        end = od_view_ends(rest, OD_VIEW("\"")) ? rest.n - 1 : 0;
    if (end == 0)
        return false;
    victim.name = od_view_head(rest, end);
    if (find_after(od_view_from(rest, end), OD_VIEW("VmRSS "), &rest) &&
        od_num_take_u64(&rest, &n) && od_view_starts(rest, OD_VIEW(" MiB")))
        victim.rss = od_measure_mebibytes(n);
    *ret_victim = victim;
    return true;
}

static bool find_victim(struct od_view text, struct victim *ret_victim)
{
    static const struct od_view words[] = {{"sending SIGTERM to process ", 27},
                                           {"sending SIGKILL to process ", 27},
                                           {"illing process ", 15}};
    struct od_view rest;
    for (size_t i = 0; i < OD_COUNT_OF(words); i++) {
        if (find_after(text, words[i], &rest) && parse_victim(rest, ret_victim))
            return true;
    }
    return false;
}

/* Does the line say that the process is still running: "process 5120 did not exit", "kill failed:
 * Timer expired: process did not exit"? */
static bool says_not_ended(struct od_view text, struct od_count *ret_pid)
{
    struct od_view rest, pid;
    if (find_after(text, OD_VIEW("kill failed: "), &rest))
        return od_view_starts(rest, OD_VIEW("Timer expired")) ||
               od_view_starts(rest, OD_VIEW("Connection timed out"));
    if (!od_view_ends(od_view_trim(text), OD_VIEW("did not exit")) ||
        !find_after(text, OD_VIEW("process "), &rest))
        return false;
    pid = rest;
    uint64_t n;
    bool known = od_num_take_u64(&pid, &n);
    *ret_pid = known ? od_count_of(n) : (struct od_count){0};
    return known || od_view_starts(rest, OD_VIEW("did not exit"));
}

/* The last signal did not end the process. */
static bool take_not_ended(const struct od_line *line, const struct od_sink *sink)
{
    struct od_count pid = {0};
    if (!says_not_ended(line->text, &pid))
        return false;
    struct od_event event;
    od_event_begin(&event, OD_EV_REMARK, line, "earlyoom");
    event.excerpt = od_view_trim(line->text);
    od_event_set_text(&event, OD_F_NAME, OD_VIEW("not_ended"));
    if (pid.known)
        od_event_set_count(&event, OD_F_PID, pid.n);
    od_sink_put(sink, &event);
    return true;
}

static void emit(const struct earlyoom *s, const struct victim *victim, const struct od_line *line,
                 const struct od_sink *sink)
{
    struct od_event event;
    od_event_begin(&event, OD_EV_PRESSURE_KILLED, line, "earlyoom");
    event.excerpt = od_view_trim(line->text);
    od_event_set_text(&event, OD_F_PRODUCER, OD_VIEW("earlyoom"));
    od_event_set_count(&event, OD_F_PID, victim->pid);
    od_event_set_text(&event, OD_F_PROCESS, victim->name);
    od_event_set_known(&event, OD_F_RSS, victim->rss);
    od_event_set_known(&event, OD_F_FREE, s->free);
    od_event_set_known(&event, OD_F_CAPACITY, s->capacity);
    od_sink_put(sink, &event);
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct earlyoom *s = state;
    struct victim victim;
    if (take_figures(s, line->text))
        return OD_TAKE_SHARE; /* a rule makes points of series from it */
    if (!find_victim(line->text, &victim))
        return take_not_ended(line, sink) ? OD_TAKE_ALL : OD_TAKE_NONE;
    emit(s, &victim, line, sink);
    return OD_TAKE_ALL;
}

const struct od_reader od_reader_earlyoom = {
    .name = "earlyoom",
    .literals = openers,
    .state_size = sizeof(struct earlyoom),
    .line = take_line,
};
