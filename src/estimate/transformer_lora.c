#include "estimate/transformer_block.h"

#include "base/word_table.h"
#include "estimate/transformer_params.h"

enum part { NO_PART, QUERY, KEY, VALUE, QKV, OUT, GATE, UP, GATE_UP, DOWN, HEAD, TABLE, ALL };

static const struct od_word_means names[] = {
#include "estimate/adapter_words.inc"
};

static enum part part_of(struct od_view word)
{
    size_t dot = word.n;
    while (dot > 0 && word.p[dot - 1] != '.')
        dot--;
    word = od_view_from(word, dot);
    return (enum part)od_word_means(names, OD_COUNT_OF(names), word);
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

/* Sum of the input and output widths of one part of a block. The rank is the other dimension of
 * both adapter matrices. */
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
    case NO_PART:
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
        if (part == NO_PART)
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
