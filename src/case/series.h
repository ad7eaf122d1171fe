/*
 * Series: one metric of one device, rank and process over the run, collected from lines of progress
 * and measurements. Points belong to one series only if metric, device, rank, process, producer and
 * phase agree, so a series never mixes two things.
 * Values are bytes, percent or seconds as doubles (a byte count below 2^53 is exact). x is the best
 * axis that all points have: step, epoch, seconds, otherwise the line. More than OD_SERIES_POINTS
 * points are thinned, keeping minima and maxima; `points` still counts all. If there are many
 * series each stores fewer points: together at most as many as OD_SERIES_FULL full ones.
 */
#pragma once

#include "facts/prov.h"

enum { OD_SERIES_POINTS = 4096, OD_SERIES_MAX = 256, OD_SERIES_FULL = 32 };

enum od_series_unit { OD_SERIES_BYTES, OD_SERIES_PERCENT, OD_SERIES_SECONDS };

/* X(constant, name in the JSON contract, unit) */
#define OD_SERIES_METRICS(X)                           \
    X(DEVICE_USED, "device_used_bytes", BYTES)         \
    X(DEVICE_PEAK, "device_peak_bytes", BYTES)         \
    X(DEVICE_RESERVED, "device_reserved_bytes", BYTES) \
    X(DEVICE_FREE, "device_free_bytes", BYTES)         \
    X(DEVICE_SHARE, "device_used_percent", PERCENT)    \
    X(HOST_RSS, "host_rss_bytes", BYTES)               \
    X(HOST_USED, "host_used_bytes", BYTES)             \
    X(HOST_FREE, "host_free_bytes", BYTES)             \
    X(HOST_PEAK, "host_peak_bytes", BYTES)             \
    X(HOST_VIRTUAL, "host_virtual_bytes", BYTES)       \
    X(HOST_SHARE, "host_used_percent", PERCENT)        \
    X(MEMORY_USED, "memory_used_bytes", BYTES)         \
    X(MEMORY_PEAK, "memory_peak_bytes", BYTES)         \
    X(MEMORY_FREE, "memory_free_bytes", BYTES)         \
    X(STEP_SECONDS, "step_seconds", SECONDS)

#define OD_SERIES_METRIC(constant, word, unit) OD_SERIES_##constant,
enum od_series_metric { OD_SERIES_METRICS(OD_SERIES_METRIC) OD_SERIES_METRIC_END };
#undef OD_SERIES_METRIC

/* Name in the JSON contract. */
const char *od_series_metric_name(enum od_series_metric metric);
enum od_series_unit od_series_metric_unit(enum od_series_metric metric);
bool od_series_metric_is_bytes(enum od_series_metric metric);
bool od_series_metric_is_host(enum od_series_metric metric);
/* Does the log leave open whether the memory is a process's, a device's or the machine's? */
bool od_series_metric_is_unowned(enum od_series_metric metric);
/* Are lower values worse, as for free memory? */
bool od_series_metric_is_free(enum od_series_metric metric);

enum od_series_x { OD_X_STEP, OD_X_EPOCH, OD_X_SECONDS, OD_X_LINE };

const char *od_series_x_name(enum od_series_x x);

enum od_trend {
    OD_TREND_FLAT,
    OD_TREND_LEAK,      /* grows along a straight line to the end */
    OD_TREND_STAIRCASE, /* flat between jumps at the end of epochs or validations */
    OD_TREND_WARMUP,    /* grows at first, then stays on a plateau */
    OD_TREND_STEP,      /* one level, then a higher one from some point on */
    OD_TREND_SPIKY,     /* short spikes above a baseline that does not grow */
    OD_TREND_UNCLEAR
};

const char *od_trend_name(enum od_trend trend);

/* According to markers in the log; NONE = not marked. */
enum od_series_phase {
    OD_SERIES_PHASE_NONE,
    OD_SERIES_PHASE_TRAIN,
    OD_SERIES_PHASE_VALIDATION,
    OD_SERIES_PHASE_LOAD,
    OD_SERIES_PHASE_CHECKPOINT
};

struct od_point {
    double x, value;
    uint64_t line;
    /* phase of the point, or a phase that passed since the previous point */
    enum od_series_phase phase;
};

/* NULL for OD_SERIES_PHASE_NONE. */
const char *od_series_phase_name(enum od_series_phase phase);

struct od_series {
    enum od_series_metric metric;
    struct od_view device;   /* "GPU:0"; empty = not printed */
    struct od_view producer; /* empty = not printed */
    struct od_view process;  /* name of the process; empty = not printed */
    struct od_view name;     /* what is measured, if one producer prints several things */
    struct od_count rank, pid;
    bool listed;       /* its own line names the PID, as a row of a table of processes does */
    bool placed;       /* the line names the kind of memory */
    bool unit_guessed; /* guessed from the size of the numbers because no unit is printed */
    enum od_series_x x;
    uint64_t points;
    const struct od_point *samples; /* nsamples points, ascending in the log; at most
                                       OD_SERIES_POINTS */
    size_t nsamples;
    double first, last, min, max;
    double grain;     /* coarsest rounding of the printed values */
    double end_level; /* value of the trend's line at the last point; without a trend, the last
                         value */
    double end_slack; /* error of a forecast because of jumps, in units of x; 0 for a line */
    bool from_start;  /* measured since the program started, according to the printed seconds */
    bool limit_known; /* the capacity or limit printed with it or for its device */
    double limit;

    enum od_trend trend;
    uint64_t step_line; /* line of the first point on the new level; 0 = no step */
    bool slope_known;
    double slope, slope_lo, slope_hi; /* per unit of x (Theil-Sen) with its 90 % interval */
    enum od_series_phase phase;       /* the phase in which it grows */
    /* Total growth within each phase, as far as the log marks phases (0 if it shrank). */
    double grown_in[OD_SERIES_PHASE_CHECKPOINT + 1];
    bool exhausts_known; /* x at which the limit is reached if the trend continues */
    double exhausts_x, exhausts_lo, exhausts_hi;
    /* Part of a process's RSS that may be shared or mapped from files, and need not count against
     * the limit. 0 for other metrics. */
    double shared;
    struct od_prov limit_at;    /* the line that prints the limit; line 0 = printed with the points,
                                   given by the user, or none */
    struct od_prov at, last_at; /* lines of the first and the last point, and their texts */
    struct od_view said, last_said;
    /* The largest growth across a load marked in the log, if something of that size was already
     * loaded: value before, growth. */
    double before_load, loaded;
};

typedef OD_VEC(struct od_series) od_series_list;

/* Do both measure the same of the same process and device, in whatever phase and under any name? */
bool od_series_is_same(const struct od_series *a, const struct od_series *b);

/* The unit for a slope: "an epoch"; for time the unit that the series has several of ("an hour"),
 * with ret_scale units of x in it. */
const char *od_series_each(const struct od_series *s, double *ret_scale);
