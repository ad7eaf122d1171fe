/*
 * A printed module tree while it is unrolled, shared by unroll.c and unroll_sizes.c.
 */
#pragma once

#include "estimate/unroll.h"

enum { OD_UNROLL_DEEPEST = 64, OD_UNROLL_EDGE_MOST = 1 << 20 };

/* A module that is being processed. */
struct od_unroll_level {
    uint32_t depth;
    uint32_t holder;       /* index of the module's layer */
    uint32_t row, row_end; /* range of its rows in the unrolled model */
    struct od_shape entry;
};

struct od_unroll {
    const struct od_model *model;
    struct od_arena *arena;
    struct od_layer *rows;
    size_t n, room;
    struct od_shape
        now;       /* the newest tensor: [batch, channels, height, width] or [batch, .., width] */
    uint64_t edge; /* the longer side of the image */
    bool map;      /* the newest tensor is an image: [batch, channels, height, width] */
    /* the layer that reads the image; NULL = the first row does, or none */
    const struct od_layer *stem;
    struct od_shape image;
    const struct od_layer **shared; /* by module: activation called after each of its norms */
    const struct od_layer *pool; /* a pool printed once but called before every level of a U-Net */
    struct od_unroll_level levels[OD_UNROLL_DEEPEST];
    size_t nlevels;
};

/* The output shape of a layer, from its arguments and the newest tensor. Transposes the newest
 * tensor if the layer needs its channels in another dimension. */
struct od_shape od_unroll_output(struct od_unroll *u, const struct od_layer *layer);

/* Extent i of a shape; one may apply to all dimensions, as "3" and "(1, 7)" are printed. */
uint64_t od_unroll_extent(const struct od_shape *shape, uint32_t i, uint64_t otherwise);

bool od_unroll_is_map(const struct od_shape *shape);

struct od_shape od_unroll_vector(uint64_t width);
