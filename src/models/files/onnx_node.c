/* Names of an ONNX graph, and the attributes of its nodes. */
#include "models/files/onnx.h"
#include "models/files/protobuf.h"

enum { ATTRIBUTE = 5 /* field number in NodeProto */ };

struct od_onnx_value *od_onnx_value_of(struct od_onnx *onnx, struct od_view name)
{
    uint64_t *index = od_map_at(&onnx->names, name);
    if (*index == 0) {
        od_vec_push(&onnx->values, (struct od_onnx_value){0});
        *index = onnx->values.n;
    }
    return &onnx->values.items[*index - 1];
}

bool od_onnx_attribute(const struct od_onnx_node *node, const char *name,
                       struct od_view *ret_message)
{
    struct od_view rest = node->attributes, inner;
    struct od_proto_field field, first;
    while (od_proto_next(&rest, &field) == OD_PROTO_FIELD) {
        if (field.number != ATTRIBUTE || field.type != OD_PROTO_BYTES)
            continue;
        inner = field.bytes;
        if (od_proto_next(&inner, &first) == OD_PROTO_FIELD && first.number == 1 &&
            od_view_eq_str(first.bytes, name)) {
            *ret_message = field.bytes;
            return true;
        }
    }
    return false;
}

int64_t od_onnx_int(const struct od_onnx_node *node, const char *name, int64_t otherwise)
{
    struct od_view message;
    struct od_proto_field field;
    if (!od_onnx_attribute(node, name, &message))
        return otherwise;
    while (od_proto_next(&message, &field) == OD_PROTO_FIELD)
        if (field.number == 3 && field.type == OD_PROTO_VARINT)
            return (int64_t)field.value;
    return otherwise;
}

double od_onnx_float(const struct od_onnx_node *node, const char *name, double otherwise)
{
    struct od_view message;
    struct od_proto_field field;
    float value;
    if (!od_onnx_attribute(node, name, &message))
        return otherwise;
    while (od_proto_next(&message, &field) == OD_PROTO_FIELD)
        if (field.number == 2 && field.type == OD_PROTO_32) {
            const uint32_t bits = (uint32_t)field.value;
            memcpy(&value, &bits, sizeof value);
            return (double)value;
        }
    return otherwise;
}

struct od_onnx_ints od_onnx_ints_of(const struct od_onnx_node *node, const char *name)
{
    struct od_onnx_ints ints = {0};
    struct od_view message;
    struct od_proto_field field;
    if (!od_onnx_attribute(node, name, &message))
        return ints;
    ints.known = true;
    while (od_proto_next(&message, &field) == OD_PROTO_FIELD)
        if (field.number == 8 && field.type == OD_PROTO_VARINT && ints.n < OD_ONNX_INTS)
            ints.at[ints.n++] = (int64_t)field.value;
    return ints;
}
