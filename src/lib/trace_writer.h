/*
 * Writes what an observer is given (facts/trace.h) as text: a heading a line of the log, and a row
 * a decision.
 */
#pragma once

#include "base/base.h"

#include <stdio.h>

struct od_trace;
struct od_trace_writer;

/* lines_only: what was decided of the report as a whole is left out. */
struct od_trace_writer *od_trace_writer_new(FILE *to, bool lines_only);
void od_trace_writer_free(struct od_trace_writer *writer);

/* Only that line of the first input. */
void od_trace_writer_only(struct od_trace_writer *writer, uint64_t line);

/* For the options of a session; lives as long as the writer. */
const struct od_trace *od_trace_writer_trace(const struct od_trace_writer *writer);

/* Lines of the log that were written. */
size_t od_trace_writer_lines(const struct od_trace_writer *writer);
