/*
 * Remedies: what to do, best first, for the causes, the answer to what fits and the software of the
 * failure. They are chosen, priced and ordered only in this folder; their words and conditions are
 * data (rules/advice.h), and so are the settings of programs (rules/software.h). A remedy is never
 * something that the log shows to be on or to have failed, that the version lacks, or that belongs
 * to another program.
 */
#pragma once

#include "answer/answer.h"
#include "answer/host_answer.h"
#include "facts/mention.h"
#include "failure/software.h"
#include "rules/advice.h"

/* A change of a line of the log. */
struct od_edit {
    struct od_prov at;
    const char *from, *to;      /* to: NULL = no new value follows from the numbers */
    const char *place;          /* "train.py:12", where the line quotes a script; NULL = the log */
    const char *paste;          /* only the setting, with its new value */
    struct od_view name, value; /* of the setting */
    bool more;                  /* it is to be raised */
    bool guess;                 /* to is twice the limit, and may be too little */
};

/* One way to carry out a remedy, with its numbers filled in. */
struct od_remedy_how {
    const char *framework; /* name of the program it is for, or "any" */
    const char *title;     /* "TensorFlow"; "" for no program */
    const char *needs; /* "PyTorch 2.1 or newer", if the log does not show the version; NULL = no
                          requirement */
    const char *text;
    const char *code;       /* lines to paste; NULL = none */
    const char *shell;      /* the lines for a shell, if `code` is for another place; NULL = none */
    struct od_view setting; /* that is changed, by its name; empty = none */
    const char *knob;       /* the same in rules/knobs.def, of that program; NULL = none */
    const char *source;     /* NULL = that of the remedy */
    const char *to;         /* the number that is set; NULL = none */
    struct od_edit edit;    /* from is NULL if no line of the log is changed */
    bool on;                /* the log shows that a switch is on, to be turned off */
    bool computed;          /* the new value of a line follows from the numbers */
    uint64_t worked;        /* line that says that it worked with `to`; 0 = none */
    bool turned;            /* a setting of the program that failed */
};

struct od_remedy {
    const struct od_advice_remedy *advice;
    const struct od_finding *finding; /* the most probable finding that it is for */
    const struct od_software *by;     /* the program whose developers recommend it; NULL = it is
                                         for any program */
    const char *from;                 /* the source that offered it, a word of the fact `from` */
    double below, score; /* points that it loses to the first of that source; points of the order */
    const char *cost;
    const char *figures; /* the sentence with its numbers; NULL = none */
    const struct od_remedy_how *how;
    size_t nhow;
    bool on;                        /* a setting of it is on already */
    bool limit_needed;              /* it raises a limit to what the run needs, by the log */
    struct od_answer_action action; /* its computed effect, as far as known */
};

/* The title with its number: "Reduce the batch size to 16", or "Reduce the batch size: try 256" if
 * nothing shows that the number fits. */
const char *od_remedy_title(const struct od_remedy *remedy, struct od_arena *arena);

struct od_remedies {
    const struct od_remedy *list; /* best first, no id twice */
    size_t n;
    const struct od_advice_vain *const *vain; /* what does not help against the best finding */
    size_t nvain;
};

struct od_advise_question {
    const struct od_case *c;
    const struct od_diagnosis *diagnosis;
    const struct od_answer *answer;        /* NULL = it is not known what fits */
    const struct od_host_answer *host;     /* NULL = no failure while data was loaded on the host */
    const struct od_around *around;        /* lines of the log; may be NULL */
    const struct od_advice *const *advice; /* ends with NULL */
};

/* Allocated in arena, which must not outlive the objects in question. Remedies of the best finding
 * come first, then those of findings with a probability of at least 0.3 and the settings of the
 * failed program; remedies that are known not to be enough come last. A smaller batch is first only
 * if the batch is the cause. NULL if nothing failed for lack of memory and no memory grows. */
const struct od_remedies *od_remedies_select(const struct od_advise_question *question,
                                             struct od_arena *arena);

/* Source of its first step, otherwise of the remedy. */
static inline const char *od_remedy_source(const struct od_remedy *remedy)
{
    const char *own = remedy->nhow > 0 ? remedy->how[0].source : NULL;
    return own ? own : remedy->advice->source;
}
