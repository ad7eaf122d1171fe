#include "attribute/explain.h"

#include "attribute/near.h"
#include "attribute/placed.h"

/* Smaller sizes are scalars and small vectors. */
#define SCALAR 512
/* Smaller chunks that exceed their request are not explained. */
#define WHOLE_LEAST 65536

struct od_explainer {
    const struct od_explain_question *q;
    struct od_named_list at_batch,
        masks; /* outputs of a batch in their type, and with one byte per element */
    struct od_named_list casts;      /* weights in 16 bit, if activations are in 16 bit */
    const struct od_tensor *failing; /* NULL = unknown */
    const struct od_tensor
        *map; /* a feature map of the same network, from od_reference_map(); NULL = none */
    bool of_parameter;
    struct od_near *near; /* candidates for each size, computed on first use */
    bool *asked;
    struct od_placed placed;
    uint64_t *seen;           /* chunks of each size so far in the current part */
    uint64_t *before, *after; /* chunks of each size before and after the end of set-up */
    unsigned groups;          /* copies of weights in a dump without an order; 0 = not known */
    uint64_t *missing; /* copies of each weight for which no chunk of the weight's size exists */
    bool backward;     /* the step reached its backward pass */
    bool computed;     /* the step computes the failing tensor */
};

/* ---- the failing tensor ---- */

static void prepare_failing(struct od_explainer *x)
{
    const struct od_explain_question *q = x->q;
    const struct od_tensor *tensor = od_failing_tensor(q->c, q->allocator);
    uint64_t means = od_op_means(od_failing_op(q->c, q->allocator));
    x->backward = od_means(means, OD_OP_BACKWARD);
    x->of_parameter = od_means(means, OD_OP_PARAMETER) || od_means(means, OD_OP_SETUP);
    x->computed = od_means(means, OD_OP_FORWARD) || (tensor && tensor->shape.n > 2);
    x->failing = tensor && tensor->shape.n >= 2 ? tensor : NULL;
    x->map = od_reference_map(q->c, q->allocator, q->batch->n);
    x->near = OD_NEW_N(q->arena, q->allocator->nsizes + 1, struct od_near);
    x->asked = OD_NEW_N(q->arena, q->allocator->nsizes + 1, bool);
}

/* Explanations of a size by the failing tensor's shape. Small sizes have too many. */
static const struct od_near *near_of(struct od_explainer *x, const struct od_piece *piece)
{
    struct od_near *near = &x->near[piece->size];
    const struct od_tensor *tensor = x->map ? x->map : x->failing;
    if (tensor && (x->map || !x->of_parameter) && !x->asked[piece->size] &&
        piece->bytes >= WHOLE_LEAST)
        *near = od_near_of(tensor, x->q->batch->n, piece->bytes, x->q->arena);
    if (!x->map && !x->computed)
        near->certainty = OD_POSSIBLE;
    x->asked[piece->size] = true;
    return near;
}

/* Does the sequence show which chunks belong to the step? */
static bool is_ordered(const struct od_explainer *x)
{
    return x->q->setup->known && !x->q->setup->rough;
}

static struct od_explanation only(enum od_role role, enum od_certainty certainty)
{
    return (struct od_explanation){.role = (uint8_t)role, .certainty = (uint8_t)certainty};
}

static struct od_explanation as(const struct od_named *what, size_t same, enum od_role role,
                                enum od_certainty certainty)
{
    return (struct od_explanation){what, (uint32_t)same, (uint8_t)role, (uint8_t)certainty};
}

/* The largest item that fits into a chunk which was not split: it has at most twice the bytes of
 * its request. */
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

/* Number of models whose weights and states were set up. More copies than one optimizer keeps mean
 * several models. */
static uint64_t models_of(const struct od_setup *setup)
{
    return setup->copies > 4 && setup->copies % 3 == 0 ? setup->copies / 3 : 1;
}

/* Number of chunks that one model's set-up has for n tensors of equal size. */
static uint64_t chunks_of_model(const struct od_setup *setup, const struct od_named *what, size_t n)
{
    uint64_t copies = setup->copies > 0 ? setup->copies / models_of(setup) : 1, sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += what[i].trained ? copies : 1;
    return sum;
}

/* Explains a chunk with the size of a weight: the first chunks of each model are weights, later
 * ones are states. */
static struct od_explanation weight_or_state(const struct od_explainer *x,
                                             const struct od_named *what, size_t n, uint64_t seen)
{
    const struct od_setup *setup = x->q->setup;
    uint64_t one = chunks_of_model(setup, what, n);
    if (seen >= one * models_of(setup))
        return only(OD_ROLE_FIXED, OD_POSSIBLE);
    if (seen % one < n)
        return as(&what[seen % one], 1, what[seen % one].role,
                  what->whole ? OD_POSSIBLE : setup->certainty);
    return as(&what[0], n, OD_ROLE_OPTIMIZER, what->whole ? OD_POSSIBLE : setup->certainty);
}

/* Explains a chunk of set-up that has the size of a tensor of the step: a variable that holds the
 * batch, or a copy of weights in 16 bit. */
static const struct od_named *step_like(const struct od_explainer *x, uint64_t bytes)
{
    size_t n;
    const struct od_named *what = od_named_find(&x->at_batch, bytes, &n);
    if (what && what->role == OD_ROLE_INPUT)
        return what;
    return od_named_find(&x->casts, bytes, &n);
}

/* Explains a chunk that was not split by a weight or state without a chunk of its own size. */
static struct od_explanation given_whole(struct od_explainer *x, uint64_t bytes)
{
    const struct od_named_list *weights = x->q->weights;
    const struct od_named *what = step_like(x, bytes);
    if (what && bytes > SCALAR)
        return as(what, 1, what->role, OD_POSSIBLE);
    what = bytes > SCALAR ? largest_within(weights, bytes) : NULL;
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

/* Explains repeated sizes without a table: the first copy counts as the weights. */
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

/* Counts the expected tensors without a chunk of their size. */
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

/* Explains a chunk of the step with the size of a weight: a gradient, or a copy of the weight. */
static struct od_explanation of_weight(const struct od_explainer *x, const struct od_named *weight,
                                       size_t same, const struct od_piece *piece)
{
    uint64_t count = x->after[piece->size];
    if (count > 2 * same)
        return only(OD_ROLE_BATCH, OD_POSSIBLE);
    /* no other chunk has this size, so this one is the weight itself */
    if (!x->backward && count <= same && x->before[piece->size] == 0)
        return as(weight, same, weight->role, OD_POSSIBLE);
    return as(weight, same, x->backward ? OD_ROLE_GRADIENTS : OD_ROLE_FIXED, OD_POSSIBLE);
}

static struct od_explanation of_output(const struct od_explainer *x, const struct od_named *what,
                                       size_t n, uint64_t seen)
{
    /* a model has one input */
    while (n > 1 && seen > 0 && what->role == OD_ROLE_INPUT) {
        what++;
        n--;
    }
    bool sure = x->q->batch->certainty >= OD_LIKELY && is_ordered(x);
    return as(what, n, what->role, sure ? OD_LIKELY : OD_POSSIBLE);
}

/* Explains a chunk whose size is not in the table. */
static struct od_explanation of_no_output(const struct od_explainer *x,
                                          const struct od_piece *piece)
{
    bool ordered = is_ordered(x);
    size_t n;
    const struct od_named *what = od_named_find(&x->casts, piece->bytes, &n);
    if (what && x->after[piece->size] <= 2 * n)
        return as(what, n, OD_ROLE_WEIGHTS, OD_POSSIBLE);
    what = od_named_find(&x->masks, piece->bytes, &n);
    if (what)
        return as(what, n, OD_ROLE_ACTIVATION, OD_POSSIBLE);
    what = piece->bytes > WHOLE_LEAST ? largest_within(&x->at_batch, piece->bytes) : NULL;
    bool close = what && piece->bytes - what->bytes < piece->bytes / 10;
    if (what && (ordered || (x->q->recognised && close)))
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
        return only(is_ordered(x) ? OD_ROLE_BATCH : OD_ROLE_UNKNOWN, OD_POSSIBLE);
    if (what && !(weight && x->backward && x->after[piece->size] <= same))
        return of_output(x, what, n, seen);
    const struct od_near *near = near_of(x, piece);
    if (near->n > 0 && (is_ordered(x) || near->certainty == OD_LIKELY))
        return as(near->items, near->n, near->items[0].role, near->certainty);
    if (weight)
        return of_weight(x, weight, same, piece);
    return of_no_output(x, piece);
}

/* Explains a group of equal chunks: the first share is weights, the others are their states. */
static struct od_explanation of_group(struct od_explainer *x, const struct od_piece *piece)
{
    uint64_t seen = x->seen[piece->size]++;
    uint64_t weights = x->after[piece->size] / x->groups;
    if (x->after[piece->size] % x->groups != 0)
        return only(OD_ROLE_UNKNOWN, OD_POSSIBLE);
    return only(seen < weights ? OD_ROLE_WEIGHTS : OD_ROLE_OPTIMIZER, OD_POSSIBLE);
}

/* Finds groups of sizes in a summary without chunks, if the step's tensors are recognized. */
static void find_groups(struct od_explainer *x)
{
    const struct od_explain_question *q = x->q;
    bool *marked = OD_NEW_N(q->arena, q->allocator->nsizes + 1, bool);
    bool any = false;
    if (q->allocator->has_chunks || q->setup->known)
        return;
    for (size_t i = 0; i < q->allocator->nsizes; i++) {
        struct od_piece piece = {.bytes = q->allocator->sizes[i].bytes, .size = (uint32_t)i};
        const struct od_near *near = near_of(x, &piece);
        marked[i] = near->n > 0 && near->certainty == OD_LIKELY;
        any = any || marked[i];
    }
    x->groups = any ? od_setup_groups(q->allocator, marked) : 0;
}

/* Explains a chunk without an order of allocation: accepts only sizes of the table. */
static struct od_explanation unordered(struct od_explainer *x, const struct od_piece *piece)
{
    size_t n, same;
    const struct od_named *what = od_named_find(&x->at_batch, piece->bytes, &n);
    const struct od_named *weight = od_named_find(x->q->weights, piece->bytes, &same);
    if (!weight && !what && x->groups > 0 && piece->bytes > SCALAR &&
        near_of(x, piece)->certainty < OD_LIKELY)
        return of_group(x, piece);
    if (!weight || what || piece->bytes <= SCALAR)
        return in_step(x, piece);
    uint64_t seen = x->seen[piece->size]++;
    if (seen < same)
        return as(&weight[seen], 1, weight[seen].role, OD_POSSIBLE);
    if (x->groups > 0 && x->after[piece->size] == same * x->groups)
        return as(weight, same, OD_ROLE_OPTIMIZER, OD_POSSIBLE);
    return only(OD_ROLE_FIXED, OD_POSSIBLE);
}

/* Explains a chunk if only one tensor of the step is known. Later chunks belong to the step unless
 * their size occurred before it; earlier chunks may belong to either. */
static struct od_explanation near_activation(struct od_explainer *x, size_t place)
{
    const struct od_piece *piece = &x->q->sequence->items[place];
    struct od_explanation how = unordered(x, piece);
    bool is_later = place >= x->q->setup->end && x->before[piece->size] == 0;
    return how.role == OD_ROLE_UNKNOWN && is_later ? only(OD_ROLE_BATCH, OD_POSSIBLE) : how;
}

/* The tensor named by the dump for this chunk; NULL if there is no name, or if the order of
 * allocation contradicts it. */
static const struct od_named *placed_of(struct od_explainer *x, size_t place)
{
    const struct od_dump *dump = &x->q->allocator->dump;
    uint32_t chunk = x->q->sequence->items[place].chunk;
    if (dump->details.n == 0 || chunk >= dump->chunks.n)
        return NULL;
    const struct od_named *named =
        od_placed_of(&x->placed, dump, &dump->chunks.items[chunk], x->q->arena);
    bool passing = named && (named->role == OD_ROLE_ACTIVATION || named->role == OD_ROLE_GRADIENTS);
    return passing && is_ordered(x) && place < x->q->setup->end ? NULL : named;
}

static struct od_explanation explain(struct od_explainer *x, size_t place)
{
    const struct od_setup *setup = x->q->setup;
    const struct od_piece *piece = &x->q->sequence->items[place];
    const struct od_named *named = placed_of(x, place);
    if (named)
        return as(named, 1, named->role, OD_LIKELY);
    if (x->q->allocator->dump.family == OD_FAMILY_TORCH)
        return only(OD_ROLE_UNKNOWN, OD_POSSIBLE);
    if (!setup->known)
        return unordered(x, piece);
    if (setup->rough)
        return near_activation(x, place);
    return place < setup->end ? in_setup(x, piece) : in_step(x, piece);
}

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

/* Starts a new part, which counts the pieces of each size anew. */
static void forget_seen(struct od_explainer *x)
{
    for (size_t i = 0; i < x->q->allocator->nsizes; i++)
        x->seen[i] = 0;
}

size_t od_first_activation(const struct od_explain_question *q)
{
    struct od_explainer *x = OD_NEW(q->arena, struct od_explainer);
    x->q = q;
    prepare_failing(x);
    for (size_t i = 0; i < q->sequence->n; i++) {
        const struct od_near *near = near_of(x, &q->sequence->items[i]);
        if (near->n > 0 && near->certainty == OD_LIKELY &&
            near->items[0].role == OD_ROLE_ACTIVATION)
            return i;
    }
    return q->sequence->n;
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
    find_groups(x);
    for (size_t i = 0; i < q->sequence->n; i++) {
        if (i == end)
            forget_seen(x);
        all[i] = explain(x, i);
    }
    od_placed_done(&x->placed);
    return all;
}
