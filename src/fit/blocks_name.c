/*
 * TensorFlow names operations by their layers: what the name of the one that failed tells of how
 * far the step had got.
 *
 * Parts of a block are counted as Hugging Face's TFBert and TFGPT2 keep tensors in float32 (q, k,
 * v, context, two norms and residuals, four tensors of the wide layer, softmax with its dropout).
 */
#include "fit/blocks.h"

/* "layer_._8", "h_._3", "block_2", "layers.4": the number; false when it names no block. */
static bool take_index(struct od_view segment, uint64_t *ret_index)
{
    static const char *const words[] = {"layer",         "layers",        "h",
                                        "block",         "blocks",        "l",
                                        "encoder_layer", "decoder_layer", "transformer_block",
                                        "encoderblock"};
    for (size_t i = 0; i < OD_COUNT_OF(words); i++) {
        struct od_view rest = segment;
        if (!od_view_take(&rest, od_view_of(words[i])))
            continue;
        if (!od_view_take(&rest, OD_VIEW("_._")) && !od_view_take(&rest, OD_VIEW("_")) &&
            !od_view_take(&rest, OD_VIEW(".")))
            continue;
        if (od_num_take_u64(&rest, ret_index) && rest.n == 0)
            return true;
    }
    return false;
}

/* Behind the last block: its head, the loss, the way back through them. */
static bool is_behind(struct od_view op)
{
    static const char *const words[] = {"lm_head",       "lmhead", "classifier", "pooler",
                                        "qa_outputs",    "cls/",   "mlm___cls",  "crossentropy",
                                        "cross_entropy", "ln_f",   "loss",       NULL};
    return od_view_has_any(op, words);
}

bool od_fit_blocks_read_name(struct od_blocks *b)
{
    static const char *const parts[] = {"attention", "attn", "intermediate", "mlp",    "ffn",
                                        "LayerNorm", "ln_1", "ln_2",         "output", NULL};
    static const char *const backward[] = {"gradient_tape", "gradients/", "_grad/", NULL};
    static const char *const heads[] = {"lm_head",    "lmhead", "masked_lm", "pretraining",
                                        "generation", "causal", NULL};
    static const char *const other[] = {"decoder/", NULL};
    struct od_view rest = b->op, segment;
    bool found = false;
    while (!found && od_view_cut(&rest, '/', &segment))
        found = take_index(segment, &b->index);
    b->backward = od_view_has_any(b->op, backward);
    b->head = od_view_has_any(b->op, heads);
    if (!found)
        b->all = is_behind(b->op);
    return b->all || (found && od_view_has_any(rest, parts) && b->index < OD_BLOCKS_MOST &&
                      !od_view_has_any(b->op, other));
}

/* In parts of a block: 26 tensors as wide as the model, the four of 4*h included; and the scores.
 */
void od_fit_blocks_find_done(struct od_blocks *b)
{
    double heads = (double)b->width / 64;
    double scores = 2.25 * heads * (double)b->sequence;
    double share = scores / (26.0 * (double)b->width + scores);
    b->scores = share;
    double unit = (1 - share) / 26;
    static const struct {
        const char *first, *second;
        double units, scores;
    } steps[] = {
        {"attention/self", "dropout", 3, 0.6},
        {"attention/self", "Softmax", 3, 0.3},
        {"attention/self", "transpose_3", 3, 1},
        {"attention/self", "", 2, 0.2},
        {"attention/output", "", 5.5, 1},
        {"intermediate", "Gelu/mul_1", 19, 1},
        {"intermediate", "dense", 7.5, 1},
        {"intermediate", "", 13, 1},
        {"attn", "c_attn", 3, 0},
        {"attn", "c_proj", 6, 1},
        {"attn", "resid", 7, 1},
        {"attn", "", 5, 0.6},
        {"ln_1", "", 1, 0},
        {"ln_2", "", 8.5, 1},
        {"mlp", "c_proj", 25, 1},
        {"mlp", "c_fc", 9.5, 1},
        {"mlp", "dropout", 25.5, 1},
        {"mlp", "", 16, 1},
        {"output", "", 24.5, 1},
        {"", "", 13, 0.5},
    };
    for (size_t i = 0; i < OD_COUNT_OF(steps); i++) {
        if (od_view_has(b->op, od_view_of(steps[i].first)) &&
            od_view_has(b->op, od_view_of(steps[i].second))) {
            b->done = steps[i].units * unit + steps[i].scores * share;
            return;
        }
    }
}
