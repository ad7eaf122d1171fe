/*
 * Available memory according to the log. A setting above it would fail again in the same way.
 */
#pragma once

#include "advise/remedies.h"

/* Host memory in bytes: the limit of the group or machine that ran out, otherwise the printed
 * memory of the machine; 0 = not known. */
double od_room_of_host(const struct od_advise_question *question);

/* The printed memory of the machine in bytes; 0 = not known. */
double od_room_of_machine(const struct od_advise_question *question);

/* The memory that a command gives a container, for a runtime whose own limit was reached. */
struct od_bytes od_room_of_container(const struct od_advise_question *question);

/* The share of the refused request for which the device has memory, if the request grows with that
 * setting. 0 = not known, or all of it. OD_ROOM_NONE: too little for a useful value. */
#define OD_ROOM_NONE (-1.0)
double od_room_for_request(const struct od_advise_question *question, const char *knob);

/* That share of a length, in whole blocks of a cache, or of a number of layers; 0 if less than a
 * block or layer remains. */
uint64_t od_room_shorten(const struct od_advise_question *question, const char *knob,
                         uint64_t length, double share);
