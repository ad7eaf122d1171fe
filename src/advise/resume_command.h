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
    const struct od_answer *answer;     /* NULL = it is not known what fits */
    const struct od_remedies *remedies; /* NULL = no advice */
    const struct od_lost *lost;         /* NULL = not known */
    char *const *argv;                  /* the words of the command; NULL = use those in the log */
    uint64_t attempt;                   /* how many times it ran so far */
    const struct od_view *useless;      /* as in struct od_argv */
    bool may_lower;       /* a number of the command, where no remedy names a setting */
    const char *may_lift; /* limits of the command that can be raised: "vs" of ulimit -v and -s;
                             NULL = none */
};

/* A copy of a file that the command names, with another number on one line. */
struct od_resume_copy {
    const char *file, *to; /* to: the name of the copy; NULL = none */
    struct od_view line;   /* its number */
    struct od_renumber number;
};

struct od_resume_command {
    char **argv;                  /* the changed command, NULL-terminated; NULL = no command is
                                     known */
    const char *variable, *value; /* an environment variable to set; NULL = none */
    char lifts;                   /* the one of them to raise; 0 = none */
    struct od_resume_copy copy;
    const char *changes;   /* "--batch-size 32 -> 16" and others, as text */
    const char *beside;    /* changes that the command cannot express; NULL = none */
    struct od_view option; /* the first option that was changed, by its name */
    bool eased;            /* argv or the variable reduces the memory needed */
    bool resumes;          /* argv resumes from the last checkpoint */
};

/* Texts are allocated in arena or belong to argv. */
struct od_resume_command od_resume_command_of(const struct od_resume_question *question,
                                              struct od_arena *arena);

/* "python train.py --resume out/4.pt  # micro_batch_size: 2"; allocated in arena. NULL if no
 * checkpoint is known or the program has no known resume option. */
const char *od_resume_command_line(const struct od_resume_question *question,
                                   struct od_arena *arena);
