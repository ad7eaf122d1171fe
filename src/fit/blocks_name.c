/*
 * Reads how far a step had got from the name of the failed operation, because TensorFlow names
 * operations after their layers.
 *
 * The parts of a block are counted as Hugging Face's TFBert and TFGPT2 keep tensors in float32 (q,
 * k, v, context, two norms and residuals, four tensors of the wide layer, softmax with its
 * dropout).
 */
#include "fit/blocks.h"

/* Reads the number in "layer_._8", "h_._3", "block_2", "layers.4"; false = no block. */
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

bool od_fit_blocks_read_name(struct od_blocks *b)
{
    struct od_view rest = b->op, segment;
    bool found = false;
    while (!found && od_view_cut(&rest, '/', &segment))
        found = take_index(segment, &b->index);
    b->means = od_op_means(b->op);
    b->backward = od_means(b->means, OD_OP_WAY_BACK);
    b->head = od_means(b->means, OD_OP_WORDS);
    b->all = !found && od_means(b->means, OD_OP_BEHIND);
    return b->all || (found && od_means(od_op_means(rest), OD_OP_BLOCK) &&
                      b->index < OD_BLOCKS_MOST && !od_means(b->means, OD_OP_DECODER));
}

/* The unit is a tensor of the model's width: a block has 26 of them (ten, and four that are four
 * times as wide), and the scores. `done` counts the tensors created before the failed one in the
 * layer order of BERT and GPT-2. Half a tensor is the middle between two kernels that have the same
 * name. Scores are kept before and after softmax, and a dropout mask takes a quarter of their
 * bytes. */
void od_fit_blocks_find_done(struct od_blocks *b)
{
    double heads = (double)b->width / 64;
    double scores = 2.25 * heads * (double)b->sequence;
    double share = scores / (26.0 * (double)b->width + scores);
    b->scores = share;
    double unit = (1 - share) / 26;
    static const struct {
        enum od_op_meaning first, second;
        double units, scores;
    } steps[] = {
        {OD_OP_SELF, OD_OP_DROPOUT, 3, 0.6},       {OD_OP_SELF, OD_OP_SOFTMAX, 3, 0.3},
        {OD_OP_SELF, OD_OP_TRANSPOSE_3, 3, 1},     {OD_OP_SELF, OD_OP_NAMED, 2, 0.2},
        {OD_OP_SELF_OUTPUT, OD_OP_NAMED, 5.5, 1},  {OD_OP_INTERMEDIATE, OD_OP_GELU, 19, 1},
        {OD_OP_INTERMEDIATE, OD_OP_DENSE, 7.5, 1}, {OD_OP_INTERMEDIATE, OD_OP_NAMED, 13, 1},
        {OD_OP_ATTN, OD_OP_C_ATTN, 3, 0},          {OD_OP_ATTN, OD_OP_C_PROJ, 6, 1},
        {OD_OP_ATTN, OD_OP_RESID, 7, 1},           {OD_OP_ATTN, OD_OP_NAMED, 5, 0.6},
        {OD_OP_LN_1, OD_OP_NAMED, 1, 0},           {OD_OP_LN_2, OD_OP_NAMED, 8.5, 1},
        {OD_OP_MLP, OD_OP_C_PROJ, 25, 1},          {OD_OP_MLP, OD_OP_C_FC, 9.5, 1},
        {OD_OP_MLP, OD_OP_DROPOUT, 25.5, 1},       {OD_OP_MLP, OD_OP_NAMED, 16, 1},
        {OD_OP_OUTPUT, OD_OP_NAMED, 24.5, 1},      {OD_OP_NAMED, OD_OP_NAMED, 13, 0.5},
    };
    for (size_t i = 0; i < OD_COUNT_OF(steps); i++) {
        if (od_means(b->means, steps[i].first) && od_means(b->means, steps[i].second)) {
            b->done = steps[i].units * unit + steps[i].scores * share;
            return;
        }
    }
}
