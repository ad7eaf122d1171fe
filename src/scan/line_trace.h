/*
 * Explains lines to the observer of a trace (facts/trace.h): prefixes that unwrapping removed,
 * readers and rules that were tried, and why each did not match. Repeats the tries without side
 * effects; events are recorded when they are emitted.
 */
#pragma once

#include "facts/event.h"
#include "facts/trace.h"
#include "input/input.h"
#include "readers/logs/sentence_lines.h"
#include "rules/ruleset.h"

struct od_line_trace {
    const struct od_trace *trace; /* NULL = no trace */
    struct od_ruleset *rules;
    struct od_sentences *sentences; /* NULL = sentences are not read */
    const struct od_raw_line *raw;  /* the line before unwrapping */
    bool on;                        /* the current line is traced */
    const char *made_by;            /* the rule of the line's last failure event; NULL = none */
};

/* Begins a line; false if it is not traced. */
bool od_line_trace_begin(struct od_line_trace *t, const struct od_line *line);

/* Bit sets of the readers that were tried, and of those that used the line. over: why rules were
 * not tried (OD_NOT_END = they were). */
struct od_line_asked {
    uint64_t readers, took, silent;
    enum od_trace_reason over;
};
void od_line_trace_end(struct od_line_trace *t, const struct od_line *line,
                       const struct od_line_asked *asked);

/* Records an event of any line. */
void od_line_trace_event(struct od_line_trace *t, const struct od_event *event);
