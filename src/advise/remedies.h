/*
 * Remedies: causes, the answer to what fits and the software of the failure -> what to do, best
 * first. Chosen, priced and ordered here, and nowhere else; their words and conditions are data
 * (rules/advice.h), how a program turns a setting is too (rules/software.h). Never what the log
 * shows to be on already, to have failed, or what the version lacks; never another program's
 * snippet.
 */
#pragma once

#include "advise/mentions.h"
#include "answer/answer.h"
#include "answer/host_answer.h"
#include "failure/software.h"
#include "rules/advice.h"

/* A change of a line of the log. */
struct od_edit {
    struct od_prov at;
    const char *from, *to;
    const char *paste; /* the setting alone, with its new value */
};

/* A way that applies, its numbers filled in. */
struct od_remedy_how {
    const char *framework; /* whose way it is: a program's name or "any" */
    const char *title;     /* "TensorFlow"; "" of nobody's */
    const char *needs; /* "PyTorch 2.1 or newer", where the log does not say it; NULL = nothing */
    const char *text;
    const char *code;    /* lines to paste; NULL = none */
    const char *source;  /* NULL = that of the remedy */
    const char *to;      /* the number that is set; NULL = none */
    struct od_edit edit; /* from is NULL: no line of the log is changed */
    bool on;             /* the log shows a switch that is to be turned off */
    bool turned;         /* a setting of the program that failed */
};

struct od_remedy {
    const struct od_advice_remedy *advice;
    const struct od_finding *finding; /* the best one it is for */
    const struct od_software *by;     /* whose people answer so; NULL = it is for anybody */
    const char *cost;
    const char *figures; /* the sentence with its numbers; NULL = none */
    const struct od_remedy_how *how;
    size_t nhow;
    struct od_answer_action action; /* what it would give, as far as that is known */
};

/* "Reduce the batch size to 16": the title with its number. "Reduce the batch size: try 256":
 * nothing shows that the number fits. */
const char *od_remedy_title(const struct od_remedy *remedy, struct od_arena *arena);

struct od_remedies {
    const struct od_remedy *list; /* best first, no id twice */
    size_t n;
    const struct od_advice_vain *const *vain; /* of the best finding */
    size_t nvain;
};

struct od_advise_question {
    const struct od_case *c;
    const struct od_diagnosis *diagnosis;
    const struct od_answer *answer;        /* NULL = nothing is known of what fits */
    const struct od_host_answer *host;     /* NULL = no loading of data failed on the host */
    const struct od_mentions *mentions;    /* numbers that the text states; may be NULL */
    const struct od_advice *const *advice; /* ends with NULL */
};

/*
 * In arena, which must not outlive what the question points at. Remedies of the best finding come
 * first, then those of further findings of probability 0.3 or more and the failed program's own
 * settings; what is seen not to fit comes last. A smaller batch is the first only where the batch
 * is the cause. NULL when nothing failed or complained for lack of memory, and none grows.
 */
const struct od_remedies *od_remedies_select(const struct od_advise_question *question,
                                             struct od_arena *arena);

/* Where its first way, else it as a whole, was read. */
static inline const char *od_remedy_source(const struct od_remedy *remedy)
{
    const char *own = remedy->nhow > 0 ? remedy->how[0].source : NULL;
    return own ? own : remedy->advice->source;
}
