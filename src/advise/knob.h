/*
 * Changes a setting of a program: from the value in the log to a new one, otherwise in the form of
 * the catalogue with N if the user must choose a number.
 */
#pragma once

#include "advise/remedies.h"

/* Share of a device that one program may use. The context and libraries need the rest. */
#define OD_MOST_SHARE 0.95

struct od_turn {
    const struct od_software *software;
    const struct od_knob *knob;
    bool more;              /* raise the setting, even if lowering it saves memory */
    struct od_count target; /* the value to set; unknown = not computed */
    bool keywords;          /* it is an argument of a call, NAME=VALUE, and no flag */
    double bytes;           /* least bytes needed by a setting to raise; 0 = not known */
    double most;            /* most bytes for a limit within a container; 0 = not known */
    double reached;         /* the limit that was reached; 0 = not known */
    double share;           /* of a length: the part that fits; 0 = not known */
};

/* Changes the setting. False if it cannot be changed further. */
bool od_knob_turn(const struct od_advise_question *question, const struct od_turn *wanted,
                  struct od_arena *arena, struct od_remedy_how *ret_how);

/* A new number for a setting. */
struct od_renumber {
    struct od_view called; /* name of the setting */
    struct od_view value;  /* value as printed on the line */
    const char *to;        /* NULL = not known */
};

/* Replaces the setting's number in the line of the log. False if the line has no number, or several
 * and none after that name. */
bool od_edit_number(const struct od_evidence *said, const struct od_renumber *renumber,
                    struct od_arena *arena, struct od_edit *ret_edit);

/* Writes the title: "Lower --num-workers from 8 to 4". to NULL = not known: the line is not
 * changed. */
const char *od_edit_say(struct od_edit *edit, const char *verb, const char *to,
                        struct od_arena *arena);

/* Factor for a value that no number gives. Of 31 programs that lacked memory of the host, half was
 * enough for 14, and a quarter for all. Of ten limits, four times was enough for six, eight times
 * for nine. The number of devices may be doubled. */
double od_try_times(const struct od_failure *failure, const struct od_advice_remedy *advice,
                    bool more);

/* The form of the knob to name: a flag if there is one. */
const char *od_knob_name(const struct od_knob *knob);

/* Does the form have a number that the user must choose? */
bool od_knob_is_open(const char *form);
