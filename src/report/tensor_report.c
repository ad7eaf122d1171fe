/* The bytes of a tensor, as text and as JSON. */
#include "report/json_parts.h"
#include "report/plan.h"
#include "report/rows.h"
#include "report/words.h"

/* Types of one width, which give the same sizes. */
static const struct {
    enum od_dtype dtype;
    const char *types;
} widths[] = {
    {OD_COMPLEX128, "complex128"},       {OD_FLOAT64, "float64 int64 complex64"},
    {OD_FLOAT32, "float32 int32"},       {OD_FLOAT16, "float16 bfloat16 int16"},
    {OD_INT8, "float8 int8 uint8 bool"}, {OD_INT4, "int4"},
};

static void add_row(struct od_doc *doc, struct od_table *table, const struct od_tensor_answer *a,
                    size_t width)
{
    enum od_dtype dtype = widths[width].dtype, asked = a->question.dtype;
    struct od_bytes segment, bytes = od_shape_bytes(&a->question.shape, dtype);
    struct od_bytes block = od_tensor_pytorch(bytes, &segment);
    struct od_bytes all[] = {bytes, od_tensor_tensorflow(bytes), block, segment};
    bool is_asked = asked != OD_DTYPE_UNKNOWN && od_dtype_bits(asked) == od_dtype_bits(dtype);
    enum od_tone tone = is_asked ? OD_STRONG : OD_PLAIN;
    enum { GIB = 3 };
    const char *size = bytes.known ? od_words_size_in(doc->arena, bytes.n, GIB) : "too large";
    struct od_row *row = od_doc_row_of(table, OD_CELLS(widths[width].types, size));
    for (size_t i = 0; i < OD_COUNT_OF(all); i++)
        row->cells[i + 2].text =
            all[i].known ? od_view_of(od_words_count(doc->arena, all[i].n)) : OD_VIEW("too large");
    for (size_t i = 0; i < table->ncolumns; i++)
        row->cells[i].tone = tone;
}

static void add_table(struct od_doc *doc, const struct od_tensor_answer *a)
{
    struct od_table *table = od_doc_table(od_doc_section(doc, "Bytes"));
    od_doc_columns(table, "type|>GiB|>tensor|>TensorFlow|>PyTorch|>segment");
    for (size_t i = 0; i < OD_COUNT_OF(widths); i++)
        add_row(doc, table, a, i);
}

static void add_candidates(struct od_doc *doc, const struct od_tensor_answer *a)
{
    struct od_section *section = od_doc_section(doc, "What it can be");
    if (a->ncandidates == 0) {
        od_say(od_doc_text(section),
               "No type gives this many bytes, whatever the first dimension.");
        return;
    }
    struct od_node *list = od_doc_list(section);
    OD_FOR_EACH_OF (const struct od_tensor_candidate, c, a->candidates, a->ncandidates) {
        struct od_text *item = od_doc_item(list);
        od_say_as(item, OD_CODE, "%s", od_words_shape(doc->arena, &c->shape, ","));
        od_say(item, " at %u bits (%s)", od_dtype_bits(c->dtype), od_dtype_name(c->dtype));
        if (c->note)
            od_say_as(item, OD_DIM, ": %s", c->note);
    }
}

struct od_doc *od_tensor_outline(const struct od_tensor_answer *a)
{
    const struct od_tensor_question *q = &a->question;
    struct od_doc *doc = od_doc_new();
    struct od_text *text = od_doc_text(od_doc_section(doc, NULL));
    if (q->shape.known) {
        enum od_dtype dtype = q->dtype != OD_DTYPE_UNKNOWN ? q->dtype : OD_FLOAT32;
        struct od_bytes bytes = od_shape_bytes(&q->shape, dtype);
        od_say_as(text, OD_STRONG, "%s %s: %s", od_words_shape(doc->arena, &q->shape, ","),
                  od_dtype_name(dtype), od_bytes_text(doc->arena, bytes));
        od_say(text, " (%s bytes, %s elements)",
               bytes.known ? od_words_count(doc->arena, bytes.n) : "unknown",
               od_words_count(doc->arena, a->elements.n));
    }
    if (q->bytes.known)
        od_say(text, "%s%s bytes are %s", q->shape.known ? "; " : "",
               od_words_count(doc->arena, q->bytes.n), od_bytes_text_u64(doc->arena, q->bytes.n));
    od_say(text, ".");
    if (q->bytes.known)
        add_candidates(doc, a);
    if (q->shape.known)
        add_table(doc, a);
    return doc;
}

/* The size of a tensor alone, as a block of PyTorch, with its segment, and in TensorFlow. */
enum rounding { AS_IT_IS, PYTORCH_BLOCK, PYTORCH_SEGMENT, TENSORFLOW };

static void add_types(struct od_json *json, const char *key, const struct od_tensor_answer *a,
                      enum rounding rounding)
{
    od_json_object(json, key);
    for (int i = OD_DTYPE_UNKNOWN + 1; i < OD_DTYPE_END; i++) {
        struct od_bytes segment, bytes = od_shape_bytes(&a->question.shape, (enum od_dtype)i);
        struct od_bytes block = od_tensor_pytorch(bytes, &segment);
        struct od_bytes all[] = {bytes, block, segment, od_tensor_tensorflow(bytes)};
        od_json_count(json, od_dtype_name((enum od_dtype)i),
                      (struct od_count){.n = all[rounding].n, .known = all[rounding].known});
    }
    od_json_end(json);
}

#define OD_ROWS "report/fields_tensor.def"
#include "report/fields_put.def"

void od_tensor_json(const struct od_tensor_answer *a, bool pretty, struct od_buf *to)
{
    struct od_json json = {.to = to, .pretty = pretty};
    od_json_object(&json, NULL);
    put_tensor_answer(&(struct od_json_report){.json = &json}, a);
    od_json_end(&json);
    od_buf_add_char(to, '\n');
}
