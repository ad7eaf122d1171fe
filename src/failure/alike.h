/*
 * Processes of one name that together hold much memory, such as workers of a server or jobs of a
 * build. All sums over similar processes are computed here.
 */
#pragma once

#include "failure/account.h"

struct od_alike {
    struct od_view name;
    uint64_t count; /* 0 = none */
    /* bytes of one process in RAM and swap; the largest of several if they differ */
    double each;
    double bytes; /* bytes of all processes, in RAM and swap */
    enum {
        OD_ALIKE_OTHERS,
        OD_ALIKE_LARGER,
        OD_ALIKE_KIN
    } failed; /* the failed process: of another name; of the same name but far larger, and not
               * counted; one of them, or their parent */
    /* the failed process has another name and started them: it holds the shared memory */
    bool begun;
    /* their sum exceeds the memory: each counts pages shared with the parent that forked them */
    bool shared;
};

/* stated: the number that the run states; unknown = none. */
struct od_alike od_alike_of(const struct od_account *account, struct od_count stated);

/* How many other processes of the failed one's name were killed within a second of it. failure may
 * be NULL. */
uint64_t od_alike_killed(const struct od_case *c, const struct od_incident *failure);

/* How many of these processes fit the limit, by the largest that the kernel listed or killed.
 * Unknown if the table does not list about the stated number, or if that number fits. */
struct od_alike_fits {
    struct od_bytes each;
    struct od_count fits;
};
struct od_alike_fits od_alike_fits_of(const struct od_case *c, const struct od_alike *alike,
                                      struct od_bytes limit, uint64_t stated);
