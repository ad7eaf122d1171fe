/*
 * Series: one metric of one device, rank and process over the run, folded from the numbers that
 * lines of progress and measurements carry. A series is never a mix of two things: points join one
 * only when metric, device, rank, process, producer and the phase that their line names agree.
 *
 * Values are bytes, percent or seconds as doubles (a byte count below 2^53 is exact). x is the best
 * axis that all points have: step, epoch, seconds, else the line. More than OD_SERIES_POINTS points
 * are thinned, keeping minima and maxima; `points` still counts all. Of many series fewer points
 * are kept each: as many as OD_SERIES_FULL have when they are full.
 */
#pragma once

#include "facts/prov.h"

enum { OD_SERIES_POINTS = 4096, OD_SERIES_MAX = 256, OD_SERIES_FULL = 32 };

enum od_series_unit { OD_SERIES_BYTES, OD_SERIES_PERCENT, OD_SERIES_SECONDS };

/* X(constant, the contract's word, unit) */
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

/* The contract's word. */
const char *od_series_metric_name(enum od_series_metric metric);
enum od_series_unit od_series_metric_unit(enum od_series_metric metric);
bool od_series_metric_is_bytes(enum od_series_metric metric);
bool od_series_metric_is_host(enum od_series_metric metric);
/* Does the log not say whose memory it is: a process', a device's or the machine's? */
bool od_series_metric_is_unowned(enum od_series_metric metric);
/* Is less of it worse: free memory? */
bool od_series_metric_is_free(enum od_series_metric metric);

enum od_series_x { OD_X_STEP, OD_X_EPOCH, OD_X_SECONDS, OD_X_LINE };

const char *od_series_x_name(enum od_series_x x);

enum od_trend {
    OD_TREND_FLAT,
    OD_TREND_LEAK,      /* a straight line that rises and does not end */
    OD_TREND_STAIRCASE, /* flat between jumps at borders of epochs or validations */
    OD_TREND_WARMUP,    /* rises at first, then a plateau */
    OD_TREND_STEP,      /* one level, and from one point on a higher one */
    OD_TREND_SPIKY,     /* short excursions from a baseline that does not grow */
    OD_TREND_UNCLEAR
};

const char *od_trend_name(enum od_trend trend);

/* Told by the log's own markers; NONE = not said. */
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
    enum od_series_phase phase; /* it was printed in, or that went by since the point before */
};

/* NULL for none. */
const char *od_series_phase_name(enum od_series_phase phase);

struct od_series {
    enum od_series_metric metric;
    struct od_view device;   /* "GPU:0"; empty = not said */
    struct od_view producer; /* empty = not said */
    struct od_view process;  /* name of it; empty = not said */
    struct od_view name;     /* of what is measured, where one producer prints several */
    struct od_count rank, pid;
    bool placed;       /* its line says which kind of memory it is */
    bool unit_guessed; /* by the size of the numbers: none is printed */
    enum od_series_x x;
    uint64_t points;
    const struct od_point *samples; /* nsamples, ascending in the log; at most OD_SERIES_POINTS */
    size_t nsamples;
    double first, last, min, max;
    double end_level; /* where the trend's line stands at the last point; the value where none is */
    double end_slack; /* by how much, as x, a forecast may be off for its jumps; 0 for a line */
    bool from_start;  /* it was measured since its program began, as the lines count seconds */
    bool limit_known; /* the capacity or limit that was printed with it or for its device */
    double limit;

    enum od_trend trend;
    uint64_t step_line; /* of the first point on the new level; 0 = no step */
    bool slope_known;
    double slope, slope_lo, slope_hi; /* per x (Theil-Sen), 90 % interval */
    enum od_series_phase phase;       /* the one that grows */
    /* By phase, as far as the log marks them: what it grew by in all (0 where it shrank). */
    double grown_in[OD_SERIES_PHASE_CHECKPOINT + 1];
    bool exhausts_known; /* when the limit is reached if it goes on so */
    double exhausts_x, exhausts_lo, exhausts_hi;
    /* Of a process' RSS: what it may share with others or map from files. It counts there, and what
     * limits it need not hold it again. 0 elsewhere. */
    double shared;
    struct od_prov limit_at; /* the line that says the limit; line 0 = those of the points, or none:
                                it was given */
    struct od_prov at, last_at; /* lines of its first and last point, and their words */
    struct od_view said, last_said;
    /* The largest growth across a load that the log marks, where there was something of its size
     * before: from, by. */
    double before_load, loaded;
};

typedef OD_VEC(struct od_series) od_series_list;

/* "an epoch"; over time the unit that the whole of it has several of, "an hour", which has so many
 * of x. */
const char *od_series_each(const struct od_series *s, double *ret_scale);
