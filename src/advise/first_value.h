/*
 * The first value of a setting, computed from the numbers of the failure by the formula of the
 * catalogue (rules/start_value.h), or by a default formula for its name. It always changes the
 * setting in the right direction, and a raised value stays within the container or machine.
 */
#pragma once

#include "advise/remedies.h"

struct od_start_ask {
    const struct od_advise_question *q;
    const struct od_knob *knob;
    bool up;      /* raise the setting */
    double today; /* its current value in the log, in bytes or as a share; 0 = not known */
};

struct od_start_amount {
    double value; /* 0 = the numbers give no value */
    bool share;   /* value is a share of the device in hundredths; otherwise bytes */
};

struct od_start_amount od_start_value(const struct od_start_ask *ask);

/* Smallest value of the setting in bytes, because programs refuse or ignore less. 0 = any. */
double od_start_least(const struct od_start_ask *ask);

/* Limits a raised value to the size of the container or machine. */
double od_start_within(const struct od_start_ask *ask, double bytes);
