/*
 * Who acts when memory runs out (rules/words/enforcers.yaml): on which memory, comparing which
 * numbers, and which command shows more.
 */
#pragma once

#include "base/base.h"
#include "facts/amount.h"
#include "facts/setting.h"

struct od_enforcer {
    const char *id;
    /* Conditions; NULL = no condition. Each list is NULL-terminated. */
    const char *const *kinds;     /* kinds of incidents, by their names in the JSON contract */
    const char *const *producers; /* programs that printed it */
    const char *const *path;      /* whole paths of cgroups */
    const char *const *groups;    /* parts of the path of a cgroup */
    const char *const *words;     /* words in the failure's lines */
    const char *const *said;      /* settings and meanings of lines near the failure */
    bool tiny;                    /* the request was small */
    bool room;                    /* several times the request was free on the machine */
    bool windows;                 /* the run was on Windows */

    const char *who;     /* who acts: "the kernel"; NULL = the program that printed it */
    const char *limited; /* the owner of the limit: "the pod" */
    enum od_scope scope;
    bool shared;               /* several jobs or pods together share the limit */
    const char *does;          /* what it does at the limit: "kills", "refuses", ... */
    const char *by;            /* the program that set the limit; NULL = not known */
    const char *acts;          /* what it did: "evicted"; NULL = it killed, or refused memory */
    const char *reached;       /* the clause for the headline: "the tensor arena is too small" */
    bool certain;              /* the words themselves state that this limit was reached */
    const char *why;           /* a sentence that explains the limit; NULL = none */
    const char *first;         /* id of the first remedy; NULL = the order of the cause */
    const char *counts;        /* the numbers it compares; NULL = not known */
    const char *lever;         /* the setting that raises the limit; NULL = none */
    enum od_setting_id record; /* the id by which its records are found */
    const char *ask, *tells;   /* the command that shows more ("@" is the id), and what it shows */
};

/* In order; the first one whose conditions hold applies. Ends with id NULL. */
extern const struct od_enforcer od_enforcers[];

/* The data of a failure that conditions are checked against. */
struct od_enforcer_signs {
    const char *kind;
    struct od_view producer, group;
    const struct od_view *lines;
    size_t nlines;
    bool tiny, room, windows;
    bool (*is_said)(const void *around, const char *name); /* NULL = not known */
    const void *around;
};

/* Returns NULL if none applies. */
const struct od_enforcer *od_enforcer_find(const struct od_enforcer_signs *signs);
