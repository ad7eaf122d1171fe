/*
 * JSON objects that are read back, as rows. fields.def defines their fields for the writer, the
 * reader and the schemas. A row has what a report says about one incident, series, phase ..., from
 * a case (rows.h) or from JSON (runs/json_in.h), so that runs are compared by rows and never by
 * text. Texts belong to the case, or to the arena that they were read into.
 */
#pragma once

#include "facts/shape.h"
#include "report/json_write.h"

/* A number; null if unknown. */
struct od_real {
    double n;
    bool known;
};

/* Kinds of values that are read back; json.c has further ones. */
enum od_row_kind {
    OD_KIND_TEXT, /* empty text = null */
    OD_KIND_WORD, /* never NULL; "" is null */
    OD_KIND_NAME, /* never NULL, never null */
    OD_KIND_COUNT,
    OD_KIND_LINE,  /* line number of an input, from 1 */
    OD_KIND_BYTES, /* with <key>_range if the printed value is rounded */
    OD_KIND_NUMBER,
    OD_KIND_TRI,
    OD_KIND_SHAPE
};

#define OD_ROW_TEXT struct od_view
#define OD_ROW_WORD const char *
#define OD_ROW_NAME const char *
#define OD_ROW_COUNT struct od_count
#define OD_ROW_LINE struct od_count
#define OD_ROW_BYTES struct od_bytes
#define OD_ROW_NUMBER struct od_real
#define OD_ROW_TRI enum od_tri
#define OD_ROW_SHAPE struct od_shape

#define OD_RECORD(record, type) struct od_row_##record {
#define OD_FIELD(record, key, kind, schema, words, value) OD_ROW_##kind key;
#define OD_RECORD_END(record) \
    }                         \
    ;
#include "report/fields.def"

struct od_row_field {
    const char *key;
    enum od_row_kind kind;
    size_t at; /* offset in its row */
};

/* The fields of each record, terminated by one without a key. */
#define OD_RECORD(record, type) extern const struct od_row_field od_fields_##record[];
#include "report/fields.def"

/* The object of one run of a fleet. */
void od_json_member(struct od_json *json, const struct od_row_member *member);
