/*
 * Rule packs as data: the contents of a YAML pack, not compiled. Made by the loader at run time
 * (rules/load.h); the build writes the shipped packs as constant C tables. All arrays and texts are
 * immutable.
 */
#pragma once

#include "facts/event.h"

/* A field of a sample or of `set:` as text. */
struct od_rule_text {
    enum od_field field;
    const char *text;
};

struct od_sample {
    const char *line;
    const struct od_rule_text *gives; /* the expected values as text */
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
    /* The next members are for blocks: lines of one lane that are matched together, joined by LF
     * without blank lines. */
    const char *gate;   /* pattern that a line must also match; tried first; NULL = none */
    const char *begins; /* pattern of the first line; NULL = no block */
    const char *rows;   /* pattern of the other lines */
    bool last;          /* only a block at the end of its log or quotation */
    /* matched without blanks from its beginning on, because a line may be broken within a word;
     * rows: is tried on the row above joined with the line */
    bool squeezed;
    bool also; /* also tried on the blocks of the rule before */
    const struct od_rule_text *set;
    size_t nset;
    enum od_unit_base unit_base; /* whether MB and GB are decimal or binary */
    const char *bare;            /* unit of a size printed without one; NULL = bytes */
    bool numbered; /* a literal only counts if a number follows it within a few bytes */
    bool slow;
    bool fallback; /* only for lines in which no other rule found an error */
    bool said;     /* matched against the message after a logger's prefix (base/log_prefix.h) */
    bool printed;  /* not for comments, statements of a program or usage texts (base/code_line.h) */
    bool people;   /* not for lines printed by a program (facts/segment.h) */
    bool outright; /* not for lines that ask, warn, advise or suppose (base/hypothetical.h) */
    const struct od_sample *samples;
    size_t nsamples;
    const struct od_sample *near_misses; /* lines that must not match; `gives` is empty */
    size_t nnear_misses;
    const char *note; /* a note shown by `rules show`; may be NULL */
    unsigned at;      /* line number in the pack */
};

struct od_pack {
    const char *name;
    const char *producer; /* producer of all rules, unless a rule sets or captures another one */
    const char *file;     /* file name for diagnostics */
    const struct od_rule *rules;
    size_t nrules;
};
