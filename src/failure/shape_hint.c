#include "failure/shape_hint.h"

enum {
    KERNEL_SIDE_MAX = 11, /* convolution kernels have smaller sides */
    DATASET_SAMPLES = 1000,
    /* a larger first dimension is a number of points, edges or words of a table */
    ROWS_MAX = 65536,
    FOLDED_MAX = 16,     /* views of one sample that a loss compares */
    RAW_CHANNELS_MAX = 4 /* grey, grey+alpha, RGB, RGBA: more channels are features */
};

uint64_t od_op_suffix(struct od_view op, struct od_view word)
{
    uint64_t largest = 0;
    struct od_view segment;
    while (od_view_cut(&op, '/', &segment)) {
        uint64_t k;
        if (od_view_take(&segment, word) && od_view_take(&segment, OD_VIEW("_")) &&
            od_num_take_u64(&segment, &k) && segment.n == 0 && k > largest)
            largest = k;
    }
    return largest;
}

/* [k,k,in,out], [k,k,k,in,out]: small odd sides first, channels last. */
static bool is_kernel(const struct od_shape *shape)
{
    if (shape->n < 4)
        return false;
    uint64_t side = shape->dims[0];
    for (uint32_t i = 0; i + 2 < shape->n; i++)
        if (shape->dims[i] != side || side > KERNEL_SIDE_MAX)
            return false;
    return side % 2 == 1 && shape->dims[shape->n - 1] > KERNEL_SIDE_MAX;
}

static bool is_raw_channels(uint64_t dim)
{
    return dim >= 1 && dim <= RAW_CHANNELS_MAX;
}

/* [N,H,W,C] or [N,C,H,W] of images as read from files. */
static bool is_pictures(const struct od_shape *shape)
{
    enum { SIDE_MIN = 16 };
    if (shape->n != 4)
        return shape->n == 3 && shape->dims[1] >= SIDE_MIN && shape->dims[1] == shape->dims[2];
    const uint64_t *d = shape->dims;
    return (is_raw_channels(d[3]) && d[1] >= SIDE_MIN && d[2] >= SIDE_MIN) ||
           (is_raw_channels(d[1]) && d[2] >= SIDE_MIN && d[3] >= SIDE_MIN);
}

static enum od_tensor_role role_of(const struct od_shape *shape, enum od_dtype dtype, uint64_t op,
                                   struct od_count batch)
{
    if (shape->n == 1 && (dtype == OD_UINT8 || dtype == OD_INT8))
        return OD_TENSOR_SCRATCH;
    if (od_means(op, OD_OP_WEIGHT) || od_means(op, OD_OP_RESTORE) || is_kernel(shape))
        return OD_TENSOR_WEIGHT;
    if (shape->n >= 3)
        return OD_TENSOR_ACTIVATION;
    if (shape->n != 2)
        return OD_TENSOR_UNKNOWN;
    /* A square shape is a weight. Time steps or pairs folded into the batch rarely equal the number
     * of features. */
    bool square =
        batch.known && shape->dims[0] == shape->dims[1] && shape->dims[0] / FOLDED_MAX > batch.n;
    if (square)
        return OD_TENSOR_WEIGHT;
    bool shares = batch.known && batch.n > 1 && shape->dims[0] % batch.n == 0;
    bool named = od_means(op, OD_OP_NAMED) && !batch.known && shape->dims[0] <= ROWS_MAX;
    return shares || named ? OD_TENSOR_ACTIVATION : OD_TENSOR_UNKNOWN;
}

/* The printed batch size if it divides the first dimension (time steps and heads are often folded
 * in), otherwise the first dimension. */
static struct od_count batch_of(const struct od_shape *shape, struct od_count stated)
{
    if (stated.known && stated.n > 0 && shape->dims[0] % stated.n == 0)
        return stated;
    return od_count_of(shape->dims[0]);
}

/* Are the samples compared in pairs? Except in a loss, two dimensions of the size of the batch are
 * equal by coincidence; before a larger one they are sides of pictures. */
static bool is_of_pairs(const struct od_shape *shape, struct od_count stated, uint64_t op)
{
    enum { MANY = 1000 };
    return shape->n >= 3 && shape->dims[0] != OD_DIM_UNKNOWN && shape->dims[0] >= MANY &&
           shape->dims[0] == shape->dims[1] && shape->dims[2] <= shape->dims[0] &&
           (!(stated.known && stated.n == shape->dims[0]) || od_means(op, OD_OP_BEHIND));
}

struct od_shape_hint od_shape_hint_of(const struct od_shape *shape, enum od_dtype dtype,
                                      uint64_t op, struct od_count batch)
{
    struct od_shape_hint hint = {.restored = od_means(op, OD_OP_RESTORE),
                                 .constant = od_means(op, OD_OP_CONSTANT)};
    if (od_means(op, OD_OP_WEIGHT) || hint.restored)
        hint.role = OD_TENSOR_WEIGHT;
    if (!shape->known || shape->n == 0)
        return hint;
    hint.pairs = is_of_pairs(shape, batch, op);
    if (hint.pairs)
        return hint;
    hint.role = role_of(shape, dtype, op, batch);
    hint.image_like = shape->n >= 4 && hint.role == OD_TENSOR_ACTIVATION;
    if (hint.role != OD_TENSOR_ACTIVATION || shape->dims[0] == OD_DIM_UNKNOWN ||
        shape->dims[0] == 0 || od_means(op, OD_OP_REGIONS))
        return hint;
    bool stated_whole = batch.known && batch.n >= shape->dims[0];
    hint.dataset_like = shape->dims[0] >= DATASET_SAMPLES && is_pictures(shape) && !stated_whole;
    hint.batch = batch_of(shape, batch);
    struct od_bytes bytes = od_shape_bytes(shape, dtype == OD_DTYPE_UNKNOWN ? OD_FLOAT32 : dtype);
    if (bytes.known && hint.batch.n > 0)
        hint.per_sample = od_bytes_exact(bytes.n / hint.batch.n);
    return hint;
}
