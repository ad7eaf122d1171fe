/*
 * The processes of one name that hold the memory side by side, such as the workers of a server or
 * the jobs of a build. All sums over processes that are alike are made here.
 */
#pragma once

#include "failure/account.h"

struct od_alike {
    struct od_view name;
    uint64_t count; /* 0 = there are none */
    double each;    /* bytes of one in RAM and swap, which may be one of the larger ones */
    double bytes;   /* bytes of all of them together, in RAM and swap */
    enum {
        OD_ALIKE_OTHERS,
        OD_ALIKE_BESIDE,
        OD_ALIKE_KIN
    } failed;    /* the failed process: of
another name; of their name, and not counted because it held far more; one of
them, or their parent */
    bool begun;  /* the failed process, of another name, started them: it holds what they share */
    bool shared; /* together they show more than there is: each counts the pages of the parent
                    that forked them */
};

/* stated: how many the run states; unknown = it does not. */
struct od_alike od_alike_of(const struct od_account *account, struct od_count stated);

/* How many other processes of the failed one's name were killed within a second of it. failure may
 * be NULL. */
uint64_t od_alike_killed(const struct od_case *c, const struct od_incident *failure);

/* How many of the processes that ran side by side fit the limit, by the largest that the kernel
 * listed or killed. Unknown where the table does not list about as many as stated, or that many
 * fit. */
struct od_alike_fits {
    struct od_bytes each;
    struct od_count fits;
};
struct od_alike_fits od_alike_fits_of(const struct od_case *c, const struct od_alike *alike,
                                      struct od_bytes limit, uint64_t stated);
