/*
 * Available memory according to the log: lowering a setting to a value above it ends in the same
 * failure.
 */
#pragma once

#include "advise/remedies.h"

/* Host memory: the limit of the group or machine that ran out, otherwise the memory of the machine
 * as printed; in bytes, 0 = not known. */
double od_room_of_host(const struct od_advise_question *question);

/* The memory of the machine as printed in the log, in bytes; 0 = not known. */
double od_room_of_machine(const struct od_advise_question *question);

/* The memory that a command gives the container of a runtime whose own limit was reached. */
struct od_bytes od_room_of_container(const struct od_advise_question *question);

/* The part of the refused request that the device has room for, if the request grows with that
 * setting; 0 = not known, or all of it. OD_ROOM_NONE: so little that no useful value is left. */
#define OD_ROOM_NONE (-1.0)
double od_room_for_request(const struct od_advise_question *question, const char *knob);

/* That share of a length, in whole blocks of a cache; 0 if nothing is left. */
uint64_t od_room_shorten(uint64_t length, double share);
