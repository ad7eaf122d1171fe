/*
 * PCRE2 over bytes in two objects: a compiled pattern (read-only), and a matcher (scratch memory
 * and limits, usable with many patterns, by one scan at a time).
 */
#pragma once

#include "base/base.h"

enum {
    OD_REGEX_MAX_PATTERN = 8192,
    OD_REGEX_MAX_GROUPS = 63 /* named and unnamed groups; group 0 is the whole match */
};

struct od_regex;
struct od_regex_matcher;

struct od_regex_options {
    bool no_jit; /* interpret patterns, for memory checkers that do not support JIT code */
};

struct od_regex_error {
    size_t offset; /* offset in the pattern */
    char message[160];
};

/* Compiles a pattern, which the caller frees. NULL and *ret_error (or NULL) if invalid. */
struct od_regex *od_regex_new(const char *pattern, const struct od_regex_options *options,
                              struct od_regex_error *ret_error);
void od_regex_free(struct od_regex *regex);

/* Compiles the pattern to machine code now instead of after some uses. */
void od_regex_jit(struct od_regex *regex);

/* The name of a group. A name used in several alternatives has several entries. */
struct od_regex_name {
    const char *name; /* valid as long as the pattern */
    unsigned group;
};
size_t od_regex_names(const struct od_regex *regex);
struct od_regex_name od_regex_name(const struct od_regex *regex, size_t i);

struct od_regex_matcher *od_regex_matcher_new(void);
void od_regex_matcher_free(struct od_regex_matcher *matcher);

enum od_regex_result {
    OD_REGEX_NO,
    OD_REGEX_YES,
    /* matching was given up: too much backtracking, or too much time on a long text */
    OD_REGEX_LIMIT
};

/* Can a match only start at few positions, because it begins with certain bytes or is anchored? */
bool od_regex_has_start(const struct od_regex *regex);

/* Does the pattern match in text, from byte `start` on? */
enum od_regex_result od_regex_match(struct od_regex *regex, struct od_regex_matcher *matcher,
                                    struct od_view text, size_t from);

/* Gets the text of a group in the last match, which must have been of `text`. False if the group
 * took no part. Group 0 is the whole match. */
bool od_regex_group(const struct od_regex_matcher *matcher, struct od_view text, unsigned group,
                    struct od_view *ret_group);
