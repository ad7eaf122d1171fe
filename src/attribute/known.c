#include "attribute/known.h"

#include "attribute/kernels.h"
#include "base/index.h"
#include "estimate/known_nets.h"

/* Smaller sizes match too many things. */
#define KERNEL_LEAST 4096

enum { COPIES_MOST = 4, KINDS_LEAST = 4, BATCH_MOST = 65536 };

/* Required shares of the kinds of kernels. EXACT: have a chunk of exactly their size for every
 * layer. THERE: have one of that or a larger size. AGREE: how well counts agree (1 is perfect). The
 * second best network must be worse by CLEARER. */
static const double EXACT = 0.6, THERE = 0.9, AGREE = 0.75, CLEARER = 0.03;

struct voters {
    const struct od_allocator *dump;
    struct od_arena *arena;
    struct od_index by_bytes; /* maps bytes to the index of a size + 1 */
    bool *taken;              /* sizes that belong to another kernel */
    bool *own;                /* sizes that equal a weight of the candidate network */
};

static void voters_init(struct voters *v, const struct od_allocator *dump, struct od_arena *arena)
{
    *v = (struct voters){.dump = dump, .arena = arena};
    v->taken = OD_NEW_N(arena, dump->nsizes + 1, bool);
    v->own = OD_NEW_N(arena, dump->nsizes + 1, bool);
    for (size_t i = 0; i < dump->nsizes; i++) {
        if (od_index_get(&v->by_bytes, dump->sizes[i].bytes) == 0)
            od_index_put(&v->by_bytes, dump->sizes[i].bytes, (uint32_t)i + 1);
    }
}

static uint64_t count_of(const struct voters *v, uint64_t bytes)
{
    uint32_t at = od_index_get(&v->by_bytes, bytes);
    return at > 0 ? v->dump->sizes[at - 1].count : 0;
}

/* Can the chunk be an unsplit one for this request (the end of a region, or a hole too small to
 * split)? It then has less than twice the requested bytes. */
static bool may_be_whole(const struct voters *v, uint64_t bytes, size_t at)
{
    uint64_t here = v->dump->sizes[at].bytes;
    return here > bytes && here - bytes < bytes && !v->taken[at] && !v->own[at];
}

/* The smallest size that may be an unsplit chunk for this request; the number of sizes if none. */
static size_t whole_for(const struct voters *v, uint64_t bytes)
{
    size_t best = v->dump->nsizes;
    for (size_t i = 0; i < v->dump->nsizes; i++)
        if (may_be_whole(v, bytes, i) &&
            (best == v->dump->nsizes || v->dump->sizes[i].bytes < v->dump->sizes[best].bytes))
            best = i;
    return best;
}

/* Number of chunks, at most `lacking`, that can be unsplit chunks for a kernel. */
static uint64_t whole_of(const struct voters *v, uint64_t bytes, uint64_t lacking)
{
    uint64_t count = 0;
    for (size_t i = 0; i < v->dump->nsizes && count < lacking; i++)
        if (may_be_whole(v, bytes, i))
            count += v->dump->sizes[i].count;
    return count < lacking ? count : lacking;
}

struct vote {
    /* shares of the kinds, 0..1; exact: counting only chunks of exactly their size */
    double exact, there, agree;
    unsigned kinds;
    uint64_t copies;
};

/* How well a count of chunks agrees with this number of copies of each layer's kernel. A step adds
 * at most one gradient per layer and may not have reached all layers, so gradients count half. */
static double agreement(uint64_t count, uint64_t layers, uint64_t copies)
{
    uint64_t least = layers * copies, most = layers * (copies + 1);
    uint64_t within = count < least ? least : count < most ? count : most;
    double off = (double)(count < within ? within - count : count - within) / (double)least +
                 0.5 * (double)(within - least) / (double)layers;
    return off < 1 ? 1 - off : 0;
}

static bool votes(const struct od_kernel_kind *kind)
{
    return kind->bytes >= KERNEL_LEAST && !kind->is_vector;
}

static struct vote vote_of(const struct voters *v, const struct od_kernels *kernels,
                           uint64_t copies)
{
    static const double doubtful = 0.8;
    struct vote vote = {.copies = copies};
    OD_FOR_EACH_OF (const struct od_kernel_kind, kind, kernels->kinds, kernels->n) {
        if (!votes(kind))
            continue;
        uint64_t n = kind->layers, count = count_of(v, kind->bytes);
        uint64_t lacking = n * copies > count ? n * copies - count : 0;
        uint64_t whole = whole_of(v, kind->bytes, lacking);
        double part = (double)(count + whole) / (double)n;
        vote.exact += count >= n;
        bool half = n == 1 || 2 * count >= n; /* a single layer does not prove a share of several */
        vote.there += count >= n ? 1 : half ? doubtful * (part < 1 ? part : 1) : 0;
        double with = agreement(count + whole, n, copies), bare = agreement(count, n, copies);
        vote.agree += (with + bare) / 2; /* a single size may agree by chance */
        vote.kinds++;
    }
    if (vote.kinds > 0) {
        vote.exact /= vote.kinds;
        vote.there /= vote.kinds;
        vote.agree /= vote.kinds;
    }
    return vote;
}

/* Share of the kinds that have a chunk of exactly their size for every layer. Computed first,
 * because it is cheap and excludes most networks. */
static double exact_share(const struct voters *v, const struct od_kernels *kernels)
{
    unsigned kinds = 0, exact = 0;
    for (size_t i = 0; i < kernels->n; i++) {
        if (!votes(&kernels->kinds[i]))
            continue;
        kinds++;
        exact += count_of(v, kernels->kinds[i].bytes) >= kernels->kinds[i].layers;
    }
    return kinds > 0 ? (double)exact / kinds : 0;
}

static struct vote best_vote(const struct voters *v, const struct od_kernels *kernels)
{
    struct vote best = {0};
    if (exact_share(v, kernels) < EXACT)
        return best;
    for (size_t i = 0; i < v->dump->nsizes; i++)
        v->own[i] = od_kernels_find(kernels, v->dump->sizes[i].bytes) != NULL;
    for (uint64_t copies = 1; copies <= COPIES_MOST; copies++) {
        struct vote here = vote_of(v, kernels, copies);
        if (here.agree > best.agree)
            best = here;
    }
    return best;
}

/* ---- layers after the features ---- */

/* Number of classes, if that of a well-known data set, possibly with a background; 0 = other. */
static uint64_t classes_of(const struct voters *v, uint64_t features)
{
    static const uint64_t classes[] = {1000, 1001, 10, 100, 101, 200, 20, 21, 2, 5, 1008};
    for (size_t i = 0; i < OD_COUNT_OF(classes); i++)
        if (count_of(v, od_bfc_rounded(features * classes[i] * 4)) > 0)
            return classes[i];
    return 0;
}

static uint64_t features_of(const struct od_model *model)
{
    const struct od_shape *out = &model->layers.items[model->layers.n - 1].output;
    return out->dims[out->n - 1];
}

static const struct od_model *with_head(const struct voters *v, size_t which, uint64_t side)
{
    const struct od_net_about *about = od_net_about(which);
    const struct od_model *bare = od_net_model(which, side, 0, v->arena);
    const struct od_shape *out = &bare->layers.items[bare->layers.n - 1].output;
    uint64_t features = features_of(bare), middle = about->dense * about->dense * 4;
    if (about->dense > 0) {
        uint64_t first = out->dims[1] * out->dims[2] * features * about->dense * 4;
        bool there = count_of(v, middle) > 0 || count_of(v, first) > 0;
        uint64_t classes = classes_of(v, about->dense);
        return there ? od_net_model(which, side, classes > 0 ? classes : 1000, v->arena) : bare;
    }
    uint64_t classes = classes_of(v, features);
    return classes > 0 ? od_net_model(which, side, classes, v->arena) : bare;
}

/* ---- side of the images ---- */

/* Bytes in use with the size of an output of the network. */
static double outputs_in_use(const struct voters *v, const struct od_named_list *outputs,
                             const struct od_kernels *kernels, uint64_t batch, enum od_dtype dtype)
{
    const struct od_named_list at = od_outputs_at(outputs, batch, dtype, v->arena);
    double sum = 0;
    size_t n;
    OD_FOR_EACH_OF (const struct od_size, size, v->dump->sizes, v->dump->nsizes)
        if (size->bytes >= KERNEL_LEAST && !od_kernels_find(kernels, size->bytes) &&
            od_named_find(&at, size->bytes, &n))
            sum += (double)size->total;
    return sum;
}

/* The image side at which most bytes are outputs; the usual side if no other is clearly better. */
static uint64_t side_of(const struct voters *v, size_t which, const struct od_kernels *kernels,
                        uint64_t batch)
{
    static const uint64_t sides[] = {32,  64,  96,  128, 150, 160, 192, 200, 224, 227, 240, 256,
                                     288, 299, 300, 320, 384, 400, 416, 448, 480, 512, 600, 640};
    static const double clearly = 1.3;
    static const enum od_dtype types[] = {OD_FLOAT32, OD_FLOAT16};
    uint64_t best = od_net_about(which)->side;
    double most = -1;
    for (size_t i = 0; i <= OD_COUNT_OF(sides); i++) {
        uint64_t side = i == 0 ? best : sides[i - 1];
        const struct od_model *model = od_net_model(which, side, 0, v->arena);
        struct od_named_list outputs = od_outputs_of(model, v->arena);
        for (size_t k = 0; k < OD_COUNT_OF(types); k++) {
            double here = outputs_in_use(v, &outputs, kernels, batch, types[k]);
            if (here > most * clearly || most < 0) {
                most = here;
                best = side;
            }
        }
    }
    return best;
}

/* ---- unsplit chunks ---- */

static int compare_bytes(const void *a, const void *b)
{
    const struct od_named *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return (x->layer > y->layer) - (x->layer < y->layer);
}

static bool is_kernel(const struct od_named *named)
{
    return named->bytes >= KERNEL_LEAST && named->shape.n != 1;
}

/* Assigns an unsplit chunk to each kernel or copy without a chunk of its own size. A copy becomes
 * another tensor of the list. */
static void give_whole(struct voters *v, uint64_t copies, struct od_named_list *weights)
{
    const struct od_named_list exact = *weights;
    size_t same;
    for (size_t i = 0; i < v->dump->nsizes; i++)
        v->own[i] = od_named_find(&exact, v->dump->sizes[i].bytes, &same) != NULL;
    struct od_named_list all = {.n = exact.n, .bytes = exact.bytes};
    all.items = OD_NEW_N(v->arena, exact.n * copies + 1, struct od_named);
    memcpy(all.items, exact.items, exact.n * sizeof *exact.items);
    for (size_t end = exact.n, n; end > 0; end -= n) {
        const struct od_named *last = &exact.items[end - 1];
        const struct od_named *first = od_named_find(&exact, last->bytes, &n);
        uint64_t have = count_of(v, last->bytes), left = 0;
        size_t whole = v->dump->nsizes;
        for (uint64_t k = have; k < n * copies && is_kernel(last); k++, left--) {
            if (left == 0)
                whole = whole_for(v, last->bytes);
            if (whole == v->dump->nsizes)
                break;
            left = left > 0 ? left : v->dump->sizes[whole].count;
            v->taken[whole] = true;
            size_t at = (size_t)(first - exact.items) + (size_t)k;
            struct od_named *named = &all.items[k < n ? at : all.n++];
            if (k >= n) {
                *named = first[k % n];
                named->role = OD_ROLE_FIXED;
                named->trained = false;
            }
            named->bytes = v->dump->sizes[whole].bytes;
            named->whole = true;
        }
    }
    qsort(all.items, all.n, sizeof *all.items, compare_bytes);
    all.parameters = exact.parameters;
    all.described = exact.described;
    *weights = all;
}

static void put_channels_first(struct od_named_list *outputs)
{
    for (size_t i = 0; i < outputs->n; i++) {
        uint64_t *dims = outputs->items[i].shape.dims;
        if (outputs->items[i].shape.n != 4)
            continue;
        uint64_t channels = dims[3];
        dims[3] = dims[2];
        dims[2] = dims[1];
        dims[1] = channels;
    }
}

static bool is_same_network(size_t a, size_t b)
{
    return strcmp(od_net_about(a)->name, od_net_about(b)->name) == 0;
}

/* The weight of a vote. If two networks agree equally well, the one with more kinds of kernels
 * wins, because the kernels of the other one are a subset. */
static double weight_of(const struct vote *vote)
{
    static const unsigned enough = 10;
    static const double each = 0.03;
    return vote->agree + each * (vote->kinds < enough ? vote->kinds : enough);
}

/* The network whose kernels agree best; the number of networks if none is clearly best. */
static size_t elect(const struct voters *v, struct vote *ret_vote)
{
    size_t best = od_net_count(), n = od_net_count();
    struct vote *votes = OD_NEW_N(v->arena, n, struct vote);
    for (size_t i = 0; i < n; i++) {
        votes[i] = best_vote(v, &od_known_kernels[i]);
        bool passes =
            votes[i].kinds >= KINDS_LEAST && votes[i].there >= THERE && votes[i].agree >= AGREE;
        if (!passes)
            votes[i] = (struct vote){0};
        else if (best == n || weight_of(&votes[i]) > weight_of(&votes[best]))
            best = i;
    }
    for (size_t i = 0; i < n && best < n; i++)
        if (!is_same_network(i, best) && votes[i].kinds > 0 &&
            weight_of(&votes[i]) + CLEARER > weight_of(&votes[best]))
            return n;
    if (best < n)
        *ret_vote = votes[best];
    return best;
}

/* Describes the network, with the classifier and image side that the dump shows. */
static struct od_known describe(struct voters *v, const struct od_known_question *q, size_t which,
                                const struct vote *vote)
{
    struct od_known known = {
        .name = od_net_about(which)->name, .which = which, .copies = vote->copies};
    uint64_t side = od_net_about(which)->side;
    if (q->batch.known)
        side = side_of(v, which, &od_known_kernels[which], q->batch.n);
    const struct od_model *model = with_head(v, which, side);
    known.weights = od_weights_of(model, v->arena);
    known.outputs = od_outputs_of(model, v->arena);
    give_whole(v, vote->copies, &known.weights);
    if (q->channels_first)
        put_channels_first(&known.outputs);
    return known;
}

struct od_known od_known_find(const struct od_known_question *q, struct od_arena *arena)
{
    struct voters v;
    struct vote vote = {0};
    struct od_known known = {0};
    if (q->allocator->dump.family == OD_FAMILY_TORCH || (q->batch.known && q->batch.n > BATCH_MOST))
        return known;
    voters_init(&v, q->allocator, arena);
    size_t which = elect(&v, &vote);
    if (which < od_net_count())
        known = describe(&v, q, which, &vote);
    od_index_done(&v.by_bytes);
    return known;
}
