#include "attribute/batch.h"

/* Smaller sizes coincide by chance too often. */
#define SMALLEST 65536
/* Outputs with fewer elements match any size at some batch. */
#define ELEMENTS_LEAST 64

enum { LARGEST_LOOKED_AT = 48, LARGEST_TRIED = 12, BATCH_MOST = 1 << 20 };

const struct od_tensor *od_failing_tensor(const struct od_case *c,
                                          const struct od_allocator *allocator)
{
    for (size_t i = c->incidents.n; i-- > 0;) {
        const struct od_incident *incident = &c->incidents.items[i];
        bool ours = incident->dump > 0 && incident->dump <= c->allocators.n &&
                    c->allocators.items[incident->dump - 1] == allocator;
        if (ours && incident->tensor.shape.known)
            return &incident->tensor;
    }
    return NULL;
}

struct od_view od_failing_op(const struct od_case *c, const struct od_allocator *allocator)
{
    const struct od_tensor *tensor = od_failing_tensor(c, allocator);
    return tensor && tensor->op.n > 0 ? tensor->op : allocator->dump.op;
}

static bool is_map_of(const struct od_tensor *tensor, struct od_count batch)
{
    return tensor && tensor->shape.known && tensor->shape.n == 4 && batch.known &&
           tensor->shape.dims[0] == batch.n;
}

const struct od_tensor *od_reference_map(const struct od_case *c,
                                         const struct od_allocator *allocator,
                                         struct od_count batch)
{
    const struct od_tensor *own = od_failing_tensor(c, allocator);
    if (is_map_of(own, batch))
        return own;
    for (size_t i = c->incidents.n; i-- > 0;) {
        if (is_map_of(&c->incidents.items[i].tensor, batch))
            return &c->incidents.items[i].tensor;
    }
    return NULL;
}

/* ---- sizes of the step's tensors ---- */

struct od_heap {
    uint64_t bytes, total;
};

static int compare_totals(const void *a, const void *b)
{
    const struct od_heap *x = a, *y = b;
    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

/* The sizes allocated after set-up, largest total first. *ret_bytes is their sum. */
static struct od_heap *step_sizes(const struct od_batch_question *q, size_t *ret_n,
                                  uint64_t *ret_bytes)
{
    struct od_heap *heaps = OD_NEW_N(q->arena, q->allocator->nsizes + 1, struct od_heap);
    size_t first = q->setup->known ? q->setup->end : 0;
    uint64_t bytes = 0;
    for (size_t i = first; i < q->sequence->n; i++) {
        const struct od_piece *piece = &q->sequence->items[i];
        heaps[piece->size].bytes = piece->bytes;
        heaps[piece->size].total += piece->bytes;
        bytes += piece->bytes;
    }
    qsort(heaps, q->allocator->nsizes, sizeof *heaps, compare_totals);
    size_t n = 0;
    while (n < q->allocator->nsizes && n < LARGEST_LOOKED_AT && heaps[n].bytes > 0)
        n++;
    *ret_n = n;
    *ret_bytes = bytes;
    return heaps;
}

struct od_trial {
    const struct od_batch_question *q;
    const struct od_heap *heaps;
    size_t nheaps;
    uint64_t bytes;
};

static uint64_t chunk_of(uint64_t elements, uint64_t batch, uint64_t width)
{
    uint64_t bytes;
    if (ckd_mul(&bytes, elements, batch) || ckd_mul(&bytes, bytes, width))
        return 0;
    struct od_bytes rounded = od_bfc_round(od_bytes_exact(bytes));
    return rounded.known ? rounded.n : 0;
}

/* Is a chunk of so many bytes the output of a layer at that batch? outputs are sorted by size. */
static bool is_output(const struct od_named_list *outputs, uint64_t bytes, uint64_t batch,
                      uint64_t width)
{
    size_t lo = 0, hi = outputs->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        uint64_t here = chunk_of(outputs->items[mid].elements, batch, width);
        if (here == bytes)
            return true;
        if (here != 0 && here < bytes)
            lo = mid + 1;
        else
            hi = mid;
    }
    return false;
}

/* Share of the step's bytes that are outputs at this batch. */
static double share_of(const struct od_trial *trial, uint64_t batch, uint64_t width)
{
    double sum = 0;
    for (size_t i = 0; i < trial->nheaps; i++) {
        if (trial->heaps[i].bytes >= SMALLEST &&
            is_output(trial->q->outputs, trial->heaps[i].bytes, batch, width))
            sum += (double)trial->heaps[i].total;
    }
    return trial->bytes > 0 ? sum / (double)trial->bytes : 0;
}

/* Number of the step's sizes that match outputs. A single match proves nothing, however large. */
static unsigned sizes_of(const struct od_trial *trial, uint64_t batch, uint64_t width)
{
    unsigned n = 0;
    for (size_t i = 0; i < trial->nheaps; i++)
        n += trial->heaps[i].bytes >= SMALLEST &&
             is_output(trial->q->outputs, trial->heaps[i].bytes, batch, width);
    return n;
}

struct od_match {
    uint64_t batch, width;
    double share;
};

static void try_batch(const struct od_trial *trial, uint64_t batch, uint64_t width,
                      struct od_match *best)
{
    if (batch == 0 || batch > BATCH_MOST || (best->batch == batch && best->width == width))
        return;
    double share = share_of(trial, batch, width);
    if (share > best->share + 1e-9 && sizes_of(trial, batch, width) >= 2)
        *best = (struct od_match){batch, width, share};
}

/* Tries each large size as an output of each layer. */
static struct od_match match_table(const struct od_trial *trial, uint64_t width)
{
    struct od_match best = {0};
    const struct od_named_list *outputs = trial->q->outputs;
    for (size_t h = 0; h < trial->nheaps && h < LARGEST_TRIED; h++) {
        uint64_t last = 0, bytes = trial->heaps[h].bytes;
        for (size_t i = 0; bytes >= SMALLEST && i < outputs->n; i++) {
            uint64_t one, elements = outputs->items[i].elements;
            if (elements == last || elements < ELEMENTS_LEAST || ckd_mul(&one, elements, width) ||
                one == 0)
                continue;
            last = elements;
            if (chunk_of(elements, bytes / one, width) == bytes)
                try_batch(trial, bytes / one, width, &best);
        }
    }
    return best;
}

/* ---- batch from the log and from the shape ---- */

static struct od_count setting_number(const struct od_batch_question *q, enum od_setting_id id)
{
    uint64_t n;
    struct od_view value = od_case_setting_at(q->c, id, &q->allocator->dump.at);
    if (od_num_parse_u64(value, &n) && n > 0)
        return od_count_of(n);
    return (struct od_count){0};
}

/* Is the shape the output of a layer, with a batch first and the other dimensions in any order? */
static bool is_shape_of_layer(const struct od_shape *shape, const struct od_named_list *outputs)
{
    uint64_t rest = 1;
    for (uint32_t i = 1; i < shape->n; i++) {
        if (shape->dims[i] == OD_DIM_UNKNOWN || ckd_mul(&rest, rest, shape->dims[i]))
            return false;
    }
    for (size_t i = 0; i < outputs->n; i++) {
        if (outputs->items[i].elements == rest)
            return true;
    }
    return false;
}

/* Is the first dimension of this activation's shape the batch? With two dimensions it may be batch
 * times positions; a shape of one dimension has no batch. */
static bool leads_with_batch(const struct od_tensor *tensor)
{
    return tensor->shape.known && tensor->shape.n >= 3 && tensor->shape.dims[0] != OD_DIM_UNKNOWN &&
           tensor->shape.dims[0] > 0 && tensor->dtype != OD_UINT8;
}

static struct od_batch answer(uint64_t n, enum od_certainty certainty, const char *basis)
{
    return (struct od_batch){.n = od_count_of(n), .certainty = certainty, .basis = basis};
}

static struct od_batch from_words(const struct od_batch_question *q, const struct od_tensor *tensor)
{
    struct od_count said = setting_number(q, OD_SETTING_BATCH_SIZE);
    struct od_count global = setting_number(q, OD_SETTING_GLOBAL_BATCH_SIZE);
    struct od_count first = {0};
    if (tensor && leads_with_batch(tensor))
        first = od_count_of(tensor->shape.dims[0]);
    if (q->user.known)
        return answer(q->user.n, OD_CERTAIN, "given");
    if (said.known && first.known && said.n == first.n)
        return answer(said.n, OD_CERTAIN,
                      "stated in the log, and the failing shape begins with it");
    if (first.known && is_shape_of_layer(&tensor->shape, q->outputs))
        return answer(
            first.n, OD_CERTAIN,
            "the first dimension of the failing shape, whose others are a layer's output");
    if (said.known && first.known && said.n > first.n && said.n % first.n == 0)
        return answer(
            first.n, OD_LIKELY,
            "the failing shape begins with it; the batch size in the log is a multiple: replicas");
    if (said.known)
        return answer(said.n, OD_LIKELY, "stated in the log");
    if (global.known && (!first.known || first.n == global.n))
        return answer(global.n, first.known ? OD_CERTAIN : OD_LIKELY,
                      "the global batch size in the log");
    if (first.known && tensor->shape.n >= 4)
        return answer(first.n, OD_LIKELY, "the first dimension of the failing shape");
    if (first.known)
        return answer(first.n, OD_POSSIBLE, "the first dimension of the failing shape");
    return (struct od_batch){0};
}

static uint64_t width_of(enum od_dtype dtype)
{
    return dtype == OD_FLOAT16 || dtype == OD_BFLOAT16 ? 2 : 4;
}

/* Chooses the data type whose outputs match at some batch. */
static void settle_dtype(const struct od_trial *trial, const struct od_tensor *tensor,
                         struct od_batch *batch)
{
    double single = share_of(trial, batch->n.n, 4), half = share_of(trial, batch->n.n, 2);
    bool says_half = tensor && width_of(tensor->dtype) == 2;
    batch->matched = single > half ? single : half;
    batch->dtype = half > single || (says_half && half >= single) ? OD_FLOAT16 : OD_FLOAT32;
    if (batch->dtype == OD_FLOAT16 && tensor && tensor->dtype == OD_BFLOAT16)
        batch->dtype = OD_BFLOAT16;
}

struct od_batch od_batch_find(const struct od_batch_question *q)
{
    const struct od_tensor *tensor = od_failing_tensor(q->c, q->allocator);
    struct od_batch batch = from_words(q, tensor);
    struct od_trial trial = {.q = q};
    trial.heaps = step_sizes(q, &trial.nheaps, &trial.bytes);
    if (q->outputs->n == 0 || trial.nheaps == 0) {
        batch.dtype = tensor && tensor->dtype != OD_DTYPE_UNKNOWN ? tensor->dtype : OD_FLOAT32;
        return batch;
    }
    if (batch.n.known)
        settle_dtype(&trial, tensor, &batch);
    if (batch.n.known && (batch.certainty == OD_CERTAIN || batch.matched > 0.4))
        return batch;
    struct od_match single = match_table(&trial, 4), half = match_table(&trial, 2);
    bool is_half = half.share > single.share + 0.05;
    struct od_match best = is_half ? half : single;
    if (best.batch == 0 || best.share < 0.3 || best.share < batch.matched + 0.1)
        return batch;
    /* a batch given as a sum over all replicas may be a multiple of this one */
    if (batch.n.known && batch.certainty >= OD_LIKELY && batch.n.n % best.batch != 0)
        return batch;
    enum od_certainty sure = best.share > 0.75 ? OD_LIKELY : OD_POSSIBLE;
    batch = answer(best.batch, sure, "the layer table's outputs are found in use at this batch");
    settle_dtype(&trial, tensor, &batch);
    return batch;
}
