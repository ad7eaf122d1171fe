/* Cases made by hand: one dump, perhaps a table and a failing tensor. */
#ifndef OD_TESTS_UNIT_ATTRIBUTE_MAKE_H
#define OD_TESTS_UNIT_ATTRIBUTE_MAKE_H

#include "case/case.h"

struct od_scenario {
    struct od_arena *arena;
    struct od_case c;
    struct od_dump dump; /* until it is closed */
    uint32_t next_handle;
    uint64_t next_address;
};

void od_scenario_init(struct od_scenario *s);
void od_scenario_done(struct od_scenario *s);

/* A region; its chunks follow. */
void od_scenario_region(struct od_scenario *s);

/* A chunk at the end of the last region, with the next free handle. */
void od_scenario_chunk(struct od_scenario *s, uint64_t bytes, bool in_use);

/* `count` chunks of each size of a list that ends with 0, in order of the list. */
void od_scenario_chunks(struct od_scenario *s, const uint64_t *sizes, unsigned count);

/* Hands the dump over to the case. */
const struct od_allocator *od_scenario_close(struct od_scenario *s);

/* The allocation that failed, of the first dump. */
void od_scenario_fails(struct od_scenario *s, const char *shape, const char *op);

void od_scenario_setting(struct od_scenario *s, const char *name, const char *value);

/* A table of Keras; layers are added to it. */
struct od_model *od_scenario_model(struct od_scenario *s);
void od_scenario_layer(struct od_scenario *s, const char *name, const char *type,
                       const char *output, uint64_t parameters);

/* The table of a convolution, a norm, a pool and two dense layers for pictures of 20 by 20. */
void od_scenario_small_net(struct od_scenario *s);

/* The chunks of its weights in order, and of those that are trained; end with 0. */
extern const uint64_t od_small_net_weights[], od_small_net_trained[];

/* Those of its step at a batch of 40: the input, the convolution's output three times, the pool's.
 */
extern const uint64_t od_small_net_step[];

#endif
