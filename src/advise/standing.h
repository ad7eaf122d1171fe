/*
 * The one judge of whether a setting has anything left to give: its value in the log, what the text
 * says of values that were tried, and whether what it does is on already. Every remedy and every
 * value for a setting is judged here before it is printed.
 */
#pragma once

#include "advise/proposal.h"
#include "facts/bounds.h"
#include "facts/setting_number.h"

struct od_standing {
    const struct od_seen *seen; /* where the log shows it; NULL = nowhere */
    bool counts;                /* its value is a number to change, not a word or a switch */
    bool on;                    /* it has nothing more to give */
};

/* more: it is to be raised, even if memory falls when it is lowered. */
struct od_standing od_standing_of(const struct od_advise_question *question,
                                  const struct od_software *software, const struct od_knob *knob,
                                  bool more, struct od_arena *arena);

/* The settings of the remedy that are left to change, allocated in arena; ends with NULL. The
 * others are on already, were changed without effect, or must stay, as people say; *ret_spent:
 * some are. */
const char *const *od_standing_left(const struct od_proposal *proposal, struct od_arena *arena,
                                    bool *ret_spent);

/* A change of the setting of that name. */
struct od_standing_change {
    const char *name;
    const struct od_setting_number *now; /* its number, and the form of a new one */
    bool up, known;                      /* known: now is the value in force */
    const char *to;                      /* NULL = not known */
    uint64_t worked;                     /* line that says that it worked with `to`; 0 = none */
};

/* Moves `to` to a value that the log does not refute. False if there is none. */
bool od_standing_obey(const struct od_advise_question *question, struct od_standing_change *change,
                      struct od_arena *arena);

/* Where the log shows one form of the setting, at best before the failure; NULL = nowhere. */
const struct od_seen *od_standing_seen(const struct od_advise_question *question, const char *form);
