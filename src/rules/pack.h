/*
 * Rule packs as data: what a YAML pack says, nothing compiled. The same structures are made by the
 * loader at run time (rules/load.h) and, for the packs we ship, written as constant C tables when
 * the project is built. All arrays and texts are immutable.
 */
#pragma once

#include "facts/event.h"

/* A field of a sample or of `set:` as written. */
struct od_rule_text {
    enum od_field field;
    const char *text;
};

struct od_sample {
    const char *line;
    const struct od_rule_text *gives; /* the values it must give, as written */
    size_t ngives;
    unsigned at; /* line in the pack */
};

struct od_rule {
    const char *id;
    enum od_event_kind means;
    const char *const *literals; /* a line without any of them cannot match */
    size_t nliterals;
    const char *const *unless; /* a line with one of them is another rule's, or nobody's */
    size_t nunless;
    const char *pattern; /* PCRE2, named groups are fields */
    const struct od_rule_text *set;
    size_t nset;
    enum od_unit_base unit_base; /* what a bare MB or GB means here */
    const char *bare;            /* unit of a size printed without one; NULL = bytes */
    bool numbered;               /* a literal counts only with a number close behind it */
    bool slow;
    bool fallback; /* only for lines in which no rule before it found trouble */
    bool said;     /* matched against what a logger was told, behind its head (base/log_prefix.h) */
    bool printed;  /* not from a comment, a statement of a program or a usage (base/code_line.h) */
    bool outright; /* not from a line that asks, warns, advises or supposes (base/hypothetical.h) */
    const struct od_sample *samples;
    size_t nsamples;
    const struct od_sample *near_misses; /* lines it must not match; no gives */
    size_t nnear_misses;
    const char *note; /* a word for people who read `rules show`; may be NULL */
    unsigned at;      /* line in the pack */
};

struct od_pack {
    const char *name;
    const char *producer; /* of all its rules, unless one sets or captures another */
    const char *file;     /* for diagnostics */
    const struct od_rule *rules;
    size_t nrules;
};
