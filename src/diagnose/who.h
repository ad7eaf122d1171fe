/*
 * Who took part in the run: frameworks and platforms, as far as the case says. It decides whose
 * advice applies.
 */
#ifndef OD_DIAGNOSE_WHO_H
#define OD_DIAGNOSE_WHO_H

#include "case/case.h"
#include "diagnose/diagnose.h"

#include <stdbool.h>

struct od_who {
    uint64_t seen;   /* bits: rows of the table in who.c */
    uint64_t drives; /* bits of those whose trainer runs the steps */
    bool frameworks; /* any of them is known */
    bool library;    /* one that people program with, and not a server of models alone */
    bool service;    /* who failed is a program of another kind: a daemon, a tool */
    bool platforms;
};

struct od_who od_who_of(const struct od_case *c, const struct od_diagnosis *diagnosis);

/* Does advice for that framework or platform apply to those? All of a sort where none is known. */
bool od_who_has(const struct od_who *who, const char *framework);

/* Does that add-on's trainer run the steps? Then its arguments are the ones to change. */
bool od_who_drives(const struct od_who *who, const char *framework);

/* Is that advice for everybody, or for a platform: no framework's? */
bool od_who_is_neutral(const char *framework);

/* Is it for one platform, and nothing tells on which the run was? */
bool od_who_is_guess(const struct od_who *who, const char *framework);

/* The version of a framework as the log says it; empty when it does not, or says another's. */
struct od_view od_who_version(const struct od_case *c, const struct od_who *who,
                              const char *framework);

/* The word for it in reports: "any" for advice that is for nobody's framework. */
const char *od_who_word(const char *framework);

/* "TensorFlow", "PyTorch" */
const char *od_who_title(const char *framework);

#endif
