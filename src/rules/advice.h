/*
 * Advice as data: texts for people, one file rules/advice/<cause>.yaml for each cause. Made by the
 * loader (declared here); the shipped advice is written as constant C tables during the build.
 * Advice never matches a log; advise/remedies.h chooses what applies. All arrays and texts are
 * immutable.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "facts/cause.h"
#include "rules/when.h"

struct od_advice_how {
    const char *framework; /* a producer, or one of the group words in load_advice.c */
    struct od_when when;   /* conditions: versions that have it, and that it is not on already */
    const char *text;
    const char *code;   /* lines to paste; NULL = none */
    const char *source; /* NULL = that of the remedy */
};

struct od_advice_remedy {
    const char *id;   /* an action of the JSON contract, or one of ours */
    const char *same; /* the cause whose advice contains this remedy's texts; NULL = this one
                         (od_advice_join) */
    const char *title;
    const char *named; /* the title with its value in {what}; NULL = "title: value" */
    const char *cost;
    const char *figures; /* lines with slots {name}, best first; NULL = none */
    const char *source;
    const struct od_advice_how *how;
    size_t nhow;
    const char *const *knobs; /* settings that it changes (rules/software.h), best first */
    bool more;                /* the settings are raised, even if lowering them saves memory */
    struct od_when helps;     /* where it helps, or tells more, whatever the cause: only there it is
                                 also     for a cause that is suspected; none = nowhere */
    bool in_sight;       /* always among the first three, because it helps no matter what filled
                            the memory */
    struct od_when when; /* the failures for which it makes sense */
    const char *const *relieves; /* kinds of memory that it makes smaller; NULL = those of its
                                    settings, or any */
    struct od_when needs; /* what it is about is in the log; none = that of its settings, or nothing
                             in particular */
    const char *const *about;   /* subjects: "batch", "heap", ...; NULL = none of these */
    const char *gives;          /* the precision that the run has with it, as in the JSON contract;
                                   NULL = the same */
    const char *why;            /* what that saves */
    const char *happened;       /* its purpose in plain words; NULL = its cause's */
    const char *inference_cost; /* its cost if nothing is trained; NULL = cost */
};

/* What people try although it does not help here. */
struct od_advice_vain {
    const char *title;
    const char *why;
    const char *framework; /* as in od_advice_how */
};

/* A kind of memory: gradients, buffers of a data loader. Remedies and settings name the kinds that
 * they make smaller. */
struct od_advice_kind {
    const char *name;
    const char *title; /* of a group of programs, as of a step; NULL = none */
    const char *doc;
    struct od_when when;      /* where this memory can be what was short; where it is undecided, it
                                 can */
    const char *const *knobs; /* settings that make it smaller */
    const char *start; /* of a limit: formula for the first value of a setting that is lowered and
                          whose own row has none (rules/start_value.h); NULL = none */
    bool shown;        /* only where the log shows today's value */
};

/* Moves a remedy up or down among those that were chosen. */
struct od_advice_order {
    const char *name;
    const char *doc;
    struct od_when when;
    uint64_t worth, costs; /* points that are added, or taken away */
};

struct od_advice {
    const char *cause;
    const char *title;
    const char *page;    /* web page about the cause; NULL for advice of no cause */
    const char *explain; /* paragraphs separated by empty lines */
    const char *sure;    /* how certain a finding can be */
    const char *file;
    struct od_when helps;                    /* of the remedies that do not say it */
    const struct od_advice_remedy *remedies; /* best first */
    size_t nremedies;
    const struct od_advice_vain *vain;
    size_t nvain;
    const struct od_advice_kind
        *on; /* the settings that show that it is on already; only used there */
    size_t non;
    const struct od_advice_kind *never; /* what is no remedy, whatever its own condition says, with
                                           the reason in words; only there, too */
    size_t nnever;
    const struct od_advice_kind *named; /* settings by what their names say that they are for (a
                                           meaning of a size), and where that is not what failed;
                                           only there, too */
    size_t nnamed;
    const struct od_advice_kind *groups; /* programs that advice names together, with where its
                                            words for them apply; only there, too */
    size_t ngroups;
    const struct od_advice_kind *kinds; /* only in the advice on settings */
    size_t nkinds;
    const struct od_advice_order *order; /* only there, too */
    size_t norder;
    const struct od_advice_kind *objects; /* what settings are about, and where the log shows it;
                                             only there, too */
    size_t nobjects;
    const struct od_advice_kind *limits; /* that settings raise or lower; only there, too */
    size_t nlimits;
};

/* Loads advice from text; name is for diagnostics. *ret_advice is allocated in arena. OD_ERULE with
 * diagnostics (file:line:column) if it is invalid. Codes in addition to those of loader.h:
 * R0301 unknown cause            R0305 code too wide, or with a tab
 * R0302 (not used)              R0306 an id of another form
 * R0303 a brace without its end  R0307 an id twice
 * R0308 no remedy                R0309 two files of one cause
 * R0310 a cause without a file   R0311 no remedy to be the same as
 * R0312 no kind of memory         R0313 no remedy */
enum od_err od_advice_load(struct od_view yaml, const char *name, struct od_arena *arena,
                           struct od_diags *diags, const struct od_advice **ret_advice) OD_MUST_USE;

/* Completes remedies that name the cause with their texts (`same`) and only state differences.
 * Replaces list[i] by copies in arena. OD_ERULE (R0311) if that cause lacks it, or if it
 * refers to another one itself. */
enum od_err od_advice_join(const struct od_advice **list, size_t n, struct od_arena *arena,
                           struct od_diags *diags) OD_MUST_USE;

/* Does every cause have advice? OD_ERULE after reporting those that do not. */
enum od_err od_advice_check_all(const struct od_advice *const *advice, size_t n,
                                struct od_diags *diags) OD_MUST_USE;

/* Once all files of rules are read: do those in diags name only kinds of memory and remedies that
 * there are? OD_ERULE after reporting the others, with file:line:column and a suggestion. */
enum od_err od_advice_check_names(const struct od_advice *const *advice, size_t n,
                                  struct od_diags *diags) OD_MUST_USE;

/* The kind of memory of that name in the first n files; NULL if there is none. */
const struct od_advice_kind *od_advice_kind_find(const struct od_advice *const *list, size_t n,
                                                 const char *name);

/* The shipped advice, in order of the files' names; NULL-terminated. */
extern const struct od_advice *const od_shipped_advice[];

/* The name used as cause by the advice on settings that any program may have. */
#define OD_ADVICE_OF_KNOBS "settings"

/* The advice for a cause in a NULL-terminated list; NULL if there is none. */
const struct od_advice *od_advice_find(const struct od_advice *const *list, const char *cause);

/* The remedy of that id; NULL if there is none. advice may be NULL. */
const struct od_advice_remedy *od_advice_remedy_find(const struct od_advice *advice,
                                                     const char *id);

/* Finds the first slot of a template, such as "{batch}". False if it has none. */
struct od_slot {
    const char *begin, *end; /* in the text; end is after the closing brace */
    struct od_view name;
};
bool od_slot_find(const char *text, struct od_slot *ret_slot);
