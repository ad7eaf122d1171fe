/*
 * A short form of a run: the parts of a report that remain useful without the log. Built from the
 * rows of a report (report/record.h), in memory or from JSON of any version of this program, so
 * that a new log can be compared with an old report.
 *
 * A missing member, null and a value of the wrong type all mean unknown. Texts and arrays are
 * allocated in the given arena.
 */
#pragma once

#include "base/diag.h"

/* Limits of lists. Reports of this program have shorter lists. */
enum {
    OD_RUN_SETTINGS_MAX = 1000,
    OD_RUN_LIST_MAX = 10000,
    OD_RUN_POINTS_MAX = 4096,
    OD_RUN_TEXT_MAX = 400 /* longer texts are cut to this many bytes */
};

struct od_run_setting {
    const char *name;
    const char *value; /* NULL = not stated */
};

struct od_run_phase {
    const char *name;
    struct od_count bytes;
    const char *basis; /* source of the bytes in words; NULL = not stated */
};

struct od_run_incident {
    const char *kind;
    const char *producer;
    const char *device; /* NULL = unknown */
    const char *tensor; /* "[180,64,224,224] float32"; NULL = unknown */
    const char *op;     /* NULL = unknown */
    const char *time;   /* as printed; NULL = unknown */
    struct od_count requested;
    uint64_t count;
    bool fatal; /* certainly fatal */
};

struct od_run_point {
    double x, value;
};

struct od_run_series {
    const char *metric;
    const char *device;
    const char *name;    /* name of the measurement or phase in the log; NULL = none */
    const char *process; /* NULL = unknown */
    struct od_count rank;
    const char *trend;
    uint64_t points;
    bool known; /* the numbers below are valid */
    double first, last, min, max;
    bool slope_known;
    double slope;
    const char *x; /* meaning of x: "step", "epoch", "seconds", "line"; NULL = unknown */
    const struct od_run_point
        *course; /* points in the order of the log: all, or a few that show the shape */
    size_t ncourse;
    bool limit_known;
    double limit;
};

/* Number and role of chunks of one size in the run's last dump. */
struct od_run_size {
    uint64_t bytes, count, total;
    const char *role; /* NULL = unknown */
};

struct od_run {
    const char *name;   /* name of the first input */
    const char *digest; /* digest over all inputs; "" = unknown */
    bool complete;
    const char *outcome;
    const char *cause; /* cause of the best finding; NULL = none */
    const char *code;
    const char *certainty;
    double probability;
    const char *summary;
    const char *action; /* id of the first recommended action; NULL = none */
    const char *action_title;
    const char *framework;
    const char
        *program; /* the program in the lines of the failure; NULL = only libraries, or unknown */

    struct od_count device_peak, device_limit, host_peak, host_limit;
    /* highest memory reserved by a framework; used as peak if no use is known */
    struct od_count device_reserved;
    bool peak_is_reserved;
    struct od_count batch, largest_batch, recommended_batch;

    OD_VEC(struct od_run_setting) settings;
    OD_VEC(struct od_run_phase) phases;
    OD_VEC(struct od_run_incident) incidents;
    OD_VEC(struct od_run_series) series;
    OD_VEC(struct od_run_size) sizes;
    const char *first_time, *last_time; /* first and last time stamp of the log; NULL = none */
    struct od_count seconds; /* time from the first to the last time stamp, of the longest input */
    struct od_count devices; /* number of devices: world size, otherwise those in the log */
};

/*
 * Reads a report in JSON. NULL with a diagnostic if the text is not JSON, not a report, or has a
 * newer schema. The caller calls od_run_done.
 */
struct od_run *od_run_read(struct od_view json, const char *name, struct od_arena *arena,
                           struct od_diags *diags);

/* Makes a run from a report in memory. The caller calls od_run_done. */
struct od_report;
struct od_run *od_run_of_report(const struct od_report *report, struct od_arena *arena);

/* Frees the arrays; the arena owns the rest. run may be NULL. */
void od_run_done(struct od_run *run);

/* The value of a setting; NULL = not stated. */
const char *od_run_setting(const struct od_run *run, const char *name);

/* Does the highest value of the series count as peak of the device (or host)? A framework's
 * reserved memory counts only if the run states no use. */
bool od_run_raises_peak(const struct od_run *run, const struct od_run_series *series, bool device);

/* Highest memory that frameworks reported as allocated and as reserved on a device. If they report
 * none, the use of the device according to a tool. */
struct od_run_peaks {
    struct od_count allocated, reserved, device;
};
struct od_run_peaks od_run_peaks(const struct od_run *run);

/* Does a memory series of the run grow like a leak, continuously or in jumps? */
bool od_run_leaks(const struct od_run *run);
