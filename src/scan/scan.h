/*
 * The only loop over lines: input -> blocks -> prefilter -> unwrapped lines -> readers and rules
 * -> events, in order of the log. A source that a file reader accepts goes to that reader as a
 * whole.
 */
#pragma once

#include "facts/around.h"
#include "facts/event.h"
#include "facts/trace.h"
#include "input/input.h"
#include "rules/ruleset.h"
#include "scan/candidates.h"
#include "scan/line_shapes.h"

struct od_scan_options {
    bool no_prefilter;                /* unwrap and try every line: for tests */
    bool no_shapes;                   /* treat every line as the first of its shape: for tests */
    struct od_candidates *candidates; /* for these rules; NULL = made for this scan */
    struct od_line_shapes *shapes;    /* from earlier scans with the same rules, candidates and
                                         lexicon; NULL = made for this scan */
    struct od_arena *arena;           /* for texts that readers keep */
    const char *dims;                 /* as od_file.dims */
    struct od_diags *diags;           /* receives the diagnostics of file readers */
    bool files_only;                  /* the input must be a file of a file reader and not a log:
                                         keep the reader's errors */
    struct od_around *around;         /* keeps the lines around a failure; may be NULL */
    /* Called for each block with the bytes read so far; may be NULL. */
    void (*progress)(void *self, uint64_t bytes);
    void *progress_self;
    const struct od_trace *trace; /* observes the lines; may be NULL */
    /* Called for each unused line that mentions memory running out; may be NULL. */
    void (*unknown)(void *self, const struct od_line *line);
    void *unknown_self;
    /* Called for each unused line with a size or a word about memory; may be NULL. */
    void (*unused)(void *self, const struct od_line *line);
};

struct od_scan_stats {
    uint64_t lines;      /* physical lines */
    uint64_t candidates; /* physical lines that were unwrapped and offered to readers and rules */
    uint64_t events;
    uint64_t unknown; /* lines that mention memory and were not used */
    uint64_t crowded; /* lines of interleaved streams beyond the number that is kept apart */
};

/* Reads the input to its end. */
struct od_scan_stats od_scan(struct od_input *input, struct od_ruleset *rules,
                             const struct od_scan_options *options, const struct od_sink *sink);
