#include "attribute/explain.h"

#include "attribute/near.h"

/* Below are scalars and small vectors. */
#define SCALAR 512
/* Smaller chunks that were given whole are not worth a guess. */
#define WHOLE_LEAST 65536

struct od_explainer {
    const struct od_explain_question *q;
    struct od_named_list at_batch, masks; /* outputs at the batch; one byte an element */
    struct od_named_list casts;           /* weights in 16 bit, where activations are */
    const struct od_tensor *failing;      /* NULL = none is known */
    const struct od_tensor *map;          /* of the same network; NULL */
    struct od_named parameter;            /* the failing tensor, where it is a parameter's */
    bool of_parameter;
    struct od_near *near; /* of each size, once asked */
    bool *asked;
    uint64_t *seen;           /* of each size, in the part being walked */
    uint64_t *before, *after; /* of each size, in set-up and behind it */
    uint64_t *missing;        /* of each weight: copies no chunk of its size is for */
    bool backward;            /* the step had got that far */
};

/* ---- the tensor that failed ---- */

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

/* Of a parameter: the gradient of a kernel or a bias, or an update. */
static bool is_of_parameter(struct od_view op)
{
    return says(op, "BackpropFilter") || says(op, "BiasAddGrad") || says(op, "Apply") ||
           says(op, "update_") || (is_backward(op) && od_view_ends(op, OD_VIEW("MatMul_1"))) ||
           (says(op, "Adam") && !says(op, "gradient"));
}

static void prepare_failing(struct od_explainer *x)
{
    const struct od_explain_question *q = x->q;
    const struct od_tensor *tensor = od_failing_tensor(q->c, q->allocator);
    struct od_view op = tensor && tensor->op.n > 0 ? tensor->op : q->allocator->dump.op;
    x->backward = is_backward(op);
    x->of_parameter = is_of_parameter(op);
    x->failing = tensor && tensor->shape.n >= 2 ? tensor : NULL;
    if (x->failing)
        x->parameter = (struct od_named){
            .shape = tensor->shape, .dtype = tensor->dtype, .label = op, .layer = OD_NO_LAYER};
    x->map = od_telling_map(q->c, q->allocator, q->batch->n);
    x->near = OD_NEW_N(q->arena, q->allocator->nsizes + 1, struct od_near);
    x->asked = OD_NEW_N(q->arena, q->allocator->nsizes + 1, bool);
}

/* What the size can be beside the tensor that failed; small ones are too many things. */
static const struct od_near *near_of(struct od_explainer *x, const struct od_piece *piece)
{
    struct od_near *near = &x->near[piece->size];
    const struct od_tensor *tensor = x->map ? x->map : x->failing;
    if (tensor && (x->map || !x->of_parameter) && !x->asked[piece->size] &&
        piece->bytes >= WHOLE_LEAST)
        *near = od_near_of(tensor, x->q->batch->n, piece->bytes, x->q->arena);
    x->asked[piece->size] = true;
    return near;
}

/* A kernel, or a gradient of it: as large as the gradient that failed. */
static bool is_failing_parameter(const struct od_explainer *x, const struct od_piece *piece)
{
    if (!x->failing || !x->of_parameter)
        return false;
    struct od_bytes bytes = od_bfc_round(od_shape_bytes(&x->failing->shape, x->failing->dtype));
    return bytes.known && bytes.n == piece->bytes;
}

/* ---- explanations ---- */

static struct od_explanation only(enum od_role role, enum od_certainty certainty)
{
    return (struct od_explanation){.role = (uint8_t)role, .certainty = (uint8_t)certainty};
}

static struct od_explanation as(const struct od_named *what, size_t same, enum od_role role,
                                enum od_certainty certainty)
{
    return (struct od_explanation){what, same, (uint8_t)role, (uint8_t)certainty};
}

/* The largest item that a chunk given whole can be: larger than its request, by less than double.
 */
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

/* Models of which set-up holds a full set each: more copies than an optimizer keeps. */
static uint64_t models_of(const struct od_setup *setup)
{
    return setup->copies > 4 && setup->copies % 3 == 0 ? setup->copies / 3 : 1;
}

/* Chunks that one model's set-up has for n tensors of one size. */
static uint64_t chunks_of_model(const struct od_setup *setup, const struct od_named *what, size_t n)
{
    uint64_t copies = setup->copies > 0 ? setup->copies / models_of(setup) : 1, sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += what[i].trained ? copies : 1;
    return sum;
}

/* ---- set-up ---- */

/* A chunk whose size the table's weights have: the first of each model are the weights. */
static struct od_explanation weight_or_state(const struct od_explainer *x,
                                             const struct od_named *what, size_t n, uint64_t seen)
{
    const struct od_setup *setup = x->q->setup;
    uint64_t one = chunks_of_model(setup, what, n);
    if (seen >= one * models_of(setup))
        return only(OD_ROLE_FIXED, OD_POSSIBLE);
    if (seen % one < n)
        return as(&what[seen % one], 1, what[seen % one].role, setup->certainty);
    return as(&what[0], n, OD_ROLE_OPTIMIZER, setup->certainty);
}

/* A larger chunk, for a weight or state that no chunk of its own size is left for. */
static struct od_explanation given_whole(struct od_explainer *x, uint64_t bytes)
{
    const struct od_named_list *weights = x->q->weights;
    const struct od_named *what = bytes > SCALAR ? largest_within(weights, bytes) : NULL;
    for (; what && what >= weights->items && what->bytes > bytes / 2; what--) {
        uint64_t *missing = &x->missing[what - weights->items];
        if (*missing > 0) {
            (*missing)--;
            return as(what, 1, what->role, OD_POSSIBLE);
        }
        if (what == weights->items)
            break;
    }
    return only(OD_ROLE_FIXED, x->q->setup->certainty);
}

/* Without a table the first of the copies are the weights. */
static struct od_explanation repeated(const struct od_explainer *x, const struct od_piece *piece,
                                      uint64_t seen)
{
    const struct od_setup *setup = x->q->setup;
    uint64_t weights = setup->copies > 1 ? x->before[piece->size] / setup->copies : 0;
    enum od_role role = seen < weights                   ? OD_ROLE_WEIGHTS
                        : seen < weights * setup->copies ? OD_ROLE_OPTIMIZER
                                                         : OD_ROLE_FIXED;
    return only(role, setup->certainty);
}

static struct od_explanation in_setup(struct od_explainer *x, const struct od_piece *piece)
{
    const struct od_explain_question *q = x->q;
    uint64_t seen = x->seen[piece->size]++;
    size_t n;
    const struct od_named *what = od_named_find(q->weights, piece->bytes, &n);
    if (piece->bytes <= SCALAR / 2)
        return only(OD_ROLE_CONSTANT, OD_POSSIBLE);
    if (what)
        return weight_or_state(x, what, n, seen);
    return q->setup->by_table ? given_whole(x, piece->bytes) : repeated(x, piece, seen);
}

/* What the table expects beyond the chunks of exactly its size. */
static void count_missing(struct od_explainer *x, const uint64_t *size_of_weight)
{
    const struct od_named_list *weights = x->q->weights;
    for (size_t i = 0; i < weights->n;) {
        size_t n;
        const struct od_named *what = od_named_find(weights, weights->items[i].bytes, &n);
        uint64_t want = chunks_of_model(x->q->setup, what, n) * models_of(x->q->setup);
        uint64_t have = size_of_weight[i] > 0 ? x->before[size_of_weight[i] - 1] : 0;
        x->missing[i] = want > have ? want - have : 0;
        i += n;
    }
}

/* ---- the step ---- */

/* A size that a weight has, behind set-up: its gradient, or a copy of it. */
static struct od_explanation of_weight(const struct od_explainer *x, const struct od_named *weight,
                                       size_t same, uint64_t count)
{
    if (count > 2 * same)
        return only(OD_ROLE_BATCH, OD_POSSIBLE);
    return as(weight, same, x->backward ? OD_ROLE_GRADIENTS : OD_ROLE_FIXED, OD_POSSIBLE);
}

static struct od_explanation of_output(const struct od_explainer *x, const struct od_named *what,
                                       size_t n, uint64_t seen)
{
    /* a model's input is there once */
    while (n > 1 && seen > 0 && what->role == OD_ROLE_INPUT) {
        what++;
        n--;
    }
    bool sure = x->q->batch->certainty >= OD_LIKELY && x->q->setup->known;
    return as(what, n, what->role, sure ? OD_LIKELY : OD_POSSIBLE);
}

/* Nothing in the table has the size itself. */
static struct od_explanation of_no_output(const struct od_explainer *x,
                                          const struct od_piece *piece)
{
    bool ordered = x->q->setup->known;
    size_t n;
    const struct od_named *what = od_named_find(&x->casts, piece->bytes, &n);
    if (what && x->after[piece->size] <= 2 * n)
        return as(what, n, OD_ROLE_WEIGHTS, OD_POSSIBLE);
    what = od_named_find(&x->masks, piece->bytes, &n);
    if (what)
        return as(what, n, OD_ROLE_ACTIVATION, OD_POSSIBLE);
    what = piece->bytes > WHOLE_LEAST ? largest_within(&x->at_batch, piece->bytes) : NULL;
    if (what && ordered)
        return as(what, 1, what->role, OD_POSSIBLE);
    return ordered ? only(OD_ROLE_BATCH, x->q->setup->certainty)
                   : only(OD_ROLE_UNKNOWN, OD_POSSIBLE);
}

static struct od_explanation in_step(struct od_explainer *x, const struct od_piece *piece)
{
    const struct od_explain_question *q = x->q;
    uint64_t seen = x->seen[piece->size]++;
    size_t n, same;
    const struct od_named *what = od_named_find(&x->at_batch, piece->bytes, &n);
    const struct od_named *weight = od_named_find(q->weights, piece->bytes, &same);
    if (piece->bytes <= SCALAR)
        return only(q->setup->known ? OD_ROLE_BATCH : OD_ROLE_UNKNOWN, OD_POSSIBLE);
    if (what && !(weight && x->backward && x->after[piece->size] <= same))
        return of_output(x, what, n, seen);
    if (is_failing_parameter(x, piece))
        return as(&x->parameter, 1, OD_ROLE_FIXED, OD_LIKELY);
    const struct od_near *near = near_of(x, piece);
    if (near->n > 0 && (q->setup->known || near->certainty == OD_LIKELY))
        return as(near->items, near->n, near->items[0].role, near->certainty);
    if (weight)
        return of_weight(x, weight, same, x->after[piece->size]);
    return of_no_output(x, piece);
}

/* Without an order: the sizes that the table has, and no others. */
static struct od_explanation unordered(struct od_explainer *x, const struct od_piece *piece)
{
    size_t n, same;
    const struct od_named *what = od_named_find(&x->at_batch, piece->bytes, &n);
    const struct od_named *weight = od_named_find(x->q->weights, piece->bytes, &same);
    if (!weight || what || piece->bytes <= SCALAR)
        return in_step(x, piece);
    uint64_t seen = x->seen[piece->size]++;
    return seen < same ? as(&weight[seen], 1, weight[seen].role, OD_POSSIBLE)
                       : only(OD_ROLE_FIXED, OD_POSSIBLE);
}

/* ---- all ---- */

static void count_sizes(struct od_explainer *x)
{
    const struct od_explain_question *q = x->q;
    size_t end = q->setup->known ? q->setup->end : 0, nsizes = q->allocator->nsizes + 1;
    x->seen = OD_NEW_N(q->arena, nsizes, uint64_t);
    x->before = OD_NEW_N(q->arena, nsizes, uint64_t);
    x->after = OD_NEW_N(q->arena, nsizes, uint64_t);
    x->missing = OD_NEW_N(q->arena, q->weights->n + 1, uint64_t);
    uint64_t *size_of_weight = OD_NEW_N(q->arena, q->weights->n + 1, uint64_t);
    for (size_t i = 0; i < q->sequence->n; i++) {
        const struct od_piece *piece = &q->sequence->items[i];
        (*(i < end ? &x->before[piece->size] : &x->after[piece->size]))++;
    }
    for (size_t i = 0; i < q->allocator->nsizes; i++) {
        size_t n;
        const struct od_named *what = od_named_find(q->weights, q->allocator->sizes[i].bytes, &n);
        if (what)
            size_of_weight[what - q->weights->items] = i + 1;
    }
    if (q->setup->known)
        count_missing(x, size_of_weight);
}

static void prepare_tables(struct od_explainer *x)
{
    const struct od_explain_question *q = x->q;
    const struct od_batch *batch = q->batch;
    if (batch->n.known) {
        x->at_batch = od_outputs_at(q->outputs, batch->n.n, batch->dtype, q->arena);
        x->masks = od_outputs_at(q->outputs, batch->n.n, OD_BOOL, q->arena);
    }
    if (od_dtype_bits(batch->dtype) == 16)
        x->casts = od_weights_cast(q->weights, batch->dtype, q->arena);
}

struct od_explanation *od_explain(const struct od_explain_question *q)
{
    struct od_explainer *x = OD_NEW(q->arena, struct od_explainer);
    struct od_explanation *all = OD_NEW_N(q->arena, q->sequence->n + 1, struct od_explanation);
    size_t end = q->setup->known ? q->setup->end : 0;
    x->q = q;
    prepare_failing(x);
    count_sizes(x);
    prepare_tables(x);
    for (size_t i = 0; i < end; i++)
        all[i] = in_setup(x, &q->sequence->items[i]);
    for (size_t i = 0; i < q->allocator->nsizes; i++)
        x->seen[i] = 0;
    for (size_t i = end; i < q->sequence->n; i++) {
        const struct od_piece *piece = &q->sequence->items[i];
        all[i] = q->setup->known ? in_step(x, piece) : unordered(x, piece);
    }
    return all;
}
