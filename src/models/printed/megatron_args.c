/*
 * Megatron-LM's list of arguments, which describes its transformer (GPT-NeoX prints the same
 * form):
 *
 *   hidden_size ..................................... 2048
 *   num_layers ...................................... 24
 *
 * The list is converted to a configuration of the family with the same blocks. Rules also read
 * settings from these lines.
 */
#include "models/files/hf_config.h"
#include "readers/reader.h"

enum { LINES_MAX = 4096 };

static const char *const literals[] = {"- arguments -", NULL};

enum number { HIDDEN, LAYERS, HEADS, GROUPS, INNER, VOCAB, POSITIONS, NUMBERS };
enum flag { SWIGLU, RMS, ROPE, UNTIED, NO_BIAS, EXPERTS, FUSED, FLAGS };

static const char *const numbers[NUMBERS] = {[HIDDEN] = "hidden_size",
                                             [LAYERS] = "num_layers",
                                             [HEADS] = "num_attention_heads",
                                             [GROUPS] = "num_query_groups",
                                             [INNER] = "ffn_hidden_size",
                                             [VOCAB] = "padded_vocab_size",
                                             [POSITIONS] = "max_position_embeddings"};

/* Flags for a name. One argument with several values may correspond to several flags. */
static const struct {
    const char *name, *value;
    enum flag flag;
} flags[] = {
    {"swiglu", "True", SWIGLU},
    {"normalization", "RMSNorm", RMS},
    {"position_embedding_type", "rope", ROPE},
    {"pos_emb", "rotary", ROPE},
    {"untie_embeddings_and_output_weights", "True", UNTIED},
    {"no_weight_tying", "True", UNTIED},
    {"add_bias_linear", "False", NO_BIAS},
    {"disable_bias_linear", "True", NO_BIAS},
    {"use_flash_attn", "True", FUSED},
    {"transformer_impl", "transformer_engine", FUSED},
};

struct list {
    struct od_arena *arena;
    unsigned lines; /* number of lines of the list; 0 = no list is open */
    struct od_prov at;
    struct od_count number[NUMBERS];
    bool flag[FLAGS];
};

static void begin(const struct od_reader *reader, void *state, void *shared, struct od_arena *arena)
{
    (void)reader;
    (void)shared;
    ((struct list *)state)->arena = arena;
}

/* "  num_layers ...... 24......updated": the value between the dots. */
static bool cut_row(struct od_view text, struct od_view *ret_name, struct od_view *ret_value)
{
    text = od_view_trim(text);
    size_t end = od_view_find(text, OD_VIEW(" .."), 0);
    if (end == OD_VIEW_NONE)
        return false;
    *ret_name = od_view_head(text, end);
    text = od_view_from(text, end + 1);
    text = od_view_from(text, od_past_any(text, 0, "."));
    end = od_view_find(text, OD_VIEW(".."), 0);
    *ret_value = od_view_trim(end == OD_VIEW_NONE ? text : od_view_head(text, end));
    return ret_value->n > 0;
}

static void take_row(struct list *list, struct od_view name, struct od_view value)
{
    uint64_t n;
    for (size_t i = 0; i < NUMBERS; i++)
        if (od_view_eq_str(name, numbers[i]) && od_num_parse_u64(value, &n) && n > 0)
            list->number[i] = od_count_of(n);
    for (size_t i = 0; i < OD_COUNT_OF(flags); i++)
        if (od_view_eq_str(name, flags[i].name) && od_view_eq_str(value, flags[i].value))
            list->flag[flags[i].flag] = true;
    if (od_view_eq_str(name, "num_experts") && od_num_parse_u64(value, &n))
        list->flag[EXPERTS] = n > 1;
}

/* The family with the same blocks: GPT, sequential NeoX, or Llama; NULL for others. */
static const char *family_of(const struct list *list)
{
    const bool *has = list->flag;
    if (has[EXPERTS])
        return NULL;
    if (has[SWIGLU] && has[RMS] && has[ROPE] && has[NO_BIAS])
        return "llama";
    if (has[SWIGLU] || has[RMS] || has[NO_BIAS])
        return NULL;
    return has[ROPE] ? "gpt_neox" : "gpt2";
}

static void say(const struct list *list, const struct od_sink *sink)
{
    const char *family = family_of(list);
    const struct od_count *n = list->number;
    struct od_buf text = {0};
    if (!family || !n[HIDDEN].known || !n[LAYERS].known || !n[HEADS].known || !n[VOCAB].known)
        return;
    od_buf_printf(&text,
                  "{\"model_type\":\"%s\",\"hidden_size\":%" PRIu64
                  ",\"num_hidden_layers\":%" PRIu64 ",\"num_attention_heads\":%" PRIu64
                  ",\"vocab_size\":%" PRIu64 ",\"intermediate_size\":%" PRIu64
                  ",\"tie_word_embeddings\":%s,\"use_parallel_residual\":false"
                  ",\"hidden_act\":\"gelu\"" /* a single kernel computes bias and activation */
                  ",\"_attn_implementation\":\"%s\"",
                  family, n[HIDDEN].n, n[LAYERS].n, n[HEADS].n, n[VOCAB].n,
                  n[INNER].known ? n[INNER].n : 4 * n[HIDDEN].n,
                  list->flag[UNTIED] ? "false" : "true",
                  list->flag[FUSED] ? "flash_attention_2" : "eager");
    if (n[GROUPS].known)
        od_buf_printf(&text, ",\"num_key_value_heads\":%" PRIu64, n[GROUPS].n);
    if (n[POSITIONS].known)
        od_buf_printf(&text, ",\"max_position_embeddings\":%" PRIu64, n[POSITIONS].n);
    od_buf_add_char(&text, '}');
    od_hf_config_printed(od_buf_view(&text), &list->at, sink, list->arena);
    od_buf_done(&text);
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct list *list = state;
    struct od_view name, value;
    if (od_view_has(line->text, OD_VIEW("- arguments -"))) {
        *list = (struct list){.arena = list->arena, .lines = 1, .at = line->at};
        return OD_TAKE_SHARE;
    }
    if (list->lines == 0)
        return OD_TAKE_NONE;
    list->lines++;
    if (od_view_has(line->text, OD_VIEW("- end of arguments -"))) {
        say(list, sink);
        list->lines = 0;
    } else if (cut_row(line->text, &name, &value)) {
        take_row(list, name, value);
    }
    if (list->lines > LINES_MAX)
        list->lines = 0;
    return OD_TAKE_SHARE;
}

static bool is_open(const void *state)
{
    return ((const struct list *)state)->lines > 0;
}

const struct od_reader od_reader_megatron_args = {
    .name = "megatron_args",
    .literals = literals,
    .state_size = sizeof(struct list),
    .begin = begin,
    .line = take_line,
    .is_open = is_open,
};
