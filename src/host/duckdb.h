/*
 * Runs DuckDB if it is installed: the command `duckdb`, otherwise the Python module. It ignores the
 * user's settings and has a database in memory; the SQL statements attach files.
 */
#pragma once

#include "base/base.h"

/* Runs the statements with `input` as their /dev/stdin. *ret_out gets the data they copy to
 * /dev/stdout; the caller must free it. Returns NULL, or the error, allocated in arena. */
const char *od_duckdb_run(const char *sql, struct od_view input, struct od_arena *arena,
                          struct od_buf *ret_out);

/* Appends text as an SQL literal. */
void od_duckdb_quote(const char *text, struct od_buf *to);
