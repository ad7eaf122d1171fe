/*
 * Recognizes in any wording that a checkpoint is or was saved: a verb of saving, what is saved, and
 * a path, a step or an epoch.
 */
#pragma once

#include "base/base.h"

struct od_checkpoint_words {
    struct od_view path; /* empty = not printed */
    struct od_count step, epoch;
    struct od_count number; /* from the name in the path; it is not known what it counts */
    bool done;              /* it was saved, as opposed to being saved */
};

/* False for any other line, such as a negated or planned saving, loading, or saving something
 * else. */
bool od_checkpoint_words_read(struct od_view text, struct od_checkpoint_words *ret_words);
