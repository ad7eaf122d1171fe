/*
 * Facts about host memory that several causes need.
 */
#pragma once

#include "diagnose/diagnose.h"
#include "failure/level.h"

/* Resident memory of the process by the last line before the failure that prints it. */
struct od_bytes od_host_last_rss(const struct od_case *c, const struct od_incident *inc);

/* Does the log mention a device of the run? */
bool od_host_has_device(const struct od_case *c);

/* "files in memory (/dev/shm, tmpfs)", "the kernel's own objects (slab)" */
const char *od_host_part_words(enum od_holding_kind kind);

/* Does the series show resident memory of a process (not of a heap), printed before that
 * incident? */
bool od_host_is_rss_before(const struct od_series *s, const struct od_incident *inc);
