#include "estimate/checkpoint.h"

#include <math.h>

/* When a new segment begins: after a number of bytes, or of layers with parameters. */
struct plan {
    double bytes;
    uint64_t layers;
};

static struct plan plan_of(const struct od_workload *w, const struct od_saved *saved)
{
    struct plan plan = {0};
    double weighted = 0, bytes = 0;
    for (size_t i = 0; i < saved->nlayers; i++) {
        weighted += saved->layers[i].parameters > 0;
        bytes += (double)saved->layers[i].saved;
    }
    if (w->checkpointing == OD_CKPT_EVERY)
        plan.layers = w->checkpoint_every > 0 ? w->checkpoint_every : 1;
    else
        plan.bytes = bytes / fmax(1, round(sqrt(weighted)));
    return plan;
}

/* Marks the bytes saved by each segment as recomputed. Inputs of segments stay saved. */
static uint64_t split(struct od_saved *saved, const struct plan *plan)
{
    uint64_t segments = 0, layers = 0, input = saved->input, kept = 0;
    double bytes = 0;
    for (size_t i = 0; i < saved->nlayers; i++) {
        struct od_saved_layer *row = &saved->layers[i];
        bool weighted = row->parameters > 0;
        row->begins =
            i == 0 || (plan->layers ? weighted && layers >= plan->layers : bytes >= plan->bytes);
        row->again = row->saved;
        row->saved = 0;
        if (row->begins) {
            row->saved = input;
            segments++;
            layers = 0;
            bytes = 0;
            if (ckd_add(&kept, kept, input))
                saved->overflow = true;
        }
        layers += weighted;
        bytes += (double)row->again;
        input = row->output;
    }
    double ratio = saved->per_sample.n ? (double)kept / (double)saved->per_sample.n : 1;
    saved->per_sample.lo = (uint64_t)((double)saved->per_sample.lo * ratio);
    saved->per_sample.hi = (uint64_t)((double)saved->per_sample.hi * ratio) + 1;
    saved->per_sample.n = kept;
    return segments;
}

/* Moves each row's bytes to host memory, from which the backward pass fetches one row at a time. */
static void move_out(struct od_saved *saved)
{
    for (size_t i = 0; i < saved->nlayers; i++) {
        saved->layers[i].again = saved->layers[i].saved;
        saved->layers[i].saved = 0;
        saved->layers[i].begins = true;
    }
    saved->per_sample = od_bytes_exact(0);
}

const char *od_saved_checkpoint(const struct od_workload *w, struct od_arena *arena,
                                struct od_saved *saved)
{
    if (saved->nlayers == 0 || w->inference)
        return NULL;
    if (w->offload_activations) {
        move_out(saved);
        return "saved activations wait in host memory and come back a layer at a time";
    }
    if (w->checkpointing == OD_CKPT_NONE)
        return NULL;
    if (w->checkpointing == OD_CKPT_SELECTIVE)
        return "selective checkpointing computes attention again: this model has none, so nothing "
               "changes";
    struct plan plan = plan_of(w, saved);
    uint64_t segments = split(saved, &plan);
    return od_arena_printf(arena,
                           "checkpointing in %llu segments, whose inputs alone are kept; one is "
                           "computed again at a time",
                           (unsigned long long)segments);
}
