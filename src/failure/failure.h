/*
 * The failure that the report is about, computed once from the frozen case: how the run ended, the
 * decisive incident, its dump, device, attempt and numbers. Diagnosis, fit, advice and report use
 * only this one.
 */
#pragma once

#include "failure/account.h"
#include "failure/alike.h"
#include "failure/assertion.h"
#include "failure/outcome.h"
#include "failure/phase.h"
#include "failure/profile.h"
#include "failure/shape_hint.h"
#include "failure/software.h"
#include "failure/tried.h"
#include "failure/use.h"

struct od_failure {
    struct od_verdict_of_run run;       /* how the run ended, why, and the incident that ended it */
    const struct od_incident *incident; /* run.ended, otherwise the worst incident; NULL = none,
                                           and all members below are unknown then */
    bool open;                          /* a cause has to be found */
    const struct od_allocator *dump;    /* the allocator's dump; NULL = none belongs to the
                                           incident */
    bool proven; /* the dump is complete and consistent, so conclusions from it count as proof */
    enum od_verdict verdict;
    struct od_bytes asked; /* the failed request as the program made it */
    struct od_bytes need;  /* the size of the chunk for it after the allocator's rounding, if the
                              rounding is known */
    struct od_count limit, in_use, pool;
    struct od_bytes stated_limit; /* of its container or job, where a command, a manifest or a
                                     sentence states it */
    struct od_count allocations;  /* number of allocations that the allocator had made */
    struct od_bytes capacity;     /* of the device */
    struct od_bytes rated;        /* capacity of the device by name, from the catalogue, if the log
                                     does not print it */
    struct od_bytes usable;       /* the part of it that a process can use, if the name has only one
                                     size */
    struct od_bytes free_at_start;
    const struct od_evidence *device_said; /* the line that shows the device's memory; NULL =
                                              none */
    bool one_device;                       /* the device's numbers can only belong to this device */
    struct od_view op;
    uint64_t op_means;       /* bits of enum od_op_meaning: meanings of the operation's name */
    struct od_count devices; /* that the settings spread the run over */
    struct od_count batch;   /* batch size printed in the log */
    bool batch_independent;  /* another batch size requested the same number of bytes */
    struct od_shape_hint hint;
    bool names_evaluation;        /* the traceback, operation or message names an evaluation */
    bool evaluates;               /* names_evaluation, or the state of the run shows an
                                     evaluation */
    bool copied;                  /* what failed was a copy from the host, not a computation */
    const struct od_doing *doing; /* what the run printed that it was doing when it ended; NULL =
                                     not known */
    uint64_t progress;            /* signs of progress before the failure, in the same attempt */
    struct od_account account;    /* who holds the memory that ran out */
    struct od_parts parts;        /* its limit, divided among them */
    struct od_alike alike;        /* processes of one name that hold it side by side */
    enum od_phase phase;          /* what the run was doing */
    const struct od_evidence *phase_told; /* the remark that shows it; NULL = the traceback does */
    struct od_software_used stack;        /* the programs that took part; also set for a log without
                                     an incident */
    struct od_use use;                    /* whether the run trains or only uses a model */
    bool of_network;                      /* something shows that a network is trained or used */
    bool of_arrays;         /* the failed program works on arrays, where a batch has no
                               meaning */
    const char *works_on;   /* kind of its samples (od_sample_words); NULL = not known */
    struct od_tries tries;  /* what the text says of settings that were tried */
    struct od_drops *drops; /* the sentences that were found false (assertion.h); NULL = none are
                               counted */
    const struct od_profile *profile; /* the facts used in conditions; never NULL */
};

/* Allocated in arena; borrows from the case. Never NULL. */
const struct od_failure *od_failure_of(const struct od_case *c, struct od_arena *arena);

/* The failure of an input of which nothing was read. */
const struct od_failure *od_failure_unread(void);

/* The last start before the failure, in the same source; line 0 = none. */
struct od_prov od_start_of(const struct od_case *c, const struct od_incident *incident);

/* Do the numbers prove that the request is larger than the allocator's whole limit? */
bool od_failure_exceeds_limit(const struct od_failure *failure);

/* The framework refused the request because of its own limit although enough of the device was free
 * and nothing else held memory. */
bool od_failure_refused_what_was_free(const struct od_failure *failure);

/* Is the limit far below the memory of any device in use, with no other line on the device's
 * size? */
bool od_failure_limit_is_tiny(const struct od_failure *failure);

/* Total memory of the compiled program by XLA's own table, if it is a small part of the device: the
 * program's size is not why it failed then. Unknown if no table is printed, if the total is not
 * small, or if an allocator's dump shows more. */
struct od_bytes od_failure_small_program(const struct od_case *c, const struct od_failure *failure);

/* The setting of the run that fails at that place (od_case_setting_at) as a number; "1e9",
 * "5.0e+08" and "500000000" are accepted. Unknown if it is not printed or is not a whole number. */
struct od_count od_failure_setting(const struct od_case *c, enum od_setting_id id,
                                   const struct od_prov *at);

/* The first incident of that kind, including consequences of other incidents; NULL = none. */
const struct od_incident *od_failure_find(const struct od_case *c, enum od_incident_kind kind);

/* The buffers of a name ("model buffer", "KV buffer") on the device that failed, or on all where
 * none is stated for it; printed before the incident. */
struct od_bytes od_failure_buffers(const struct od_case *c, const struct od_incident *incident,
                                   const char *name);

/* What something else holds of the device, by the best of the printed numbers; unknown = none shows
 * it. ret_most: others hold at most that. */
struct od_bytes od_failure_held_by_others(const struct od_failure *failure, bool *ret_most);

/* Is it a failure on a device, other than the start of a library or the plan of a compiler? False
 * where only a person reports it. */
bool od_failure_is_device(const struct od_failure *failure);

/* Is the size more than the largest accelerator of the catalogue has? */
bool od_beyond_devices(struct od_bytes need);

/* Is the size more than an ordinary server can hold (two sockets, 16 modules of 64 GiB each)? */
bool od_beyond_machines(struct od_bytes need);

/* Is the request larger than the largest allowed single allocation, no matter how much is free? The
 * incident's limit is the limit of an allocation then, and the failure has no memory limit. */
bool od_failure_is_beyond_a_piece(const struct od_failure *failure);

/* Was it a model server, by its name or by the calls of the traceback? A server forms its batches
 * itself. */
bool od_failure_is_server(const struct od_failure *failure);

/* need / limit (capacity of the device if no limit is printed); float32 is assumed for a tensor of
 * unknown type. For judgements only. */
double od_failure_need_share(const struct od_failure *failure);

struct od_accumulation {
    struct od_size size; /* size of the equal chunks */
    bool many;           /* far more chunks than a network has layers, and a large part of the
                            memory in use */
    bool ran_long;       /* the run had made many steps */
};

/* Equal chunks that accumulate, the picture of a leak or of models that are not released. */
struct od_accumulation od_failure_accumulation(const struct od_failure *failure);
