/*
 * Reads JSON from untrusted files: bounded, and every member may be missing or have another type.
 * The getters return "unknown" in all of these cases.
 */
#pragma once

#include "base/diag.h"
#include "report/record.h"

#include <jansson.h>

/* The caller calls json_decref. NULL with a diagnostic (name:line:column) when it is no JSON
 * object, or nests deeper than any of ours. */
json_t *od_json_in_load(struct od_view text, const char *name, struct od_diags *diags);

/* Any JSON; NULL where it is none, or nests deeper than any of ours. */
json_t *od_json_in_parse(struct od_view text);

/* An integer that is not negative. */
struct od_count od_json_in_count(const json_t *object, const char *key);

/* A number that a size or a time can be. */
struct od_real od_json_in_real(const json_t *value);

/* The fields of a row; object may be NULL: nothing is known then. Texts are copies in arena. */
void od_json_in_row(const json_t *object, const struct od_row_field *fields, struct od_arena *arena,
                    void *ret_row);

/* A text's copy in arena, cut at 400 bytes; NULL when it is none. */
const char *od_json_in_text(const json_t *object, const char *key, struct od_arena *arena);
const char *od_json_in_string(const json_t *string, struct od_arena *arena);
