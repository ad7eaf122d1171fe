/*
 * A GGUF file (llama.cpp), versions 2 and 3: metadata, then the list of tensors. The architecture's
 * numbers come from the metadata, its traits from the set of tensors, parameters and bytes from
 * their shapes and types. The data may be missing.
 */
#include "models/file_reader.h"

enum { ENTRIES_MAX = 1 << 20, TENSORS_MAX = 1 << 20, DIMS_MAX = 8, ARRAY = 9, STRING = 8 };

/* The unread bytes; empty after an error. */
struct cursor {
    struct od_view left;
    bool spent;
};

static uint64_t take(struct cursor *c, size_t n)
{
    uint64_t value = 0;
    if (c->left.n < n) {
        c->spent = true;
        return 0;
    }
    for (size_t i = n; i > 0; i--)
        value = value << 8 | (unsigned char)c->left.p[i - 1];
    c->left = od_view_from(c->left, n);
    return value;
}

static struct od_view take_text(struct cursor *c)
{
    uint64_t n = take(c, 8);
    if (c->spent || n > c->left.n) {
        c->spent = true;
        return (struct od_view){0};
    }
    struct od_view text = od_view_head(c->left, (size_t)n);
    c->left = od_view_from(c->left, (size_t)n);
    return text;
}

static const char *bids(struct od_view head)
{
    return od_view_starts(head, OD_VIEW("GGUF")) && head.n >= 24 ? "gguf weights" : NULL;
}

struct gguf {
    const struct od_file *file;
    struct cursor at;
    uint64_t version, ntensors, nentries;
    struct od_model model;
    uint64_t elements, bytes;
    uint64_t unknown_types;
    bool has_output;
    struct od_view architecture;
    uint64_t parts;
    bool differs; /* layers differ in numbers of heads, or some have states, not attention */
};

/* Bytes of a scalar of that type; 0 for other types. */
static size_t scalar_size(uint64_t type)
{
    static const unsigned char sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    return type < OD_COUNT_OF(sizes) ? sizes[type] : 0;
}

static bool is_whole_number(uint64_t type)
{
    return (type <= 5) || type == 10 || type == 11;
}

static void skip_bytes(struct cursor *c, uint64_t n)
{
    if (n > c->left.n)
        c->spent = true;
    else
        c->left = od_view_from(c->left, (size_t)n);
}

/* Reads an array of numbers and returns its length. *ret_first is the first number; *ret_differs:
 * not all are equal. */
static uint64_t take_array(struct cursor *c, struct od_count *ret_first, bool *ret_differs)
{
    uint64_t type = take(c, 4), n = take(c, 8), bytes;
    size_t size = scalar_size(type);
    if (type == STRING) {
        for (uint64_t i = 0; i < n && !c->spent; i++)
            (void)take_text(c);
        return n;
    }
    if (size == 0 || ckd_mul(&bytes, n, (uint64_t)size) || bytes > c->left.n) {
        c->spent = true;
        return 0;
    }
    struct cursor items = *c;
    bool numbers = is_whole_number(type);
    for (uint64_t i = 0; i < n && numbers; i++) {
        uint64_t item = take(&items, size);
        *ret_differs = *ret_differs || (i > 0 && item != ret_first->n);
        if (i == 0)
            *ret_first = od_count_of(item);
    }
    skip_bytes(c, bytes);
    return n;
}

static void take_number(struct gguf *g, struct od_view key, struct od_count value)
{
    struct od_transformer *t = &g->model.transformer;
    const struct {
        const char *ending;
        struct od_count *number;
    } numbers[] = {
#define OD_GGUF_NUMBER(ending, field) {ending, &t->field},
#include "models/files/gguf_numbers.def"
    };
    for (size_t i = 0; i < OD_COUNT_OF(numbers); i++) {
        if (value.known && od_view_ends(key, od_view_of(numbers[i].ending)) &&
            !numbers[i].number->known)
            *numbers[i].number = value;
    }
}

/* Is it a key of a number that is usually equal for all layers: heads, or the width of the MLP? */
static bool is_of_layers(struct od_view key)
{
    return od_view_ends(key, OD_VIEW(".head_count")) ||
           od_view_ends(key, OD_VIEW(".head_count_kv")) ||
           od_view_ends(key, OD_VIEW(".feed_forward_length"));
}

static void read_entry(struct gguf *g)
{
    struct od_view key = take_text(&g->at);
    uint64_t type = take(&g->at, 4);
    struct od_count value = {0};
    if (od_view_has(key, OD_VIEW(".ssm.")) || od_view_has(key, OD_VIEW(".wkv.")) ||
        od_view_has(key, OD_VIEW(".shortconv.")))
        g->differs = true;
    if (type == STRING) {
        struct od_view word = take_text(&g->at);
        if (od_view_eq_str(key, "general.architecture"))
            g->architecture = word;
    } else if (type == ARRAY) {
        bool differs = false;
        uint64_t n = take_array(&g->at, &value, &differs);
        g->differs = g->differs || (differs && is_of_layers(key));
        if (od_view_ends(key, OD_VIEW("ggml.tokens")))
            value = od_count_of(n);
    } else if (scalar_size(type) > 0) {
        uint64_t number = take(&g->at, scalar_size(type));
        if (is_whole_number(type))
            value = od_count_of(number);
        if (od_view_ends(key, OD_VIEW(".attention.causal")) && number == 0)
            g->model.transformer.traits &= ~(uint32_t)OD_TR_CAUSAL;
    } else {
        g->at.spent = true;
    }
    if (od_view_eq_str(key, "split.count"))
        g->parts = value.n;
    if (!g->at.spent)
        take_number(g, key, value);
}

/* Elements and bytes of a block for each ggml type (ggml.h); zeroed = unknown type. */
static const struct {
    unsigned elements, bytes;
    enum od_dtype dtype;
} types[] = {
    [0] = {1, 4, OD_FLOAT32},
    [1] = {1, 2, OD_FLOAT16},
    [2] = {32, 18, OD_INT4},
    [3] = {32, 20, OD_INT4},
    [6] = {32, 22, OD_DTYPE_UNKNOWN},
    [7] = {32, 24, OD_DTYPE_UNKNOWN},
    [8] = {32, 34, OD_INT8},
    [9] = {32, 36, OD_INT8},
    [10] = {256, 84, OD_DTYPE_UNKNOWN},
    [11] = {256, 110, OD_DTYPE_UNKNOWN},
    [12] = {256, 144, OD_INT4},
    [13] = {256, 176, OD_DTYPE_UNKNOWN},
    [14] = {256, 210, OD_DTYPE_UNKNOWN},
    [15] = {256, 292, OD_INT8},
    [16] = {256, 66, OD_DTYPE_UNKNOWN},
    [17] = {256, 74, OD_DTYPE_UNKNOWN},
    [18] = {256, 98, OD_DTYPE_UNKNOWN},
    [19] = {256, 50, OD_DTYPE_UNKNOWN},
    [20] = {32, 18, OD_INT4},
    [21] = {256, 110, OD_DTYPE_UNKNOWN},
    [22] = {256, 82, OD_DTYPE_UNKNOWN},
    [23] = {256, 136, OD_INT4},
    [24] = {1, 1, OD_INT8},
    [25] = {1, 2, OD_INT16},
    [26] = {1, 4, OD_INT32},
    [27] = {1, 8, OD_INT64},
    [28] = {1, 8, OD_FLOAT64},
    [29] = {256, 56, OD_DTYPE_UNKNOWN},
    [30] = {1, 2, OD_BFLOAT16},
    [34] = {256, 54, OD_DTYPE_UNKNOWN},
    [35] = {256, 66, OD_DTYPE_UNKNOWN},
    [39] = {32, 17, OD_INT4}, /* MXFP4 */
};

static void take_traits(struct gguf *g, struct od_view name)
{
    struct od_transformer *t = &g->model.transformer;
    if (od_view_eq_str(name, "blk.0.ffn_gate.weight") ||
        od_view_eq_str(name, "blk.0.ffn_gate_exps.weight"))
        t->gated = true;
    if (od_view_eq_str(name, "blk.0.attn_q.bias") || od_view_eq_str(name, "blk.0.attn_qkv.bias"))
        t->attention_bias = true;
    if (od_view_eq_str(name, "blk.0.attn_output.bias"))
        t->traits |= OD_TR_OUT_BIAS;
    if (od_view_eq_str(name, "blk.0.ffn_up.bias"))
        t->mlp_bias = true;
    if (od_view_eq_str(name, "blk.0.attn_norm.bias"))
        t->traits |= OD_TR_NORM_BIAS;
    if (od_view_eq_str(name, "blk.0.attn_q_norm.weight"))
        t->traits |= OD_TR_QK_NORM;
    if (od_view_eq_str(name, "blk.0.post_attention_norm.weight"))
        t->traits |= OD_TR_FOUR_NORMS;
    if (od_view_eq_str(name, "position_embd.weight"))
        t->learned_positions = true;
    if (od_view_eq_str(name, "output.weight"))
        g->has_output = true;
}

static void read_tensor(struct gguf *g)
{
    struct od_view name = take_text(&g->at);
    uint64_t ndims = take(&g->at, 4), elements = 1, bytes;
    if (ndims > DIMS_MAX)
        g->at.spent = true;
    uint64_t rows = 0;
    for (uint64_t i = 0; i < ndims && !g->at.spent; i++) {
        rows = take(&g->at, 8);
        if (ckd_mul(&elements, elements, rows))
            g->at.spent = true;
    }
    uint64_t type = take(&g->at, 4);
    (void)take(&g->at, 8);
    if (g->at.spent)
        return;
    take_traits(g, name);
    if (od_view_eq_str(name, "token_embd.weight") && ndims == 2)
        g->model.transformer.vocab = od_count_of(rows);
    if (ckd_add(&g->elements, g->elements, elements))
        g->at.spent = true;
    if (type >= OD_COUNT_OF(types) || types[type].elements == 0) {
        g->unknown_types++;
        return;
    }
    uint64_t blocks = elements / types[type].elements + (elements % types[type].elements != 0);
    if (ckd_mul(&bytes, blocks, (uint64_t)types[type].bytes) || ckd_add(&g->bytes, g->bytes, bytes))
        g->at.spent = true;
    if (ndims > 1)
        g->model.dtype = types[type].dtype;
}

/* Sets the sliding windows. llama.cpp uses them in some architectures only (src/llama-model.cpp,
 * set_swa_pattern): one of `every` layers has full attention. The cache of a layer with a window
 * has space for one more physical batch. */
static void settle_windows(struct gguf *g)
{
    enum { PHYSICAL_BATCH = 512 };
    static const struct {
        const char *architecture;
        uint64_t every;
    } patterns[] = {{"gemma2", 2},  {"gemma3", 6},  {"gemma3n", 5}, {"gpt-oss", 2},
                    {"cohere2", 4}, {"exaone4", 4}, {"olmo2", 4},   {"llama4", 4}};
    struct od_transformer *t = &g->model.transformer;
    struct od_count window = t->window;
    t->window = (struct od_count){0};
    for (size_t i = 0; i < OD_COUNT_OF(patterns); i++) {
        if (!window.known || window.n == 0 || window.n > UINT32_MAX ||
            !od_view_eq_str(g->architecture, patterns[i].architecture))
            continue;
        t->window = od_count_of(window.n + PHYSICAL_BATCH);
        t->full_layers = od_count_of(t->layers.n / patterns[i].every);
    }
}

static void settle(struct gguf *g)
{
    struct od_transformer *t = &g->model.transformer;
    settle_windows(g);
    t->tied = !g->has_output;
    t->head = OD_HEAD_LM;
    t->rms_norm = (t->traits & OD_TR_NORM_BIAS) == 0;
    if (!t->kv_rank.known)
        t->rope_dim = (struct od_count){0};
    t->known = !g->differs && g->parts <= 1 && t->hidden.n > 0 && t->layers.n > 0 &&
               t->heads.n > 0 && t->vocab.n > 0 &&
               (t->intermediate.n > 0 || t->expert_intermediate.n > 0);
    g->model.parameters = od_count_of(g->elements);
    if (g->unknown_types == 0)
        g->model.weight_bytes = od_bytes_exact(g->bytes);
}

static void read_lists(struct gguf *g)
{
    for (uint64_t i = 0; i < g->nentries && !g->at.spent; i++)
        read_entry(g);
    for (uint64_t i = 0; i < g->ntensors && !g->at.spent; i++)
        read_tensor(g);
}

static enum od_err read(const struct od_file *file)
{
    struct gguf g = {
        .file = file,
        .at = {.left = od_view_from(file->bytes, 4)},
        .model = {.format = OD_MODEL_GGUF, .at = {.source = file->source}, .complete = true}};
    g.model.transformer.traits = OD_TR_CAUSAL;
    g.version = take(&g.at, 4);
    g.ntensors = take(&g.at, 8);
    g.nentries = take(&g.at, 8);
    if (g.version < 2 || g.version > 3 || g.ntensors > TENSORS_MAX || g.nentries > ENTRIES_MAX) {
        od_file_say(file, OD_ERROR, NULL,
                    "GGUF of version %" PRIu64 " with %" PRIu64 " tensors is not read", g.version,
                    g.ntensors);
        return OD_LOST;
    }
    read_lists(&g);
    if (g.at.spent) {
        od_file_say(file, OD_ERROR, NULL,
                    "the list of tensors is cut or damaged: this model is not planned");
        return OD_LOST;
    }
    settle(&g);
    if (g.unknown_types > 0) {
        od_file_say(file, OD_ERROR, NULL,
                    "%" PRIu64
                    " tensors are of a type that is not known: what they take is not known",
                    g.unknown_types);
        od_model_done(&g.model);
        return OD_LOST;
    }
    if (g.parts > 1)
        od_file_say(file, OD_WARNING, NULL,
                    "one of %" PRIu64 " files of a model: what is in the others is not counted",
                    g.parts);
    if (g.differs)
        od_file_say(file, OD_WARNING, NULL,
                    "its layers are not alike (numbers of heads, or states beside attention): only "
                    "weights are counted, no cache");
    od_file_put_model(file, &g.model, "gguf", "GGUF header");
    od_model_done(&g.model);
    return OD_OK;
}

const struct od_file_reader od_file_reader_gguf = {.name = "gguf", .bids = bids, .read = read};
