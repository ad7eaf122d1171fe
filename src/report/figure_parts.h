/*
 * Shared by the figures of a report: the use of each byte. Internal to this room.
 */
#pragma once

#include "plan/curve.h"
#include "report/figure.h"
#include "report/gnuplot_script.h"
#include "report/report.h"

/* The use of a byte: attribution roles, merged to as many as colors can distinguish. */
enum od_share {
#define OD_SHARE_WORDS(constant, words, color, ink) OD_SHARE_##constant,
#include "report/words.def"
    OD_SHARES
};

enum od_share od_share_of_role(enum od_role role);

struct od_share_words {
    const char *name, *color, *ink; /* name, "weights"; fill color; text color on that fill */
};
const struct od_share_words *od_share_words(enum od_share share);

/* The share of each size of one allocator. */
struct od_shares {
    const struct od_allocator *allocator;
    const struct od_holding *holding; /* NULL = nothing is attributed */
    bool explained;                   /* some of the memory is explained */
    const struct od_size **by_bytes;  /* the allocator's sizes, ascending */
};

struct od_shares od_shares_of(const struct od_report *report, const struct od_allocator *allocator,
                              struct od_arena *arena);
const char *od_shares_name(const struct od_shares *shares, enum od_share share);
const char *od_shares_color(const struct od_shares *shares, enum od_share share);
enum od_share od_shares_find(const struct od_shares *shares, uint64_t bytes);

/* Figures of one allocator dump. */
void od_figure_map(struct od_figures *figures, const struct od_report *report,
                   const struct od_allocator *allocator, struct od_arena *arena);
void od_figure_holders(struct od_figures *figures, const struct od_report *report,
                       const struct od_allocator *allocator, struct od_arena *arena);
void od_figure_bins(struct od_figures *figures, const struct od_allocator *allocator,
                    struct od_arena *arena);

/* Figures of memory over the run. */
void od_figure_timelines(struct od_figures *figures, const struct od_report *report,
                         struct od_arena *arena);

struct od_batch_curve {
    struct od_batch_point *points; /* ascending */
    size_t n;
    uint64_t limit; /* 0 = no limit */
    struct od_count tried, recommended;
    const char *tried_word;
};

void od_figure_batch(struct od_figures *figures, const struct od_batch_curve *curve,
                     struct od_arena *arena);
void od_figure_answer(struct od_figures *figures, const struct od_report *report,
                      struct od_arena *arena);

/* Memory by the number of data loader workers, ascending. */
struct od_worker_curve {
    const struct od_plan_workers *rows;
    size_t n;
    struct od_bytes ram, shm; /* the limits; unknown = not drawn */
};

void od_figure_workers(struct od_figures *figures, const struct od_worker_curve *curve,
                       struct od_arena *arena);
