/*
 * A run in few words: what of a report matters once the log is gone. Put together of the rows of a
 * report (report/record.h), in memory or read from its JSON (of this program, whenever it was
 * made), so that a log of today and a report of last week are compared by the same numbers.
 *
 * Unknown stays unknown: a missing member, null and a value of the wrong type are the same. Texts
 * and arrays live in the arena given.
 */
#pragma once

#include "base/diag.h"

/* Beyond these a report's lists are closed; a report of ours has fewer. */
enum {
    OD_RUN_SETTINGS_MAX = 1000,
    OD_RUN_LIST_MAX = 10000,
    OD_RUN_POINTS_MAX = 4096,
    OD_RUN_TEXT_MAX = 400 /* bytes of a text kept */
};

struct od_run_setting {
    const char *name;
    const char *value; /* NULL = not said */
};

struct od_run_phase {
    const char *name;
    struct od_count bytes;
    const char *basis; /* where it is from, in words; NULL = not said */
};

struct od_run_incident {
    const char *kind;
    const char *producer;
    const char *device; /* NULL = not said */
    const char *tensor; /* "[180,64,224,224] float32"; NULL */
    const char *op;     /* NULL */
    const char *time;   /* as printed; NULL */
    struct od_count requested;
    uint64_t count;
    bool fatal; /* known to be */
};

struct od_run_point {
    double x, value;
};

struct od_run_series {
    const char *metric;
    const char *device;
    const char *name;    /* as the log calls what it measures, or the phase; NULL */
    const char *process; /* NULL */
    struct od_count rank;
    const char *trend;
    uint64_t points;
    bool known; /* the numbers below */
    double first, last, min, max;
    bool slope_known;
    double slope;
    const char *x; /* "step", "epoch", "seconds", "line"; NULL = not said */
    const struct od_run_point
        *course; /* points in the order of the log; all, or a few that show the course */
    size_t ncourse;
    bool limit_known;
    double limit;
};

/* In-use chunks of one size of the run's last dump. */
struct od_run_size {
    uint64_t bytes, count, total;
    const char *role; /* NULL */
};

struct od_run {
    const char *name;   /* name of the first input */
    const char *digest; /* digest of all inputs together; "" = not known */
    bool complete;
    const char *outcome;
    const char *cause; /* cause of the best finding; NULL = none */
    const char *code;
    const char *certainty;
    double probability;
    const char *summary;
    const char *action; /* id of the first action; NULL */
    const char *action_title;
    const char *framework;
    const char
        *program; /* the program in the lines of the failure; NULL = only libraries, or not known */

    struct od_count device_peak, device_limit, host_peak, host_limit;
    struct od_count
        device_reserved; /* the most that a framework kept; the peak where no use is said */
    bool peak_is_reserved;
    struct od_count batch, largest_batch, recommended_batch;

    OD_VEC(struct od_run_setting) settings;
    OD_VEC(struct od_run_phase) phases;
    OD_VEC(struct od_run_incident) incidents;
    OD_VEC(struct od_run_series) series;
    OD_VEC(struct od_run_size) sizes;
    const char *first_time, *last_time; /* the first and the last time in its lines; NULL = none */
    struct od_count seconds;            /* between them; of the longest input */
    struct od_count devices;            /* it held: world size, else those that the log names */
};

/*
 * Reads one report. NULL with a diagnostic when the text is not JSON, not a report, or of a newer
 * schema. The caller calls od_run_done.
 */
struct od_run *od_run_read(struct od_view json, const char *name, struct od_arena *arena,
                           struct od_diags *diags);

/* The run of a report in memory. The caller calls od_run_done. */
struct od_report;
struct od_run *od_run_of_report(const struct od_report *report, struct od_arena *arena);

/* Frees the arrays; the rest goes with the arena. NULL is legal. */
void od_run_done(struct od_run *run);

/* A setting's value; NULL = not said. */
const char *od_run_setting(const struct od_run *run, const char *name);

/* Is the series' highest value a peak of the device's memory (else of the host's)? What a framework
 * keeps in reserve is one only where the run says of no use. */
bool od_run_raises_peak(const struct od_run *run, const struct od_run_series *series, bool device);

/* The most that frameworks say they had allocated and reserved of a device; where they do not, what
 * a tool shows the device to hold. */
struct od_run_peaks {
    struct od_count allocated, reserved, device;
};
struct od_run_peaks od_run_peaks(const struct od_run *run);

/* Does any series of memory grow as a leak does, at every step or in jumps? */
bool od_run_leaks(const struct od_run *run);
