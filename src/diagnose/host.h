/*
 * The facts of a failure of the machine's memory that several causes look at: who was killed, how
 * much of the machine it held, and whether workers were there.
 */
#pragma once

#include "diagnose/diagnose.h"
#include "failure/level.h"

/* An error that the catalogue explains by a limit of the program's own; NULL = none. */
const struct od_seen *od_runtime_error(const struct od_case *c, const struct od_incident *inc);

/* " of 2.00 GiB", " (-Xmx2g)": that limit; "" = the log does not show it. */
const char *od_runtime_limit_words(struct od_diagnosis_context *context,
                                   const struct od_incident *inc);

struct od_host_failure {
    const struct od_failure *failure;
    bool kill;           /* a process was killed */
    double victim_share; /* of the machine, held by the one that was killed; */
    double others_share; /* by the other processes that are listed; 0 = not known */
    bool known_shares;
    struct od_count workers;          /* data-loading workers, as the log states */
    const struct od_incident *worker; /* a worker that died; NULL = none */
};

/* False when the failure is not one of the machine's memory. */
bool od_host_failure_of(const struct od_diagnosis_context *context,
                        struct od_host_failure *ret_host);

/* How many read the data, and how many half of them are. */
void od_finding_workers(struct od_finding *finding, struct od_count workers);

/* Resident memory of the process by the last line before the failure that prints it. */
struct od_bytes od_host_last_rss(const struct od_case *c, const struct od_incident *inc);

/* Is a device of the run in sight? */
bool od_host_has_device(const struct od_case *c);

/* Was a compiler or linker killed, by the catalogue's names of processes? */
bool od_host_is_build(const struct od_incident *incident);

/* "files in memory (/dev/shm, tmpfs)", "the kernel's own objects (slab)" */
const char *od_host_part_words(enum od_holding_kind kind);

/* Is it resident memory of a process, not of a heap, that was printed before that incident? */
bool od_host_is_rss_before(const struct od_series *s, const struct od_incident *inc);

/* The lines and numbers of such a failure. */
void od_finding_host(const struct od_diagnosis_context *context, struct od_finding *finding,
                     const struct od_host_failure *host);
