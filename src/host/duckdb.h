/*
 * Runs DuckDB if it is installed: the command `duckdb`, otherwise the Python module. It runs
 * without the user's settings, with a database in memory; the statements attach files.
 */
#pragma once

#include "base/base.h"

/* Runs the statements; `input` is their /dev/stdin. *ret_out gets what they copy to /dev/stdout;
 * the caller must free it. Returns NULL, or the error, allocated in arena. */
const char *od_duckdb_run(const char *sql, struct od_view input, struct od_arena *arena,
                          struct od_buf *ret_out);

/* Appends text as an SQL literal. */
void od_duckdb_quote(const char *text, struct od_buf *to);
