/*
 * Makes a short description of a run (runs/run.h) from a file: a JSON report of this program is
 * read, anything else is analyzed as a log first.
 */
#pragma once

#include "base/err.h"
#include "lib/oomdoctor.h"
#include "runs/fleet.h"
#include "runs/run.h"

/* Largest size of a JSON report. */
#define OD_RUN_REPORT_MAX ((size_t)1 << 28)

/* Reads a JSON file that this program wrote and that starts with the quoted schema; false for any
 * other file. */
bool od_run_load_json(const char *name, struct od_view schema, struct od_buf *text);

/* name is a file, or "-" for standard input (a log). options may be NULL. NULL with a diagnostic if
 * it cannot be read, or is JSON but not a report. The caller calls od_run_done; everything else is
 * allocated in arena. */
struct od_run *od_run_of_file(const char *name, const struct od_session_options *options,
                              struct od_arena *arena, struct od_diags *diags);

/* Adds a file to a fleet: a log (one run), a report, reports as JSON lines, or a fleet. A line that
 * is not a report is skipped. False with a diagnostic if some of it could not be read. */
bool od_fleet_add_file(struct od_fleet *fleet, const char *name,
                       const struct od_session_options *options, struct od_diags *diags);

/* Adds a file that must be JSON of this program: reports, or a fleet. */
bool od_fleet_merge_file(struct od_fleet *fleet, const char *name, struct od_diags *diags);
