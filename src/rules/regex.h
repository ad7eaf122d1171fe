/*
 * PCRE2 over bytes, behind two small objects: a compiled pattern (read-only) and a matcher (scratch
 * memory and limits, shared by many patterns, one scan at a time).
 */
#pragma once

#include "base/base.h"

enum {
    OD_REGEX_MAX_PATTERN = 8192,
    OD_REGEX_MAX_GROUPS = 63 /* named and unnamed; group 0 is the whole match */
};

struct od_regex;
struct od_regex_matcher;

struct od_regex_options {
    bool no_jit; /* interpret; for memory checkers, which the compiled code confuses */
};

struct od_regex_error {
    size_t offset; /* into the pattern */
    char message[160];
};

/* A compiled pattern, owned by the caller; NULL and *ret_error (may be NULL) when it is not one. */
struct od_regex *od_regex_new(const char *pattern, const struct od_regex_options *options,
                              struct od_regex_error *ret_error);
void od_regex_free(struct od_regex *regex);

/* Compiles it to machine code now, and not after some uses. */
void od_regex_jit(struct od_regex *regex);

/* Names of groups; a name that stands in several alternatives is there once a group. */
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
    OD_REGEX_LIMIT /* gave up: too much backtracking, or too long on a long text */
};

/* Can a match begin at few places alone: at the start, or at one of some bytes? */
bool od_regex_has_start(const struct od_regex *regex);

/* Does the pattern match anywhere in text? */
enum od_regex_result od_regex_match(struct od_regex *regex, struct od_regex_matcher *matcher,
                                    struct od_view text);

/*
 * A group of the last match, which was of that text; false when it took no part in it. Group 0 is
 * the whole match.
 */
bool od_regex_group(const struct od_regex_matcher *matcher, struct od_view text, unsigned group,
                    struct od_view *ret_group);
