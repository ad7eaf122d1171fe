/*
 * The answer to a failed run: what fits. Estimates fitted to what the log shows (the attribution of
 * its dump, the figures of its messages, its model summary replayed) -> the largest batch and its
 * range, fixed and per-sample memory, and what each remedy would give.
 *
 * Where only a bound is known the number is unknown and `below` says it. Ranges are 90 %
 * intervals. Pure; everything lives in the arena given.
 */
#pragma once

#include "diagnose/diagnose.h"
#include "fit/fit.h"
#include "plan/options.h"

/* What one remedy would give. */
struct od_answer_action {
    struct od_bytes saves, peak; /* of the peak of the batch tried; the peak then */
    struct od_bytes limit;       /* memory that is available after this step; unknown = as before */
    double fits;                 /* at that peak; negative: not known */
    struct od_count batch;       /* the largest that fits then, where it is another one */
    const char *what;            /* of it, in a word: "80", "2 x 60", "l4"; NULL = nothing */
    const struct od_plan_option *option; /* the row of the options table that it is; NULL = none */
    const char *figures; /* in words with its numbers; NULL = none beyond the advice's */
    bool vain;           /* it would give next to nothing: figures say why */
};

struct od_fit_facts;
struct od_answer_line;

struct od_answer {
    struct od_count batch; /* tried; samples a step on one device */
    enum od_certainty batch_certainty;
    struct od_count overruled;   /* what the log states, where the failing tensor shows `batch` */
    struct od_count devices;     /* that share a global batch; known where there are several */
    struct od_count largest;     /* that fits (probability 0.5) */
    struct od_count lo, hi;      /* 90 % */
    struct od_count recommended; /* safe: a power of two or a multiple of 8 where it can be */
    double recommended_fits;     /* negative: not known */
    struct od_count stays;  /* the batch tried, where something else is to blame and it can stay */
    struct od_count to_try; /* to set next: the recommended one, else half of one that failed */
    struct od_count accumulation; /* that keeps the global batch */
    struct od_count accumulated;  /* steps that the run added up already; unknown = not said */
    struct od_count below;        /* a batch that is known not to fit; what fits is below it */
    struct od_count worked;       /* a batch that fits according to the log or to a person */
    const struct od_evidence *worked_said, *below_said; /* where it is said; NULL = nowhere */
    bool batch_is_cause;                                /* false: something else fills the device */
    bool capped;          /* a limit of the framework's own is the cause */
    bool in_what_is_left; /* of the device: others have the rest; else, when the batch is not
                             the cause, the numbers are for a device without what is */
    const char *basis;    /* the method, in words */
    const char *narrow;   /* the missing fact that would narrow it most; NULL = none */

    struct od_bytes fixed, per_sample, limit; /* fixed + largest * per_sample is within limit */
    const char *memory_basis;

    const struct od_plan_option *options; /* where the model is known: [0] is the run as it was */
    size_t noptions;
    const struct od_fit_facts *facts; /* what remedies are priced by; NULL = nothing is known */
    const struct od_answer_line *line;
};

/* What an answer rests on. */
struct od_answer_question {
    const struct od_diagnosis *diagnosis;
    const struct od_fit *fit;
};

/* NULL when nothing can be said. */
const struct od_answer *od_answer_of(const struct od_answer_question *question,
                                     struct od_arena *arena);

/* Nothing is computed, but the stated batch can stay because it is not the cause, as where a leak
 * fills the host's memory. NULL where the cause does not show it. */
const struct od_answer *od_answer_batch_stays(const struct od_diagnosis *diagnosis,
                                              struct od_arena *arena);

/* What a remedy of that id would give; fits is negative where nothing is known. answer may be NULL.
 */
struct od_answer_action od_answer_action_of(const struct od_answer *answer, const char *remedy);
bool od_answer_action_hardly_fits(const struct od_answer_action *action); /* not even then */

/* What slots of the lines to paste are filled with, as far as it is known. */
struct od_how_values {
    const struct od_finding *finding; /* NULL = none */
    struct od_count batch, accumulation;
    double needs;                /* the limit that settings of the program need; 0 = not known */
    struct od_count pid;         /* pid of who holds what is short */
    struct od_count free_device; /* another one, with room */
    struct od_view job;          /* as the scheduler calls it; empty = not said */
    struct od_view unit;         /* unit of systemd, whose limit was reached; empty = not said */
    struct od_count same;        /* the batch that the log shows */
    struct od_view pod;          /* as kubectl calls it; empty = not shown */
    struct od_view model;        /* its name; empty = not said */
    struct od_view command;      /* that started the run; empty = not said */
    struct od_view checkpoint;   /* what the code loads it from; empty = not shown */
    struct od_view extension;    /* the installed package that asked; empty = not said */
    const char *lever;           /* what sets the limit that was reached; NULL = not known */
    struct od_count workers;     /* to try */
    struct od_count shm;         /* GiB to give /dev/shm */
    struct od_count part; /* the batch where so many steps are accumulated; unknown = batch */
};

/* The batch to try, and the steps that keep the samples of an update with it. answer may be NULL.
 */
struct od_how_values od_answer_values(const struct od_answer *answer,
                                      const struct od_finding *finding);
