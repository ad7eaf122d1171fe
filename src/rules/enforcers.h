/*
 * Programs that act when memory runs out (rules/words/enforcers.yaml): on which memory, by
 * comparing which numbers, and the command that shows more.
 */
#pragma once

#include "base/base.h"
#include "facts/amount.h"
#include "facts/setting.h"

struct od_enforcer {
    const char *id;
    /* The first members are conditions; NULL = no condition. Each list ends with NULL. */
    const char *const *kinds;     /* kinds of incidents, by their names in the JSON contract */
    const char *const *producers; /* programs that printed the failure */
    const char *const *path;      /* whole paths of cgroups */
    const char *const *groups;    /* parts of the path of a cgroup */
    const char *const *words;     /* words in the failure's lines */
    const char *const *said;      /* settings, and meanings of lines near the failure */
    bool tiny;                    /* the request was small */
    bool room;                    /* the machine had several times the request free */
    bool windows;                 /* the run was on Windows */

    /* name of the acting program: "the kernel"; NULL = the program that printed the failure */
    const char *who;
    const char *limited; /* owner of the limit: "the pod" */
    enum od_scope scope;
    bool shared;      /* several jobs or pods together share the limit */
    const char *does; /* its action at the limit: "kills", "refuses", ... */
    const char *by;   /* name of the program that set the limit; NULL = not known */
    const char *acts; /* its action in this failure: "evicted"; NULL = killed, or refused memory */
    const char *reached;       /* clause for the headline: "the tensor arena is too small" */
    bool certain;              /* the failure's words state that this limit was reached */
    const char *why;           /* a sentence that explains the limit; NULL = none */
    const char *first;         /* id of the first remedy; NULL = in the order of the cause */
    const char *counts;        /* numbers that it compares; NULL = not known */
    const char *lever;         /* setting that raises the limit; NULL = none */
    enum od_setting_id record; /* setting with the id of the program's records */
    const char *ask, *tells;   /* command that shows more ("@" is the id), and what it shows */
};

/* The first one whose conditions hold applies. The list ends with id NULL. */
extern const struct od_enforcer od_enforcers[];

/* Data of a failure for the conditions. */
struct od_enforcer_signs {
    const char *kind;
    struct od_view producer, group;
    const struct od_view *lines;
    size_t nlines;
    bool tiny, room, windows;
    bool (*is_said)(const void *around, const char *name); /* may be NULL */
    const void *around;
};

/* Finds the enforcer of a failure; NULL if none applies. */
const struct od_enforcer *od_enforcer_find(const struct od_enforcer_signs *signs);
