/*
 * A small YAML document as a tree, every node with its place in the text. libyaml at event level;
 * what we do not need is refused: several documents, anchors, aliases, tags, duplicate keys,
 * keys that are not texts, texts with a NUL byte, deep nesting, large files.
 * Nodes live in the arena, texts too. All scalars are texts: 5, true and '5' differ in nothing.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"

enum {
    OD_YAML_MAX_BYTES = 4 << 20,
    OD_YAML_MAX_DEPTH = 8,
    OD_YAML_MAX_KEYS = 64 /* most keys of one mapping */
};

enum od_yaml_kind { OD_YAML_TEXT, OD_YAML_LIST, OD_YAML_MAP };

struct od_yaml_node {
    enum od_yaml_kind kind;
    size_t start; /* byte offset into the source */
    size_t end;   /* offset after the last byte of the text (and its quote) */
    unsigned line;
    const char *text;               /* the text of a text node; NUL-terminated, no NUL inside */
    const struct od_yaml_node *key; /* the key of a value in a mapping */
    struct od_yaml_node *first;     /* children of a list, values of a mapping */
    struct od_yaml_node *next;
    size_t n; /* children */
};

/* The text a tree was read from, and where its errors go. */
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
    bool open;        /* as OD_OPEN: help is a name */
};

/* The tree of source->text; OD_ERULE after reporting why there is none. */
enum od_err od_yaml_read(struct od_yaml_source *source, struct od_arena *arena,
                         const struct od_yaml_node **ret_root) OD_MUST_USE;

/* The value of a key of a mapping; NULL when absent. */
const struct od_yaml_node *od_yaml_get(const struct od_yaml_node *map, const char *key);

/* Adds an error at line and column of the problem. Beyond a number of errors it only counts. */
void od_yaml_report(struct od_yaml_source *source, const struct od_yaml_problem *problem);

/*
 * The position in the source of byte `offset` of a text node. The start of the node where the two
 * are not the same bytes (block scalars, folded lines, escapes).
 */
size_t od_yaml_text_at(const struct od_yaml_source *source, const struct od_yaml_node *node,
                       size_t offset);
