/*
 * Values of one setting that a log shows to fail or to work (rules/bounds.yaml), and which new
 * values of this setting are still worth trying.
 */
#pragma once

#include "base/base.h"

/* In the order of facts/settings.def. */
enum od_bound {
    OD_BOUND_FAILED,  /* the run failed with this value, too */
    OD_BOUND_LITTLE,  /* the value was too small */
    OD_BOUND_MOST,    /* larger values are not allowed */
    OD_BOUND_REFUSED, /* the value is not allowed */
    OD_BOUND_STANDS,  /* the current value */
    OD_BOUND_WORKED,  /* a run with this value succeeded */
    OD_BOUNDS
};

/* Splits a name from its value: "--tiles=4" into "--tiles" and "4", "batch size is 1" into "batch"
 * and "1", "limit(N)" into "limit(". */
struct od_stated_value {
    struct od_view name, number; /* empty = missing */
};
struct od_stated_value od_stated_read(struct od_view text);

struct od_bound_value {
    struct od_view text; /* as in the log; empty = unknown */
    uint64_t line;
    double n; /* bytes, a share or a number */
};

struct od_bounds {
    struct od_bound_value least[OD_BOUNDS], most[OD_BOUNDS];
    bool kept;   /* the setting must not be changed */
    int changed; /* a change to an unknown value helped: 1, did not help: -1, was not reported: 0 */
};

/* Adds a value. unit: assumed for a number without one; NULL = none. */
void od_bounds_add(struct od_bounds *bounds, enum od_bound kind, struct od_view value,
                   const char *unit, uint64_t line);

struct od_bound_change {
    double today, to; /* 0 = not known */
    bool up;
    bool share; /* a share of memory: if the run failed with more, the share was too large */
};

enum od_bound_verdict {
    OD_BOUND_FREE, /* nothing speaks against the new value */
    OD_BOUND_SET,  /* use ret_value instead; it has no text if it is between two values of the log
                    */
    OD_BOUND_OPEN, /* the value is refuted, and no better one is known */
    OD_BOUND_ENDS  /* the setting cannot change further in that direction */
};

enum od_bound_verdict od_bounds_judge(const struct od_bounds *bounds,
                                      const struct od_bound_change *change,
                                      struct od_bound_value *ret_value);

/* Are these names of one setting: "--max-len", "max_len", "model.MAX_LEN"? */
bool od_is_same_setting(struct od_view one, struct od_view other);

/* Is the word a part of the name: "batch" of "train_batch-size"? */
bool od_has_word(struct od_view name, const char *word);

/* Does the name appear in logs (a flag, variable or line of code), not only in our catalogue? */
bool od_is_written_name(struct od_view name);
