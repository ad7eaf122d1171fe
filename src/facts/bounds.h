/*
 * What a text states of single values of one setting (rules/bounds.yaml), and what that leaves of a
 * new value for it.
 */
#pragma once

#include "base/base.h"

/* In the order of facts/settings.def. */
enum od_bound {
    OD_BOUND_FAILED,  /* the run failed with it, too */
    OD_BOUND_LITTLE,  /* it failed for want of more of it */
    OD_BOUND_MOST,    /* no more is allowed */
    OD_BOUND_REFUSED, /* it is not */
    OD_BOUND_STANDS,  /* it is set already */
    OD_BOUND_WORKED,  /* the run went well with it */
    OD_BOUNDS
};

/* "--tiles=4" is "--tiles" and "4", "batch size is 1" is "batch" and "1", "limit(N)" is "limit(".
 */
struct od_stated_value {
    struct od_view name, number; /* empty = it has none */
};
struct od_stated_value od_stated_read(struct od_view text);

struct od_bound_value {
    struct od_view text; /* as written; empty = no value is stated */
    uint64_t line;
    double n; /* bytes, a share or a number */
};

struct od_bounds {
    struct od_bound_value least[OD_BOUNDS], most[OD_BOUNDS];
    bool kept;   /* it must stay */
    int changed; /* the text says that a change of the setting, to a value that it does not state,
                    helped: 1, did not: -1, neither: 0 */
};

/* Adds a value; unit: of a number written without one, NULL = none. */
void od_bounds_add(struct od_bounds *bounds, enum od_bound kind, struct od_view value,
                   const char *unit, uint64_t line);

struct od_bound_change {
    double today, to; /* 0 = not known */
    bool up;
    bool share; /* of a memory: failing with more of it means too much, of a limit too little */
};

enum od_bound_verdict {
    OD_BOUND_FREE, /* nothing is stated against it */
    OD_BOUND_SET,  /* ret_value is to be set instead; its text is empty where it is between two
                      that are stated */
    OD_BOUND_OPEN, /* the value is refuted, and no other follows */
    OD_BOUND_ENDS  /* the setting cannot go on in that direction */
};

enum od_bound_verdict od_bounds_judge(const struct od_bounds *bounds,
                                      const struct od_bound_change *change,
                                      struct od_bound_value *ret_value);

/* Do both name one setting: "--max-len", "max_len", "model.MAX_LEN"? */
bool od_is_same_setting(struct od_view one, struct od_view other);

/* Is it a word of the name, "batch" of "train_batch-size"? */
bool od_has_word(struct od_view name, const char *word);

/* Is it a flag, a variable or a line of code, not only the catalogue's name of a change? */
bool od_is_written_name(struct od_view name);
