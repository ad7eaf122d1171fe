/*
 * Topics: answers to general questions about memory, one file rules/topics/<topic>.yaml each. A
 * topic has example questions; the topic with the most similar one answers a question (cli/ask.c).
 * Written as constant C tables by the build.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"

/* The effect of a step, by the object that holds the memory. */
struct od_topic_effect {
    const char *step;
    const char *tensor, *pool, *driver, *rss;
};

struct od_topic {
    const char *topic;
    const char *title;
    const char *const *questions; /* ends with NULL */
    const char *say;              /* paragraphs separated by empty lines */
    const struct od_topic_effect *effects;
    size_t neffects;
    const char *code;          /* NULL = none */
    const char *const *causes; /* names of related causes; ends with NULL */
    const char *source;
};

/* Loads the file root/name; root may be NULL. OD_ERULE with diagnostics if it is invalid, OD_EINPUT
 * if it cannot be read. */
enum od_err od_topic_load_file(const char *root, const char *name, struct od_arena *arena,
                               struct od_diags *diags,
                               const struct od_topic **ret_topic) OD_MUST_USE;

/* The shipped topics; the list ends with NULL. */
extern const struct od_topic *const od_shipped_topics[];
