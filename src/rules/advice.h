/*
 * Advice as data: words for people, one file rules/advice/<cause>.yaml a cause. Made by the loader
 * (here) and, for the advice we ship, written as constant C tables when the project is built.
 * Advice never matches a log; what applies to one is chosen in advise/remedies.h.
 * All arrays and texts are immutable.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "facts/cause.h"
#include "rules/when.h"

struct od_advice_how {
    const char *framework; /* a producer, or a word of its own (load_advice.c) */
    struct od_when when;   /* which of its versions have it, and that it is not on already */
    const char *text;
    const char *code;   /* lines to paste; NULL = none */
    const char *source; /* NULL = that of the remedy */
};

struct od_advice_remedy {
    const char *id;   /* an action of the contract, or one of ours */
    const char *same; /* the cause whose advice has its words; NULL = these (od_advice_join) */
    const char *title;
    const char *named; /* the title with its value in {what}; NULL = "title: value" */
    const char *cost;
    const char *figures; /* lines with slots {name}, the best first; NULL = none */
    const char *source;
    const struct od_advice_how *how;
    size_t nhow;
    const char *const *knobs; /* settings that it turns (rules/software.h), the best first */
    bool more;                /* they are raised, however memory falls; else to take less */
    bool in_sight;       /* it is among the first three, as it helps whatever filled the memory */
    struct od_when when; /* the failures that it makes sense for */
    const char *const *about;   /* what it works on: "batch", "heap" ...; NULL = nothing of those */
    const char *happened;       /* what it is for, in plain words; NULL = its cause's */
    const char *inference_cost; /* its cost where nothing is trained; NULL = cost */
};

/* What people try and what does not help here. */
struct od_advice_vain {
    const char *title;
    const char *why;
    const char *framework; /* as of a how */
};

struct od_advice {
    const char *cause;
    const char *title;
    const char *explain; /* paragraphs, an empty line between them */
    const char *sure;    /* how sure a finding can be */
    const char *file;
    const struct od_advice_remedy *remedies; /* best first */
    size_t nremedies;
    const struct od_advice_vain *vain;
    size_t nvain;
};

/* The numbers of every finding that has an incident; those of its cause stand in facts/causes.def.
 * A slot's name is one of them; its end is its unit, as in _bytes. Ends with NULL. */
extern const char *const od_advice_numbers[];

/* May a finding of that cause carry that number? */
bool od_advice_has_number(enum od_cause cause, struct od_view name);

/* Is a number of that name shown as a size? */
bool od_advice_is_bytes(const char *name);

/*
 * Advice from text; name is for diagnostics. *ret_advice lives in arena. OD_ERULE with
 * diagnostics (file:line:column) when it is invalid.
 * Codes beside those of loader.h:
 *   R0301 unknown cause            R0305 code too wide, or with a tab
 *   R0302 not a number to be had   R0306 an id of another form
 *   R0303 a brace without its end  R0307 an id twice
 *                                  R0308 no remedy
 *   R0309 two files of one cause   R0310 a cause without a file
 *   R0311 no remedy to be the same as
 */
enum od_err od_advice_load(struct od_view yaml, const char *name, struct od_arena *arena,
                           struct od_diags *diags, const struct od_advice **ret_advice) OD_MUST_USE;

/* The same from a file: root/name, or name when root is NULL. OD_EINPUT when it cannot be read. */
enum od_err od_advice_load_file(const char *root, const char *name, struct od_arena *arena,
                                struct od_diags *diags,
                                const struct od_advice **ret_advice) OD_MUST_USE;

/*
 * A remedy is written once: others name the cause whose it is (same), and say what differs. list[i]
 * become copies in arena whose remedies are whole. OD_ERULE (R0311) where there is none of that
 * name, or it is itself another's.
 */
enum od_err od_advice_join(const struct od_advice **list, size_t n, struct od_arena *arena,
                           struct od_diags *diags) OD_MUST_USE;

/* Is there one advice for each cause? OD_ERULE after saying which lacks. */
enum od_err od_advice_check_all(const struct od_advice *const *advice, size_t n,
                                struct od_diags *diags) OD_MUST_USE;

/* The advice we ship, in order of the files' names; NULL-terminated. */
extern const struct od_advice *const od_shipped_advice[];

/* The cause of the advice that is for no cause: the settings that any program may have. */
#define OD_ADVICE_OF_KNOBS "settings"

/* The advice for a cause in a NULL-terminated list; NULL when there is none. */
const struct od_advice *od_advice_find(const struct od_advice *const *list, const char *cause);

/* Its remedy of that id; NULL when it has none. advice may be NULL. */
const struct od_advice_remedy *od_advice_remedy_find(const struct od_advice *advice,
                                                     const char *id);

/* The first slot of a template, as "{batch}": false where it has none. */
struct od_slot {
    const char *begin, *end; /* in the text; end is behind the brace */
    struct od_view name;
};
bool od_slot_find(const char *text, struct od_slot *ret_slot);
