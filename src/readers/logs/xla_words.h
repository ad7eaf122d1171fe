/*
 * The words of XLA's memory tables, and splitting a line at them. Tables are paragraphs or, in the
 * text of an exception, on one line: a sequence of words, each with the text after it.
 */
#pragma once

#include "base/base.h"

enum od_xla_section {
    OD_XLA_NOWHERE = 0,
    OD_XLA_STATS = 1,   /* BufferAssignment stats */
    OD_XLA_USAGE = 2,   /* Total hbm usage */
    OD_XLA_PROGRAM = 4, /* Program hbm requirement */
    OD_XLA_BUFFERS = 8  /* Peak buffers, Largest program allocations */
};

enum od_xla_what {
    OD_XLA_SECTION,
    OD_XLA_TOTAL,
    OD_XLA_NUMBER,
    OD_XLA_SIZE,
    OD_XLA_UNPADDED,
    OD_XLA_OPERATOR,
    OD_XLA_LABEL,
    OD_XLA_SHAPE,
    OD_XLA_IGNORED,
    OD_XLA_RULE
};

/* A word of the tables: the sections in which it counts, and what follows it. */
struct od_xla_word {
    const char *text;
    unsigned in; /* sections; 0 = it starts one */
    enum od_xla_section opens;
    enum od_xla_what what;
    const char *name; /* name of a total */
};

enum { OD_XLA_WORDS = 30 };

/* Positions of the words in a line, searched only as needed, so that the cost is linear in the
 * line. */
struct od_xla_cutter {
    struct od_view text;
    size_t next[OD_XLA_WORDS];
};

/* Starts with a line, which must stay valid while the cutter is used. */
void od_xla_cutter_start(struct od_xla_cutter *cutter, struct od_view text);

/* The first word at or after *at that counts in the section; *at becomes its position. NULL with
 * *at unchanged if there is none. */
const struct od_xla_word *od_xla_cutter_next(struct od_xla_cutter *cutter,
                                             enum od_xla_section section, size_t *at);

/* The size at the start of value. It needs a unit; false for a negative one (XLA's overflow). */
bool od_xla_size(struct od_view value, struct od_bytes *ret_size);
