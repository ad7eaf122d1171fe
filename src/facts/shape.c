#include "facts/shape.h"

struct dtype_row {
    const char *name;
    unsigned bits;
    const char *aliases; /* separated by spaces */
};

static const struct dtype_row dtypes[OD_DTYPE_END] = {
    [OD_FLOAT64] = {"float64", 64, "double f64 DT_DOUBLE <f8 float64_t"},
    [OD_FLOAT32] = {"float32", 32, "float f32 DT_FLOAT <f4 fp32 single"},
    [OD_FLOAT16] = {"float16", 16, "half f16 DT_HALF <f2 fp16"},
    [OD_BFLOAT16] = {"bfloat16", 16, "bf16 DT_BFLOAT16"},
    [OD_FLOAT8] = {"float8", 8,
                   "fp8 f8 f8e4m3fn f8e5m2 float8_e4m3fn float8_e5m2 f8e4m3 e4m3 e5m2"},
    [OD_INT64] = {"int64", 64, "long s64 i64 DT_INT64 <i8 uint64 u64 DT_UINT64 <u8"},
    [OD_INT32] = {"int32", 32, "int s32 i32 DT_INT32 <i4 uint32 u32 DT_UINT32 <u4"},
    [OD_INT16] = {"int16", 16, "short s16 i16 DT_INT16 <i2 uint16 u16 DT_UINT16 <u2"},
    [OD_INT8] = {"int8", 8, "s8 i8 DT_INT8 |i1 qint8"},
    [OD_INT4] = {"int4", 4, "s4 i4 u4 uint4"},
    [OD_UINT8] = {"uint8", 8, "byte u8 DT_UINT8 |u1 quint8"},
    [OD_BOOL] = {"bool", 8, "pred DT_BOOL |b1"},
    [OD_COMPLEX64] = {"complex64", 64, "c64 DT_COMPLEX64 <c8"},
    [OD_COMPLEX128] = {"complex128", 128, "c128 DT_COMPLEX128 <c16"},
};

static bool take_dimension(struct od_view *text, uint64_t *ret_dim)
{
    if (od_view_take(text, OD_VIEW("None")) || od_view_take(text, OD_VIEW("?")) ||
        od_view_take(text, OD_VIEW("-1"))) {
        *ret_dim = OD_DIM_UNKNOWN;
        return true;
    }
    return od_num_take_u64(text, ret_dim);
}

static struct od_view without_brackets(struct od_view text)
{
    bool square = od_view_starts(text, OD_VIEW("[")) && od_view_ends(text, OD_VIEW("]"));
    bool round = od_view_starts(text, OD_VIEW("(")) && od_view_ends(text, OD_VIEW(")"));
    if (!square && !round)
        return text;
    return od_view_trim((struct od_view){.p = text.p + 1, .n = text.n - 2});
}

bool od_shape_parse(struct od_view text, struct od_shape *ret_shape)
{
    text = od_view_trim(text);
    bool bare = text.n == 0;
    struct od_view rest = without_brackets(text);
    struct od_shape shape = {.known = true};
    while (rest.n > 0) {
        if (shape.n == OD_SHAPE_MAX || !take_dimension(&rest, &shape.dims[shape.n]))
            return false;
        shape.n++;
        od_view_skip_blanks(&rest);
        bool times = od_view_take(&rest, OD_VIEW("x")) || od_view_take(&rest, OD_VIEW("X")) ||
                     od_view_take(&rest, OD_VIEW("*")) || od_view_take(&rest, OD_VIEW("×"));
        if (rest.n > 0 && !times && !od_view_take(&rest, OD_VIEW(",")))
            return false;
        od_view_skip_blanks(&rest);
    }
    if (bare)
        return false;
    *ret_shape = shape;
    return true;
}

bool od_shape_elements(const struct od_shape *shape, uint64_t *ret_elements)
{
    uint64_t elements = 1;
    if (!shape->known)
        return false;
    for (uint32_t i = 0; i < shape->n; i++) {
        if (shape->dims[i] == OD_DIM_UNKNOWN || ckd_mul(&elements, elements, shape->dims[i]))
            return false;
    }
    *ret_elements = elements;
    return true;
}

struct od_bytes od_shape_bytes(const struct od_shape *shape, enum od_dtype dtype)
{
    uint64_t elements, bits;
    if (!od_shape_elements(shape, &elements) || dtype == OD_DTYPE_UNKNOWN)
        return (struct od_bytes){0};
    if (ckd_mul(&bits, elements, (uint64_t)od_dtype_bits(dtype))) {
        uint64_t bytes;
        if (od_dtype_bits(dtype) < 8 ||
            ckd_mul(&bytes, elements, (uint64_t)od_dtype_bits(dtype) / 8))
            return (struct od_bytes){0};
        return od_bytes_exact(bytes);
    }
    return od_bytes_exact(bits / 8 + (bits % 8 != 0));
}

enum od_dtype od_dtype_parse(struct od_view text)
{
    text = od_view_trim(text);
    (void)(od_view_take(&text, OD_VIEW("torch.")) || od_view_take(&text, OD_VIEW("tf.")) ||
           od_view_take(&text, OD_VIEW("np.")) || od_view_take(&text, OD_VIEW("jnp.")));
    for (unsigned i = OD_DTYPE_UNKNOWN + 1; i < OD_DTYPE_END; i++) {
        struct od_view aliases = od_view_of(dtypes[i].aliases);
        struct od_view alias;
        if (od_view_eq_str(text, dtypes[i].name))
            return (enum od_dtype)i;
        while (od_view_cut(&aliases, ' ', &alias)) {
            if (od_view_eq(text, alias))
                return (enum od_dtype)i;
        }
    }
    return OD_DTYPE_UNKNOWN;
}

const char *od_dtype_name(enum od_dtype dtype)
{
    return dtype < OD_DTYPE_END ? dtypes[dtype].name : NULL;
}

unsigned od_dtype_bits(enum od_dtype dtype)
{
    return dtype < OD_DTYPE_END ? dtypes[dtype].bits : 0;
}

struct od_shape od_shape_flattened(const struct od_shape *shape)
{
    struct od_shape out = {.known = shape->known, .n = 2, .dims = {OD_DIM_UNKNOWN, 1}};
    for (uint32_t i = 1; i < shape->n; i++)
        if (shape->dims[i] == OD_DIM_UNKNOWN || ckd_mul(&out.dims[1], out.dims[1], shape->dims[i]))
            return (struct od_shape){0};
    return out;
}
