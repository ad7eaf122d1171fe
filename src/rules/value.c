#include "rules/value.h"

#include "base/seconds.h"

static const char *const producers[] = {
    "tensorflow", "pytorch",    "jax",    "onnxruntime", "mxnet",    "paddle",    "cupy",
    "numba",      "rmm",        "caffe",  "xgboost",     "lightgbm", "catboost",  "vllm",
    "sglang",     "llamacpp",   "ollama", "deepspeed",   "megatron", "lightning", "huggingface",
    "ray",        "dask",       "spark",  "yarn",        "slurm",    "lsf",       "pbs",
    "sge",        "kubernetes", "docker", "systemd",     "earlyoom", "linux",     "python",
    "shell",      "windows",    "other",  NULL};

static const char *const spaces[] = {"device", "host", "pinned", "unified", "unknown", NULL};

static const char *const phases[] = {"train", "validation", "load", "checkpoint", "data", NULL};

static const char *const dtypes[] = {"float64", "float32", "float16",   "bfloat16",   "float8",
                                     "int64",   "int32",   "int16",     "int8",       "int4",
                                     "uint8",   "bool",    "complex64", "complex128", NULL};

const char *const *od_value_words(enum od_field field)
{
    return field == OD_F_PRODUCER ? producers
           : field == OD_F_SPACE  ? spaces
           : field == OD_F_PHASE  ? phases
           : field == OD_F_DTYPE  ? dtypes
                                  : NULL;
}

static bool is_word_of(enum od_field field, struct od_view text)
{
    const char *const *words = od_value_words(field);
    return words == NULL || od_view_eq_any(text, words);
}

/* Programs' names of phases in lower case. A longer word may begin with one ("validating"). */
static const struct {
    const char *word;
    const char *phase;
} spellings[] = {
    {"train", "train"},      {"fit", "train"},
    {"val", "validation"},   {"eval", "validation"},
    {"test", "validation"},  {"sanity", "validation"}, /* Lightning's run before the first epoch */
    {"class", "validation"}, /* heading of YOLO's progress bars of validation */
    {"load", "load"},        {"download", "load"},
    {"fetch", "load"},       {"map", "load"},
    {"filter", "load"},      {"tokeniz", "data"},
    {"extract", "data"},     {"scan", "data"},
    {"cach", "data"},        {"pre", "data"}, /* preparing, preprocessing */
    {"convert", "load"},     {"checkpoint", "checkpoint"},
    {"sav", "checkpoint"},   {"data", "data"},
    {"image", "data"},       {"frame", "data"}, /* samples are loaded, not weights */
    {"picture", "data"},     {"sample", "data"},
    {"example", "data"},     {"video", "data"},
    {"clip", "data"},        {"audio", "data"},
    {"document", "data"},    {"record", "data"},
    {"file", "data"},        {"row", "data"},
};

static bool starts_folded(struct od_view text, const char *word)
{
    size_t n = strlen(word);
    if (text.n < n)
        return false;
    for (size_t i = 0; i < n; i++) {
        char c = text.p[i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != word[i])
            return false;
    }
    return true;
}

static bool parse_phase(struct od_view text, struct od_view *ret_phase)
{
    for (size_t i = 0; i < OD_COUNT_OF(spellings); i++) {
        if (starts_folded(text, spellings[i].word)) {
            *ret_phase = od_view_of(spellings[i].phase);
            return true;
        }
    }
    return false;
}

/* Reads pages of mostly 4 KiB (an order: 2^n pages), or words of 8 bytes, below 2^64 bytes. */
static bool parse_pages(const struct od_value_text *from, struct od_bytes *ret_bytes)
{
    bool order = od_view_eq_str(from->bare, "order"), words = od_view_eq_str(from->bare, "words");
    uint64_t n;
    if ((!order && !words && !od_view_eq_str(from->bare, "pages")) ||
        !od_num_parse_u64(from->text, &n) || n >> (order ? 5 : 40) != 0)
        return false;
    *ret_bytes = od_bytes_exact((order ? UINT64_C(1) << n : n) << (words ? 3 : 12));
    return true;
}

/* Reads a size. A number without a unit has the rule's unit. */
static bool parse_bytes(const struct od_value_text *from, struct od_bytes *ret_bytes)
{
    if (from->unit.n > 0)
        return od_bytes_parse_unit(from->text, from->unit, from->base, ret_bytes);
    if (parse_pages(from, ret_bytes) ||
        (from->bare.n > 0 &&
         od_bytes_parse_unit(od_view_trim(from->text), from->bare, from->base, ret_bytes)))
        return true;
    return od_bytes_parse(from->text, from->base, ret_bytes);
}

static bool parse_share(const struct od_value_text *from, double *ret_share)
{
    struct od_view text = od_view_trim(from->text);
    bool percent = od_view_ends(text, OD_VIEW("%"));
    double value;
    if (percent)
        text = od_view_trim(od_view_head(text, text.n - 1));
    percent = percent || od_view_eq_str(from->unit, "%");
    if (!od_num_parse_double(text, &value))
        return false;
    value = percent ? value / 100 : value;
    if (!(value >= 0 && value <= 1))
        return false;
    *ret_share = value;
    return true;
}

static bool parse_number(const struct od_value_text *from, double *ret_number)
{
    if (from->field == OD_F_SHARE)
        return parse_share(from, ret_number);
    return from->unit.n > 0 ? od_seconds_parse_unit(from->text, from->unit, ret_number)
                            : od_seconds_parse(from->text, ret_number);
}

bool od_value_has_unit(enum od_field field)
{
    return od_field_type(field) == OD_T_BYTES || od_field_type(field) == OD_T_NUMBER;
}

/* Reads a type by name, "float32", or by the width of an element, "4" of "4 bytes". */
static enum od_dtype parse_dtype(struct od_view text)
{
    static const enum od_dtype widths[] = {
        ['1'] = OD_UINT8, ['2'] = OD_FLOAT16, ['4'] = OD_FLOAT32, ['8'] = OD_FLOAT64};
    bool width = text.n == 1 && od_is_digit(text.p[0]) && text.p[0] <= '8';
    return width ? widths[(unsigned char)text.p[0]] : od_dtype_parse(text);
}

bool od_value_parse(const struct od_value_text *from, struct od_field_value *ret_value)
{
    struct od_field_value *value = ret_value;
    bool good = from->text.n > 0;
    value->field = from->field;
    switch (od_field_type(from->field)) {
    case OD_T_BYTES:
        good = good && parse_bytes(from, &value->as.bytes);
        break;
    case OD_T_SHAPE:
        good = good && od_shape_parse(from->text, from->room);
        value->as.shape = from->room;
        break;
    case OD_T_DTYPE:
        value->as.dtype = parse_dtype(from->text);
        good = good && value->as.dtype != OD_DTYPE_UNKNOWN;
        break;
    case OD_T_COUNT:
        good = good && od_num_parse_u64(from->text, &value->as.count);
        break;
    case OD_T_NUMBER:
        good = good && parse_number(from, &value->as.number);
        break;
    case OD_T_TEXT:
        /* llama.cpp names files after its library */
        value->as.text = from->field == OD_F_PRODUCER && od_view_eq_str(from->text, "ggml")
                             ? OD_VIEW("llamacpp")
                             : from->text;
        good = good && (from->field == OD_F_PHASE ? parse_phase(from->text, &value->as.text)
                                                  : is_word_of(from->field, value->as.text));
        break;
    }
    return good;
}

static bool same_shape(const struct od_shape *a, const struct od_shape *b)
{
    return a->known == b->known && a->n == b->n &&
           memcmp(a->dims, b->dims, a->n * sizeof a->dims[0]) == 0;
}

static bool same_bytes(struct od_bytes a, struct od_bytes b)
{
    return a.known == b.known && a.n == b.n && a.lo == b.lo && a.hi == b.hi;
}

bool od_value_same(const struct od_field_value *a, const struct od_field_value *b)
{
    if (a->field != b->field)
        return false;
    switch (od_field_type(a->field)) {
    case OD_T_BYTES:
        return same_bytes(a->as.bytes, b->as.bytes);
    case OD_T_SHAPE:
        return same_shape(a->as.shape, b->as.shape);
    case OD_T_DTYPE:
        return a->as.dtype == b->as.dtype;
    case OD_T_COUNT:
        return a->as.count == b->as.count;
    case OD_T_NUMBER:
        return memcmp(&a->as.number, &b->as.number, sizeof a->as.number) == 0;
    case OD_T_TEXT:
        return od_view_eq(a->as.text, b->as.text);
    }
    return false;
}

void od_value_print(const struct od_field_value *value, struct od_buf *to)
{
    const struct od_bytes *bytes = &value->as.bytes;
    switch (od_field_type(value->field)) {
    case OD_T_BYTES:
        od_buf_printf(to, "%" PRIu64 " bytes (%" PRIu64 " to %" PRIu64 ")", bytes->n, bytes->lo,
                      bytes->hi);
        break;
    case OD_T_SHAPE:
        od_buf_add_char(to, '[');
        for (size_t i = 0; i < value->as.shape->n; i++)
            od_buf_printf(to, "%s%" PRIu64, i > 0 ? "," : "", value->as.shape->dims[i]);
        od_buf_add_char(to, ']');
        break;
    case OD_T_DTYPE:
        od_buf_add_str(to, od_dtype_name(value->as.dtype));
        break;
    case OD_T_COUNT:
        od_buf_printf(to, "%" PRIu64, value->as.count);
        break;
    case OD_T_NUMBER:
        od_buf_printf(to, "%g", value->as.number);
        break;
    case OD_T_TEXT:
        od_text_visible(value->as.text, to);
        break;
    }
}

const char *od_value_type_name(enum od_field field)
{
    switch (od_field_type(field)) {
    case OD_T_BYTES:
        return "a size such as 4.31GiB";
    case OD_T_SHAPE:
        return "a shape such as [2,3]";
    case OD_T_DTYPE:
        return "an element type such as float32";
    case OD_T_COUNT:
        return "a number such as 17";
    case OD_T_NUMBER:
        return field == OD_F_SHARE ? "a share such as 77.3%" : "a duration such as 1.3s";
    case OD_T_TEXT:
        return "one of its words";
    }
    return "a text";
}
