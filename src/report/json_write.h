/*
 * A small JSON writer that appends to a buffer, so that a report with millions of chunks is never
 * built as a tree. It writes commas, indentation and escapes; the caller provides unique keys. In
 * an array, key is NULL. Strings are written as valid UTF-8 whatever their bytes are.
 */
#pragma once

#include "base/base.h"

struct od_redactor;

enum { OD_JSON_DEPTH = 16 };

struct od_json {
    struct od_buf *to;
    bool pretty;                  /* one line for each element; otherwise all on one line */
    struct od_redactor *redactor; /* strings go through it; may be NULL */
    size_t depth;
    struct {
        char close;
        bool any;     /* the open object or array has an element */
        bool inline_; /* all on one line, in spite of `pretty` */
    } levels[OD_JSON_DEPTH];
};

void od_json_object(struct od_json *json, const char *key);
void od_json_array(struct od_json *json, const char *key);

/* An object or array on one line: for rows of long tables. */
void od_json_object_inline(struct od_json *json, const char *key);
void od_json_array_inline(struct od_json *json, const char *key);

/* Closes the innermost open object or array. */
void od_json_end(struct od_json *json);

void od_json_null(struct od_json *json, const char *key);

/* Writes null and returns true if `unknown`. */
bool od_json_null_if(struct od_json *json, const char *key, bool unknown);

void od_json_bool(struct od_json *json, const char *key, bool value);
void od_json_u64(struct od_json *json, const char *key, uint64_t value);

/* An integer if the value is one; null for NaN and infinity. */
void od_json_double(struct od_json *json, const char *key, double value);

void od_json_text(struct od_json *json, const char *key, struct od_view value);

/* Writes a text; null if it is empty. */
void od_json_text_or_null(struct od_json *json, const char *key, struct od_view value);

/* A NUL-terminated string; null when NULL. */
void od_json_str(struct od_json *json, const char *key, const char *value);

/* Null when unknown. */
void od_json_count(struct od_json *json, const char *key, struct od_count value);
void od_json_tri(struct od_json *json, const char *key, enum od_tri value);

/* [lo, hi]; null if unknown. */
void od_json_range(struct od_json *json, const char *key, struct od_bytes value);

/* Writes key and, if the quantity is not exact, its sibling <key>_range: [lo, hi). */
void od_json_bytes(struct od_json *json, const char *key, struct od_bytes value);
