/*
 * What there is room for, by the numbers of the log: a setting that is lowered to a value above it
 * ends in the same failure.
 */
#pragma once

#include "advise/remedies.h"

/* Of the machine's memory: the limit of the group or machine that ran out, else what the log says
 * that the machine has; in bytes, 0 = not known. */
double od_room_of_host(const struct od_advise_question *question);

/* The part of the refused request that the device has room for, for a setting that the request
 * grows with; 0 = not known, or all of it. OD_ROOM_NONE: so little that no useful value is left. */
#define OD_ROOM_NONE (-1.0)
double od_room_for_request(const struct od_advise_question *question, const char *knob);
