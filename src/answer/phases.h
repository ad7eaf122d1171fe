/*
 * Phases: what each part of a run adds to the memory at its peak, as the log or the user states it,
 * and the unnamed remainder. The rows and the remainder sum to the peak.
 */
#pragma once

#include "attribute/attribute.h"
#include "diagnose/diagnose.h"

enum { OD_PHASES_MAX = 24 };

/* NAME=SIZE as given by the user; the name "total" sets the peak that the rows sum to. */
struct od_phase_given {
    struct od_view name;
    struct od_bytes bytes;
};

struct od_phase_row {
    struct od_view name;
    struct od_bytes bytes; /* unknown: the other rows exceed the peak */
    const char *basis;     /* the source, in words */
    bool remainder;
};

struct od_phases {
    struct od_phase_row rows[OD_PHASES_MAX + 1]; /* the remainder last */
    size_t n;
    struct od_bytes total; /* the peak; unknown = neither given nor measured: no remainder */
    const char *total_basis;
    bool given;    /* the user gave the rows */
    bool unmarked; /* the log marks no phase: only growth and the rest */
    bool tells;    /* rows of a dump, or more rows than a first level and a remainder */
};

struct od_phases_question {
    const struct od_case *c;
    const struct od_diagnosis *diagnosis;
    const struct od_attribution *attribution;
    const struct od_phase_given *given;
    size_t ngiven;
};

/* NULL if no phase is known; in arena. */
const struct od_phases *od_phases_of(const struct od_phases_question *question,
                                     struct od_arena *arena);

/* Adds rows of a step's parts, from values printed at named moments (phases_moments.c), and the
 * total if the log states it; texts in arena. Returns false and changes nothing if the log names
 * fewer than two moments of one measurement. host: memory of the process, otherwise of a device. */
bool od_phases_draw_moments(const struct od_phases_question *question, bool host,
                            struct od_phases *phases, struct od_arena *arena);

/* "NAME=SIZE"; false when it is not that. The name is a view into text. */
bool od_phase_parse(struct od_view text, struct od_phase_given *ret_phase);
