/*
 * A line without its wrapping (docker JSON, syslog, rank prefixes, ANSI colors, quotes, ...). One
 * physical line may give several lines (an escaped "\n" inside JSON, a lone CR), and several may
 * give one (wrapped by a console). text and stamp are valid until the next line is read.
 */
#pragma once

#include "facts/excerpt.h"
#include "facts/place.h"
#include "facts/prov.h"
#include "facts/segment.h"

/* All zero bytes are an empty one. */
struct od_shape_memory {
    struct od_arena *arena; /* for the stored data, which lives as long as the shape is known */
    struct od_kept *first;
    uint64_t log; /* number of the log that the stored data belongs to; data of another log is
                     only valid if it depends on nothing but the shape */
};

struct od_line {
    struct od_view text;
    struct od_view stamp; /* the time printed by a wrapper, as printed; may be empty */
    struct od_prov at;
    uint32_t lane;                /* one number for each source, host, process and rank */
    const struct od_place *place; /* place of that lane; lives as long as the input */
    enum od_segment segment;      /* who speaks; OPEN until it is computed */
    bool overprinted; /* ended by a lone CR: the next text overwrites it on a terminal, as the
                         states of a progress bar do; it does not separate other lines */
    /* Data that readers store for lines of this shape (lines that differ only in digits); NULL =
     * nothing may be stored. A reader that sees it was asked whether it is silent on the shape
     * (readers/reader.h), and is not. */
    struct od_shape_memory *memory;
};

/* The slot in which owner (the address of a static variable) stores its data for all lines of this
 * shape; initially NULL. Returns NULL if nothing may be stored. */
void **od_line_kept(const struct od_line *line, const void *owner);

enum { OD_STAMP_KEPT = 64 };

/* A copy of a line that is needed after later lines were read: its trimmed text, cut as an excerpt,
 * and its stamp if it fits. Must not be moved in memory. */
struct od_kept_line {
    struct od_line line;
    char room[OD_EXCERPT + OD_STAMP_KEPT];
};

void od_line_keep(struct od_kept_line *to, const struct od_line *line);
