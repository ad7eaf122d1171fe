#include "models/files/protobuf.h"

enum { VARINT_MOST = 10, TYPE_BITS = 3, NUMBER_MOST = (1 << 29) - 1 };

static enum od_proto_result take_varint(struct od_view *v, uint64_t *ret_value)
{
    uint64_t value = 0;
    for (size_t i = 0; i < VARINT_MOST; i++) {
        if (i == v->n)
            return OD_PROTO_CUT;
        unsigned char byte = (unsigned char)v->p[i];
        if (i + 1 == VARINT_MOST && byte > 1)
            return OD_PROTO_BAD;
        value |= (uint64_t)(byte & 0x7f) << (7 * i);
        if (byte < 0x80) {
            *v = od_view_from(*v, i + 1);
            *ret_value = value;
            return OD_PROTO_FIELD;
        }
    }
    return OD_PROTO_BAD;
}

static enum od_proto_result take_fixed(struct od_view *v, size_t width, uint64_t *ret_value)
{
    uint64_t value = 0;
    if (v->n < width)
        return OD_PROTO_CUT;
    for (size_t i = width; i-- > 0;)
        value = value << 8 | (unsigned char)v->p[i];
    *v = od_view_from(*v, width);
    *ret_value = value;
    return OD_PROTO_FIELD;
}

static enum od_proto_result take_bytes(struct od_view *v, struct od_view *ret_bytes)
{
    uint64_t n;
    enum od_proto_result result = take_varint(v, &n);
    if (result != OD_PROTO_FIELD)
        return result;
    *ret_bytes = od_view_head(*v, (size_t)n);
    if (n > v->n)
        return OD_PROTO_CUT;
    *v = od_view_from(*v, (size_t)n);
    return OD_PROTO_FIELD;
}

static enum od_proto_result take_value(struct od_view *v, struct od_proto_field *field)
{
    switch (field->type) {
    case OD_PROTO_VARINT:
        return take_varint(v, &field->value);
    case OD_PROTO_64:
        return take_fixed(v, 8, &field->value);
    case OD_PROTO_BYTES:
        return take_bytes(v, &field->bytes);
    case OD_PROTO_32:
        return take_fixed(v, 4, &field->value);
    }
    return OD_PROTO_BAD;
}

enum od_proto_result od_proto_next(struct od_view *message, struct od_proto_field *ret_field)
{
    struct od_view rest = *message;
    uint64_t tag;
    *ret_field = (struct od_proto_field){0};
    if (rest.n == 0)
        return OD_PROTO_END;
    enum od_proto_result result = take_varint(&rest, &tag);
    if (result != OD_PROTO_FIELD)
        return result;
    uint64_t number = tag >> TYPE_BITS;
    unsigned type = (unsigned)tag & ((1U << TYPE_BITS) - 1);
    if (number == 0 || number > NUMBER_MOST || type == 3 || type == 4 || type > OD_PROTO_32)
        return OD_PROTO_BAD;
    ret_field->number = (uint32_t)number;
    ret_field->type = (enum od_proto_type)type;
    result = take_value(&rest, ret_field);
    if (result == OD_PROTO_FIELD)
        *message = rest;
    return result;
}
