/*
 * PCRE2 over bytes, wrapped in two small objects: a compiled pattern (read-only), and a matcher
 * (scratch memory and limits, shared by many patterns, for one scan at a time).
 */
#pragma once

#include "base/base.h"

enum {
    OD_REGEX_MAX_PATTERN = 8192,
    OD_REGEX_MAX_GROUPS = 63 /* named and unnamed ones; group 0 is the whole match */
};

struct od_regex;
struct od_regex_matcher;

struct od_regex_options {
    bool no_jit; /* interpret patterns, for memory checkers that do not understand JIT code */
};

struct od_regex_error {
    size_t offset; /* in the pattern */
    char message[160];
};

/* Compiles a pattern, owned by the caller. NULL and *ret_error (may be NULL) if it is invalid. */
struct od_regex *od_regex_new(const char *pattern, const struct od_regex_options *options,
                              struct od_regex_error *ret_error);
void od_regex_free(struct od_regex *regex);

/* Compiles it to machine code now instead of after some uses. */
void od_regex_jit(struct od_regex *regex);

/* A name of a group. A name that is used in several alternatives has several entries. */
struct od_regex_name {
    const char *name; /* lives as long as the pattern */
    unsigned group;
};
size_t od_regex_names(const struct od_regex *regex);
struct od_regex_name od_regex_name(const struct od_regex *regex, size_t i);

struct od_regex_matcher *od_regex_matcher_new(void);
void od_regex_matcher_free(struct od_regex_matcher *matcher);

enum od_regex_result {
    OD_REGEX_NO,
    OD_REGEX_YES,
    OD_REGEX_LIMIT /* it gave up: too much backtracking, or too much time on a long text */
};

/* Can a match only start at few positions: at the beginning, or at certain bytes? */
bool od_regex_has_start(const struct od_regex *regex);

/* Does the pattern match in text, at or after that byte? */
enum od_regex_result od_regex_match(struct od_regex *regex, struct od_regex_matcher *matcher,
                                    struct od_view text, size_t from);

/* The text of a group in the last match, which was of that text. False if the group did not take
 * part. Group 0 is the whole match. */
bool od_regex_group(const struct od_regex_matcher *matcher, struct od_view text, unsigned group,
                    struct od_view *ret_group);
