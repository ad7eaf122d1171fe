/*
 * The first sentences of a report: where memory ran out, the request, what was free; then the
 * likely cause (doc/writing.md). Printed sizes have three significant digits; exact bytes are in
 * the tables of the report and in JSON.
 */
#pragma once

#include "report/outline_parts.h"

/* Adds the headline to text. */
void od_headline_add(struct od_outline *outline, struct od_text *text);

/* Its first sentence: what happened. outline needs no document; in its arena. */
const char *od_headline_event(const struct od_outline *outline);

/* What was asked for: the request, else the tensor that it was for. */
struct od_bytes od_headline_request(const struct od_incident *incident);

/* Of another failure than memory's: the words of the error in its line, so many bytes of them at
 * most; empty where there is none. */
enum { OD_HEADLINE_ERROR = 240 };
struct od_view od_headline_error(const struct od_diagnosis *diagnosis);

/* A file of an allocator's state alone, taken while nothing failed? */
bool od_headline_is_snapshot(const struct od_outline *outline);

/* Numbers of memory in sentences and tables, and nothing that a run prints. */
bool od_headline_is_prose(const struct od_outline *outline);

/* Was nothing read that more could be said of? */
bool od_headline_is_all(const struct od_outline *outline);
