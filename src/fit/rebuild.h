/*
 * Reconstructs a layer table from the dump of a plain convolutional network. Variables are created
 * in the order of the layers, and a kernel of k*k*in*out numbers precedes a bias of `out` numbers,
 * so the sizes in order of allocation show kernels and channels. The sizes of the step's tensors
 * show the map sizes up to the failure; later layers are assumed to continue in the same way.
 *
 * Supported are chains of convolutions without norms, with pooling and connections to earlier maps
 * of the same size (U-Nets). Any other network gives no table.
 */
#pragma once

#include "attribute/sequence.h"
#include "case/case.h"
#include "facts/model.h"

enum { OD_KERNELS_MOST = 96, OD_KERNELS_LEAST = 4 };
#define OD_NO_SKIP UINT32_MAX

struct od_kernel {
    uint64_t side, in, out;
    uint32_t skip; /* index of the earlier kernel whose output is concatenated to the input */
};

struct od_chain {
    struct od_kernel list[OD_KERNELS_MOST];
    size_t n;
    uint64_t copies; /* number of copies of each kernel: the kernel and its optimizer states */
    size_t end;      /* index of the first piece after the variables */
};

/* Reads the kernels. False if the pieces do not begin like a convolutional chain's. */
bool od_chain_read(const struct od_sequence *sequence, const struct od_allocator *dump,
                   struct od_chain *ret_chain);

/* How a map is made from the previous one. */
enum od_map_step { OD_MAP_SAME, OD_MAP_POOL, OD_MAP_STRIDE, OD_MAP_UP, OD_MAP_TRANSPOSED };

struct od_map {
    uint64_t side; /* side of the convolution's output in pixels */
    enum od_map_step before;
    bool valid; /* convolution without padding */
    bool seen;  /* in use or requested at the failure */
};

struct od_maps {
    struct od_map list[OD_KERNELS_MOST];
    uint64_t input; /* side of the images in pixels */
    double matched; /* bytes in use that these maps explain */
};

struct od_maps_question {
    const struct od_chain *chain;
    const struct od_allocator *dump;
    uint64_t asked; /* bytes of the failed request; 0 = not known */
    uint64_t batch;
    unsigned width; /* bytes per number of an activation */
    bool strided;   /* maps shrink by strides instead of pools */
};

/* Finds the sides of all maps. False if the sizes in use do not show them. */
bool od_maps_find(const struct od_maps_question *question, struct od_maps *ret_maps);

/* Makes the table as Keras would print it, in arena. transposed: 2x2 kernels upsample a map, which
 * otherwise is upsampled before them. */
const struct od_model *od_rebuild_model(const struct od_chain *chain, const struct od_maps *maps,
                                        bool transposed, struct od_arena *arena);

enum { OD_RECURRENT_MOST = 8 };

struct od_recurrent {
    uint64_t gates, biases, units, features;
};

/* A stack of recurrent layers, over words of an embedding or over numbers. */
struct od_recurrents {
    struct od_recurrent list[OD_RECURRENT_MOST];
    size_t n;
    uint64_t vocabulary; /* rows of the embedding; 0 = the input is numbers */
    uint64_t copies;     /* number of copies of each kernel: the kernel and its optimizer states */
    uint64_t numbers;    /* count of numbers in all variables */
    uint64_t batch, steps;
    double matched; /* bytes in use that the layers explain */
};

/* Sets all members except batch, steps and matched. The failed request must be of a recurrent
 * layer, which is recognized by the sizes of its variables. False if the dump has none. */
bool od_recurrents_read(const struct od_allocator *dump, struct od_recurrents *ret_recurrents);

/* Sets batch, steps and matched. asked: bytes of the failed request. An unknown batch size is
 * derived from the final states, of which there are two. False if most of the memory in use has
 * other sizes. */
bool od_recurrents_batch(struct od_recurrents *recurrents, const struct od_allocator *dump,
                         uint64_t asked, struct od_count batch);

/* Makes the table as Keras would print it, in arena. */
const struct od_model *od_rebuild_recurrent(const struct od_recurrents *recurrents,
                                            struct od_arena *arena);
