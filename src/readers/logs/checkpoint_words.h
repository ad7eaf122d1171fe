/*
 * A line that says that a checkpoint is or was saved, in anybody's words: a verb of saving, what is
 * saved, and a path, a step or an epoch.
 */
#pragma once

#include "base/base.h"

struct od_checkpoint_words {
    struct od_view path; /* empty = not said */
    struct od_count step, epoch;
    struct od_count number; /* in the path's name, and nothing tells of what */
    bool done;              /* it was saved, not: it is being saved */
};

/* False where the line says no such thing: it denies it, announces it, loads one, saves something
 * else. */
bool od_checkpoint_words_read(struct od_view text, struct od_checkpoint_words *ret_words);
