/*
 * Rule packs as data: the contents of a YAML pack, not compiled. Made by the loader at run time
 * (rules/load.h); the shipped packs are written as constant C tables during the build. All arrays
 * and texts are immutable.
 */
#pragma once

#include "facts/event.h"

/* A field of a sample or of `set:`, as written. */
struct od_rule_text {
    enum od_field field;
    const char *text;
};

struct od_sample {
    const char *line;
    const struct od_rule_text *gives; /* the expected values, as written */
    size_t ngives;
    unsigned at; /* line number in the pack */
};

struct od_rule {
    const char *id;
    enum od_event_kind means;
    const char *const *literals; /* a line without any of them cannot match */
    size_t nliterals;
    const char *const *unless; /* a line with one of them does not match */
    size_t nunless;
    const char *const *beside; /* a line without any of them does not match */
    size_t nbeside;
    const char *pattern; /* PCRE2; named groups are fields */
    bool each;           /* each match gives an event, not only the first */
    /* A block: lines of one lane that are matched together, joined by LF. Blank lines are left
     * out. */
    const char *gate;   /* pattern that a line matches, too, and is tried first; NULL = none */
    const char *begins; /* pattern of its first line; NULL = a rule of single lines */
    const char *rows;   /* pattern of the lines that belong to it */
    bool last;          /* only a block that ends its log, or a quotation of one */
    bool squeezed; /* matched without blanks from what begins it on: a break of a line may be in a
                      word; rows: is tried on the row above and the line */
    bool also;     /* tried on the blocks of the rule before it, too */
    const struct od_rule_text *set;
    size_t nset;
    enum od_unit_base unit_base; /* whether MB and GB are decimal or binary here */
    const char *bare;            /* unit of a size printed without one; NULL = bytes */
    bool numbered;               /* a literal only counts with a number shortly after it */
    bool slow;
    bool fallback; /* only for lines in which no earlier rule found an error */
    bool said;     /* matched against the message after a logger's prefix (base/log_prefix.h) */
    bool printed;  /* not for comments, statements of a program or usage texts (base/code_line.h) */
    bool people;   /* not for lines that a program printed (facts/segment.h) */
    bool outright; /* not for lines that ask, warn, advise or suppose (base/hypothetical.h) */
    const struct od_sample *samples;
    size_t nsamples;
    const struct od_sample *near_misses; /* lines it must not match; without gives */
    size_t nnear_misses;
    const char *note; /* a note for readers of `rules show`; may be NULL */
    unsigned at;      /* line number in the pack */
};

struct od_pack {
    const char *name;
    const char
        *producer;    /* producer of all its rules, unless a rule sets or captures another one */
    const char *file; /* for diagnostics */
    const struct od_rule *rules;
    size_t nrules;
};
