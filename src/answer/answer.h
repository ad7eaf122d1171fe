/*
 * The answer to a failed run: what fits. Fits estimates to the log (the attribution of its dump,
 * the numbers of its messages, its replayed model summary). Gives the largest batch with its range,
 * fixed memory and memory of a sample, and the effect of each remedy.
 *
 * If only a bound is known, the number is unknown and the bound is in `below`. Ranges are 90 %
 * intervals. No side effects. The results are allocated in the given arena.
 */
#pragma once

#include "diagnose/diagnose.h"
#include "fit/fit.h"
#include "plan/options.h"

/* The effect of one remedy. */
struct od_answer_action {
    struct od_bytes saves,
        /* bytes saved of the peak at the batch tried; the peak with the remedy */
        peak;
    struct od_bytes limit; /* memory available with the remedy; unknown = unchanged */
    double fits;           /* probability that this peak fits; negative = unknown */
    struct od_count batch; /* the largest batch that fits with the remedy, if it differs */
    const char *what;      /* the new value: "80", "2 x 60", "l4"; NULL = none */
    const struct od_plan_option
        *option;         /* the row of the options table for this remedy; NULL = none */
    const char *figures; /* a sentence with the numbers; NULL = only the sentence of the advice */
    bool does_not_help;  /* the remedy saves almost nothing; `figures` has the reason */
};

struct od_fit_facts;
struct od_answer_line;

struct od_answer {
    struct od_count batch; /* the batch that was tried: samples of a step on one device */
    enum od_certainty batch_certainty;
    struct od_count overruled; /* the stated batch, if the failed tensor shows another one */
    /* number of devices that share a global batch; unknown = one device */
    struct od_count devices;
    struct od_count largest;     /* the largest batch that fits (probability 0.5) */
    struct od_count lo, hi;      /* 90 % interval of the largest batch */
    struct od_count recommended; /* safe batch: a power of two or a multiple of 8 if possible */
    double recommended_fits;     /* probability that it fits; negative = not known */
    struct od_count stays;       /* the batch tried, if it is not the cause and need not change */
    /* the batch to try next: recommended, otherwise half of one that failed */
    struct od_count to_try;
    struct od_count accumulation; /* accumulation steps that keep the global batch */
    struct od_count accumulated;  /* accumulation steps of the failed run; unknown = not stated */
    struct od_count below;        /* a batch that does not fit: the largest one is smaller */
    struct od_count worked;       /* a batch that fits according to the log or to a person */
    /* the lines that state `worked` and `below`; NULL = none */
    const struct od_evidence *worked_said, *below_said;
    bool batch_is_cause; /* false: something else fills the device */
    bool capped;         /* the framework's own limit is the cause */
    /* the numbers are for the part of the device that others do not hold, or, if the batch is
     * not the cause, for a device without its leak or copy */
    bool in_what_is_left;
    const char *basis;        /* the method, in words */
    const char *missing_fact; /* the missing fact that would narrow the answer most; NULL = none */

    struct od_bytes fixed, per_sample, limit; /* fixed + largest * per_sample is within the limit */
    const char *memory_basis;

    const struct od_plan_option *options; /* set if the model is known; [0] is the run as it was */
    size_t noptions;
    /* facts for the effects of remedies; NULL = nothing is known */
    const struct od_fit_facts *facts;
    const struct od_answer_line *line;
};

/* The failed run to answer, and what is known about it. */
struct od_answer_question {
    const struct od_diagnosis *diagnosis;
    const struct od_fit *fit;
};

/* NULL if the facts are not enough for an answer. */
const struct od_answer *od_answer_of(const struct od_answer_question *question,
                                     struct od_arena *arena);

/* An answer without estimates: the batch can stay because it is not the cause (for example, a leak
 * fills the host's memory). NULL if the cause does not show that. */
const struct od_answer *od_answer_batch_stays(const struct od_diagnosis *diagnosis,
                                              struct od_arena *arena);

/* The effect of the remedy with that id. `fits` is negative if it is unknown. answer may be
 * NULL. */
struct od_answer_action od_answer_action_of(const struct od_answer *answer, const char *remedy);
bool od_answer_action_hardly_fits(
    const struct od_answer_action
        *action); /* does the batch probably not fit even with the remedy? */

/* Values for the slots of code to paste. Unknown ones are empty. */
struct od_how_values {
    const struct od_finding *finding; /* NULL = none */
    struct od_count batch, accumulation;
    struct od_count pid;         /* the process that holds the memory */
    struct od_count free_device; /* another device, with free memory */
    struct od_view job;          /* the scheduler's id of the job; empty = unknown */
    struct od_view unit;         /* systemd unit whose limit was reached; empty = unknown */
    struct od_count same;        /* the batch in the log */
    struct od_view pod;          /* name of the pod; empty = unknown */
    struct od_view model;        /* name of the model; empty = unknown */
    struct od_view command;      /* command that started the run; empty = unknown */
    struct od_view checkpoint;   /* the checkpoint that the code loads; empty = unknown */
    struct od_view moved;        /* an option for a folder on a disk; empty = unknown */
    struct od_view extension;    /* installed package that requested the memory; empty = unknown */
    const char *lever;           /* setting of the limit that was reached; NULL = not known */
    /* bytes that the text states for the limit's place; 0 = not stated */
    double most;
    /* bytes with which the run worked there, more than the limit; 0 = not stated */
    double enough;
    uint64_t enough_at;      /* line that states `enough` */
    double failed;           /* bytes with which the run also failed there; 0 = not stated */
    struct od_count workers; /* number of workers to try */
    struct od_count shm;     /* GiB for /dev/shm */
    struct od_count part;    /* batch of one step with `accumulation`; unknown = batch */
};

/* The batch to try, and the accumulation steps that keep the samples of an update. answer may be
 * NULL. */
struct od_how_values od_answer_values(const struct od_answer *answer,
                                      const struct od_finding *finding);
