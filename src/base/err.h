/*
 * How an operation ended. Graded: OD_OK and OD_LOST leave a usable result, the others do not.
 * The words for people go to the diagnostics list (base/diag.h), never into the code itself.
 */
#pragma once

enum od_err {
    OD_OK = 0,
    OD_LOST,   /* went on, but something could not be read */
    OD_ELIMIT, /* one of our own limits was hit before anything could be said */
    OD_EINPUT, /* the input cannot be read at all (a directory, no permission, not there) */
    OD_ERULE   /* a rule pack is invalid */
};

#define OD_MUST_USE __attribute__((warn_unused_result))
