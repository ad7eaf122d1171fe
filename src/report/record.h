/*
 * The objects of JSON that are read back, as rows: fields.def has their fields, once for the
 * writer, the reader and the schemas. A row is what a report says of one incident, series, phase
 * ..., whether it comes from a case (rows.h) or from JSON (runs/json_in.h): who compares runs asks
 * rows and never text. Texts belong to the case or to the arena that they were read into.
 */
#pragma once

#include "facts/shape.h"
#include "report/json_write.h"

/* A number; null where it is not known. */
struct od_real {
    double n;
    bool known;
};

/* Kinds of values that are read back; json.c has further ones. */
enum od_row_kind {
    OD_KIND_TEXT, /* empty is null */
    OD_KIND_WORD, /* never NULL; "" is null */
    OD_KIND_NAME, /* never NULL, never null */
    OD_KIND_COUNT,
    OD_KIND_LINE,  /* number of a line of an input, from 1 */
    OD_KIND_BYTES, /* with the range of a rounded print as <key>_range */
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
    size_t at; /* in its row */
};

/* The fields of each record; one without a key ends them. */
#define OD_RECORD(record, type) extern const struct od_row_field od_fields_##record[];
#include "report/fields.def"

/* The object of one run of a fleet. */
void od_json_member(struct od_json *json, const struct od_row_member *member);
