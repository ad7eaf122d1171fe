#include "plan/changes.h"

struct list {
    struct od_change *changes;
    size_t n;
};

static void add_word(struct list *list, const char *field, bool differs, const char *word)
{
    if (differs && list->n < OD_CHANGES_MAX)
        list->changes[list->n++] = (struct od_change){.field = field, .word = word};
}

static void add_number(struct list *list, const char *field, uint64_t from, uint64_t to)
{
    if (from != to && list->n < OD_CHANGES_MAX)
        list->changes[list->n++] = (struct od_change){.field = field, .number = to};
}

size_t od_plan_changes(const struct od_workload *from, const struct od_workload *to,
                       struct od_arena *arena, struct od_change ret_changes[OD_CHANGES_MAX])
{
    struct list list = {.changes = ret_changes};
    add_number(&list, "batch_size", from->batch, to->batch);
    add_number(&list, "accumulation", from->accumulation, to->accumulation);
    add_word(&list, "precision", from->precision != to->precision,
             od_precision_name(to->precision));
    add_word(&list, "checkpointing",
             from->checkpointing != to->checkpointing ||
                 from->checkpoint_every != to->checkpoint_every,
             od_checkpointing_name(to->checkpointing, to->checkpoint_every, arena));
    add_word(&list, "optimizer", from->optimizer != to->optimizer,
             od_optimizer_name(to->optimizer));
    add_word(&list, "offload", from->offload_optimizer != to->offload_optimizer, "optimizer");
    add_word(&list, "offload", from->offload_params != to->offload_params, "params");
    add_number(&list, "world_size", from->world_size, to->world_size);
    add_word(&list, "sharding", from->fsdp != to->fsdp, "fsdp");
    add_number(&list, "lora_rank", from->lora_rank, to->lora_rank);
    add_number(&list, "quantize_bits", from->quantize_bits, to->quantize_bits);
    return list.n;
}
