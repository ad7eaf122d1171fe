/*
 * Which public network the sizes in a dump are those of: its kernels must be there, each as often
 * as there are layers of it. Private to answer_known*.c.
 */
#ifndef OD_FIT_KNOWN_H
#define OD_FIT_KNOWN_H

#include "base/index.h"
#include "fit/facts.h"

struct od_public_net {
    const char *name;
    uint64_t parameters; /* of its features, as keras.applications counts them */
    uint64_t channels;
    bool dense; /* its own head has two dense layers of 4096 */
};

struct od_sizes_in_use {
    const struct od_allocator *dump;
    struct od_index by_bytes; /* rows: place + 1 */
    struct od_count copies;   /* of each weight, where it is known */
    bool grew;                /* the pool was taken in several regions */
};

/* The dump must outlive it. */
void od_sizes_init(struct od_sizes_in_use *s, const struct od_allocator *dump);
void od_sizes_done(struct od_sizes_in_use *s);

/* In use with that many bytes, as the allocator rounds them: of the chunks, of the summary where
 * there is nothing else. */
uint64_t od_sizes_count(const struct od_sizes_in_use *s, uint64_t bytes);

/* NULL = none agrees. Sets the copies of each kernel that agree best. */
const struct od_public_net *od_public_net_find(struct od_sizes_in_use *s, struct od_arena *arena);

#endif
