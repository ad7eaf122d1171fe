/*
 * Attribution: explains each size in use of a dump by tensors. Sources are the failing shape,
 * shapes and names in the log, model summaries and the tensors that they imply (weights, gradients,
 * optimizer states, activations by layer), and the order of allocation.
 *
 * A chunk of the BFC allocator is its request rounded up to 256 B, or up to almost twice the
 * request if it was not split. Unexplained chunks are counted as unknown, so that the roles and the
 * unknown add up to InUse. No side effects; the given arena owns the results.
 */
#pragma once

#include "attribute/role.h"
#include "case/case.h"
#include "facts/certainty.h"
#include "facts/model.h"
#include "facts/shape.h"

/* One thing that a size can be. */
struct od_candidate {
    struct od_shape shape; /* !known: only the role is known */
    enum od_dtype dtype;
    struct od_count batch; /* number of samples in the shape */
    struct od_view label;  /* layer or operation; empty = none */
    enum od_role role;
    enum od_certainty certainty;
};

enum { OD_CANDIDATES_MAX = 4 };

/* Of one size of the allocator's table (same index as od_allocator.sizes), best first. */
struct od_size_candidates {
    size_t n; /* OD_CANDIDATES_MAX at most */
    struct od_candidate *list;
};

/* The contents of one dump. */
struct od_holding {
    const struct od_allocator *allocator;
    struct od_size_candidates *sizes;  /* one for each of allocator->sizes */
    uint64_t bytes_by_role[OD_ROLES];  /* chunk by chunk; sums to the allocator's sizes */
    struct od_bytes fixed, per_sample; /* unknown if it cannot be determined */
    struct od_count
        optimizer_copies; /* optimizer states for each weight, according to the layer table */
    const char *network;  /* public network, recognized by the sizes of its kernels; NULL = none */
    size_t net;           /* its number (od_net_about()) */
    uint64_t net_copies;  /* copies of each kernel of the network: the kernel and the optimizer's
                             states */
    const char *basis;    /* the source of fixed and per_sample, in words; NULL = none */
};

struct od_attribution {
    struct od_count batch; /* samples a step on one device */
    enum od_certainty batch_certainty;
    const char *batch_basis; /* the source of the batch, in words; NULL = the batch is not known */
    const struct od_model *model; /* of the log or the user; NULL = none */
    struct od_holding *holdings;  /* one for each of the case's allocators that has sizes */
    size_t nholdings;
};

struct od_attribute_options {
    struct od_count batch;        /* given by the user */
    const struct od_model *model; /* given by the user; NULL = the log's */
};

/* Never NULL; options may be NULL. */
const struct od_attribution *od_attribute(const struct od_case *c,
                                          const struct od_attribute_options *options,
                                          struct od_arena *arena);

/* The holding of one of the case's allocators; NULL when it has none. */
const struct od_holding *od_holding_of(const struct od_attribution *attribution,
                                       const struct od_allocator *allocator);
