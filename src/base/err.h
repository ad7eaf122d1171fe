/*
 * The result of an operation. OD_OK and OD_LOST leave a usable result, the others do not. Messages
 * for people are in the diagnostics list (base/diag.h).
 */
#pragma once

enum od_err {
    OD_OK = 0,
    OD_LOST,   /* completed, but something could not be read */
    OD_ELIMIT, /* one of our own limits was reached before there was any result */
    OD_EINPUT, /* the input cannot be read: a directory, no permission, missing */
    OD_ERULE   /* a rule pack is invalid */
};

#define OD_MUST_USE __attribute__((warn_unused_result))
