/*
 * Writes trace entries (facts/trace.h) as text: a heading for each line of the log, and a row for
 * each decision.
 */
#pragma once

#include "base/base.h"

#include <stdio.h>

struct od_trace;
struct od_trace_writer;

/* lines_only: omit decisions about the whole report. */
struct od_trace_writer *od_trace_writer_new(FILE *to, bool lines_only);
void od_trace_writer_free(struct od_trace_writer *writer);

/* Restricts the trace to one line of the first input. */
void od_trace_writer_only(struct od_trace_writer *writer, uint64_t line);

/* The observer for the options of a session; valid as long as the writer. */
const struct od_trace *od_trace_writer_trace(const struct od_trace_writer *writer);

/* Number of lines of the log that were written. */
size_t od_trace_writer_lines(const struct od_trace_writer *writer);
