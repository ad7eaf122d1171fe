/*
 * Who held the memory that ran out: the processes that a failure lists beside its own, summed by
 * name. 458 workers of a server are its workers.
 */
#pragma once

#include "case/case.h"

struct od_namesakes {
    struct od_view name;
    double bytes;
    uint64_t count;
};

/* Into list, those of the first names that come; *ret_sum is of all. */
size_t od_namesakes_of(const struct od_incident *incident, struct od_namesakes *list, size_t most,
                       double *ret_sum);

/* Processes of the name of the one that was killed, which each held half as much as it at least, or
 * less where they are many; it is counted. */
struct od_namesakes od_namesakes_alike(const struct od_incident *incident);

/* The name that holds most, where that is more than the process that failed does. */
bool od_namesakes_most(const struct od_incident *incident, struct od_namesakes *ret_most);

/* Are the processes of the machine or group listed, with memory, and is none of the name that
 * failed among them, nor several of another that hold much? Then there is nothing to run less of.
 */
bool od_namesakes_none(const struct od_incident *incident);

/* Did the kernel end a process that held next to nothing of the machine? Others hold it then,
 * whether they are listed or not. */
bool od_namesakes_small_victim(const struct od_incident *incident);
