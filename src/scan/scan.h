/*
 * The only loop over lines: input -> blocks -> prefilter -> unwrapped lines -> readers and rules ->
 * events, in order of the log. A source accepted by a file reader is given to it as a whole.
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
    bool no_prefilter;                /* unwrap and try every line, for tests */
    bool no_shapes;                   /* treat every line as the first of its shape, for tests */
    struct od_candidates *candidates; /* for these rules; NULL = make them for this scan */
    /* shapes of earlier scans with the same rules and lexicon; NULL = make them for this scan */
    struct od_line_shapes *shapes;
    struct od_arena *arena; /* owns texts that readers keep */
    const char *dims;       /* like od_file.dims */
    struct od_diags *diags; /* gets the diagnostics of file readers */
    bool files_only;        /* the input is a file for a file reader, and no log: keep its errors */
    struct od_around *around; /* keeps the lines around a failure; may be NULL */
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
    uint64_t lines;      /* number of physical lines */
    uint64_t candidates; /* number of physical lines that were unwrapped and tried */
    uint64_t events;
    uint64_t unknown; /* number of unused lines that mention memory */
    uint64_t crowded; /* number of lines in more interleaved streams than can be separated */
};

/* Scans the input to its end. */
struct od_scan_stats od_scan(struct od_input *input, struct od_ruleset *rules,
                             const struct od_scan_options *options, const struct od_sink *sink);
