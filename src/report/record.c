#include "report/record.h"

#include "report/json_parts.h"

#define OD_RECORD(record) const struct od_row_field od_fields_##record[] = {
#define OD_FIELD(record, key, kind, schema, words) \
    {#key, OD_KIND_##kind, offsetof(struct od_row_##record, key)},
#define OD_RECORD_END(record) \
    {                         \
        0                     \
    }                         \
    }                         \
    ;
#include "report/fields.def"
#undef OD_RECORD
#undef OD_FIELD
#undef OD_RECORD_END

static void add(struct od_json *json, const struct od_row_field *field, const void *value)
{
    const struct od_real *number = value;
    switch (field->kind) {
    case OD_KIND_TEXT:
        od_json_text_or_null(json, field->key, *(const struct od_view *)value);
        break;
    case OD_KIND_WORD:
        od_json_text_or_null(json, field->key, od_view_of(*(const char *const *)value));
        break;
    case OD_KIND_NAME:
        od_json_str(json, field->key, *(const char *const *)value);
        break;
    case OD_KIND_COUNT:
    case OD_KIND_LINE:
        od_json_count(json, field->key, *(const struct od_count *)value);
        break;
    case OD_KIND_BYTES:
        od_json_bytes(json, field->key, *(const struct od_bytes *)value);
        break;
    case OD_KIND_NUMBER:
        if (number->known)
            od_json_double(json, field->key, number->n);
        else
            od_json_null(json, field->key);
        break;
    case OD_KIND_TRI:
        od_json_tri(json, field->key, *(const enum od_tri *)value);
        break;
    case OD_KIND_SHAPE:
        od_json_shape(json, field->key, value);
        break;
    }
}

void od_json_row(struct od_json *json, const struct od_row_field *fields, const void *row)
{
    for (; fields->key; fields++)
        add(json, fields, (const char *)row + fields->at);
}
