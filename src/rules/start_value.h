/*
 * Formulas for the first value of a setting, with numbers of a failure. The catalogue has "limit x
 * 0.5", "free of device", or several alternatives, the best first: "limit x 0.75 or machine x
 * 0.75".
 */
#pragma once

#include "base/base.h"

/* Amounts of a failure. */
enum od_start_fact {
    OD_START_LIMIT,   /* the limit that was reached: of a group, a job or the program itself */
    OD_START_MACHINE, /* memory of the machine */
    OD_START_DEVICE,  /* memory of the device */
    OD_START_FREE,    /* free bytes in the memory that ran out */
    OD_START_REQUEST,
    OD_START_USED, /* bytes used by the failed process */
    OD_START_END,
    OD_START_NONE = OD_START_END
};

struct od_start {
    /* of: the value is `fact` as a share of this amount; OD_START_NONE = the amount of `fact` */
    enum od_start_fact fact, of;
    double factor;
};

/* Removes the next alternative from the text. False if the text is empty or no formula. */
bool od_start_take(struct od_view *text, struct od_start *ret_start);

/* Does the whole text consist of formulas? */
bool od_start_is_valid(struct od_view text);
