/*
 * Phases: the memory that each part of a run adds up to the peak, as stated by the log or the user,
 * and the remainder. The rows and the remainder sum to the peak.
 */
#pragma once

#include "attribute/attribute.h"
#include "diagnose/diagnose.h"

enum { OD_PHASES_MAX = 24 };

/* NAME=SIZE from the user; "total" sets the peak to which the rows sum. */
struct od_phase_given {
    struct od_view name;
    struct od_bytes bytes;
};

struct od_phase_row {
    struct od_view name;
    struct od_bytes bytes; /* unknown: the other rows exceed the peak */
    const char *basis;     /* description of the source */
    bool remainder;
};

struct od_phases {
    struct od_phase_row rows[OD_PHASES_MAX + 1]; /* the remainder is last */
    size_t n;
    /* the peak; unknown = neither given nor measured, and there is no remainder */
    struct od_bytes total;
    const char *total_basis;
    bool given;    /* the user gave the rows */
    bool unmarked; /* the log marks no phase, so the rows are only growth and the rest */
    /* the rows are worth showing: from a dump, or more than a first level and a remainder */
    bool tells;
};

struct od_phases_question {
    const struct od_case *c;
    const struct od_diagnosis *diagnosis;
    const struct od_attribution *attribution;
    const struct od_phase_given *given;
    size_t ngiven;
};

/* Allocated in arena. NULL if no phase is known. */
const struct od_phases *od_phases_of(const struct od_phases_question *question,
                                     struct od_arena *arena);

/* Adds rows for the parts of a step, from values at named moments (phases_moments.c), and the total
 * if the log states it; texts in arena. Returns false without changes if the log names fewer than
 * two moments of one measurement. host: memory of the process, otherwise of a device. */
bool od_phases_draw_moments(const struct od_phases_question *question, bool host,
                            struct od_phases *phases, struct od_arena *arena);

/* Parses "NAME=SIZE". False on other text. The name is a view into text. */
bool od_phase_parse(struct od_view text, struct od_phase_given *ret_phase);
