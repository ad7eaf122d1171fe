/*
 * Figure: who holds the memory. One bar for each tensor, the largest first; each bar starts where
 * the one before ends, up to the limit.
 */
#include "report/figure_parts.h"

#include "report/words.h"

enum { ROWS_MOST = 10, ROW_HEIGHT = 42, FOOT = 70, SHAPE_MOST = 32 };

/* Sizes below this share of the memory in use are summed by kind. */
static const double worth_a_row = 0.03;

struct row {
    const char *label;
    uint64_t bytes;
    enum od_share share;
};

struct holders {
    const struct od_allocator *a;
    struct od_shares shares;
    struct od_arena *arena;
    OD_VEC(struct row) rows;
    uint64_t used, whole; /* bytes in use; sum of all rows */
    const char *whole_word;
};

static void add(struct holders *h, const char *label, uint64_t bytes, enum od_share share)
{
    if (bytes > 0)
        od_vec_push(&h->rows, ((struct row){.label = label, .bytes = bytes, .share = share}));
}

static int by_bytes(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    return strcmp(x->label, y->label);
}

/* "[180,64,224,224] float32"; NULL where there is no shape, or too long a one. */
static const char *shape_word(const struct od_candidate *candidate, struct od_arena *arena)
{
    const char *dtype = od_dtype_name(candidate->dtype);
    const char *shape = od_words_shape(arena, &candidate->shape, ",");
    if (!candidate->shape.known || strlen(shape) > SHAPE_MOST)
        return NULL;
    return od_arena_printf(arena, "%s%s%s", shape, dtype ? " " : "", dtype ? dtype : "");
}

static const char *size_label(const struct holders *h, size_t i)
{
    const struct od_size *size = &h->a->sizes[i];
    const struct od_size_candidates *found =
        h->shares.holding && h->shares.holding->sizes ? &h->shares.holding->sizes[i] : NULL;
    static const char *const sure[] = {
        [OD_POSSIBLE] = "maybe ", [OD_LIKELY] = "probably ", [OD_CERTAIN] = ""};
    const char *what = "in use", *shape = NULL, *how = "";
    if (found && found->n > 0) {
        what = od_share_words(od_share_of_role(found->list[0].role))->name;
        if (found->list[0].role == OD_ROLE_UNKNOWN)
            what = "in use";
        shape = shape_word(&found->list[0], h->arena);
        how = sure[found->list[0].certainty];
    }
    const char *count = od_words_count(h->arena, size->count);
    return od_arena_printf(h->arena, "%s%s, %s × %s", how, what, count,
                           shape ? shape : od_bytes_text_u64(h->arena, size->bytes));
}

/* Adds the rest of each share, without the large sizes that have rows. */
static void add_rest(struct holders *h, const uint64_t left[static OD_SHARES], bool any_row)
{
    for (unsigned share = 0; share < OD_SHARE_FREE; share++) {
        const char *name = od_share_words((enum od_share)share)->name;
        if (share == OD_SHARE_UNKNOWN)
            name = h->shares.explained ? "in use, unexplained" : "in use, other sizes";
        else if (any_row)
            name = od_arena_printf(h->arena, "%s, other sizes", name);
        add(h, name, left[share], (enum od_share)share);
    }
}

static void add_sizes(struct holders *h)
{
    uint64_t left[OD_SHARES] = {0}, sum = 0;
    size_t rows = 0;
    for (size_t i = 0; i < h->a->nsizes; i++) {
        const struct od_size *size = &h->a->sizes[i];
        enum od_share share = od_shares_find(&h->shares, size->bytes);
        sum += size->total;
        if (rows < ROWS_MOST - 3 && (double)size->total >= worth_a_row * (double)h->used) {
            add(h, size_label(h, i), size->total, share);
            rows++;
        } else {
            left[share] += size->total;
        }
    }
    if (sum < h->used)
        left[OD_SHARE_UNKNOWN] += h->used - sum;
    add_rest(h, left, rows > 0);
    qsort(h->rows.items, h->rows.n, sizeof *h->rows.items, by_bytes);
}

/* Rows from a complete chunk list: every byte of the limit belongs to one. */
static bool add_chunks(struct holders *h)
{
    const struct od_allocator *a = h->a;
    uint64_t pool;
    if (a->largest_free_bytes > a->free_bytes || ckd_add(&pool, a->in_use_bytes, a->free_bytes))
        return false;
    h->used = a->in_use_bytes;
    h->whole = pool;
    h->whole_word = "all chunks";
    add_sizes(h);
    add(h, "free, the largest block", a->largest_free_bytes, OD_SHARE_FREE);
    add(h, "free, other blocks", a->free_bytes - a->largest_free_bytes, OD_SHARE_FREE);
    if (a->limit.known && a->limit.n >= pool) {
        add(h, "not reserved on the device", a->limit.n - pool, OD_SHARE_FREE);
        h->whole = a->limit.n;
        h->whole_word = "limit";
    }
    return pool > 0;
}

/* Rows from printed totals and the sizes that the log lists; false if these do not sum up. */
static bool add_printed(struct holders *h)
{
    const struct od_allocator *a = h->a;
    uint64_t listed = 0;
    for (size_t i = 0; i < a->nsizes; i++)
        if (ckd_add(&listed, listed, a->sizes[i].total))
            return false;
    if (!a->in_use.known || !a->limit.known || a->in_use.n > a->limit.n || a->in_use.n == 0 ||
        listed > a->in_use.n || listed == 0)
        return false;
    h->used = a->in_use.n;
    h->whole = a->limit.n;
    h->whole_word = "limit";
    add_sizes(h);
    if (a->pool.known && a->pool.n >= a->in_use.n && a->pool.n <= a->limit.n) {
        add(h, "free in the pool", a->pool.n - a->in_use.n, OD_SHARE_FREE);
        add(h, "not reserved on the device", a->limit.n - a->pool.n, OD_SHARE_FREE);
    } else {
        add(h, "free, or not reserved on the device", a->limit.n - a->in_use.n, OD_SHARE_FREE);
    }
    return true;
}

/* Draws each bar on its own line with its label above, so that the label has room at any width. */
static void add_bars(struct od_gnuplot_script *plot, const struct holders *h)
{
    uint64_t before = 0;
    (void)od_gnuplot_block(plot, "row, from, to, color, name, size");
    for (size_t i = 0; i < h->rows.n; i++) {
        const struct row *row = &h->rows.items[i];
        double percent = 100 * (double)row->bytes / (double)h->whole;
        od_gnuplot_row(plot, "%zu %" PRIu64 " %" PRIu64 " 0x%s \"%s\" \"%s, %s%.0f %%\"", i, before,
                       before + row->bytes, od_shares_color(&h->shares, row->share) + 1, row->label,
                       od_bytes_text_u64(plot->arena, row->bytes), percent < 1 ? "<" : "",
                       percent < 1 ? 1 : percent);
        before += row->bytes;
    }
    od_gnuplot_say(plot, "rows = %zu\nwhole = %" PRIu64 ".0\nset xlabel '%s of %s (%s)'", h->rows.n,
                   h->whole, od_bytes_unit_name(plot->unit),
                   od_bytes_text_u64(plot->arena, h->whole), h->whole_word);
    od_gnuplot_run(plot, "holders");
}

void od_figure_holders(struct od_figures *figures, const struct od_report *report,
                       const struct od_allocator *a, struct od_arena *arena)
{
    struct holders h = {.a = a, .arena = arena, .shares = od_shares_of(report, a, arena)};
    if (a->chunks_complete ? add_chunks(&h) : add_printed(&h)) {
        struct od_gnuplot_script plot = od_gnuplot_start(figures, arena, h.whole);
        add_bars(&plot, &h);
        const char *device = od_figure_device(a->device, arena);
        struct od_figure words = {
            .name = "holders",
            .title =
                od_arena_printf(arena, "What uses the memory%s%s", *device ? ", " : "", device),
            .alt = od_arena_printf(arena,
                                   "One bar for each kind of tensor or free block, largest first, "
                                   "each beginning where the one before ends. The first: %s.",
                                   h.rows.items[0].label),
            .height = FOOT + (unsigned)h.rows.n * ROW_HEIGHT};
        od_gnuplot_finish(&plot, &words);
    }
    od_vec_done(&h.rows);
}
