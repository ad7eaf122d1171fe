/*
 * A setting of a program, turned: as the log shows it, from its value to the next one; else in the
 * form that the catalogue has, with N where a number is the user's to choose.
 */
#pragma once

#include "advise/remedies.h"

/* Of a device, for one program: the context and the libraries take the rest. */
#define OD_MOST_SHARE 0.95

struct od_turn {
    const struct od_software *software;
    const struct od_knob *knob;
    bool more;              /* raised, however memory falls */
    struct od_count target; /* the value to set, where something is known of it */
    double bytes;           /* of one that is raised, the least that it must allow; 0 = not known */
    double share;           /* of a length, the part that fits; 0 = not known */
};

/* False where it is turned as far as it goes already. */
bool od_knob_turn(const struct od_advise_question *question, const struct od_turn *turn,
                  struct od_arena *arena, struct od_remedy_how *ret_how);

/* That part of a length, in whole blocks of a cache; 0 where none is left. */
uint64_t od_knob_shorten(uint64_t length, double share);

/* Another number for a setting. */
struct od_renumber {
    struct od_view called; /* its name */
    struct od_view value;  /* as the line has it */
    const char *to;
};

/* The line of the log with the number of the setting called so replaced; false where it has no such
 * number, or several and none behind a name like that. */
bool od_edit_number(const struct od_evidence *said, const struct od_renumber *renumber,
                    struct od_arena *arena, struct od_edit *ret_edit);

/* The form with that number in its open place, if it has one. */
const char *od_knob_fill(const char *form, uint64_t number, struct od_arena *arena);

/* Does it have a number that is the user's to choose? */
bool od_knob_is_open(const char *form);
