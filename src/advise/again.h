/*
 * The command, to be run again: the same words with what the best remedies set, and the checkpoint
 * that it goes on from, in the program's own options. What its command line cannot say (a line of a
 * configuration or of the script) stands behind it.
 */
#pragma once

#include "advise/remedies.h"
#include "diagnose/lost.h"

struct od_again_question {
    const struct od_case *c;
    const struct od_diagnosis *diagnosis;
    const struct od_answer *answer;     /* NULL = nothing is known of what fits */
    const struct od_remedies *remedies; /* NULL = nothing to advise */
    const struct od_lost *lost;         /* NULL = nothing is known of it */
    char *const *argv; /* the words that it was run with; NULL = those that the log shows */
};

struct od_again {
    char **argv;                  /* changed, NULL-terminated; NULL = no command is known */
    const char *variable, *value; /* of the environment; NULL = none */
    const char *changes;          /* "--batch-size 32 -> 16" and others, for people */
    const char *beside;           /* what the command cannot say; NULL = nothing */
    bool eased;                   /* by argv or variable it takes less memory */
    bool resumes;                 /* how it goes on from the last checkpoint is in it */
};

/* Texts in arena, or argv's. */
struct od_again od_again_of(const struct od_again_question *question, struct od_arena *arena);

/* "PYTORCH_CUDA_ALLOC_CONF=... python train.py --resume out/4.pt  # micro_batch_size: 2"; in arena.
 * NULL where no checkpoint is named, or it is not known how the program goes on from one. */
const char *od_again_line(const struct od_again_question *question, struct od_arena *arena);
