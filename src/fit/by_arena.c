/*
 * XLA's compiled step allocates all its temporaries as one block. Weights and optimizer states are
 * outside of it and do not depend on the batch, so only the block grows, and N * (room / block)
 * samples fit. The part of the block that does not grow (mostly gradients) makes this a slight
 * underestimate for smaller batches.
 *
 * If the compiler itself rejects the plan, its table has the same numbers: temporaries that grow,
 * and arguments that do not.
 */
#include "fit/facts.h"

/* a block with a smaller share of the room is a single tensor */
static const double least_share = 0.25;

/* Bytes available for the block: the largest free chunk, or memory not allocated yet. */
static double room_of(const struct od_fit_facts *facts)
{
    const struct od_allocator *dump = facts->failure->dump;
    double limit = (double)facts->limit, room = limit - (double)facts->failure->in_use.n;
    if (facts->moved || !dump || !dump->has_chunks || !dump->chunks_complete)
        return room;
    double largest = (double)dump->largest_free_bytes;
    double untaken = dump->pool.known ? limit - (double)dump->pool.n : 0;
    largest = untaken > largest ? untaken : largest;
    return largest > 0 && largest < room ? largest : room;
}

static bool is_compiled(const struct od_fit_facts *facts)
{
    const struct od_incident *incident = facts->failure->incident;
    return facts->framework == OD_FW_JAX && !incident->tensor.shape.known &&
           facts->failure->need.known && facts->failure->in_use.known && facts->limit > 0;
}

static bool find_block(const struct od_fit_facts *facts, struct od_hypothesis *ret_found)
{
    if (!is_compiled(facts) || !facts->batch.known || facts->limit <= facts->failure->in_use.n)
        return false;
    double block = (double)facts->failure->need.n, room = room_of(facts);
    double room_then = (double)facts->limit_then - (double)facts->failure->in_use.n;
    if (block < least_share * room_then || room <= 0)
        return false;
    double median = (double)facts->batch.n * room / block;
    *ret_found = (struct od_hypothesis){
        .median = median,
        .off = -1,
        .lo = median * 0.94,
        .hi = median * 1.05,
        .fixed = od_bytes_exact(facts->failure->in_use.n),
        .basis = "the failed allocation holds all temporaries of the compiled step and grows with "
                 "the batch size; the memory in use is constant",
        .memory_basis = "in use before the step; the failed allocation per sample",
    };
    return true;
}

/* A total in the compiler's table; 0 = not printed. */
static double planned(const struct od_fit_facts *facts, const char *name)
{
    const struct od_case *c = facts->q->c;
    double bytes = 0;
    OD_FOR_EACH (const struct od_memory_state, state, c->states)
        if (od_view_eq_str(state->producer, "jax") && od_view_eq_str(state->name, name) &&
            state->in_use.known && state->said.at.source == facts->failure->incident->at.source)
            bytes = (double)state->in_use.n;
    return bytes;
}

static bool find_plan(const struct od_fit_facts *facts, struct od_hypothesis *ret_found)
{
    double temporary = planned(facts, "temp"), held = planned(facts, "arguments");
    double room = (double)facts->limit - held - planned(facts, "reserved");
    if (facts->failure->incident->kind != OD_INC_DEVICE_COMPILE_OOM || !facts->batch.known ||
        held <= 0 || temporary <= room || room <= held)
        return false;
    double median = (double)facts->batch.n * room / temporary;
    *ret_found = (struct od_hypothesis){
        .median = median,
        .off = -1,
        /* temporaries include gradients that do not grow, at most as many bytes as the arguments */
        .lo = (double)facts->batch.n * (room - held) / (temporary - held) * 0.94,
        .hi = median * 1.05,
        .fixed = od_bytes_exact((uint64_t)((double)facts->limit - room)),
        .basis = "the compiler's table: temporaries grow with the batch size, arguments and "
                 "reserved memory are constant",
        .memory_basis = "arguments and reserved memory; temporaries per sample",
    };
    return true;
}

bool od_fit_by_arena(const struct od_fit_facts *facts, struct od_hypothesis *ret_found)
{
    return find_block(facts, ret_found) || find_plan(facts, ret_found);
}
