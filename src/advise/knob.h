/*
 * A setting of a program, changed: from the value in the log to the next one, otherwise in the form
 * of the catalogue with N if the user has to choose a number.
 */
#pragma once

#include "advise/remedies.h"

/* Share of a device that one program may use; the context and libraries need the rest. */
#define OD_MOST_SHARE 0.95

struct od_turn {
    const struct od_software *software;
    const struct od_knob *knob;
    bool more;              /* raise the setting, even if memory falls when it is lowered */
    struct od_count target; /* the value to set; unknown = not computed */
    bool keywords;          /* it is an argument of a call, NAME=VALUE, and no flag */
    double bytes;           /* bytes of a raised setting: the least value it needs; 0 = not known */
    double most;            /* of a raised limit inside of a container; 0 = not known */
    double reached;         /* the limit that was reached; 0 = not known */
    double share;           /* of a length: the part that fits; 0 = not known */
};

/* Returns false if the setting cannot go further. */
bool od_knob_turn(const struct od_advise_question *question, const struct od_turn *wanted,
                  struct od_arena *arena, struct od_remedy_how *ret_how);

/* A new number for a setting. */
struct od_renumber {
    struct od_view called; /* name of the setting */
    struct od_view value;  /* value as printed on the line */
    const char *to;        /* NULL = not known */
};

/* Replaces the setting's number in the line of the log. False if the line has none, or
 * several of them and none after that name. */
bool od_edit_number(const struct od_evidence *said, const struct od_renumber *renumber,
                    struct od_arena *arena, struct od_edit *ret_edit);

/* "Lower --num-workers from 8 to 4". to: NULL = it is not known, and the line is not changed. */
const char *od_edit_say(struct od_edit *edit, const char *verb, const char *to,
                        struct od_arena *arena);

/* How many times its value to try where none follows. Of 31 programs that lacked memory of the
 * host, half was enough for 14, and a quarter for all; of ten limits, four times was enough for
 * six, eight for nine; one may have twice as many devices. */
double od_try_times(const struct od_failure *failure, const struct od_advice_remedy *advice,
                    bool more);

/* The form in which it is set, a flag at best. */
const char *od_knob_name(const struct od_knob *knob);

/* Does the form contain a number that the user has to choose? */
bool od_knob_is_open(const char *form);
