/*
 * Compares two runs: settings, phases and sizes, failures that are gone or new, series, and a
 * verdict in words.
 */
#pragma once

#include "report/other.h"
#include "runs/run.h"

struct od_diff_setting {
    const char *name;
    const char *old, *new; /* NULL = the run does not state it */
};

/* Bytes of a phase, a size or a peak in both runs. */
struct od_diff_bytes {
    const char *name;
    struct od_count old, new;
};

/* A phase: its bytes in both runs, and the source that each run gives for them. */
struct od_diff_phase {
    struct od_diff_bytes bytes;
    const char *old_basis, *new_basis; /* NULL = not given */
    bool remainder; /* this row is the part of the peak that belongs to no phase */
};

struct od_diff_series {
    const char *metric;
    const char *device;
    const struct od_run_series *old, *new; /* NULL = the run lacks this series */
};

enum od_diff_verdict {
    OD_DIFF_SAME,   /* nothing important changed */
    OD_DIFF_BETTER, /* a failure or a leak is gone, or a peak fell; nothing got worse */
    OD_DIFF_WORSE,  /* a failure or leak is new, or a peak rose; nothing got better */
    OD_DIFF_MIXED,  /* some things got better and others worse */
    OD_DIFF_UNKNOWN /* the runs have nothing to compare */
};

const char *od_diff_verdict_name(enum od_diff_verdict verdict);

struct od_diff {
    const struct od_run *old, *new;
    OD_VEC(struct od_diff_setting) settings; /* settings with different values */
    OD_VEC(struct od_diff_bytes) peaks;      /* of device and host, if at least one run has it */
    OD_VEC(struct od_diff_phase) phases;     /* phases of both runs, in the older run's order */
    struct od_diff_bytes phases_sum;    /* sum of the named phases; unknown if one is unknown */
    struct od_diff_bytes phases_total;  /* sum of all phases and the remainder, the peak */
    OD_VEC(struct od_diff_bytes) sizes; /* the largest changes */
    OD_VEC(struct od_diff_series) series;
    OD_VEC(const struct od_run_incident *) gone;
    OD_VEC(const struct od_run_incident *) fresh;
    OD_VEC(const struct od_run_incident *)
    same; /* failures in both runs, with the newer run's numbers */
    enum od_diff_verdict verdict;
    const char *why; /* sentence with the reason for the verdict */
};

/* Memory changes below this share of the older peak are noise. */
#define OD_DIFF_NOISE 0.02

/* Compares the runs. The result refers to arena and both runs; the caller calls od_diff_done. */
struct od_diff *od_diff_make(const struct od_run *old, const struct od_run *new,
                             struct od_arena *arena);
void od_diff_done(struct od_diff *diff);

/* Writes the comparison as oomdoctor.diff/1 into an empty writer. */
void od_diff_json(const struct od_diff *diff, struct od_json *json);

/* Makes the document for people, which the caller frees. pictures: drawn figures; NULL = none. */
struct od_doc *od_diff_outline(const struct od_diff *diff, const struct od_report_options *options,
                               const struct od_pictures *pictures);

/* Figures of peaks, phases and sizes before and after, and the series of both runs. In arena. */
const struct od_figures *od_diff_figures(const struct od_diff *diff, struct od_arena *arena);
