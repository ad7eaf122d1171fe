/*
 * Explains lines to the observer of a trace (facts/trace.h): what unwrapping took off, who was
 * asked about the line and why each made nothing of it. It asks again and changes nothing; what was
 * made of the line is noted as it happens.
 */
#pragma once

#include "facts/event.h"
#include "facts/trace.h"
#include "input/input.h"
#include "readers/logs/sentence_lines.h"
#include "rules/ruleset.h"

struct od_line_trace {
    const struct od_trace *trace; /* NULL = nobody observes */
    struct od_ruleset *rules;
    struct od_sentences *sentences; /* NULL: they are not read */
    const struct od_raw_line *raw;  /* the physical line that is being read */
    bool on;                        /* the line that is being read is wanted */
    const char *made_by; /* the rule of its last event of a failure; NULL = it has none */
};

/* The next line; false when it is not wanted. */
bool od_line_trace_begin(struct od_line_trace *t, const struct od_line *line);

/* The readers that were asked, and those of them that took the line; what took it all, or made an
 * event that leaves nothing for the rules (OD_NOT_END = nothing did). */
struct od_line_asked {
    uint64_t readers, took, silent;
    enum od_trace_reason over;
};
void od_line_trace_end(struct od_line_trace *t, const struct od_line *line,
                       const struct od_line_asked *asked);

/* An event, of whatever line. */
void od_line_trace_event(struct od_line_trace *t, const struct od_event *event);
