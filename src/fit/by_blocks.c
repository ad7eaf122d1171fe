/*
 * Transformers consist of equal blocks, which TensorFlow numbers in its operation names. A step
 * that failed in block i of n had finished i blocks and a known part of the next one, so the memory
 * in use gives the size of a block, and n of them the step. No layer table is needed: the width h
 * and n follow from the sizes of the weights: h*h, 4*h*h, rows * h.
 */
#include "fit/blocks.h"

#include <math.h>

enum { BLOCKS_LEAST = 4, WIDTH_LEAST = 64, WIDTH_MOST = 32768, VOCABULARY_LEAST = 4000 };

/* --- sizes of the weights --- */

/* Also counts chunks with slack, because the last chunk of a region is not split below a limit. */
static uint64_t count_near(const struct od_allocator *dump, uint64_t bytes)
{
    static const uint64_t unsplit = UINT64_C(128) << 20;
    uint64_t count = 0;
    for (size_t i = 0; bytes > 0 && i < dump->nsizes; i++) {
        uint64_t here = dump->sizes[i].bytes;
        if (here >= bytes && here - bytes < unsplit && here - bytes < bytes / 4)
            count += dump->sizes[i].count;
    }
    return count;
}

/* Also counts larger chunks if the table is so large that nothing else has its size. */
static uint64_t count_whole(const struct od_allocator *dump, uint64_t bytes)
{
    static const uint64_t unsplit = UINT64_C(128) << 20;
    uint64_t count = 0;
    for (size_t i = 0; i < dump->nsizes; i++) {
        uint64_t here = dump->sizes[i].bytes;
        if (here >= bytes && here - bytes < unsplit && here < 2 * bytes)
            count += dump->sizes[i].count;
    }
    return count;
}

static bool is_usual(uint64_t blocks)
{
    return blocks <= 8 || blocks % 6 == 0 || blocks % 8 == 0;
}

/* Finds h: the most frequent value for which both h*h and 4*h*h floats are in use. */
static void find_width(struct od_blocks *b, const struct od_allocator *dump)
{
    uint64_t most = 0;
    for (size_t i = 0; i < dump->nsizes; i++) {
        uint64_t bytes = dump->sizes[i].bytes;
        double root = sqrt((double)bytes / 4);
        uint64_t width = (uint64_t)(root + 0.5);
        if (width < WIDTH_LEAST || width > WIDTH_MOST || width * width * 4 != bytes)
            continue;
        uint64_t wide = od_allocator_count_of(dump, bytes * 4);
        if (wide >= 2 && dump->sizes[i].count >= 2 && wide > most) {
            most = wide;
            b->width = width;
        }
    }
}

/* Rows of a table over words or positions, as wide as the model; 0 = not a table of this kind. */
static uint64_t rows_of(const struct od_blocks *b, const struct od_size *size)
{
    enum { ROWS_LEAST = 128 };
    uint64_t row = b->width * 4, rows = size->bytes / row;
    bool table = size->bytes - rows * row < 256 && rows >= ROWS_LEAST && rows % b->width != 0 &&
                 (b->tokens == 0 || rows % b->tokens != 0);
    return table ? rows : 0;
}

/* Finds the table over the vocabulary: rows * h floats in as many copies as the weights have, if
 * that number is known. One copy may have a larger chunk. */
static void find_vocabulary(struct od_blocks *b, const struct od_allocator *dump, bool told)
{
    uint64_t least = told ? b->copies - (b->copies > 1) : 0, most = 0;
    OD_FOR_EACH_OF (const struct od_size, size, dump->sizes, dump->nsizes) {
        uint64_t rows = rows_of(b, size);
        uint64_t there = told ? size->count : count_whole(dump, size->bytes);
        if (rows < VOCABULARY_LEAST || size->count > 4 || size->count < least)
            continue;
        /* a copy in a larger chunk would otherwise be taken for a larger table */
        if (told ? rows <= b->vocabulary : there <= most)
            continue;
        b->vocabulary = rows;
        most = there;
        if (!told)
            b->copies = there;
    }
}

static bool has_table(const struct od_blocks *b, uint64_t copies)
{
    const struct od_allocator *dump = b->facts->failure->dump;
    for (size_t i = 0; i < dump->nsizes; i++)
        if (dump->sizes[i].count == copies && rows_of(b, &dump->sizes[i]) > 0)
            return true;
    return false;
}

/* How far the number of wide kernels is from two in each of that many blocks and copies. Tensors of
 * a step with as many tokens as the layer is wide add some; larger chunks remove some. */
static int64_t more_kernels(const struct od_blocks *b, uint64_t copies, uint64_t blocks)
{
    return (int64_t)(count_near(b->facts->failure->dump, b->width * b->width * 16) / 2 / copies) -
           (int64_t)blocks;
}

/* Every block has equally many vectors of the model's width: 9 if queries, keys and values have one
 * each, 6 if they share one. The first and last norm and the pooler add two or three. The step may
 * add further ones, but fewer are impossible. */
static unsigned votes_of_vectors(const struct od_blocks *b, uint64_t copies, uint64_t blocks)
{
    static const uint64_t each[] = {9, 6};
    uint64_t there = od_allocator_count_of(b->facts->failure->dump, b->width * 4);
    unsigned votes = 0;
    for (size_t i = 0; i < OD_COUNT_OF(each); i++) {
        uint64_t rest = there - each[i] * copies * blocks;
        if (there >= each[i] * copies * blocks)
            votes = rest == 2 * copies || rest == 3 * copies ? 5 : votes ? votes : 1;
    }
    return votes;
}

/* Votes for a number of copies and blocks; 0 = impossible. A table may have a larger chunk. */
static unsigned votes_for(const struct od_blocks *b, uint64_t copies, uint64_t blocks)
{
    const struct od_allocator *dump = b->facts->failure->dump;
    const struct od_holding *holding = b->facts->holding;
    uint64_t biases = od_allocator_count_of(dump, b->width * 16);
    uint64_t kinds =
        od_allocator_count_of(dump, b->width * 8); /* two rows, for two kinds of segments */
    unsigned vectors = votes_of_vectors(b, copies, blocks);
    bool known = holding && holding->optimizer_copies.known;
    int64_t kernels = more_kernels(b, copies, blocks), about = (int64_t)(1 + blocks / 6);
    if (biases < copies * blocks || vectors == 0 || kernels < -about)
        return 0;
    return vectors + 2U * (kernels <= about) + (kernels == 0) + 3U * (biases == copies * blocks) +
           3U * (known && holding->optimizer_copies.n + 1 == copies) + has_table(b, copies) +
           2U * (kinds == copies || kinds == 2 * copies) + is_usual(blocks);
}

/* Finds the number of copies and blocks from the biases of the wide layer, which are too small to
 * get larger chunks: one for each block and copy, and more if the step has as many tokens as the
 * layer is wide. Tables show the number of copies. */
static bool read_biases(struct od_blocks *b)
{
    static const uint64_t likely[] = {3, 2, 1, 4};
    uint64_t least = b->all || b->index < BLOCKS_LEAST ? BLOCKS_LEAST : b->index + 1;
    unsigned most = 4; /* the winner needs more votes than that it is possible */
    for (size_t i = 0; i < OD_COUNT_OF(likely); i++)
        for (uint64_t blocks = least; blocks <= OD_BLOCKS_MOST; blocks++) {
            unsigned votes = votes_for(b, likely[i], blocks);
            if (votes <= most)
                continue;
            most = votes;
            b->copies = likely[i];
            b->n = blocks;
        }
    return b->n > 0;
}

/* Reads the vocabulary from the failed tensor, if that has scores over words. */
static void read_scores(struct od_blocks *b)
{
    const struct od_shape *shape = &b->facts->failure->incident->tensor.shape;
    uint64_t last = shape->known && shape->n >= 2 ? shape->dims[shape->n - 1] : 0;
    if (last == OD_DIM_UNKNOWN || last < VOCABULARY_LEAST || last % b->width == 0 || !b->all)
        return;
    b->vocabulary = last;
    b->head = true;
}

/* Number of blocks according to their two wide kernels. A step may have equal sizes. */
static uint64_t blocks_by_kernels(const struct od_blocks *b)
{
    uint64_t wide = od_allocator_count_of(b->facts->failure->dump, b->width * b->width * 16);
    uint64_t most = wide / (2 * b->copies), n = most;
    while (n > most - most / 7 && !is_usual(n))
        n--;
    return is_usual(n) ? n : most;
}

static bool read_weights(struct od_blocks *b)
{
    const struct od_allocator *dump = b->facts->failure->dump;
    const struct od_holding *holding = b->facts->holding;
    bool told = read_biases(b);
    find_vocabulary(b, dump, told);
    if (!told && holding && holding->optimizer_copies.known)
        b->copies = holding->optimizer_copies.n + 1;
    if (b->copies == 0)
        return false;
    if (!told)
        b->n = blocks_by_kernels(b);
    read_scores(b);
    /* an operation after all blocks proves little, because any network has a loss */
    if (b->all && (b->n < BLOCKS_LEAST || b->vocabulary == 0))
        return false;
    if (b->all)
        b->index = b->n;
    return b->n > 0 && (b->all || b->n > b->index) && b->n <= OD_BLOCKS_MOST;
}

/* --- sizes of a batch --- */

/* The longest sequence whose scores (heads of width 64) are in use; masks have fewer bytes. */
static void find_sequence(struct od_blocks *b)
{
    const struct od_allocator *dump = b->facts->failure->dump;
    uint64_t heads = b->width / 64;
    for (size_t i = 0; heads > 0 && i < dump->nsizes; i++) {
        uint64_t row = b->tokens * heads * (b->facts->sixteen_bit ? 2 : 4);
        uint64_t length = dump->sizes[i].bytes / row;
        if (dump->sizes[i].count < b->index || length < 8 || length * row != dump->sizes[i].bytes ||
            length > b->tokens || b->tokens % length != 0 || length % 8 != 0 ||
            length * heads == b->width || length * heads == b->width * 4 || length < b->sequence)
            continue;
        b->sequence = length;
    }
}

static void read_shape(struct od_blocks *b)
{
    const struct od_shape *shape = &b->facts->failure->incident->tensor.shape;
    const uint64_t *d = shape->dims;
    if (!shape->known || shape->n < 2 || d[0] == OD_DIM_UNKNOWN)
        return;
    if (shape->n == 4 && d[2] == d[3]) {
        b->batch = d[0];
        b->sequence = d[2];
    } else if (shape->n == 4) {
        b->batch = d[0];
        b->sequence = d[1] * d[3] == b->width ? d[2] : d[1];
    } else if (shape->n == 3) {
        b->batch = d[0];
        b->sequence = d[1];
    }
    if (ckd_mul(&b->tokens, b->batch, b->sequence) || b->tokens == 0)
        b->tokens = shape->n == 2 && (d[1] == b->width || d[1] == 4 * b->width ||
                                      (b->all && d[1] >= VOCABULARY_LEAST && d[1] % b->width != 0))
                        ? d[0]
                        : 0;
}

static bool read_batch(struct od_blocks *b)
{
    find_width(b, b->facts->failure->dump);
    if (b->width == 0)
        return false;
    read_shape(b);
    if (b->facts->batch.known && b->facts->batch_certainty != OD_POSSIBLE)
        b->batch = b->facts->batch.n;
    if (b->tokens > 0 && b->batch == 0) {
        find_sequence(b);
        b->batch = b->sequence > 0 ? b->tokens / b->sequence : 0;
    }
    if (b->tokens > 0 && b->batch > 0 && b->sequence == 0 && b->tokens % b->batch == 0)
        b->sequence = b->tokens / b->batch;
    return b->batch > 0;
}

/* Rows of the position table: as many copies as weights, but no block's weight. 0 = none. */
static uint64_t positions_of(const struct od_blocks *b)
{
    const struct od_allocator *dump = b->facts->failure->dump;
    uint64_t row = b->width * 4, most = 0;
    for (size_t i = 0; i < dump->nsizes; i++) {
        uint64_t rows = dump->sizes[i].bytes / row;
        bool block = rows % b->width == 0;
        if (!block && dump->sizes[i].count == b->copies && rows * row == dump->sizes[i].bytes &&
            rows >= b->sequence && rows < VOCABULARY_LEAST && rows > most)
            most = rows;
    }
    return most;
}

/* Memory of a sample with that many tokens, relative to a sample of the failed step. */
static double times_at(const struct od_blocks *b, double tokens)
{
    double longer = tokens / (double)b->sequence;
    return longer * (1 - b->scores) + longer * longer * b->scores;
}

/* Did a step succeed before? Each step requests every size equally often, while a chunk in use in
 * the first step was requested only once or twice. */
static bool ran_before(const struct od_fit_facts *facts)
{
    enum { TIMES = 4 };
    const struct od_failure *failure = facts->failure;
    return failure->allocations.known &&
           failure->allocations.n / TIMES >= failure->dump->in_use_count + 1;
}

/* Widens the range for samples of different length. If all lengths are equal, a step that fitted
 * once always fits. A run that failed after many steps had longer samples, and a longer one may
 * still follow. Programs mostly cut samples at a power of two, so the next power is the middle of
 * the range. */
static void widen_by_length(const struct od_blocks *b, struct od_hypothesis *found)
{
    static const uint64_t usual_positions = 512;
    static const double longer = 1.25; /* a later step may have a longer sample */
    uint64_t most = positions_of(b), usual = 1;
    if (b->sequence == 0 || !ran_before(b->facts) || (most > 0 && most <= b->sequence))
        return;
    if (most == 0) /* the usual number without a position table */
        most = b->sequence < usual_positions ? usual_positions : 2 * b->sequence;
    while ((double)usual < longer * (double)b->sequence)
        usual *= 2;
    found->median /= times_at(b, (double)(usual < most ? usual : most));
    found->lo /= times_at(b, (double)most);
    found->missing_fact =
        "the longest sequence of the data: the step that failed was not the first";
    found->basis = od_arena_printf(b->facts->arena,
                                   "%s; it had %llu tokens per sample after successful steps, and "
                                   "%s %llu: the range covers all lengths in between",
                                   found->basis, (unsigned long long)b->sequence,
                                   positions_of(b) > 0 ? "the model accepts"
                                                       : "longer ones may follow, perhaps up to",
                                   (unsigned long long)most);
}

/* Bytes of weights and optimizer states: those of the blocks, and rows * h for every copy. */
static double fixed_of(const struct od_blocks *b)
{
    const struct od_allocator *dump = b->facts->failure->dump;
    double h = (double)b->width, block = 12 * h * h + 13 * h, tables = 0;
    if (b->facts->fixed.known)
        return (double)b->facts->fixed.n;
    for (size_t i = 0; i < dump->nsizes; i++) {
        uint64_t rows = rows_of(b, &dump->sizes[i]);
        uint64_t count = dump->sizes[i].count;
        if (rows > 0 && (count == b->copies || rows == b->vocabulary))
            tables += (double)rows * h;
    }
    return 4 * (double)b->copies * ((double)b->n * block + tables);
}

bool od_fit_by_blocks(const struct od_fit_facts *facts, struct od_hypothesis *ret_found)
{
    /* additional memory: a nearly empty region; a copy of 16-bit scores by the loss */
    static const double more_by_growth = 0.06, more_by_scores = 0.2;
    const struct od_failure *failure = facts->failure;
    struct od_blocks b = {.facts = facts, .op = failure->op};
    if (!failure->dump || !failure->dump->has_chunks || facts->limit == 0 ||
        !failure->in_use.known || !od_fit_blocks_read_name(&b) || !read_batch(&b) ||
        !read_weights(&b))
        return false;
    od_fit_blocks_find_done(&b);
    double made = b.all        ? (double)b.n
                  : b.backward ? fmin((double)b.index + 1.3, (double)b.n)
                               : (double)b.index + b.done;
    double fixed = fixed_of(&b), row = (double)b.tokens * (double)b.width * 4;
    double logits = (double)b.tokens * (double)b.vocabulary * 4;
    double gradients = b.backward ? fixed / (double)b.copies * (1 - made / (double)b.n) : 0;
    double held = (double)failure->in_use.n - fixed - 3.25 * row - (gradients > 0 ? gradients : 0);
    held -= logits * (double)count_near(failure->dump, b.tokens * b.vocabulary * 4);
    if (made < 0.7 || held <= 0 || (double)facts->limit <= fixed)
        return false;
    bool grew = failure->dump->dump.regions.n > 1; /* regions waste part of their ends */
    double step = held / made * (double)b.n + 3.25 * row;
    if (b.head)
        step += 2 * logits;
    double median =
        (grew ? 0.955 : 0.985) * ((double)facts->limit - fixed) / (step / (double)b.batch);
    double off =
        0.035 + 0.12 / made + (b.backward ? 0.05 : 0) + (b.head ? 0.03 : 0) + (grew ? 0.03 : 0);
    *ret_found = (struct od_hypothesis){
        .median = median,
        .off = -1,
        .of_moment = true,
        .lo = median * (1 - off - (grew ? more_by_growth : 0)),
        .hi = median * (1 + off * 0.8 + (b.head && facts->sixteen_bit ? more_by_scores : 0)),
        .fixed = od_bytes_exact((uint64_t)fixed),
        .basis = od_arena_printf(facts->arena,
                                 "the step failed %s block %llu of %llu equal ones: the memory of "
                                 "the first ones gives the total",
                                 b.all        ? "behind"
                                 : b.backward ? "in the backward pass, in"
                                              : "in",
                                 (unsigned long long)b.index + !b.all, (unsigned long long)b.n),
        .memory_basis = "weights and optimizer states by their sizes in the dump; the blocks' "
                        "tensors per sample",
    };
    if (!facts->batch.known || facts->batch_certainty == OD_POSSIBLE)
        ret_found->batch = od_count_of(b.batch);
    widen_by_length(&b, ret_found);
    return true;
}
