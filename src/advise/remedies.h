/*
 * Remedies, best first, for the causes, the answer about what fits and the software of the failure.
 * They are chosen, priced and ordered only in this folder; their texts and conditions are data
 * (rules/advice.h), and so are the settings of programs (rules/software.h). The log never shows
 * that a remedy is already in use or has failed, that the version lacks it, or that it belongs to
 * another program.
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
    const char *from, *to; /* to: NULL = the numbers give no new value */
    /* "train.py:12" if the line is from a script; NULL = from the log */
    const char *place;
    const char *paste;          /* only the setting with its new value */
    struct od_view name, value; /* name and value of the setting */
    bool more;                  /* raise the setting */
    bool guess;                 /* `to` is twice the limit and may be too small */
};

/* A step that carries out a remedy, with its numbers filled in. */
struct od_remedy_how {
    const char *framework; /* name of the program for which it is, or "any" */
    const char *title;     /* "TensorFlow"; "" for no program */
    /* "PyTorch 2.1 or newer", if the log does not show the version; NULL = none */
    const char *needs;
    const char *text;
    const char *code; /* lines of code; NULL = none */
    /* the lines for a shell, if `code` is for another environment; NULL = none */
    const char *shell;
    struct od_view setting; /* name of the changed setting; empty = none */
    const char *knob;       /* name of the setting in rules/knobs.def; NULL = none */
    const char *source;     /* NULL = that of the remedy */
    const char *to;         /* the new number; NULL = none */
    struct od_edit edit;    /* from is NULL if no line of the log is changed */
    bool on;                /* switch off a setting that the log shows to be on */
    bool computed;          /* the new value of the line is computed from the failure's numbers */
    uint64_t worked;        /* line of a report that `to` worked; 0 = none */
    bool turned;            /* it is a setting of the failed program */
};

struct od_remedy {
    const struct od_advice_remedy *advice;
    const struct od_finding *finding; /* the most probable finding for which it is */
    /* the program whose developers recommend it; NULL = for any program */
    const struct od_software *by;
    const char *from; /* the source of the offer, a word of the fact `from` */
    /* points subtracted from those of the source's first offer; points of the order */
    double below, score;
    const char *cost;
    const char *figures; /* sentence with its numbers; NULL = none */
    const struct od_remedy_how *how;
    size_t nhow;
    bool on;                        /* one of its settings is already on */
    bool limit_needed;              /* raises a limit to the need of the run according to the log */
    struct od_answer_action action; /* its computed effect, if known */
};

/* The title with its number: "Reduce the batch size to 16", or "Reduce the batch size: try 256" if
 * nothing shows that the number fits. */
const char *od_remedy_title(const struct od_remedy *remedy, struct od_arena *arena);

struct od_remedies {
    const struct od_remedy *list; /* best first; each id occurs once */
    size_t n;
    const struct od_useless_remedy *const
        *useless; /* remedies that do not help against the best finding */
    size_t nuseless;
};

struct od_advise_question {
    const struct od_case *c;
    const struct od_diagnosis *diagnosis;
    const struct od_answer *answer;        /* NULL = unknown */
    const struct od_host_answer *host;     /* NULL = loading data on the host did not fail */
    const struct od_around *around;        /* lines of the log; may be NULL */
    const struct od_advice *const *advice; /* ends with NULL */
};

/* Chooses the remedies. Allocated in arena, which must not outlive the objects in question.
 * Remedies of the best finding come first, then those of findings with a probability of at least
 * 0.3 and the settings of the failed program; remedies that are known to be insufficient come last.
 * A smaller batch is first only if the batch is the cause. NULL if nothing failed for lack of
 * memory and no memory grows. */
const struct od_remedies *od_remedies_select(const struct od_advise_question *question,
                                             struct od_arena *arena);

/* Source of the first step, otherwise of the remedy. */
static inline const char *od_remedy_source(const struct od_remedy *remedy)
{
    const char *own = remedy->nhow > 0 ? remedy->how[0].source : NULL;
    return own ? own : remedy->advice->source;
}
