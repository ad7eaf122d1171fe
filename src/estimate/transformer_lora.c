#include "estimate/transformer_block.h"

#include "base/num.h"
#include "estimate/transformer_params.h"

enum part { QUERY, KEY, VALUE, QKV, OUT, GATE, UP, GATE_UP, DOWN, HEAD, TABLE, ALL, PARTS };

/* The names that families give their projections (huggingface/peft, its table of defaults). */
static const struct {
    const char *name;
    enum part part;
} names[] = {
    {"q_proj", QUERY},
    {"q", QUERY},
    {"query", QUERY},
    {"q_lin", QUERY},
    {"wq", QUERY},
    {"k_proj", KEY},
    {"k", KEY},
    {"key", KEY},
    {"k_lin", KEY},
    {"wk", KEY},
    {"v_proj", VALUE},
    {"v", VALUE},
    {"value", VALUE},
    {"v_lin", VALUE},
    {"wv", VALUE},
    {"c_attn", QKV},
    {"qkv", QKV},
    {"qkv_proj", QKV},
    {"attn", QKV},
    {"query_key_value", QKV},
    {"Wqkv", QKV},
    {"W_pack", QKV},
    {"o_proj", OUT},
    {"o", OUT},
    {"out_proj", OUT},
    {"out_lin", OUT},
    {"wo", OUT},
    {"output_proj", OUT},
    {"dense", OUT},
    {"proj", OUT},
    {"gate_proj", GATE},
    {"w1", GATE},
    {"gate", GATE},
    {"up_proj", UP},
    {"w3", UP},
    {"fc1", UP},
    {"fc_1", GATE},
    {"fc_2", UP},
    {"fc", UP},
    {"fc_in", UP},
    {"lin1", UP},
    {"wi", UP},
    {"wi_0", GATE},
    {"wi_1", UP},
    {"c_fc", UP},
    {"dense_h_to_4h", UP},
    {"gate_up_proj", GATE_UP},
    {"mlp", GATE_UP},
    {"down_proj", DOWN},
    {"w2", DOWN},
    {"fc2", DOWN},
    {"fc_out", DOWN},
    {"lin2", DOWN},
    {"c_proj", DOWN},
    {"dense_4h_to_h", DOWN},
    {"lm_head", HEAD},
    {"head", HEAD},
    {"embed_tokens", TABLE},
    {"wte", TABLE},
    {"all-linear", ALL},
};

static enum part part_of(struct od_view word)
{
    size_t dot = word.n;
    while (dot > 0 && word.p[dot - 1] != '.')
        dot--;
    word = od_view_from(word, dot);
    for (size_t i = 0; i < OD_COUNT_OF(names); i++) {
        if (od_view_eq_str(word, names[i].name))
            return names[i].part;
    }
    return PARTS;
}

struct widths {
    uint64_t h, q, kv, out, f, v;
};

static struct widths widths_of(const struct od_transformer *t)
{
    uint64_t d = od_transformer_head_dim(t), a = od_transformer_heads(t);
    uint64_t f = t->intermediate.known ? t->intermediate.n : t->expert_intermediate.n;
    return (struct widths){.h = t->hidden.n,
                           .q = a * d,
                           .kv = od_transformer_kv_heads(t) * d,
                           .out = a * od_transformer_value_dim(t),
                           .f = f,
                           .v = t->vocab.n};
}

/* In and out widths of what that part has in one block: both matrices' short side is the rank. */
static uint64_t ends_of(const struct od_transformer *t, enum part part)
{
    struct widths w = widths_of(t);
    uint64_t gate = t->gated ? w.h + w.f : 0;
    switch (part) {
    case QUERY:
        return w.h + w.q;
    case KEY:
    case VALUE:
        return w.h + w.kv;
    case QKV:
        return w.h + w.q + 2 * w.kv;
    case OUT:
        return w.out + w.h;
    case GATE:
        return gate;
    case UP:
    case DOWN:
        return w.h + w.f;
    case GATE_UP:
        return w.h + w.f + gate;
    case ALL:
        return (w.h + w.q) + 2 * (w.h + w.kv) + (w.out + w.h) + 2 * (w.h + w.f) + gate;
    case HEAD:
    case TABLE:
    case PARTS:
        break;
    }
    return 0;
}

static void take_part(struct od_lora_targets *targets, enum part part)
{
    bool all = part == ALL;
    targets->attention |= all || part == QUERY || part == KEY || part == VALUE || part == QKV;
    targets->out |= all || part == OUT;
    targets->up |= all || part == GATE || part == UP || part == GATE_UP;
    targets->down |= all || part == DOWN;
    targets->head |= part == HEAD;
}

struct od_lora_targets od_lora_targets_of(const struct od_workload *w, struct od_diags *diags)
{
    static const char *const usual[] = {"q_proj", "v_proj"};
    const struct od_transformer *t = &w->model->transformer;
    struct od_lora_targets targets = {0};
    if (w->lora_rank == 0)
        return targets;
    const char *const *words = w->nlora_targets ? w->lora_targets : usual;
    size_t n = w->nlora_targets ? w->nlora_targets : OD_COUNT_OF(usual);
    uint64_t ends = 0, once = 0;
    for (size_t i = 0; i < n; i++) {
        enum part part = part_of(od_view_of(words[i]));
        if (part == PARTS)
            od_diags_say(diags, OD_WARNING, "LoRA target %s is not known and not counted",
                         words[i]);
        take_part(&targets, part);
        ends += ends_of(t, part);
        if (part == HEAD || part == TABLE)
            once += t->hidden.n + t->vocab.n;
    }
    uint64_t all;
    if (ckd_mul(&all, ends, od_transformer_blocks(t)) || ckd_add(&all, all, once) ||
        ckd_mul(&targets.parameters, all, w->lora_rank))
        targets.parameters = UINT64_MAX;
    return targets;
}
