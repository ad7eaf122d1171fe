/*
 * Advice as data: texts for people, one file rules/advice/<cause>.yaml for each cause. Made by the
 * loader (declared here); the build writes the shipped advice as constant C tables. Advice never
 * matches a log; advise/remedies.h chooses what applies. All arrays and texts are immutable.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "facts/cause.h"
#include "rules/when.h"

struct od_advice_how {
    /* a program, a kind of samples, or a group of programs; also the language of the code */
    const char *framework;
    struct od_when when; /* conditions on the release of the program and the work of the run */
    const char *text;
    const char *code;   /* lines to paste; NULL = none */
    bool trains;        /* the code is for training */
    const char *source; /* NULL = source of the remedy */
};

struct od_advice_remedy {
    const char *id; /* an action of the JSON contract, or one of ours */
    /* the cause whose advice has the texts of this remedy; NULL = they are here (od_advice_join) */
    const char *same;
    const char *title;
    const char *named; /* title with the value in {what}; NULL = "title: value" */
    const char *cost;
    const char *figures; /* lines with slots {name}, best first; NULL = none */
    const char *source;
    const struct od_advice_how *how;
    size_t nhow;
    const char *const *knobs; /* settings that it changes (rules/software.h), best first */
    bool more;                /* raising the settings helps, even if lowering them saves memory */
    /* when the remedy helps or explains, whatever the cause; only then does it also apply to a
     * suspected cause; none = never */
    struct od_when helps;
    bool in_sight; /* always among the first three, because it helps whatever filled the memory */
    struct od_when when; /* the failures to which it applies */
    /* kinds of memory that it reduces; NULL = those of its settings, or any */
    const char *const *relieves;
    /* condition that the log shows the object of the remedy; none = condition of its settings,
     * or none at all */
    struct od_when needs;
    const char *const *about;   /* subjects: "batch", "heap", ...; NULL = none */
    const char *gives;          /* precision after it, as in the JSON contract; NULL = unchanged */
    const char *why;            /* the memory that it saves */
    const char *happened;       /* its purpose in plain words; NULL = text of its cause */
    const char *inference_cost; /* its cost in inference; NULL = cost */
};

/* A remedy that people try but that does not help here. */
struct od_useless_remedy {
    const char *title;
    const char *why;
    const char *framework; /* as in struct od_advice_how */
};

/* A kind of memory: gradients, buffers of a data loader. Remedies and settings name the kinds that
 * they reduce. Other lists of struct od_advice use the same struct. */
struct od_advice_kind {
    const char *name;
    const char *title; /* title of a group of programs; NULL = none */
    const char *doc;
    struct od_when when;      /* condition that this memory can be short; unknown counts as yes */
    const char *const *knobs; /* settings that reduce it */
    /* for a limit: formula for the first value of a lowered setting without one of its own
     * (rules/start_value.h); NULL = none */
    const char *start;
    bool shown;     /* only if the log shows the present value */
    uint64_t least; /* smallest useful first value in bytes; 0 = any */
};

/* Changes the order of the chosen remedies. */
struct od_advice_order {
    const char *name;
    const char *doc;
    struct od_when when;
    uint64_t worth, costs; /* points to add and to subtract */
};

/* What is said of a failure whose cause is not named: of each subject the first row that holds and
 * whose slots are known. */
struct od_circumstance {
    const char *subject;
    struct od_when when;
    const char *say; /* a sentence with facts in its slots */
};

struct od_advice {
    const char *cause;
    const char *title;
    const char *page;    /* web page about the cause; NULL = the advice has no cause */
    const char *explain; /* paragraphs separated by empty lines */
    const char *sure;    /* how certain a finding of this cause can be */
    const char *file;
    struct od_when helps;                    /* default for remedies without `helps` */
    const struct od_advice_remedy *remedies; /* best first */
    size_t nremedies;
    const struct od_useless_remedy *useless;
    size_t nuseless;
    const struct od_advice_kind *on; /* settings that show that a remedy is already in use; this and
                                      * the next members are only set in the advice on settings */
    size_t non;
    const struct od_advice_kind *never; /* remedies that never apply, with the reason in words */
    size_t nnever;
    /* settings by the meaning of their names (a meaning of a size), with the condition that this
     * size failed */
    const struct od_advice_kind *named;
    size_t nnamed;
    /* groups of programs, with the condition under which texts for them apply */
    const struct od_advice_kind *groups;
    size_t ngroups;
    const struct od_advice_kind *kinds;
    size_t nkinds;
    const struct od_advice_order *order;
    size_t norder;
    /* objects of settings, with the condition that the log shows them */
    const struct od_advice_kind *objects;
    size_t nobjects;
    const struct od_advice_kind *limits; /* limits that settings raise or lower */
    size_t nlimits;
    const struct od_circumstance *circumstances; /* only there, too */
    size_t ncircumstances;
};

/* Loads advice from text; name is for diagnostics. *ret_advice is allocated in arena. OD_ERULE with
 * diagnostics (file:line:column) if it is invalid. Codes in addition to those of loader.h:
 * R0301 unknown cause            R0305 code too wide, or with a tab
 * R0302 (not used)              R0306 an id of another form
 * R0303 a brace without its end  R0307 an id twice
 * R0308 no remedy                R0309 two files of one cause
 * R0310 a cause without a file   R0311 no remedy to be the same as
 * R0312 no kind of memory         R0313 no remedy
 * R0314 no program                R0315 code without its language
 * R0316 code of a training        R0317 code without its releases */
enum od_err od_advice_load(struct od_view yaml, const char *name, struct od_arena *arena,
                           struct od_diags *diags, const struct od_advice **ret_advice) OD_MUST_USE;

/* Completes remedies that only state differences (`same`) with the texts of the named cause.
 * Replaces list[i] by copies in arena. OD_ERULE (R0311) if that cause lacks the remedy, or refers
 * to another cause itself. */
enum od_err od_advice_join(const struct od_advice **list, size_t n, struct od_arena *arena,
                           struct od_diags *diags) OD_MUST_USE;

/* Does every cause have advice? OD_ERULE after reporting those without. */
enum od_err od_advice_check_all(const struct od_advice *const *advice, size_t n,
                                struct od_diags *diags) OD_MUST_USE;

/* Checks the files in `diags` once all files of rules are read: they must only name existing kinds
 * of memory, remedies and programs, and their code must give its releases. OD_ERULE after reporting
 * errors, with file:line:column and a suggestion. */
struct od_software_list;
enum od_err od_advice_check_names(const struct od_advice *const *advice, size_t n,
                                  const struct od_software_list *software,
                                  struct od_diags *diags) OD_MUST_USE;

/* Finds a kind of memory by name in the first n files; NULL if none. */
const struct od_advice_kind *od_advice_kind_find(const struct od_advice *const *list, size_t n,
                                                 const char *name);

/* The shipped advice in order of file names; ends with NULL. */
extern const struct od_advice *const od_shipped_advice[];

/* The name that the advice on settings has instead of a cause. */
#define OD_ADVICE_OF_KNOBS "settings"

/* Finds the advice for a cause in a list that ends with NULL; NULL if none. */
const struct od_advice *od_advice_find(const struct od_advice *const *list, const char *cause);

/* Finds a remedy by id; NULL if none. advice may be NULL. */
const struct od_advice_remedy *od_advice_remedy_find(const struct od_advice *advice,
                                                     const char *id);

/* Finds the first slot of a template, such as "{batch}". False if there is none. */
struct od_slot {
    const char *begin, *end; /* positions in the text; end is after the closing brace */
    struct od_view name;
};
bool od_slot_find(const char *text, struct od_slot *ret_slot);
