/*
 * The first value of a setting, computed from the numbers of the failure by the formula of the
 * catalogue (rules/start_value.h), or by a default formula for its name. It always changes the
 * setting in the wanted direction, and a raised value stays within the container or machine.
 */
#pragma once

#include "advise/remedies.h"

struct od_start_ask {
    const struct od_advise_question *q;
    const struct od_knob *knob;
    bool up;        /* the setting is to be raised */
    double today;   /* its current value in the log, in bytes or as a share; 0 = not known */
    uint64_t parts; /* how many take the amount, each by itself; 0 = one does */
};

struct od_start_amount {
    double value; /* 0 = no value follows from the numbers */
    bool share;   /* value is a share of the device in hundredths; otherwise bytes */
};

struct od_start_amount od_start_value(const struct od_start_ask *ask);

/* Limits a raised value to what the container or machine allows. */
double od_start_within(const struct od_start_ask *ask, double bytes);

/* How many take the amount of that setting, by the log: "-m 4G" for each of the threads of "-@ 16".
 * 0 = not known. */
uint64_t od_start_parts(const struct od_advise_question *question,
                        const struct od_software *software, const struct od_knob *knob,
                        struct od_arena *arena);

/* The most parts of that name that fit the limit with the amount that each takes, "-@ 6"; unknown
 * unless the log shows the amount and the limit. */
struct od_count od_start_most_parts(const struct od_advise_question *question,
                                    const struct od_software *software, const char *name,
                                    struct od_arena *arena);

/* The limit that the failed program needs, by amounts that its settings let each part take; 0 = not
 * known. */
double od_start_needs(const struct od_advise_question *question, struct od_arena *arena);
