/*
 * The only loop over lines: input -> blocks -> prefilter -> unwrapped lines -> readers and rules
 * -> events, in order of the log. A source that a file reader bids on is no log and goes to it
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
    bool no_prefilter;                /* every line is unwrapped and tried: for tests */
    bool no_shapes;                   /* every line is met as if it were the first of its shape: for
                                         tests */
    uint64_t ahead_from;              /* bytes of a source behind which a second thread reads it
                                         (scan/ahead.h); 0 = none does */
    struct od_candidates *candidates; /* of these rules; NULL = made for this scan */
    struct od_line_shapes *shapes;    /* kept from scans of the same rules, candidates and lexicon;
                                         NULL = of this scan */
    struct od_arena *arena;           /* for texts that readers keep */
    const char *dims;                 /* as od_file.dims */
    struct od_diags *diags;           /* for what file readers have to say */
    bool files_only;                  /* the input is to be a file of a reader, and no log: what the
                                         reader says of one that it cannot use counts */
    struct od_around *around;         /* keeps the lines beside trouble; may be NULL */
    /* Called with each block, with the bytes read so far; may be NULL. */
    void (*progress)(void *self, uint64_t bytes);
    void *progress_self;
    const struct od_trace *trace; /* observes the lines; may be NULL */
    /* Called with each line that mentions memory and was not used; may be NULL. */
    void (*unknown)(void *self, const struct od_line *line);
    void *unknown_self;
    /* Called with each line that holds a size or a word of memory and was not used; may be NULL. */
    void (*unused)(void *self, const struct od_line *line);
};

struct od_scan_stats {
    uint64_t lines;      /* physical, seen */
    uint64_t candidates; /* of them unwrapped and offered to readers and rules */
    uint64_t events;
    uint64_t unknown;             /* lines that mention memory and match no rule or reader */
    uint64_t crowded;             /* lines of streams beyond those that can be kept apart */
    uint64_t ahead_ns, behind_ns; /* of a processor, taken by the threads before and behind it */
};

/* Reads the input to its end. */
struct od_scan_stats od_scan(struct od_input *input, struct od_ruleset *rules,
                             const struct od_scan_options *options, const struct od_sink *sink);
