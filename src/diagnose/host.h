/*
 * The facts of a failure of the machine's memory that several causes look at: who was killed, how
 * much of the machine it held, and whether workers were there.
 */
#pragma once

#include "diagnose/diagnose.h"
#include "failure/level.h"

struct od_host_failure {
    const struct od_failure *failure;
    double victim_share; /* of the machine, held by the one that was killed; */
    double others_share; /* by the other processes that are listed; 0 = not known */
    bool known_shares;
};

/* False when the failure is not one of the machine's memory. */
bool od_host_failure_of(const struct od_diagnosis_context *context,
                        struct od_host_failure *ret_host);

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
