/*
 * How the first value of a setting follows from the numbers of a failure. The catalogue writes it
 * as "limit x 0.5", "free of device", or several of them, the best first: "limit x 0.75 or machine
 * x 0.75".
 */
#pragma once

#include "base/base.h"

/* Amounts of a failure. */
enum od_start_fact {
    OD_START_LIMIT,   /* that was reached: of a group, a job or the program itself */
    OD_START_MACHINE, /* the memory of the machine */
    OD_START_DEVICE,  /* the memory of the device */
    OD_START_FREE,    /* free in the memory that ran out */
    OD_START_NEED,    /* in use and requested together */
    OD_START_REQUEST,
    OD_START_USED, /* by the process that failed */
    OD_START_END,
    OD_START_NONE = OD_START_END
};

struct od_start {
    enum od_start_fact fact, of; /* of: the value is a share of that amount; OD_START_NONE = it is
                                    an amount itself */
    double factor;
};

/* Cuts the next alternative off the text; false where the text is empty or no formula. */
bool od_start_take(struct od_view *text, struct od_start *ret_start);

/* Is all of the text formulas? */
bool od_start_is_valid(struct od_view text);
