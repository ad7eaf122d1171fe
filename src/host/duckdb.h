/*
 * DuckDB, where it is installed: the command `duckdb`, else the module of Python. It runs without
 * the user's settings, in a database in memory; files are attached by the statements.
 */
#pragma once

#include "base/base.h"

/* Runs the statements; `input` is their /dev/stdin, and *ret_out what they copy to /dev/stdout,
 * which the caller releases. NULL, or why it failed, in arena. */
const char *od_duckdb_run(const char *sql, struct od_view input, struct od_arena *arena,
                          struct od_buf *ret_out);

/* 'text' as a literal of SQL. */
void od_duckdb_quote(const char *text, struct od_buf *to);
