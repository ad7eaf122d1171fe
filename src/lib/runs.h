/*
 * A file -> a run in few words (runs/run.h), whichever it is: a JSON report of this program is read
 * as it is, anything else is a log and gets analyzed first.
 */
#pragma once

#include "base/err.h"
#include "lib/oomdoctor.h"
#include "runs/fleet.h"
#include "runs/run.h"

/* A JSON report may be so long. */
#define OD_RUN_REPORT_MAX ((size_t)1 << 28)

/* The text of a JSON file that this program wrote, by the begin of its schema in quotes; false
 * when the file is none. */
bool od_run_load_json(const char *name, struct od_view schema, struct od_buf *text);

/*
 * name is a file, or "-" for standard input (a log). options may be NULL. NULL with a diagnostic
 * when it cannot be read, or is JSON but no report. The caller calls od_run_done; the rest lives
 * in arena.
 */
struct od_run *od_run_of_file(const char *name, const struct od_session_options *options,
                              struct od_arena *arena, struct od_diags *diags);

/*
 * Adds what a file holds to a fleet: a log (one run), a report, reports as JSON lines, or a fleet.
 * A line that is no report is skipped. False with a diagnostic when some of it could not be read.
 */
bool od_fleet_add_file(struct od_fleet *fleet, const char *name,
                       const struct od_session_options *options, struct od_diags *diags);

/* The same for a file that must be JSON of this program: reports, or a fleet. */
bool od_fleet_merge_file(struct od_fleet *fleet, const char *name, struct od_diags *diags);
