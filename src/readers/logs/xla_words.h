/*
 * The words of XLA's memory tables, and cutting a line at them. The tables stand as paragraphs or,
 * in copies of an exception, all on one line: both are a run of words, each with what follows it.
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

/* A word of the tables: in which sections it counts, and what follows it. */
struct od_xla_word {
    const char *text;
    unsigned in; /* sections; 0 = it opens one */
    enum od_xla_section opens;
    enum od_xla_what what;
    const char *name; /* of a total */
};

enum { OD_XLA_WORDS = 30 };

/* Where the words stand in a line, each looked up only as far as needed: a line of many words costs
 * no more than one look a word and byte. */
struct od_xla_cutter {
    struct od_view text;
    size_t next[OD_XLA_WORDS];
};

/* Begins with a line, which must stay as long as the cutter is used. */
void od_xla_cutter_start(struct od_xla_cutter *cutter, struct od_view text);

/*
 * The first word that counts in the section, at or after *at, which becomes its place; NULL, and
 * *at as it was, when there is none.
 */
const struct od_xla_word *od_xla_cutter_next(struct od_xla_cutter *cutter,
                                             enum od_xla_section section, size_t *at);

/* The size that value begins with. It always has a unit; a negative one (an overflow of XLA's) is
 * not a size: false. */
bool od_xla_size(struct od_view value, struct od_bytes *ret_size);
