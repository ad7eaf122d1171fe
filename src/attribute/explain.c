#include "attribute/explain.h"

#include "base/num.h"

/* Below are scalars and small vectors. */
#define SCALAR 512

struct od_explainer {
    const struct od_explain_question *q;
    struct od_named_list at_batch, masks; /* outputs at the batch; one byte an element */
    struct od_named failing;              /* bytes 0 = none */
    uint64_t *count;                      /* of each size, in set-up so far */
    uint64_t *total;                      /* of each size, in set-up */
    bool backward;                        /* the step had got that far */
};

static bool says(struct od_view op, const char *word)
{
    return od_view_has(op, od_view_of(word));
}

/* Names that TensorFlow gives to the operations of gradients and updates. */
static bool is_backward(struct od_view op)
{
    return says(op, "gradient") || says(op, "Backprop") || says(op, "Grad") || says(op, "Adam") ||
           says(op, "_grad") || says(op, "Momentum") || says(op, "RMSProp");
}

static struct od_view failing_op(const struct od_explain_question *q,
                                 const struct od_tensor *tensor)
{
    if (tensor && tensor->op.n > 0)
        return tensor->op;
    return q->allocator->dump.op;
}

static void prepare_failing(struct od_explainer *x)
{
    const struct od_explain_question *q = x->q;
    const struct od_tensor *tensor = od_failing_tensor(q->c, q->allocator);
    struct od_view op = failing_op(q, tensor);
    x->backward = is_backward(op);
    if (!tensor || tensor->shape.n < 2)
        return;
    struct od_bytes rounded = od_bfc_round(od_shape_bytes(&tensor->shape, tensor->dtype));
    if (!rounded.known)
        return;
    x->failing = (struct od_named){.bytes = rounded.n,
                                   .shape = tensor->shape,
                                   .dtype = tensor->dtype,
                                   .label = op,
                                   .layer = OD_NO_LAYER,
                                   .role = OD_ROLE_ACTIVATION};
    if (q->batch->n.known && tensor->shape.dims[0] == q->batch->n.n)
        x->failing.batch = q->batch->n;
}

static struct od_explanation only(enum od_role role, enum od_certainty certainty)
{
    return (struct od_explanation){.role = (uint8_t)role, .certainty = (uint8_t)certainty};
}

static struct od_explanation as(const struct od_named *what, size_t same, enum od_role role,
                                enum od_certainty certainty)
{
    return (struct od_explanation){what, same, (uint8_t)role, (uint8_t)certainty};
}

/* A piece of set-up whose size the table's weights have: the first in order are the weights. */
static struct od_explanation weight_or_state(const struct od_explainer *x,
                                             const struct od_named *what, size_t n, uint64_t seen)
{
    uint64_t copies = x->q->setup->copies > 0 ? x->q->setup->copies : 1;
    uint64_t models = copies > 4 && copies % 3 == 0 ? copies / 3 : 1;
    uint64_t trained = 0, one;
    for (size_t i = 0; i < n; i++)
        trained += what[i].trained;
    one = (n - trained) + trained * (copies / models);
    enum od_certainty sure = x->q->setup->certainty;
    uint64_t within = one > 0 ? seen % one : 0;
    if (seen >= one * models)
        return only(OD_ROLE_FIXED, OD_POSSIBLE);
    if (within < n)
        return as(&what[within], n - within, what[within].role, sure);
    return as(&what[0], n, OD_ROLE_OPTIMIZER, sure);
}

static struct od_explanation in_setup(struct od_explainer *x, const struct od_piece *piece)
{
    const struct od_explain_question *q = x->q;
    uint64_t seen = x->count[piece->size]++;
    size_t n;
    const struct od_named *what = od_named_find(q->weights, piece->bytes, &n);
    enum od_certainty sure = q->setup->certainty;
    if (piece->bytes <= 256)
        return only(OD_ROLE_CONSTANT, OD_POSSIBLE);
    if (what)
        return weight_or_state(x, what, n, seen);
    if (q->setup->by_table)
        return only(OD_ROLE_FIXED, sure);
    uint64_t copies = q->setup->copies;
    uint64_t weights = copies > 1 ? x->total[piece->size] / copies : 0;
    if (seen < weights)
        return only(OD_ROLE_WEIGHTS, sure);
    if (seen < weights * copies)
        return only(OD_ROLE_OPTIMIZER, sure);
    return only(OD_ROLE_FIXED, sure);
}

/* A chunk that was given whole is larger than its request, by less than double. */
static const struct od_named *largest_within(const struct od_named_list *list, uint64_t bytes)
{
    const struct od_named *found = NULL;
    size_t lo = 0, hi = list->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (list->items[mid].bytes <= bytes) {
            found = &list->items[mid];
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return found && found->bytes > bytes / 2 ? found : NULL;
}

static struct od_explanation in_step(struct od_explainer *x, const struct od_piece *piece)
{
    const struct od_explain_question *q = x->q;
    size_t n, same;
    enum od_certainty sure = q->setup->known ? q->setup->certainty : OD_POSSIBLE;
    const struct od_named *what = od_named_find(&x->at_batch, piece->bytes, &n);
    const struct od_named *weight = od_named_find(q->weights, piece->bytes, &same);
    if (what && (!weight || !x->backward))
        return as(what, n, what->role, q->batch->certainty < OD_LIKELY ? OD_POSSIBLE : OD_LIKELY);
    if (piece->bytes == x->failing.bytes)
        return as(&x->failing, 1, OD_ROLE_ACTIVATION, OD_LIKELY);
    if (weight && x->backward && piece->bytes > SCALAR)
        return as(weight, same, OD_ROLE_GRADIENTS, OD_POSSIBLE);
    if (piece->bytes <= SCALAR)
        return q->setup->known ? only(OD_ROLE_BATCH, OD_POSSIBLE)
                               : only(OD_ROLE_UNKNOWN, OD_POSSIBLE);
    what = od_named_find(&x->masks, piece->bytes, &n);
    if (what)
        return as(what, n, OD_ROLE_ACTIVATION, OD_POSSIBLE);
    what = largest_within(&x->at_batch, piece->bytes);
    if (what && q->setup->known && piece->bytes > 65536)
        return as(what, 1, what->role, OD_POSSIBLE);
    return q->setup->known ? only(OD_ROLE_BATCH, sure) : only(OD_ROLE_UNKNOWN, OD_POSSIBLE);
}

/* Without an order: the sizes that the table has, and no others. */
static struct od_explanation unordered(struct od_explainer *x, const struct od_piece *piece)
{
    size_t n, same;
    const struct od_named *what = od_named_find(&x->at_batch, piece->bytes, &n);
    const struct od_named *weight = od_named_find(x->q->weights, piece->bytes, &same);
    uint64_t seen = x->count[piece->size]++;
    if (weight && !what && piece->bytes > SCALAR)
        return seen < same ? as(&weight[seen], same - seen, weight[seen].role, OD_POSSIBLE)
                           : as(weight, same, OD_ROLE_OPTIMIZER, OD_POSSIBLE);
    return in_step(x, piece);
}

static void count_setup(struct od_explainer *x)
{
    const struct od_sequence *sequence = x->q->sequence;
    size_t end = x->q->setup->known ? x->q->setup->end : 0;
    x->count = OD_NEW_N(x->q->arena, x->q->allocator->nsizes + 1, uint64_t);
    x->total = OD_NEW_N(x->q->arena, x->q->allocator->nsizes + 1, uint64_t);
    for (size_t i = 0; i < end; i++)
        x->total[sequence->items[i].size]++;
}

struct od_explanation *od_explain(const struct od_explain_question *q)
{
    struct od_explainer *x = OD_NEW(q->arena, struct od_explainer);
    struct od_explanation *all = OD_NEW_N(q->arena, q->sequence->n + 1, struct od_explanation);
    x->q = q;
    prepare_failing(x);
    count_setup(x);
    if (q->batch->n.known) {
        x->at_batch = od_outputs_at(q->outputs, q->batch->n.n, q->batch->dtype, q->arena);
        x->masks = od_outputs_at(q->outputs, q->batch->n.n, OD_BOOL, q->arena);
    }
    for (size_t i = 0; i < q->sequence->n; i++) {
        const struct od_piece *piece = &q->sequence->items[i];
        if (!q->setup->known)
            all[i] = unordered(x, piece);
        else
            all[i] = i < q->setup->end ? in_setup(x, piece) : in_step(x, piece);
    }
    return all;
}
