/*
 * Courses of memory over a run, made by chance but always the same for the same seed: healthy ones
 * of every kind that people take for leaks, and leaks with their true slope.
 */
#ifndef OD_TESTS_UNIT_CASE_COURSES_H
#define OD_TESTS_UNIT_CASE_COURSES_H

#include "case/series_fold.h"

#include <stddef.h>
#include <stdint.h>

enum course_kind {
    COURSE_FLAT,
    COURSE_NOISE,
    COURSE_WANDERS, /* first-order autoregressive */
    COURSE_WARMUP,
    COURSE_CACHE, /* saturates */
    COURSE_SPIKES,
    COURSE_SAWTOOTH,     /* garbage is collected now and then */
    COURSE_STEPS_UP,     /* some steps while it warms up */
    COURSE_FIRST_EPOCHS, /* one step in each epoch, but only in the first epochs */
    COURSE_HIGHEST,      /* a running maximum of noise */
    COURSE_LENGTHS,      /* sequences of any length: a long tail */
    COURSE_LONGEST,      /* their running maximum: records, fewer and fewer */
    COURSE_BUCKETS,      /* batches of some sizes */
    COURSE_EVALUATIONS,  /* more while it evaluates, again and again */
    COURSE_FRAGMENTS,    /* steps up by chance, fewer and fewer, then none */
    COURSE_COLLECTED,    /* garbage is collected when there is much, at any time */
    COURSE_PREFETCH,     /* a queue fills, and now and then runs low */
    COURSE_LOG_CACHE,    /* grows as the logarithm of the steps */
    COURSE_SHRINKS,      /* goes down slowly */
    COURSE_RESTARTED,    /* drops once, and stays there */
    COURSE_FILLS,        /* with data, for most of the run, then is full */
    COURSE_STAGES,       /* larger images from then on, and once more */
    COURSE_HEALTHY_END,
    COURSE_LEAK = COURSE_HEALTHY_END,
    COURSE_LEAK_UNEVEN,        /* in pieces of any size: it wanders about its line */
    COURSE_LEAK_AFTER_LOADING, /* the first points are those of an empty process */
    COURSE_LEAK_LENGTHS,       /* under sequences of any length */
    COURSE_LEAK_EVALUATIONS,   /* under evaluations */
    COURSE_LEAK_COLLECTED,     /* under garbage */
    COURSE_LEAK_AFTER_WARMUP,
    COURSE_LEAK_HIGHEST, /* what is printed is the highest so far */
    COURSE_LEAK_FEW,     /* few points */
    COURSE_STAIRS,       /* validations are marked */
    COURSE_STAIRS_UNMARKED,
    COURSE_END
};

enum { COURSE_POINTS = 600 };

struct course {
    enum course_kind kind;
    size_t n;
    double grain; /* what values are rounded to */
    double slope; /* slope of leaks: bytes a step */
    struct od_fold_point points[COURSE_POINTS];
};

const char *course_name(enum course_kind kind);
void course_make(struct course *course, enum course_kind kind, uint64_t seed);

/* As a log of it would be folded. */
struct od_series course_judge(const struct course *course);

#endif
