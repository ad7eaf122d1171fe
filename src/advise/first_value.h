/*
 * The first value of a setting, from the numbers of the failure: by the formula of the catalogue
 * (rules/start_value.h), else by the one for settings of its name. It always lies on the side that
 * was asked for, and what is raised stays within the container or the machine.
 */
#pragma once

#include "advise/remedies.h"

struct od_start_ask {
    const struct od_advise_question *q;
    const struct od_knob *knob;
    bool up;      /* it is to be raised */
    double today; /* its value as the log shows it, in bytes or as a share; 0 = not known */
};

struct od_start_amount {
    double value; /* 0 = it does not follow */
    bool share;   /* of the device, in hundredths; else bytes */
};

struct od_start_amount od_start_value(const struct od_start_ask *ask);

/* What is raised to more than the container or the machine allows becomes what it allows. */
double od_start_within(const struct od_start_ask *ask, double bytes);
