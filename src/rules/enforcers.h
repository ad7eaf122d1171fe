/*
 * Who acts when memory runs out, by rules/words/enforcers.yaml: on which memory, comparing what,
 * and which command tells more.
 */
#pragma once

#include "base/base.h"
#include "facts/amount.h"
#include "facts/setting.h"

struct od_enforcer {
    const char *id;
    /* Conditions; NULL lists hold always. Each list ends with NULL. */
    const char *const *kinds;     /* of the incident, by the contract's names */
    const char *const *producers; /* who printed it */
    const char *const *path;      /* the whole path of the control group */
    const char *const *groups;    /* a part of it */
    const char *const *words;     /* of the failure's lines */
    const char *const *said;      /* settings and meanings of lines near the failure */
    bool tiny;                    /* the request is a small one */
    bool room;                    /* several times the request was free on the machine */
    bool windows;                 /* the run was on Windows */

    const char *who;     /* acts: "the kernel"; NULL = who printed it */
    const char *limited; /* whose limit: "the pod" */
    enum od_scope scope;
    bool shared;               /* the limit is that of several jobs or pods together */
    const char *acts;          /* what it did: "evicted"; NULL = it killed, or refused memory */
    const char *reached;       /* the clause for it: "the tensor arena is too small" */
    bool certain;              /* the words themselves state that this limit ended it */
    const char *why;           /* a sentence that explains the limit; NULL = none does */
    const char *first;         /* id of the remedy for it; NULL = the cause's order */
    const char *counts;        /* what it compares with what; NULL = not known */
    const char *lever;         /* what raises the limit; NULL = nothing does */
    enum od_setting_id record; /* the id that its records are found by */
    const char *ask, *tells;   /* the command that tells more ("@" is the id), and what it tells */
};

/* In order: the first that holds is the one. id NULL ends them. */
extern const struct od_enforcer od_enforcers[];

/* What is known of a failure. */
struct od_enforcer_signs {
    const char *kind;
    struct od_view producer, group;
    const struct od_view *lines;
    size_t nlines;
    bool tiny, room, windows;
    bool (*is_said)(const void *around, const char *name); /* NULL = not known */
    const void *around;
};

/* NULL = none holds. */
const struct od_enforcer *od_enforcer_find(const struct od_enforcer_signs *signs);
