#include "estimate/replay_parts.h"

#include "estimate/recognise.h"
#include "estimate/resolve.h"
#include "estimate/states.h"

enum { PLAIN = 24, TORCH_VARIANTS = 2, VARIANTS_FEW = 4 };

/* A network with this many events is tried in fewer orders, and a larger one not at all, because
 * the time is proportional to events, orders, steps and batches. */
enum { EVENTS_MANY = 12000, EVENTS_MAX = 100000 };

/* Share of programs without loss scaling that clip or gather gradients before the update, which no
 * log shows: about one in seven. */
static const double held_believed = 0.15;

static uint64_t slots_of(const struct od_replay_question *q)
{
    struct od_states states;
    enum { PARAMETERS = 1000 };
    enum { SLOTS_MAX = 8 };
    if (q->slots.known)
        return q->slots.n < SLOTS_MAX ? q->slots.n : SLOTS_MAX;
    if (!od_states_of(q->workload, PARAMETERS, PARAMETERS, &states))
        return 2;
    return states.optimizer.n / PARAMETERS / 4;
}

/* Are all gradients live until the update? */
static enum od_tri holds(const struct od_replay_question *q)
{
    bool scaled = q->workload->precision == OD_PREC_AMP_FP16;
    return q->gradients_held == OD_CANNOT_TELL && scaled ? OD_YES : q->gradients_held;
}

/* TensorFlow: gradients of inputs come before those of weights, in the order of the gradient
 * functions. Keras compiles the update into one kernel (2.11 to 2.15), has one kernel for it
 * (before) or runs it operation by operation with two or three copies (3 without XLA, assumed for
 * one in six unknown versions). PyTorch: all gradients are live until the update, which by default
 * updates all variables at once. */
static struct od_step_habits habits_of(const struct od_replay_question *q, bool held, unsigned i)
{
    static const double reserves[] = {0, 7, 0, 6};
    /* operations run in as many threads as there are cores */
    static const unsigned concurrent[] = {0, 1, 0, 1, 0};
    bool torch = q->workload->framework == OD_FW_PYTORCH;
    bool op_by_op = q->fused == OD_NO || (q->fused == OD_CANNOT_TELL && (torch || i % 6 == 5));
    return (struct od_step_habits){.held = held,
                                   .temporary = op_by_op ? 2 + i / 2 % 2 : 0,
                                   .reserve = q->reserve > 0 ? q->reserve : reserves[i % 4],
                                   .masks_cast = i % 4 == 3,
                                   .filter_first =
                                       q->workload->on_cpu ? i / 2 % 4 != 0 : !torch && i % 8 == 7,
                                   .norms_split = i % 4 != 2,
                                   .onednn = q->workload->onednn || i % 4 == 1,
                                   .concurrent = q->workload->on_cpu ? concurrent[i % 5] : 0,
                                   .scratch = torch ? i == 0 : i % 5 != 4};
}

void od_replay_done(struct od_replay *r)
{
    for (size_t i = 0; i < r->nvariants; i++) {
        od_trace_done(&r->variants[i].trace);
        od_graph_done(&r->variants[i].graph);
    }
    od_bfc_free(r->bfc);
    od_torch_free(r->torch);
    od_mem_free(r->handles);
    od_mem_free(r->taken);
}

/* Do activations have rows? Then a layer with weights without their row after it probably has no
 * activation: assumed for three in four. */
static bool functions_have_rows(const struct od_model *model)
{
    size_t functions = 0, products = 0;
    for (size_t i = 0; i < model->layers.n; i++) {
        enum od_layer_kind kind = model->layers.items[i].kind;
        functions +=
            kind >= OD_LAYER_RELU && kind <= OD_LAYER_ACTIVATION && kind != OD_LAYER_SOFTMAX;
        products += kind == OD_LAYER_CONV || kind == OD_LAYER_LINEAR;
    }
    return functions * 3 >= products && functions > 1;
}

/* Chooses the variants. Some of them hold all gradients if not known, and have other orders. */
static void choose(struct od_replay *r, const struct od_replay_question *q)
{
    bool rows = functions_have_rows(r->workload.model);
    bool torch = q->workload->framework == OD_FW_PYTORCH;
    bool all = torch || holds(q) == OD_YES;
    bool some = !all && holds(q) == OD_CANNOT_TELL && !q->workload->inference;
    unsigned plain = 0, held = 0;
    r->nvariants = torch ? TORCH_VARIANTS : some ? OD_VARIANTS : PLAIN;
    for (unsigned n = 0; n < r->nvariants; n++) {
        struct od_variant *v = &r->variants[n];
        bool here = some && n % 4 == 3;
        v->order = here ? held++ * 5 % PLAIN : plain++;
        v->habits = habits_of(q, all || here, v->order);
        v->habits.bare = rows && !torch && v->order % 4 != 1;
        v->jitter = torch ? 0 : 2 + v->order % 3 * 2;
        v->weight = !some  ? 1
                    : here ? held_believed * PLAIN / (OD_VARIANTS - PLAIN)
                           : 1 - held_believed;
    }
}

bool od_replay_init(struct od_replay *r, const struct od_replay_question *q, struct od_arena *arena)
{
    size_t buffers = 0;
    *r = (struct od_replay){.question = q, .workload = *q->workload};
    r->workload.model = od_model_resolve(q->workload->model, arena);
    if (od_is_transformer(r->workload.model)) /* the attention of a transformer has no rows */
        return false;
    choose(r, q);
    size_t wanted = r->nvariants;
    for (r->nvariants = 0; r->nvariants < wanted;) {
        struct od_variant *v = &r->variants[r->nvariants++];
        if (!od_graph_of(&r->workload, &v->habits, slots_of(q), arena, &v->graph))
            return false;
        od_trace_of(&v->graph,
                    &(struct od_trace_order){v->jitter, v->habits.concurrent, v->order + 1},
                    &v->trace);
        if (v->trace.events.n > EVENTS_MAX)
            return false;
        if (v->trace.events.n > EVENTS_MANY && wanted > VARIANTS_FEW)
            wanted = VARIANTS_FEW;
        if (v->trace.buffers.n > buffers)
            buffers = v->trace.buffers.n;
    }
    if (q->workload->framework == OD_FW_PYTORCH)
        r->torch = od_torch_new(q->limit);
    else
        r->bfc = od_bfc_new(&(struct od_bfc_options){.limit = q->limit});
    r->handles = od_mem_alloc(buffers + 1, sizeof *r->handles);
    r->taken = od_mem_alloc(buffers + 1, sizeof *r->taken);
    return true;
}

uint64_t od_variant_variables(const struct od_variant *v)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < v->graph.held.n; i++)
        if (ckd_add(&sum, sum, v->graph.held.items[i].fixed))
            return UINT64_MAX;
    return sum;
}
