#include "plan/tensor.h"

#include "facts/dump.h"

static const uint64_t mib = 1024 * 1024;

static struct od_bytes round_up(struct od_bytes bytes, uint64_t unit)
{
    uint64_t up;
    if (!bytes.known || ckd_add(&up, bytes.n, unit - 1))
        return (struct od_bytes){0};
    return od_bytes_exact(up - up % unit);
}

bool od_tensor_read_shape(struct od_view text, struct od_tensor_question *question)
{
    struct od_view whole = od_view_trim(text), front;
    size_t end = od_view_find_char(whole, ']', 0);
    if (end == OD_VIEW_NONE || !od_view_cut(&whole, '[', &front) || front.n == 0)
        return od_shape_parse(text, &question->shape);
    enum od_dtype dtype = od_dtype_parse(front);
    if (dtype == OD_DTYPE_UNKNOWN && !od_view_eq_str(front, "torch.Size("))
        return false;
    whole.n = end - front.n - 1;
    if (!od_shape_parse(whole, &question->shape))
        return false;
    question->dtype = dtype;
    return true;
}

struct od_bytes od_tensor_tensorflow(struct od_bytes bytes)
{
    return round_up(bytes, OD_BFC_UNIT);
}

struct od_bytes od_tensor_pytorch(struct od_bytes bytes, struct od_bytes *ret_segment)
{
    struct od_bytes block = round_up(bytes, OD_TORCH_UNIT);
    if (!block.known || block.n == 0)
        *ret_segment = block;
    else if (block.n <= mib)
        *ret_segment = od_bytes_exact(2 * mib);
    else if (block.n < 10 * mib)
        *ret_segment = od_bytes_exact(20 * mib);
    else
        *ret_segment = round_up(block, 2 * mib);
    return block;
}

static void add(struct od_tensor_answer *answer, const struct od_shape *shape, enum od_dtype dtype,
                const char *note)
{
    struct od_bytes bytes = od_shape_bytes(shape, dtype);
    if (answer->ncandidates == OD_TENSOR_CANDIDATES || !bytes.known ||
        bytes.n != answer->question.bytes.n)
        return;
    answer->candidates[answer->ncandidates++] =
        (struct od_tensor_candidate){.shape = *shape, .dtype = dtype, .note = note};
}

/* One type for each width: float32 represents all types of four bytes. */
static const enum od_dtype widths[] = {OD_FLOAT32, OD_FLOAT16, OD_FLOAT64,
                                       OD_FLOAT8,  OD_INT4,    OD_COMPLEX128};

/* Number of elements of this type in that many bytes; false = not whole. */
static bool count_elements(uint64_t bytes, enum od_dtype dtype, uint64_t *ret_elements)
{
    uint64_t bits;
    unsigned width = od_dtype_bits(dtype);
    if (ckd_mul(&bits, bytes, 8u) || bits % width != 0)
        return false;
    *ret_elements = bits / width;
    return true;
}

/* Adds the given shape with another first dimension. */
static void add_other_batch(struct od_tensor_answer *answer, enum od_dtype dtype,
                            struct od_arena *arena)
{
    struct od_shape shape = answer->question.shape;
    uint64_t elements, given = shape.n > 0 ? shape.dims[0] : 0, one;
    struct od_shape sample = shape;
    if (given == 0)
        return;
    sample.dims[0] = 1;
    if (!od_shape_elements(&sample, &one) || one == 0 ||
        !count_elements(answer->question.bytes.n, dtype, &elements) || elements % one != 0)
        return;
    shape.dims[0] = elements / one;
    if (shape.dims[0] == 0)
        return;
    const char *note = NULL;
    if (shape.dims[0] < given && given % shape.dims[0] == 0)
        note = od_arena_printf(arena, "1/%llu of the first dimension",
                               (unsigned long long)(given / shape.dims[0]));
    else if (shape.dims[0] > given && shape.dims[0] % given == 0)
        note = od_arena_printf(arena, "%llu times the first dimension",
                               (unsigned long long)(shape.dims[0] / given));
    else if (shape.dims[0] != given)
        note = "another first dimension";
    add(answer, &shape, dtype, note);
}

static uint64_t square_root(uint64_t n)
{
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 31; bit > 0; bit >>= 1) {
        if ((root + bit) * (root + bit) <= n)
            root += bit;
    }
    return root;
}

/* Adds simple shapes with that many elements: [batch, channels, edge, edge], [batch, rest]. */
static void add_layouts(struct od_tensor_answer *answer, enum od_dtype dtype)
{
    static const uint64_t channels[] = {1, 3, 16, 32, 64, 128, 256, 512, 1024, 2048};
    uint64_t elements, batch = answer->question.batch.n;
    if (!count_elements(answer->question.bytes.n, dtype, &elements) || batch == 0 ||
        elements % batch != 0)
        return;
    uint64_t rest = elements / batch;
    for (size_t i = 0; i < OD_COUNT_OF(channels); i++) {
        uint64_t map = rest / channels[i], edge = square_root(map);
        if (rest % channels[i] != 0 || edge < 4 || edge * edge != map)
            continue;
        struct od_shape shape = {.dims = {batch, channels[i], edge, edge}, .n = 4, .known = true};
        add(answer, &shape, dtype, "square maps");
    }
    struct od_shape flat = {.dims = {batch, rest}, .n = 2, .known = true};
    add(answer, &flat, dtype, NULL);
}

/* Finds tensors of the given bytes. With a shape, tries all widths, because the type is the
 * unknown. Without a shape, uses the given type. */
static void find_candidates(struct od_tensor_answer *answer, struct od_arena *arena)
{
    const struct od_tensor_question *q = &answer->question;
    for (size_t i = 0; i < OD_COUNT_OF(widths); i++) {
        enum od_dtype dtype = widths[i];
        bool same = q->dtype == OD_DTYPE_UNKNOWN || od_dtype_bits(q->dtype) == od_dtype_bits(dtype);
        bool same_type = q->dtype != OD_DTYPE_UNKNOWN && same;
        uint64_t elements;
        if (same_type)
            dtype = q->dtype;
        if (q->shape.known)
            add_other_batch(answer, dtype, arena);
        else if (same && q->batch.known)
            add_layouts(answer, dtype);
        else if (same && count_elements(q->bytes.n, dtype, &elements))
            add(answer, &(struct od_shape){.dims = {elements}, .n = 1, .known = true}, dtype, NULL);
    }
}

bool od_tensor_answer(const struct od_tensor_question *question, struct od_arena *arena,
                      struct od_tensor_answer *ret_answer)
{
    struct od_tensor_answer answer = {.question = *question};
    if (question->shape.known) {
        if (!od_shape_elements(&question->shape, &answer.elements.n))
            return false;
        answer.elements.known = true;
    }
    if (question->bytes.known)
        find_candidates(&answer, arena);
    *ret_answer = answer;
    return true;
}
