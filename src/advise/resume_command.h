/*
 * The command to resume the run: its words with the settings of the best remedies and the last
 * checkpoint, as options of the program. Changes that its command line cannot express (a line of a
 * configuration or script) are listed after it.
 */
#pragma once

#include "advise/knob.h"
#include "diagnose/lost.h"
#include "facts/argv.h"

struct od_resume_question {
    const struct od_case *c;
    const struct od_diagnosis *diagnosis;
    const struct od_answer *answer;     /* NULL = unknown */
    const struct od_remedies *remedies; /* NULL = no advice */
    const struct od_lost *lost;         /* NULL = not known */
    char *const *argv;                  /* words of the command; NULL = those in the log */
    uint64_t attempt;                   /* number of attempts so far */
    const struct od_view *useless;      /* as in struct od_argv */
    bool may_lower; /* a number of the command may be lowered if no remedy names a setting */
    /* limits of the command that can be raised: "vs" = ulimit -v and -s; NULL = none */
    const char *may_lift;
};

/* A copy of a file named in the command, with another number on one line. */
struct od_resume_copy {
    const char *file, *to; /* to: name of the copy; NULL = none */
    struct od_view line;   /* number of the line */
    struct od_renumber number;
};

struct od_resume_command {
    /* the changed command, ends with NULL; NULL = no command is known */
    char **argv;
    const char *variable, *value; /* an environment variable to set; NULL = none */
    char lifts;                   /* the limit to raise, one of may_lift; 0 = none */
    struct od_resume_copy copy;
    const char *changes;   /* changes as text: "--batch-size 32 -> 16" */
    const char *extra;     /* changes that the command cannot express; NULL = none */
    struct od_view option; /* name of the first option that was changed */
    bool eased;            /* argv or the variable reduces the need for memory */
    bool resumes;          /* argv resumes from the last checkpoint */
};

/* Changes the command. Texts are allocated in arena or belong to argv. */
struct od_resume_command od_resume_command_of(const struct od_resume_question *question,
                                              struct od_arena *arena);

/* "python train.py --resume out/4.pt  # micro_batch_size: 2"; allocated in arena. NULL if no
 * checkpoint is known or the program has no known resume option. */
const char *od_resume_command_line(const struct od_resume_question *question,
                                   struct od_arena *arena);
