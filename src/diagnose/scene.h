/*
 * The scene of a failure: the numbers a diagnoser asks for, gathered once from the incident, its
 * dump, the device lines and the settings.
 */
#ifndef OD_DIAGNOSE_SCENE_H
#define OD_DIAGNOSE_SCENE_H

#include "diagnose/diagnose.h"
#include "diagnose/holders.h"
#include "diagnose/phase.h"
#include "diagnose/shape_hint.h"

#include <stdbool.h>

struct od_scene {
    const struct od_incident *incident;
    const struct od_allocator *dump; /* NULL = none belongs to it */
    bool proven;                     /* the dump is complete and consistent: its verdict counts */
    enum od_verdict verdict;
    struct od_bytes asked; /* the refused request as the program made it */
    struct od_bytes need;  /* the chunk for it: as the allocator rounds, where that is known */
    struct od_count limit, in_use, pool;
    struct od_count allocations; /* ever made by the allocator */
    struct od_bytes capacity;    /* of the device */
    struct od_bytes rated; /* what a device of its name has, by the catalogue; where the log does
                              not say its capacity */
    struct od_bytes free_at_start;
    const struct od_evidence *device_said; /* NULL = no line about the device's memory */
    bool one_device;                       /* the device's numbers cannot be another's */
    struct od_view op;
    struct od_count batch; /* stated by the log */
    struct od_shape_hint hint;
    bool copied;               /* what failed was a copy from the host, not a computation */
    uint64_t progress;         /* signs of progress in front of the failure, of the same attempt */
    struct od_holders holders; /* of the device, as the failure's message tells */
    enum od_phase phase;       /* what the run was doing, as its traceback tells; */
    const struct od_frame *telling; /* the call that tells it, or NULL */
};

/* False when the outcome leaves nothing to explain, or no incident is there. */
bool od_scene_of(const struct od_diagnosis_context *context, struct od_scene *ret_scene);

/* The same of a finished diagnosis, for those who come after it. */
bool od_scene_look(const struct od_case *c, const struct od_diagnosis *diagnosis,
                   struct od_scene *ret_scene);

/* The incident that the diagnosis is about: the one that ended the run, else the gravest complaint;
 * NULL = none. */
const struct od_incident *od_scene_incident(const struct od_case *c,
                                            const struct od_diagnosis *diagnosis);

/* The place of the last start in front of the failure, in its source; line 0 = none. */
struct od_prov od_start_of(const struct od_case *c, const struct od_incident *incident);

/* Is it a bar of preparations, as of loading? Nothing is trained yet. */
bool od_is_preparation(const struct od_moment *moment);

/* Shares of the limit, 0..1; negative where it is not known: what does not grow with the batch, by
 * the attribution of the scene's dump (what leaks and second models are in it); and what one model
 * takes with its optimizer's states, or by a printed table its weights alone. */
double od_scene_fixed_share(const struct od_diagnosis_context *context,
                            const struct od_scene *scene);
double od_scene_model_share(const struct od_diagnosis_context *context,
                            const struct od_scene *scene);

/* Do the numbers say that the request is larger than the allocator's whole limit? */
bool od_scene_exceeds_limit(const struct od_scene *scene);

/* Is the limit far below that of any device in use, with no word on the device's own size? */
bool od_scene_limit_is_tiny(const struct od_scene *scene);

/* What the compiled program takes as a whole, by XLA's own table, where that is little of the
 * device: it was not its size that did not fit. Unknown where no table is printed, where it is not
 * little, or where the allocator's dump tells more. */
struct od_bytes od_scene_small_program(const struct od_case *c, const struct od_scene *scene);

/* The setting of the run that fails at that place (od_case_setting_at) as a number (1e9, 5.0e+08
 * and 500000000 are the same); unknown when it is not stated or not a whole number. */
struct od_count od_scene_setting(const struct od_case *c, const char *name,
                                 const struct od_prov *at);

/* The first incident of that kind, whether or not it is an echo; NULL = none. */
const struct od_incident *od_scene_find(const struct od_case *c, enum od_incident_kind kind);

/* A failure on a device that is not about a library's start or a compiler's plan. */
bool od_scene_is_device(const struct od_scene *scene);

/* Do the words of the incident hold one of the NULL-ended list? */
bool od_incident_says(const struct od_incident *incident, const char *const *words);

/* The share of part in whole, 0..; 0 when one is unknown. */
double od_share(struct od_count part, struct od_count whole);

/* Is that more than the largest accelerator of the catalogue has? */
bool od_beyond_devices(struct od_bytes need);

/* Is what was asked for larger than one piece of memory may be there, however much is free? The
 * incident's limit is then that of a piece, and the scene has none. */
bool od_scene_is_beyond_a_piece(const struct od_scene *scene);

/* Was it a server of models, by its name or by the calls of the failure? It makes its batches by
 * itself. */
bool od_scene_is_server(const struct od_scene *scene);

/* llama.cpp and its kin make the buffer that they compute in after the weights: was it that? */
bool od_scene_is_compute_buffer(const struct od_scene *scene);

/* Was memory taken again that had been given back for a while? */
bool od_scene_is_waking(const struct od_scene *scene);

/* Does who failed work on arrays, where a batch is nothing in particular? */
bool od_scene_is_arrays(const struct od_scene *scene);

/* need / limit (of the device where no limit is said), with float32 assumed for a tensor whose type
 * is not said. A judgement's input. */
double od_scene_need_share(const struct od_scene *scene);

struct od_accumulation {
    struct od_size size; /* the equal chunks */
    bool many;           /* far more of them than layers, and a large part of what is in use */
    bool ran_long;       /* many steps had been made */
};

/* Equal chunks that pile up: what leaks and models that are not cleared look like. */
struct od_accumulation od_scene_accumulation(const struct od_scene *scene);

#endif
