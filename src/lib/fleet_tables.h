/*
 * Fleets as tables, using DuckDB if it is installed (host/duckdb.h). A Parquet file has a row for
 * each run. A DuckDB database has that table as `runs`, and the view `failures_by_week` (week,
 * program, cause, failures, gpu_hours). Columns are the fields of JSON's `members`, and `week`, the
 * Monday of `date`.
 */
#pragma once

#include "base/diag.h"
#include "runs/fleet.h"

struct od_redactor;

enum od_fleet_table { OD_FLEET_NO_TABLE, OD_FLEET_PARQUET, OD_FLEET_DUCKDB };

/* Recognizes the kind of table by the start of the file. */
enum od_fleet_table od_fleet_table_of(struct od_view head);

/* Adds the runs of a file of this kind; false with a diagnostic. */
bool od_fleet_add_table(struct od_fleet *fleet, enum od_fleet_table sort, const char *name,
                        struct od_diags *diags);

/* Writes the bytes of a file of this kind. redactor may be NULL. Returns NULL, or the error, in
 * arena. */
const char *od_fleet_write_table(struct od_fleet *fleet, enum od_fleet_table sort,
                                 struct od_redactor *redactor, struct od_arena *arena,
                                 struct od_buf *to);
