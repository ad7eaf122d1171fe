/*
 * The host side of a failed run: what loading its data takes with the workers that the log states
 * (plan/loading.h), what fewer would save, how many fit the memory that is printed, and why.
 * Copies of Python objects that workers come to own only a series shows, as what validations keep.
 *
 * What a sample takes is rarely printed. It follows from what the user gives, from an array whose
 * shape and type are printed, else from the image size; the last is an assumption and called so.
 */
#pragma once

#include "diagnose/diagnose.h"
#include "plan/request.h"

struct od_host_answer {
    struct od_count workers, prefetch; /* as the log says; prefetch else the default of 2 */
    struct od_count recommended; /* the most that fit the limit; unknown = no limit, or none fit */
    struct od_count fewer;       /* what saves is told of: those recommended, else half */
    struct od_bytes sample, batch;    /* bytes of one */
    struct od_bytes shm, own, pinned; /* of all workers now: queues, private, pinned copies */
    struct od_bytes copied;           /* grown in all workers together, as measured */
    struct od_bytes accumulated;      /* kept by validation, as measured */
    struct od_bytes dataset;          /* held at once: printed arrays, else the printed split */
    struct od_bytes total, saves;     /* of loading now; with fewer workers, less */
    struct od_bytes limit, rest;      /* that the run has to fit; what all but loading held of it */
    const char *sample_basis, *dataset_basis, *limit_basis; /* in words; NULL = not known */
    bool prefetch_said, sample_assumed;
    const char *why; /* sentences with the numbers */
};

/* NULL where nothing on the host failed, or the log states neither workers nor arrays. request may
 * be NULL. */
const struct od_host_answer *od_host_answer_of(const struct od_case *c,
                                               const struct od_diagnosis *diagnosis,
                                               const struct od_plan_request *request,
                                               struct od_arena *arena);

/* How many samples the printed split has for training, validation and test; 0 = not said. */
enum { OD_SPLIT_PARTS = 3 };
void od_host_split(const struct od_case *c, uint64_t ret_samples[static OD_SPLIT_PARTS]);
