#include "input/rejoin.h"

#include "input/peel.h"
#include "input/wrap.h"

/* Runs of neighbouring lines that are looked at before a whole block is taken apart; after some
 * blocks in which they showed nothing one of them in turn. */
enum { DEPTHS = 3, RUNS = 4, RUN_LINES = 32, FULL_LEAST = 5, BLOCKS_WHOLLY = 8, EMPTY_MOST = 4096 };

/* A physical line: where it lies, what was printed over, what is left. */
struct row {
    struct od_peel peel; /* text: the innermost so far */
    size_t start, next;  /* bytes of the block */
    size_t inner;        /* where its text begins in the inner block */
    size_t line;         /* of the block */
    uint32_t first_aside, nasides;
    bool bare; /* no layer is left */
};

struct od_rejoin {
    struct od_arena *arena; /* texts of a block */
    struct od_wrap wrap;
    struct od_buf inner; /* one line a row */
    struct od_buf out;
    OD_VEC(struct row) rows;
    OD_VEC(struct row) samples;
    size_t ends[RUNS]; /* of runs in them */
    OD_VEC(struct od_peel) asides;
    OD_VEC(struct od_said) said;
    OD_VEC(uint32_t) spans;
    OD_VEC(uint64_t) offsets;
    uint64_t joined;
    size_t blocks;  /* in a row in which none was found */
    unsigned depth; /* at which the stretch lay last; 0 = none was found */
};

struct od_rejoin *od_rejoin_new(void)
{
    struct od_rejoin *rejoin = od_mem_alloc(1, sizeof *rejoin);
    rejoin->arena = od_arena_new();
    return rejoin;
}

void od_rejoin_free(struct od_rejoin *rejoin)
{
    if (!rejoin)
        return;
    od_arena_free(rejoin->arena);
    od_wrap_done(&rejoin->wrap);
    od_buf_done(&rejoin->inner);
    od_buf_done(&rejoin->out);
    od_vec_done(&rejoin->rows);
    od_vec_done(&rejoin->samples);
    od_vec_done(&rejoin->asides);
    od_vec_done(&rejoin->said);
    od_vec_done(&rejoin->spans);
    od_vec_done(&rejoin->offsets);
    od_mem_free(rejoin);
}

void od_rejoin_start(struct od_rejoin *rejoin)
{
    od_wrap_start(&rejoin->wrap);
    rejoin->wrap.first = false; /* what is beneath wrappers is no whole source */
    rejoin->depth = 0;
    rejoin->blocks = 0;
}

uint64_t od_rejoin_joined(const struct od_rejoin *rejoin)
{
    return rejoin->joined;
}

size_t od_rejoin_width(const struct od_rejoin *rejoin)
{
    return rejoin->wrap.watch.known;
}

/* ---- one line ---- */

static bool row_at(const struct od_block *block, size_t start, struct row *ret_row)
{
    if (start >= block->bytes.n)
        return false;
    const char *p = block->bytes.p + start;
    const char *lf = memchr(p, '\n', block->bytes.n - start);
    size_t n = lf ? (size_t)(lf - p) : block->bytes.n - start;
    *ret_row = (struct row){.start = start, .next = start + n + (lf ? 1 : 0)};
    if (lf && n > 0 && p[n - 1] == '\r')
        n--;
    ret_row->peel = (struct od_peel){.text = {.p = p, .n = n}, .labels = block->labels};
    return true;
}

static struct od_view without_end(struct od_view text)
{
    while (text.n > 0 && (text.p[text.n - 1] == '\n' || text.p[text.n - 1] == '\r'))
        text.n--;
    return text;
}

/* The nearer of two places, each of which may be NULL. */
static const char *first_of(const char *a, const char *b)
{
    return !a || (b && b < a) ? b : a;
}

/* What stands behind the last break stays; what was printed before it is put aside. */
static bool set_aside(struct od_rejoin *rejoin, struct row *row)
{
    struct od_view rest = row->peel.text;
    struct od_peel aside = row->peel;
    const char *cr = memchr(rest.p, '\r', rest.n), *lf = memchr(rest.p, '\n', rest.n), *end;
    if (!cr && !lf)
        return false;
    for (; (end = first_of(cr, lf)) != NULL; rest = od_view_from(rest, aside.text.n + 1)) {
        aside.text = od_view_head(rest, (size_t)(end - rest.p));
        aside.overprinted = *end == '\r';
        if (aside.text.n > 0) {
            od_vec_push(&rejoin->asides, aside);
            row->nasides++;
        }
        size_t left = rest.n - aside.text.n - 1;
        cr = end == cr ? memchr(end + 1, '\r', left) : cr;
        lf = end == lf ? memchr(end + 1, '\n', left) : lf;
    }
    row->peel.text = rest;
    return true;
}

/* The same where nobody asks what was printed before. */
static bool drop_before(struct row *row)
{
    struct od_view text = row->peel.text;
    if (text.n == 0)
        return false;
    const char *cr = od_find_last(text.p, '\r', text.n), *lf = od_find_last(text.p, '\n', text.n);
    const char *last = !cr || (lf && lf > cr) ? lf : cr;
    if (last)
        row->peel.text = od_view_from(text, (size_t)(last - text.p) + 1);
    return last != NULL;
}

/* One layer less; false when there is none. keeps: what was printed before is put aside. */
static bool strip(struct od_rejoin *rejoin, struct row *row, bool keeps)
{
    row->peel.arena = rejoin->arena;
    row->bare = !(keeps ? set_aside(rejoin, row) : drop_before(row)) && !od_peel_one(&row->peel);
    row->peel.text = without_end(row->peel.text);
    return !row->bare;
}

/* ---- is it worth it? ---- */

/* Of a run: do many lines have the length of the longest, and are they no ordinary ones? */
static bool run_is_full(const struct od_view *lines, size_t n)
{
    size_t width = 0, full = 0;
    for (size_t i = 0; i < n; i++)
        if (lines[i].n > width)
            width = lines[i].n;
    for (size_t i = 0; i < n; i++)
        full += lines[i].n == width;
    return width >= OD_WRAP_LEAST && width <= OD_WRAP_MOST && full >= FULL_LEAST &&
           !od_wrap_is_ordinary(lines, n, width);
}

static size_t line_start(struct od_view bytes, size_t at)
{
    const char *lf = at < bytes.n ? memchr(bytes.p + at, '\n', bytes.n - at) : NULL;
    return at == 0 ? 0 : lf ? (size_t)(lf - bytes.p) + 1 : bytes.n;
}

static void take_samples(struct od_rejoin *rejoin, const struct od_block *block)
{
    struct row row;
    rejoin->samples.n = 0;
    for (size_t run = 0; run < RUNS; run++) {
        bool looks = rejoin->blocks < BLOCKS_WHOLLY || rejoin->blocks % RUNS == run;
        size_t at = line_start(block->bytes, block->bytes.n / RUNS * run), n = 0, empty = 0;
        for (; looks && n < RUN_LINES && empty < EMPTY_MOST && row_at(block, at, &row);
             at = row.next) {
            if (row.peel.text.n == 0) {
                empty++;
                continue;
            }
            od_vec_push(&rejoin->samples, row);
            n++;
        }
        rejoin->ends[run] = rejoin->samples.n;
    }
}

/* Behind one layer more; *ret_layered: in some run most lines have one. */
static bool looks_wrapped(struct od_rejoin *rejoin, bool *ret_layered)
{
    bool wrapped = false;
    *ret_layered = false;
    for (size_t run = 0, at = 0; run < RUNS; run++) {
        struct od_view lines[RUN_LINES];
        size_t n = 0, stripped = 0;
        for (; at < rejoin->ends[run]; at++) {
            struct row *row = &rejoin->samples.items[at];
            stripped += !row->bare && strip(rejoin, row, false);
            lines[n++] = row->peel.text;
        }
        bool layered = n > 0 && stripped * 2 >= n;
        *ret_layered |= layered;
        wrapped |= layered && run_is_full(lines, n);
    }
    return wrapped;
}

static bool has_wrapper(struct od_rejoin *rejoin, const struct od_block *block)
{
    struct row row;
    size_t at = 0;
    for (size_t n = 0; n < EMPTY_MOST && row_at(block, at, &row) && row.peel.text.n == 0; n++)
        at = row.next;
    return row_at(block, at, &row) && strip(rejoin, &row, false);
}

/* ---- the block anew ---- */

static void take_apart(struct od_rejoin *rejoin, const struct od_block *block, unsigned depth)
{
    struct row row;
    rejoin->rows.n = rejoin->asides.n = 0;
    rejoin->inner.n = 0;
    for (size_t at = 0; row_at(block, at, &row); at = row.next) {
        row.first_aside = (uint32_t)rejoin->asides.n;
        for (unsigned i = 0; i < depth && strip(rejoin, &row, true);)
            i++;
        row.inner = rejoin->inner.n;
        row.line = rejoin->rows.n;
        od_wrap_watch_line(&rejoin->wrap.watch, row.inner, row.peel.text.n);
        od_buf_add(&rejoin->inner, row.peel.text);
        od_buf_add_char(&rejoin->inner, '\n');
        od_vec_push(&rejoin->rows, row);
    }
}

static struct od_said said_of(const struct od_peel *peel)
{
    return (struct od_said){.place = {.host = peel->host,
                                      .process = peel->process,
                                      .pid = peel->pid,
                                      .rank = peel->rank},
                            .stamp = peel->stamp,
                            .overprinted = peel->overprinted};
}

/* A line of the new block is complete but for its text. */
static void put_line(struct od_rejoin *rejoin, const struct od_peel *peel, uint64_t offset,
                     uint32_t span)
{
    od_buf_add_char(&rejoin->out, '\n');
    od_vec_push(&rejoin->said, said_of(peel));
    od_vec_push(&rejoin->offsets, offset);
    od_vec_push(&rejoin->spans, span);
}

static void put_asides(struct od_rejoin *rejoin, const struct row *row, uint64_t offset)
{
    for (uint32_t i = 0; i < row->nasides; i++) {
        const struct od_peel *aside = &rejoin->asides.items[row->first_aside + i];
        od_buf_add(&rejoin->out, aside->text);
        put_line(rejoin, aside, offset, 0);
    }
}

static uint64_t offset_of(const struct od_block *block, const struct row *row)
{
    return block->offsets ? block->offsets[row->line] : block->offset + row->start;
}

/* Is the end of that row's text one of those that go away? Joins ascend with the rows. */
static bool is_joined(const struct od_rejoin *rejoin, const struct row *row, size_t *next_join)
{
    size_t end = row->inner + row->peel.text.n;
    if (*next_join >= rejoin->wrap.joins.n || rejoin->wrap.joins.items[*next_join] != end)
        return false;
    (*next_join)++;
    return true;
}

static void write_rows(struct od_rejoin *rejoin, const struct od_block *block, size_t nrows)
{
    size_t next_join = 0;
    rejoin->out.n = 0;
    rejoin->said.n = rejoin->spans.n = rejoin->offsets.n = 0;
    for (size_t i = 0; i < nrows;) {
        size_t first = i;
        do
            put_asides(rejoin, &rejoin->rows.items[i], offset_of(block, &rejoin->rows.items[i]));
        while (is_joined(rejoin, &rejoin->rows.items[i], &next_join) && ++i < nrows);
        i += i < nrows;
        for (size_t k = first; k < i; k++)
            od_buf_add(&rejoin->out, rejoin->rows.items[k].peel.text);
        const struct row *head = &rejoin->rows.items[first];
        put_line(rejoin, &head->peel, offset_of(block, head), (uint32_t)(i - first));
        rejoin->joined += i - first - 1;
    }
}

static bool join_at(struct od_rejoin *rejoin, const struct od_block *block, unsigned depth,
                    bool last, size_t *ret_rows)
{
    take_apart(rejoin, block, depth);
    size_t ready = od_wrap_plan(&rejoin->wrap, od_buf_view(&rejoin->inner), last);
    if (rejoin->wrap.joins.n == 0)
        return false;
    size_t nrows = rejoin->rows.n;
    while (nrows > 0 && rejoin->rows.items[nrows - 1].inner >= ready)
        nrows--;
    *ret_rows = nrows;
    return nrows > 0;
}

size_t od_rejoin_block(struct od_rejoin *rejoin, struct od_block *block, bool last)
{
    od_arena_reset(rejoin->arena);
    rejoin->asides.n = 0;
    rejoin->joined = 0;
    if (!has_wrapper(rejoin, block))
        return 0;
    size_t nrows = 0;
    bool found = rejoin->wrap.width > 0 && join_at(rejoin, block, rejoin->depth, last, &nrows);
    bool layered = true;
    take_samples(rejoin, block);
    for (unsigned depth = 1; !found && layered && depth <= DEPTHS; depth++) {
        if (!looks_wrapped(rejoin, &layered))
            continue;
        rejoin->depth = depth;
        found = join_at(rejoin, block, depth, last, &nrows);
    }
    rejoin->blocks = found ? 0 : rejoin->blocks + 1;
    if (!found)
        return 0;
    size_t used = rejoin->rows.items[nrows - 1].next;
    write_rows(rejoin, block, nrows);
    block->bytes = od_buf_view(&rejoin->out);
    block->said = rejoin->said.items;
    block->spans = rejoin->spans.items;
    block->offsets = rejoin->offsets.items;
    return used;
}
