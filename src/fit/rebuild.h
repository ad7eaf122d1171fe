/*
 * A table of layers that nobody printed, read off a dump of a plain convolutional network.
 * Variables are made in the order of the layers, and a kernel of k*k*in*out numbers stands before
 * the bias of `out`: the sizes in the order of allocation tell kernels and channels. The sizes of a
 * step tell the sides of the maps as far as it got; behind that the layers go on as they began.
 *
 * A chain of convolutions without norms is understood, with pooling, skips to earlier maps of the
 * same side (U-Nets) or dense layers on top; anything else is not, and gives no table.
 */
#pragma once

#include "attribute/sequence.h"
#include "case/case.h"
#include "facts/model.h"

enum { OD_KERNELS_MOST = 96, OD_KERNELS_LEAST = 4 };
#define OD_NO_SKIP UINT32_MAX

struct od_kernel {
    uint64_t side, in, out; /* side 0: of a dense layer */
    uint32_t skip;          /* the earlier kernel whose map is joined to its input */
};

struct od_chain {
    struct od_kernel list[OD_KERNELS_MOST];
    size_t n, convolutions; /* those come first */
    uint64_t copies;        /* of each kernel: itself and the optimizer's states */
    size_t end;             /* the piece behind its variables */
};

/* False where the pieces do not begin as such a network's variables do. */
bool od_chain_read(const struct od_sequence *sequence, const struct od_allocator *dump,
                   struct od_chain *ret_chain);

/* How one map becomes the next. */
enum od_map_step { OD_MAP_SAME, OD_MAP_POOL, OD_MAP_STRIDE, OD_MAP_UP, OD_MAP_TRANSPOSED };

struct od_map {
    uint64_t side; /* of the convolution's output */
    enum od_map_step before;
    bool valid;  /* no padding */
    bool seen;   /* in use, or asked for */
    bool raised; /* its output is made larger again before it is joined */
};

struct od_maps {
    struct od_map list[OD_KERNELS_MOST];
    uint64_t input; /* side of the images */
    bool last_pool; /* before the dense layers */
    double matched; /* bytes in use that are these maps */
};

struct od_maps_question {
    const struct od_chain *chain;
    const struct od_allocator *dump;
    uint64_t asked; /* bytes of the failed request; 0 = not known */
    uint64_t batch;
    unsigned width; /* of an activation's number */
    bool strided;   /* strides make maps smaller, not pools */
};

/* False where the sizes in use do not tell the sides. */
bool od_maps_find(const struct od_maps_question *question, struct od_maps *ret_maps);

/* The table as Keras would have printed it. transposed: kernels of two by two make a map larger;
 * else it is, before them. In the arena. */
const struct od_model *od_rebuild_model(const struct od_chain *chain, const struct od_maps *maps,
                                        bool transposed, struct od_arena *arena);

/* --- recurrent layers --- */

enum { OD_RECURRENT_MOST = 8 };

struct od_recurrent {
    uint64_t gates, biases, units, features;
};

/* Layers one on the other, over words of a table or over numbers. */
struct od_recurrents {
    struct od_recurrent list[OD_RECURRENT_MOST];
    size_t n;
    uint64_t vocabulary; /* 0 = the input is numbers */
    uint64_t copies;     /* of each kernel: itself and the optimizer's states */
    uint64_t numbers;    /* of all variables */
    uint64_t batch, steps;
    double matched; /* bytes in use that they explain */
};

/* Sets all but batch, steps, matched: such a layer asked for memory and is found by the sizes of
 * its variables. False where the dump holds no such layer. */
bool od_recurrents_read(const struct od_allocator *dump, struct od_recurrents *ret_recurrents);

/* asked: bytes of the failed request. Where the batch is not known the states that end the sequence
 * tell it, which are there twice. False where what is in use is not mostly what they make. */
bool od_recurrents_batch(struct od_recurrents *recurrents, const struct od_allocator *dump,
                         uint64_t asked, struct od_count batch);

/* The table as Keras would have printed it. In the arena. */
const struct od_model *od_rebuild_recurrent(const struct od_recurrents *recurrents,
                                            struct od_arena *arena);
