/*
 * What the figures of a report share: how one is written down, the colours, and whose a byte is.
 * Internal to the room.
 *
 * Scripts are gnuplot 5.2 or newer. Text black is that of the page; any other colour is a fixed
 * one. Colours are Okabe and Ito's (Color Universal Design, 2008).
 */
#ifndef OD_REPORT_FIGURE_PARTS_H
#define OD_REPORT_FIGURE_PARTS_H

#include "report/figure.h"
#include "report/report.h"

#include <stdarg.h>
#include <stdint.h>

#define OD_INK "#111111"     /* text on a light colour */
#define OD_ALARM "#D55E00"   /* what was asked for, what failed, the limit */
#define OD_SPARE "#C0808080" /* free: faint on light and dark */

/* A figure while it is written. */
struct od_sketch {
    struct od_figures *figures;
    struct od_arena *arena;
    struct od_buf data, script;
    unsigned blocks; /* of data, so far */
    unsigned unit;   /* prefix that its axes are in, as od_bytes_unit_for */
};

/* Begins with our style and unit for sizes up to so many bytes. */
struct od_sketch od_sketch_start(struct od_figures *figures, struct od_arena *arena,
                                 uint64_t largest);

/* Ends it: into the figures under these words, unless they are full or it shall not be kept. */
void od_sketch_finish(struct od_sketch *sketch, const struct od_figure *words);
void od_sketch_drop(struct od_sketch *sketch);

/* A new block of data under a comment that names its columns; its index. */
unsigned od_sketch_block(struct od_sketch *sketch, const char *columns);

void od_sketch_row(struct od_sketch *sketch, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A line of the script. */
void od_sketch_say(struct od_sketch *sketch, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Bytes in the sketch's unit. */
double od_sketch_in_unit(const struct od_sketch *sketch, double bytes);

/* What a line of text takes, as part of the drawing's width. */
double od_sketch_text_width(const char *text);

/* The axis y from 0 up to so many bytes (or whatever else, where the unit is 0), few tics. */
void od_sketch_y_axis(struct od_sketch *sketch, double top, const char *label);

/* A step for few tics from 0 up to so much. */
double od_sketch_step(double most);

/* A label beside the stretch [from, to] of an axis that is [0, whole] long, where it fits best. */
struct od_beside {
    double from, to, whole, y;
    const char *text;
};
void od_sketch_beside(struct od_sketch *sketch, const struct od_beside *beside);

/* Whose a byte is: the roles of the contract, as few as colours can tell apart. */
enum od_share {
    OD_SHARE_WEIGHTS,
    OD_SHARE_GRADIENTS,
    OD_SHARE_OPTIMIZER,
    OD_SHARE_ACTIVATIONS,
    OD_SHARE_DATA,
    OD_SHARE_WORKSPACE,
    OD_SHARE_OTHER,   /* known, and none of the above */
    OD_SHARE_UNKNOWN, /* in use, no more is known */
    OD_SHARE_FREE,
    OD_SHARES
};

enum od_share od_share_of_role(enum od_role role);
const char *od_share_name(enum od_share share); /* "weights" */
const char *od_share_color(enum od_share share);
const char *od_share_ink(enum od_share share); /* of text upon it */

/* The share of each size of one allocator. */
struct od_shares {
    const struct od_allocator *allocator;
    const struct od_holding *holding; /* NULL = nothing is attributed */
    bool explained;                   /* some of it is */
    const struct od_size **by_bytes;  /* the allocator's sizes, ascending */
};

struct od_shares od_shares_of(const struct od_report *report, const struct od_allocator *allocator,
                              struct od_arena *arena);
const char *od_shares_name(const struct od_shares *shares, enum od_share share);
const char *od_shares_color(const struct od_shares *shares, enum od_share share);
enum od_share od_shares_find(const struct od_shares *shares, uint64_t bytes);

/* "GPU 0"; "" for names that are not of that form: they may be anybody's words. */
const char *od_figure_device(struct od_view device, struct od_arena *arena);

/* What one allocator dump shows. */
void od_figure_map(struct od_figures *figures, const struct od_report *report,
                   const struct od_allocator *allocator, struct od_arena *arena);
void od_figure_holders(struct od_figures *figures, const struct od_report *report,
                       const struct od_allocator *allocator, struct od_arena *arena);
void od_figure_sizes(struct od_figures *figures, const struct od_report *report,
                     const struct od_allocator *allocator, struct od_arena *arena);
void od_figure_bins(struct od_figures *figures, const struct od_allocator *allocator,
                    struct od_arena *arena);

/* The course of the run. */
void od_figure_timelines(struct od_figures *figures, const struct od_report *report,
                         struct od_arena *arena);

/* What a batch needs; bytes. */
struct od_batch_point {
    uint64_t batch;
    double lo, peak, hi;
    double fits; /* negative: not known */
};

struct od_batch_curve {
    struct od_batch_point *points; /* ascending */
    size_t n;
    uint64_t limit; /* 0 = there is none */
    struct od_count tried, recommended;
    const char *tried_word;
};

void od_figure_batch(struct od_figures *figures, const struct od_batch_curve *curve,
                     struct od_arena *arena);
void od_figure_answer(struct od_figures *figures, const struct od_report *report,
                      struct od_arena *arena);

#endif
