/*
 * The answer to a failed run: what fits. Fits estimates to what the log shows (the attribution of
 * its dump, the numbers of its messages, its replayed model summary). The result is the largest
 * batch with its range, fixed and per-sample memory, and the effect of each remedy.
 *
 * If only a bound is known, the number is unknown and `below` has the bound. Ranges are 90 %
 * intervals. No side effects; the given arena owns the results.
 */
#pragma once

#include "diagnose/diagnose.h"
#include "fit/fit.h"
#include "plan/options.h"

/* The effect of one remedy. */
struct od_answer_action {
    struct od_bytes saves,
        peak;              /* saved of the peak at the batch tried; the peak with the remedy */
    struct od_bytes limit; /* memory available with the remedy; unknown = unchanged */
    double fits;           /* probability of fitting at that peak; negative = unknown */
    struct od_count batch; /* the largest that fits with the remedy, if it differs */
    const char *what;      /* the new value, in a word: "80", "2 x 60", "l4"; NULL = none */
    const struct od_plan_option
        *option;         /* the row of the options table for this remedy; NULL = none */
    const char *figures; /* a sentence with its numbers; NULL = only the advice's sentence */
    bool vain;           /* it saves almost nothing; figures say why */
};

struct od_fit_facts;
struct od_answer_line;

struct od_answer {
    struct od_count batch; /* the batch that was tried: samples a step on one device */
    enum od_certainty batch_certainty;
    struct od_count overruled;   /* the stated batch, if the failing tensor shows another one */
    struct od_count devices;     /* that share a global batch; unknown = one device */
    struct od_count largest;     /* that fits (probability 0.5) */
    struct od_count lo, hi;      /* 90 % */
    struct od_count recommended; /* safe batch: a power of two or a multiple of 8 if possible */
    double recommended_fits;     /* negative: not known */
    struct od_count stays;       /* the batch tried, if it is not the cause and need not change */
    struct od_count to_try; /* the batch to try next: recommended, else half of one that failed */
    struct od_count accumulation; /* that keeps the global batch */
    struct od_count accumulated;  /* steps that the run accumulated already; unknown = not stated */
    struct od_count below;        /* a batch that does not fit; the largest is below it */
    struct od_count worked;       /* a batch that fits according to the log or to a person */
    const struct od_evidence *worked_said, *below_said; /* the lines that state them; NULL = none */
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

/* The question to answer. */
struct od_answer_question {
    const struct od_diagnosis *diagnosis;
    const struct od_fit *fit;
};

/* NULL if nothing is known. */
const struct od_answer *od_answer_of(const struct od_answer_question *question,
                                     struct od_arena *arena);

/* An answer without estimates: the stated batch can stay because it is not the cause (for example,
 * a leak fills the host's memory). NULL if the cause does not show that. */
const struct od_answer *od_answer_batch_stays(const struct od_diagnosis *diagnosis,
                                              struct od_arena *arena);

/* The effect of the remedy with that id; `fits` is negative if nothing is known. answer may be
 * NULL. */
struct od_answer_action od_answer_action_of(const struct od_answer *answer, const char *remedy);
bool od_answer_action_hardly_fits(
    const struct od_answer_action
        *action); /* does the batch probably not fit even with the remedy? */

/* Values for the slots of code to paste, as far as they are known. */
struct od_how_values {
    const struct od_finding *finding; /* NULL = none */
    struct od_count batch, accumulation;
    struct od_count pid;         /* pid of the process that holds the memory */
    struct od_count free_device; /* another device with free memory */
    struct od_view job;          /* the scheduler's id of the job; empty = unknown */
    struct od_view unit;         /* systemd unit whose limit was reached; empty = unknown */
    struct od_count same;        /* the batch that the log shows */
    struct od_view pod;          /* name of the pod; empty = unknown */
    struct od_view model;        /* its name; empty = not said */
    struct od_view command;      /* that started the run; empty = not said */
    struct od_view checkpoint;   /* the checkpoint that the code loads; empty = unknown */
    struct od_view moved;        /* an option with a folder on a disk; empty = unknown */
    struct od_view extension;    /* installed package that requested the memory; empty = unknown */
    const char *lever;           /* what sets the limit that was reached; NULL = not known */
    double most;                 /* bytes that the place gives, by the text; 0 = not stated */
    struct od_count workers;     /* to try */
    struct od_count shm;         /* GiB to give /dev/shm */
    struct od_count part;        /* batch of one step with `accumulation`; unknown = batch */
};

/* The batch to try, and the accumulation steps that keep the samples of an update. answer may be
 * NULL. */
struct od_how_values od_answer_values(const struct od_answer *answer,
                                      const struct od_finding *finding);
