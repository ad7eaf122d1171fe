/*
 * A small JSON writer: straight into a buffer, so that a report with millions of chunks never
 * exists as a tree. It knows commas, indentation and escapes; the caller sees to unique keys.
 * In an array, key is NULL. Strings come out as valid UTF-8 whatever their bytes are.
 */
#pragma once

#include "base/base.h"

struct od_redactor;

enum { OD_JSON_DEPTH = 16 };

struct od_json {
    struct od_buf *to;
    bool pretty;                  /* one line for each element; else all on one line */
    struct od_redactor *redactor; /* strings go through it; may be NULL */
    size_t depth;
    struct {
        char close;
        bool any;     /* has an element */
        bool inline_; /* all on one line, although pretty */
    } levels[OD_JSON_DEPTH];
};

void od_json_object(struct od_json *json, const char *key);
void od_json_array(struct od_json *json, const char *key);

/* An object or array that stays on one line: the rows of long tables. */
void od_json_object_inline(struct od_json *json, const char *key);
void od_json_array_inline(struct od_json *json, const char *key);

/* Closes the innermost object or array. */
void od_json_end(struct od_json *json);

void od_json_null(struct od_json *json, const char *key);

/* Null where it is not known, and then true. */
bool od_json_null_if(struct od_json *json, const char *key, bool unknown);

void od_json_bool(struct od_json *json, const char *key, bool value);
void od_json_u64(struct od_json *json, const char *key, uint64_t value);

/* An integer where it is one; null for what JSON cannot say (NaN, infinity). */
void od_json_double(struct od_json *json, const char *key, double value);

void od_json_text(struct od_json *json, const char *key, struct od_view value);

/* The same, null when empty. */
void od_json_text_or_null(struct od_json *json, const char *key, struct od_view value);

/* A NUL-terminated string; null when NULL. */
void od_json_str(struct od_json *json, const char *key, const char *value);

/* Null when unknown. */
void od_json_count(struct od_json *json, const char *key, struct od_count value);
void od_json_tri(struct od_json *json, const char *key, enum od_tri value);

/* [lo, hi], null when unknown. */
void od_json_range(struct od_json *json, const char *key, struct od_bytes value);

/* key and, when the quantity is not exact, its sibling <key>_range: [lo, hi). */
void od_json_bytes(struct od_json *json, const char *key, struct od_bytes value);
