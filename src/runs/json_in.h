/*
 * Reads JSON from untrusted files. Depth is limited, and every member may be missing or have
 * another type; the getters then return "unknown".
 */
#pragma once

#include "base/diag.h"
#include "report/record.h"

#include <jansson.h>

/* Parses a JSON object; the caller calls json_decref. NULL with a diagnostic (name:line:column) if
 * the text is no JSON object or nests deeper than our files. */
json_t *od_json_in_load(struct od_view text, const char *name, struct od_diags *diags);

/* Parses any JSON value; NULL if it is invalid or nests deeper than our files. */
json_t *od_json_in_parse(struct od_view text);

/* Gets a non-negative integer. */
struct od_count od_json_in_count(const json_t *object, const char *key);

/* Gets a number in the range of sizes and times. */
struct od_real od_json_in_real(const json_t *value);

/* Reads the fields of a row into a struct. object may be NULL. Texts are copied to arena. */
void od_json_in_row(const json_t *object, const struct od_row_field *fields, struct od_arena *arena,
                    void *ret_row);

/* Copies a text to arena, cut at 400 bytes; NULL if the member is no text. */
const char *od_json_in_text(const json_t *object, const char *key, struct od_arena *arena);
const char *od_json_in_string(const json_t *string, struct od_arena *arena);
