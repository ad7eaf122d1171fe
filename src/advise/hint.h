/*
 * A setting that the failing program names in its own message as the one to change.
 */
#pragma once

#include "advise/remedies.h"

struct od_hint {
    struct od_view name; /* as printed on the line */
    const char *title;   /* "Lower" */
    const char *knob;    /* knob of a program in the stack; NULL = none */
    uint64_t line;
    struct od_view says; /* the sentence on that line */
    bool whole;          /* name includes the value, "--limit 2000" */
    bool more;
    bool own; /* the knob belongs to the program that failed */
};

/* Returns false if no setting is named. Texts live as long as the case. */
bool od_hint_find(const struct od_advise_question *question, struct od_hint *ret_hint);
