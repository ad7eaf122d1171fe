/*
 * Makes a short form of a run (runs/run.h) from a file: reads a JSON report of this program,
 * analyzes anything else as a log.
 */
#pragma once

#include "base/err.h"
#include "lib/oomdoctor.h"
#include "runs/fleet.h"
#include "runs/run.h"

/* Maximum size of a JSON report. */
#define OD_RUN_REPORT_MAX ((size_t)1 << 28)

/* Reads a JSON file of this program that begins with the quoted schema; false otherwise. */
bool od_run_load_json(const char *name, struct od_view schema, struct od_buf *text);

/* Reads a file, or "-" for a log on standard input. options may be NULL. NULL with a diagnostic if
 * the file cannot be read, or is JSON but no report. The caller calls od_run_done; everything else
 * is allocated in arena. */
struct od_run *od_run_of_file(const char *name, const struct od_session_options *options,
                              struct od_arena *arena, struct od_diags *diags);

/* Adds a file to a fleet: a log (one run), a report, reports as JSON lines, or a fleet. Skips lines
 * that are no report. False with a diagnostic if the file could not be read completely. */
bool od_fleet_add_file(struct od_fleet *fleet, const char *name,
                       const struct od_session_options *options, struct od_diags *diags);

/* Adds a file that must be JSON of this program: reports, or a fleet. */
bool od_fleet_merge_file(struct od_fleet *fleet, const char *name, struct od_diags *diags);
