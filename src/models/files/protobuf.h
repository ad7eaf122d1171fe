/*
 * The wire format of protocol buffers, field by field, for reading messages with known fields.
 * Nothing is copied; views point into the message.
 */
#pragma once

#include "base/base.h"

enum od_proto_type { OD_PROTO_VARINT = 0, OD_PROTO_64 = 1, OD_PROTO_BYTES = 2, OD_PROTO_32 = 5 };

struct od_proto_field {
    uint32_t number; /* 0 = the message ends here */
    enum od_proto_type type;
    uint64_t value;       /* of a number */
    struct od_view bytes; /* of OD_PROTO_BYTES */
};

enum od_proto_result {
    OD_PROTO_FIELD,
    OD_PROTO_END,
    OD_PROTO_CUT, /* the message ends within the field; bytes contains the available part */
    OD_PROTO_BAD  /* the bytes are no protocol buffer */
};

/* Reads the field at the start of *message. Advances *message only on OD_PROTO_FIELD. */
enum od_proto_result od_proto_next(struct od_view *message, struct od_proto_field *ret_field);
