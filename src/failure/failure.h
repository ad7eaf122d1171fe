/*
 * The failure that the report is about, made once from the frozen case: how the run ended, the
 * incident that decides, its dump, device and attempt, and its numbers. Diagnosis, fit, advice and
 * report use this one and no other.
 */
#pragma once

#include "failure/account.h"
#include "failure/outcome.h"
#include "failure/phase.h"
#include "failure/profile.h"
#include "failure/shape_hint.h"
#include "failure/software.h"
#include "failure/use.h"

struct od_failure {
    struct od_verdict_of_run run;       /* how it ended, why, and the incident that ended it */
    const struct od_incident *incident; /* that one, else the gravest complaint; NULL = none: then
                                           nothing below is known */
    bool open;                          /* there is a cause to look for */
    const struct od_allocator *dump;    /* NULL = none belongs to it */
    bool proven; /* the dump is complete and consistent: its verdict counts */
    enum od_verdict verdict;
    struct od_bytes asked; /* the refused request as the program made it */
    struct od_bytes need;  /* the chunk for it: as the allocator rounds, where that is known */
    struct od_count limit, in_use, pool;
    struct od_count allocations; /* ever made by the allocator */
    struct od_bytes capacity;    /* of the device */
    struct od_bytes rated;  /* what a device of its name has, by the catalogue; where the log does
                               not say its capacity */
    struct od_bytes usable; /* what a process gets of it, where the name means one size only */
    struct od_bytes free_at_start;
    const struct od_evidence *device_said; /* NULL = no line about the device's memory */
    bool one_device;                       /* the device's numbers cannot be another's */
    struct od_view op;
    uint64_t op_means;     /* a bit for each od_op_meaning */
    struct od_count batch; /* stated by the log */
    bool whatever_batch;   /* another batch asked for the same number of bytes */
    struct od_shape_hint hint;
    bool names_evaluation;        /* its calls, its operation or its words are of an evaluation */
    bool evaluates;               /* that, or the course of the run speaks for one */
    bool copied;                  /* what failed was a copy from the host, not a computation */
    const struct od_doing *doing; /* what the run said to do when it ended; NULL = not known */
    uint64_t progress;         /* signs of progress in front of the failure, of the same attempt */
    struct od_account account; /* who holds the memory that ran out */
    enum od_phase phase;       /* what the run was doing, as its traceback tells; */
    const struct od_frame *telling;   /* the call that tells it, or NULL */
    struct od_stack stack;            /* the programs that took part; known of a log without an
                                         incident, too */
    struct od_use use;                /* what the run was for */
    bool of_network;                  /* anything shows that a network is trained or used */
    bool of_arrays;                   /* who failed works on arrays: a batch is nothing there */
    const char *works_on;             /* what its samples are (od_sample_words); NULL = not known */
    const struct od_profile *profile; /* the facts that conditions ask for; never NULL */
};

/* Lives in arena; borrows from the case. Never NULL. */
const struct od_failure *od_failure_of(const struct od_case *c, struct od_arena *arena);

/* Of an input of which nothing was read. */
const struct od_failure *od_failure_unread(void);

/* The same, of which a part was not read: that part may hold a failure. Lives in arena. */
const struct od_failure *od_failure_partly_read(const struct od_failure *failure,
                                                struct od_arena *arena);

/* The place of the last start in front of the failure, in its source; line 0 = none. */
struct od_prov od_start_of(const struct od_case *c, const struct od_incident *incident);

/* Do the numbers say that the request is larger than the allocator's whole limit? */
bool od_failure_exceeds_limit(const struct od_failure *failure);

/* The framework refused by its own limit, for which nothing else holds anything: of the device so
 * much was free. */
bool od_failure_refused_what_was_free(const struct od_failure *failure);

/* Is the limit far below that of any device in use, with no word on the device's own size? */
bool od_failure_limit_is_tiny(const struct od_failure *failure);

/* What the compiled program takes as a whole, by XLA's own table, where that is little of the
 * device: it was not its size that did not fit. Unknown where no table is printed, where it is not
 * little, or where the allocator's dump tells more. */
struct od_bytes od_failure_small_program(const struct od_case *c, const struct od_failure *failure);

/* The setting of the run that fails at that place (od_case_setting_at) as a number (1e9, 5.0e+08
 * and 500000000 are the same); unknown when it is not stated or not a whole number. */
struct od_count od_failure_setting(const struct od_case *c, enum od_setting_id id,
                                   const struct od_prov *at);

/* The first incident of that kind, whether or not it is an echo; NULL = none. */
const struct od_incident *od_failure_find(const struct od_case *c, enum od_incident_kind kind);

/* A failure on a device that is not about a library's start or a compiler's plan. */
bool od_failure_is_device(const struct od_failure *failure);

/* The share of part in whole, 0..; 0 when one is unknown. */
double od_share(struct od_count part, struct od_count whole);

/* Is that more than the largest accelerator of the catalogue has? */
bool od_beyond_devices(struct od_bytes need);

/* Is that more than a machine holds that is not made for memory alone: two sockets, 16 modules of
 * 64 GiB each? */
bool od_beyond_machines(struct od_bytes need);

/* Is what was asked for larger than one piece of memory may be there, however much is free? The
 * incident's limit is then that of a piece, and the failure has none. */
bool od_failure_is_beyond_a_piece(const struct od_failure *failure);

/* Was it a server of models, by its name or by the calls of the failure? It makes its batches by
 * itself. */
bool od_failure_is_server(const struct od_failure *failure);

/* need / limit (of the device where no limit is said), with float32 assumed for a tensor whose type
 * is not said. A judgement's input. */
double od_failure_need_share(const struct od_failure *failure);

struct od_accumulation {
    struct od_size size; /* the equal chunks */
    bool many;           /* far more of them than layers, and a large part of what is in use */
    bool ran_long;       /* many steps had been made */
};

/* Equal chunks that pile up: what leaks and models that are not cleared look like. */
struct od_accumulation od_failure_accumulation(const struct od_failure *failure);
