/*
 * Explains each size in use of a dump by tensors. Sources are the failing shape, shapes and names
 * in the log, model summaries and the tensors that they imply (weights, gradients, optimizer
 * states, activations by layer), and the order of allocation.
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

/* One explanation of a size. */
struct od_candidate {
    struct od_shape shape; /* unknown = only the role is known */
    enum od_dtype dtype;
    struct od_count batch; /* number of samples, as far as the shape shows it */
    struct od_view label;  /* layer or operation; empty = none */
    enum od_role role;
    enum od_certainty certainty;
};

enum { OD_CANDIDATES_MAX = 4 };

/* Candidates for a size, at its index in od_allocator.sizes, best first. */
struct od_size_candidates {
    size_t n; /* OD_CANDIDATES_MAX at most */
    struct od_candidate *list;
};

/* The contents of a dump, explained. */
struct od_holding {
    const struct od_allocator *allocator;
    struct od_size_candidates *sizes; /* one element for each of allocator->sizes */
    uint64_t bytes_by_role[OD_ROLES]; /* by chunk; the sum equals that of the allocator's sizes */
    /* memory independent of the batch and memory per sample; unknown if not determined */
    struct od_bytes fixed, per_sample;
    struct od_count optimizer_copies; /* optimizer states per weight according to the layer table */
    const char *network;              /* public network recognized by kernel sizes; NULL = none */
    size_t net;                       /* number of the network for od_net_about() */
    uint64_t net_copies; /* copies of each kernel: the kernel and its optimizer states */
    const char *basis;   /* source of fixed and per_sample in words; NULL = none */
};

struct od_attribution {
    struct od_count batch; /* samples of a step on one device */
    enum od_certainty batch_certainty;
    const char *batch_basis;      /* source of the batch in words; NULL = batch not known */
    const struct od_model *model; /* described by the log or the user; NULL = none */
    struct od_holding *holdings;  /* one for each of the case's allocators with sizes */
    size_t nholdings;
};

struct od_attribute_options {
    struct od_count batch;        /* given by the user */
    const struct od_model *model; /* given by the user; NULL = use the log's model */
};

/* Attributes all dumps of the case. options may be NULL. Never returns NULL. */
const struct od_attribution *od_attribute(const struct od_case *c,
                                          const struct od_attribute_options *options,
                                          struct od_arena *arena);

/* The holding of one of the case's allocators; NULL if it has none. */
const struct od_holding *od_holding_of(const struct od_attribution *attribution,
                                       const struct od_allocator *allocator);
