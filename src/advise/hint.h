/*
 * What the failure itself says is to be changed: a setting that the program names as it fails.
 */
#pragma once

#include "advise/remedies.h"

struct od_hint {
    struct od_view name;      /* as the line says it */
    const char *verb, *title; /* "lower", "Lower" */
    const char *knob;         /* of a program of the stack; NULL = none that is known */
    bool whole;               /* with its value, "--limit 2000" */
    bool more;
    bool own; /* the knob: of the program that failed */
};

/* False where it names none. Texts live as long as the case. */
bool od_hint_find(const struct od_advise_question *question, struct od_hint *ret_hint);
