/*
 * Parses a small YAML document into a tree whose nodes have positions in the source. Uses libyaml's
 * events. Rejected: several documents, anchors, aliases, tags, duplicate keys, keys that are not
 * text, text with a NUL byte, deep nesting, large files. Nodes and texts are allocated in the
 * arena. All scalars are text: 5, true and '5' are not distinguished by type.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"

enum {
    OD_YAML_MAX_BYTES = 4 << 20,
    OD_YAML_MAX_DEPTH = 8,
    OD_YAML_MAX_KEYS = 64 /* maximum number of keys of a mapping */
};

enum od_yaml_kind { OD_YAML_TEXT, OD_YAML_LIST, OD_YAML_MAP };

struct od_yaml_node {
    enum od_yaml_kind kind;
    size_t start; /* byte offset into the source */
    size_t end;   /* offset after the last byte of the text, including its quote */
    unsigned line;
    const char *text;               /* text of a scalar; NUL-terminated, no NUL inside */
    const struct od_yaml_node *key; /* key of this value in a mapping */
    struct od_yaml_node *first;     /* first element of a list, or first value of a mapping */
    struct od_yaml_node *next;
    size_t n; /* number of children */
};

/* The source of a tree, and the list that gets its errors. */
struct od_yaml_source {
    struct od_view text;
    const char *name;
    struct od_diags *diags;
    size_t errors;
};

struct od_yaml_problem {
    const char *code;
    size_t at;    /* byte offset into the source */
    size_t width; /* bytes to underline */
    const char *message;
    const char *help; /* may be NULL */
    bool open;        /* report OD_OPEN instead of an error: help is a name */
};

/* Parses source->text into a tree. Reports errors and returns OD_ERULE if it is invalid. */
enum od_err od_yaml_read(struct od_yaml_source *source, struct od_arena *arena,
                         const struct od_yaml_node **ret_root) OD_MUST_USE;

/* The value of a key of a mapping; NULL if absent. */
const struct od_yaml_node *od_yaml_get(const struct od_yaml_node *map, const char *key);

/* Adds an error at the position of the problem. Errors above a maximum number are only counted. */
void od_yaml_report(struct od_yaml_source *source, const struct od_yaml_problem *problem);

/*
 * The position in the source of byte `offset` of a text node. Returns the start of the node if text
 * and source differ (block scalars, folded lines, escapes).
 */
size_t od_yaml_text_at(const struct od_yaml_source *source, const struct od_yaml_node *node,
                       size_t offset);
