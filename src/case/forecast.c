/*
 * Limits of series, and when a growing series reaches its limit.
 */
#include "case/builder.h"

#include <math.h>

/* as a share of the remaining room: precision of the level at the end */
static const double z_share = 0.02;

/* Mapped files of a framework with its device libraries, and pages shared by a forked worker with
 * its parent, take some hundred MiB (measured: 150 MiB for a worker, 625 MiB for an import of
 * PyTorch, most of it code). */
enum { SHARED_MAX = 512 << 20 };

static void set_limit(struct od_series *s, struct od_bytes limit, struct od_prov at)
{
    if (s->limit_known || !limit.known || limit.n == 0)
        return;
    s->limit_known = true;
    s->limit = (double)limit.n;
    s->limit_at = at;
}

/* Takes the limit of the failed allocator, if it differs from the size of the device. */
static void limit_by_allocator(struct od_series *s, const struct od_case *c)
{
    OD_FOR_EACH (const struct od_incident, inc, c->incidents)
        if (inc->kind == OD_INC_DEVICE_ALLOC_FAILED && inc->capacity.known && inc->limit.known &&
            inc->limit.hi < inc->capacity.lo && (double)inc->limit.hi >= s->max)
            set_limit(s, inc->limit, inc->at);
}

/* Takes the size of the device with that name; without a name, of the only kind of device in the
 * log. */
static void limit_by_device(struct od_series *s, const struct od_case *c)
{
    const struct od_device *found = NULL;
    OD_FOR_EACH (const struct od_device, device, c->devices) {
        if (!device->capacity.known)
            continue;
        bool same = s->device.n > 0 && od_view_eq(s->device, device->device);
        bool open = s->device.n == 0 || device->device.n == 0;
        if (!same && !open)
            continue;
        if (!same && found && od_bytes_same(found->capacity, device->capacity) != OD_YES)
            return;
        found = device;
        if (same)
            break;
    }
    if (found)
        set_limit(s, found->capacity, found->said.at);
    for (size_t i = 0; i < c->incidents.n && !s->limit_known; i++)
        if (c->incidents.items[i].kind == OD_INC_DEVICE_ALLOC_FAILED)
            set_limit(s, c->incidents.items[i].capacity, c->incidents.items[i].at);
}

static void limit_by_setting(struct od_series *s, const struct od_case *c, enum od_setting_id id)
{
    struct od_bytes limit;
    for (size_t i = c->settings.n; i-- > 0;) {
        const struct od_setting *setting = &c->settings.items[i];
        if (setting->id == id && od_setting_size(setting, &limit)) {
            set_limit(s, limit, setting->said.at);
            return;
        }
    }
}

/* Takes the limit of the kill, otherwise the printed limit of the group or the machine. */
static void limit_by_host(struct od_series *s, const struct od_case *c)
{
    OD_FOR_EACH (const struct od_incident, inc, c->incidents) {
        if (inc->kind == OD_INC_CGROUP_OOM_KILL || inc->kind == OD_INC_JOB_LIMIT_KILL)
            set_limit(s, inc->limit, inc->at);
        else if (inc->kind == OD_INC_HOST_OOM_KILL || inc->kind == OD_INC_PRESSURE_KILL)
            set_limit(s, inc->capacity, inc->at);
    }
    limit_by_setting(s, c, OD_SETTING_MEMORY_LIMIT);
    limit_by_setting(s, c, OD_SETTING_MACHINE_MEMORY);
}

static bool grows(const struct od_series *s)
{
    return (s->trend == OD_TREND_LEAK || s->trend == OD_TREND_STAIRCASE) && s->slope_known &&
           s->slope_lo * s->slope_hi > 0;
}

/* Least RSS outside of the process's own memory when the kernel killed it, because the process had
 * grown since the last RSS. 0 = unknown. */
static double shared_at_kill(const struct od_series *s, const struct od_case *c)
{
    double shared = 0;
    OD_FOR_EACH (const struct od_incident, inc, c->incidents) {
        bool kill = inc->kind == OD_INC_CGROUP_OOM_KILL || inc->kind == OD_INC_HOST_OOM_KILL;
        bool other = s->pid.known && inc->process.pid.known && s->pid.n != inc->process.pid.n;
        if (kill && !other && inc->process.rss.known)
            shared = fmax(shared, s->last - (double)inc->process.rss.n);
    }
    /* more than half: another process was killed */
    return shared < 0.5 * s->last ? shared : 0;
}

/* x at which value + slope * dx reaches the limit plus more. */
static double reaches(const struct od_series *s, double slope, double end_x, double more)
{
    double limit = od_series_metric_is_free(s->metric) ? 0 : s->limit + more;
    return end_x + (limit - s->end_level) / slope;
}

static void forecast(struct od_series *s, const struct od_case *c)
{
    bool rss = s->metric == OD_SERIES_HOST_RSS;
    if (!grows(s) || s->nsamples == 0 || (!s->limit_known && !od_series_metric_is_free(s->metric)))
        return;
    double end_x = s->samples[s->nsamples - 1].x;
    double shared = rss ? shared_at_kill(s, c) : 0;
    s->shared = rss ? fmax(shared, SHARED_MAX) : 0;
    double a = reaches(s, s->slope_lo, end_x, s->shared);
    double b = reaches(s, s->slope_hi, end_x, shared);
    s->exhausts_x = reaches(s, s->slope, end_x, shared);
    double slack = s->end_slack + z_share * fabs(s->exhausts_x - end_x);
    s->exhausts_lo = fmin(fmin(a, b), s->exhausts_x) - slack;
    s->exhausts_hi = fmax(fmax(a, b), s->exhausts_x) + slack;
    s->exhausts_known = isfinite(s->exhausts_x);
}

/* "GPU memory used 5840 MiB" */
static bool names_device(const struct od_series *s)
{
    static const char *const words[] = {"GPU", "gpu", "CUDA",  "cuda", "VRAM", "vram",
                                        "HBM", "TPU", "evice", "NPU",  NULL};
    return s->placed || od_view_has_any(s->said, words);
}

/* Does a line or the user name a device of the run? */
static bool knows_device(const struct od_case_builder *b)
{
    const struct od_case *c = b->c;
    bool knows = c->devices.n > 0 || c->allocators.n > 0 || c->driver_refusal_count > 0 ||
                 b->given.device.known || b->given.capacity.known;
    OD_FOR_EACH (const struct od_incident, inc, c->incidents)
        knows = knows || (!od_incident_kind_is_host(inc->kind) && inc->kind != OD_INC_SOFT_WARNING);
    OD_FOR_EACH (const struct od_series, s, c->series)
        knows = knows || s->device.n > 0 ||
                (!od_series_metric_is_host(s->metric) && names_device(s)) ||
                s->metric == OD_SERIES_DEVICE_RESERVED || s->metric == OD_SERIES_DEVICE_SHARE;
    return knows;
}

/* A number without a place ("mem: 0.2 GB") belongs to the device if the run has one, because
 * frameworks print device memory. If the log names no device, the place stays unknown. */
static void leave_unowned(struct od_case_builder *b)
{
    static const struct {
        enum od_series_metric device, unowned;
    } metrics[] = {{OD_SERIES_DEVICE_USED, OD_SERIES_MEMORY_USED},
                   {OD_SERIES_DEVICE_PEAK, OD_SERIES_MEMORY_PEAK},
                   {OD_SERIES_DEVICE_FREE, OD_SERIES_MEMORY_FREE}};
    if (knows_device(b))
        return;
    OD_FOR_EACH (struct od_series, s, b->c->series)
        for (size_t i = 0; i < OD_COUNT_OF(metrics); i++)
            if (s->metric == metrics[i].device && s->producer.n == 0 && !names_device(s))
                s->metric = metrics[i].unowned;
}

void od_series_forecast(struct od_case_builder *b)
{
    struct od_case *c = b->c;
    leave_unowned(b);
    OD_FOR_EACH (struct od_series, s, c->series) {
        enum od_series_unit unit = od_series_metric_unit(s->metric);
        if (unit == OD_SERIES_SECONDS)
            continue;
        if (unit == OD_SERIES_PERCENT) {
            s->limit_known = true;
            s->limit = 100;
        } else if (od_series_metric_is_host(s->metric)) {
            limit_by_host(s, c);
            set_limit(s, b->given.machine, (struct od_prov){0});
        } else {
            limit_by_allocator(s, c);
            limit_by_device(s, c);
            set_limit(s, b->given.device, (struct od_prov){0});
            if (od_series_metric_is_unowned(s->metric))
                set_limit(s, b->given.machine, (struct od_prov){0});
        }
        forecast(s, c);
    }
}
