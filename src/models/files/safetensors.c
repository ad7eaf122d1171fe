/*
 * The header of a safetensors file: its length in eight bytes, and a JSON object of tensors with
 * dtype, shape and offsets. It only describes weights: parameters, bytes, the most frequent dtype.
 * The data may be missing.
 */
#include "models/file_reader.h"
#include "models/json_load.h"

enum { PREFIX = 8, HEADER_MAX = 100 << 20, TENSORS_MAX = 1 << 20 };

static uint64_t little(const char *p, size_t n)
{
    uint64_t value = 0;
    for (size_t i = n; i > 0; i--)
        value = value << 8 | (unsigned char)p[i - 1];
    return value;
}

static const char *bids(struct od_view head)
{
    if (head.n < PREFIX + 2 || head.p[PREFIX] != '{')
        return NULL;
    uint64_t length = little(head.p, PREFIX);
    struct od_view text = od_view_from(head, PREFIX);
    bool ours =
        od_view_has(text, OD_VIEW("\"dtype\"")) || od_view_has(text, OD_VIEW("\"__metadata__\""));
    return length >= 2 && length <= HEADER_MAX && ours ? "safetensors weights" : NULL;
}

struct sums {
    uint64_t elements, bytes, tensors, unread;
    uint64_t by_dtype[OD_DTYPE_END];
};

/* The format's names of types. Two of them begin with F8. */
static enum od_dtype dtype_of(const char *word)
{
    static const struct {
        const char *start;
        enum od_dtype dtype;
    } words[] = {{"F64", OD_FLOAT64},   {"F32", OD_FLOAT32}, {"F16", OD_FLOAT16},
                 {"BF16", OD_BFLOAT16}, {"F8", OD_FLOAT8},   {"I64", OD_INT64},
                 {"I32", OD_INT32},     {"I16", OD_INT16},   {"I8", OD_INT8},
                 {"U8", OD_UINT8},      {"BOOL", OD_BOOL}};
    for (size_t i = 0; i < OD_COUNT_OF(words); i++) {
        if (od_view_starts(od_view_of(word), od_view_of(words[i].start)))
            return words[i].dtype;
    }
    return OD_DTYPE_UNKNOWN;
}

static bool count_elements(const json_t *shape, uint64_t *ret_elements)
{
    uint64_t elements = 1;
    if (!json_is_array(shape))
        return false;
    for (size_t i = 0; i < json_array_size(shape); i++) {
        const json_t *dim = json_array_get(shape, i);
        if (!json_is_integer(dim) || json_integer_value(dim) < 0 ||
            ckd_mul(&elements, elements, (uint64_t)json_integer_value(dim)))
            return false;
    }
    *ret_elements = elements;
    return true;
}

static bool count_bytes(const json_t *offsets, uint64_t *ret_bytes)
{
    const json_t *first = json_array_get(offsets, 0), *last = json_array_get(offsets, 1);
    if (!json_is_integer(first) || !json_is_integer(last) || json_integer_value(first) < 0 ||
        json_integer_value(last) < json_integer_value(first))
        return false;
    *ret_bytes = (uint64_t)(json_integer_value(last) - json_integer_value(first));
    return true;
}

static void add_tensor(struct sums *sums, const json_t *tensor)
{
    uint64_t elements, bytes;
    enum od_dtype dtype = dtype_of(json_string_value(json_object_get(tensor, "dtype")));
    if (!count_elements(json_object_get(tensor, "shape"), &elements) ||
        !count_bytes(json_object_get(tensor, "data_offsets"), &bytes) ||
        ckd_add(&sums->elements, sums->elements, elements) ||
        ckd_add(&sums->bytes, sums->bytes, bytes)) {
        sums->unread++;
        return;
    }
    sums->tensors++;
    sums->by_dtype[dtype] += bytes;
}

static enum od_dtype most_common(const struct sums *sums)
{
    enum od_dtype best = OD_DTYPE_UNKNOWN;
    for (int i = 0; i < OD_DTYPE_END; i++) {
        if (sums->by_dtype[i] > sums->by_dtype[best])
            best = (enum od_dtype)i;
    }
    return best;
}

/* Number of parts from a file name such as "model-00001-of-00004.safetensors". */
static uint64_t parts_of(const char *name)
{
    struct od_view rest = od_view_of(name);
    size_t at = od_view_find(rest, OD_VIEW("-of-"), 0);
    uint64_t n;
    if (at == OD_VIEW_NONE)
        return 1;
    rest = od_view_from(rest, at + 4);
    return od_num_take_u64(&rest, &n) && od_view_starts(rest, OD_VIEW(".safetensors")) ? n : 1;
}

static enum od_err emit(const struct od_file *file, const struct sums *sums)
{
    uint64_t parts = parts_of(file->name ? file->name : "");
    if (parts > 1)
        od_file_say(file, OD_WARNING, NULL,
                    "one of %" PRIu64 " files of a model: what is in the others is not counted",
                    parts);
    if (sums->by_dtype[OD_INT32] > 0)
        od_file_say(file, OD_WARNING, NULL,
                    "weights are packed into 32-bit numbers: parameters are counted as they are "
                    "stored");
    if (sums->unread > 0)
        od_file_say(file, OD_WARNING, NULL,
                    "%" PRIu64 " tensors without a readable shape or place are not counted",
                    sums->unread);
    if (sums->tensors == 0) {
        od_file_say(file, OD_WARNING, NULL, "the header names no tensor");
        return OD_LOST;
    }
    struct od_model model = {.format = OD_MODEL_SAFETENSORS,
                             .framework = OD_VIEW("pytorch"),
                             .at = {.source = file->source},
                             .parameters = od_count_of(sums->elements),
                             .dtype = most_common(sums),
                             .weight_bytes = od_bytes_exact(sums->bytes),
                             .unreadable_rows = sums->unread,
                             .complete = sums->unread == 0};
    od_file_put_model(file, &model, "safetensors", "safetensors header");
    od_model_done(&model);
    return sums->unread > 0 ? OD_LOST : OD_OK;
}

static enum od_err read(const struct od_file *file)
{
    uint64_t length = file->bytes.n >= PREFIX ? little(file->bytes.p, PREFIX) : 0;
    if (length > file->bytes.n - (file->bytes.n < PREFIX ? file->bytes.n : PREFIX)) {
        od_file_say(file, OD_ERROR, NULL,
                    "the header of %" PRIu64 " bytes is cut: the file has %zu", length,
                    file->bytes.n);
        return OD_LOST;
    }
    json_error_t fault;
    struct od_foreign held;
    struct od_view text = {file->bytes.p + PREFIX, (size_t)length};
    json_t *top = od_json_load(text, JSON_ALLOW_NUL, &fault, &held);
    if (!json_is_object(top) || json_object_size(top) > TENSORS_MAX) {
        od_file_say(file, OD_ERROR, NULL, "the header is no list of tensors: %s",
                    top ? "too long or no object" : fault.text);
        od_foreign_release(&held);
        return OD_LOST;
    }
    struct sums sums = {0};
    for (void *i = json_object_iter(top); i; i = json_object_iter_next(top, i)) {
        if (!od_view_eq_str(od_view_of(json_object_iter_key(i)), "__metadata__"))
            add_tensor(&sums, json_object_iter_value(i));
    }
    od_foreign_release(&held);
    return emit(file, &sums);
}

const struct od_file_reader od_file_reader_safetensors = {
    .name = "safetensors", .bids = bids, .read = read};
