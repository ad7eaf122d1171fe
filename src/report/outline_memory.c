/* Tables of the memory: who held what. */
#include "report/outline_parts.h"

#include "report/words.h"

#include <math.h>

enum { SIZES_SHOWN = 4, HOLDERS_SHOWN = 4 };

struct amount {
    const char *what;
    uint64_t bytes;
    enum od_tone tone;
    long long shown; /* in hundredths of the unit, or in bytes */
};

struct amounts {
    OD_VEC(struct amount) rows;
    const char *total_what;
    uint64_t total;
    bool closes;             /* the rows sum to the total plus `shared` */
    struct od_bytes request; /* shown below the total; unknown = no request */
    uint64_t shared;         /* counted twice: the rows exceed the total by this */
    size_t most;             /* number of sizes or holders with a row; the others share one */
    const struct od_account *within; /* adds the larger memories around it; NULL = no rows */
};

static void add(struct amounts *amounts, const char *what, uint64_t bytes, enum od_tone tone)
{
    struct amount row = {.what = what, .bytes = bytes, .tone = tone};
    od_vec_push(&amounts->rows, row);
}

static double hundredths(uint64_t bytes, unsigned unit)
{
    return unit == 0 ? (double)bytes : (double)bytes * 100 / pow(1024, unit);
}

/*
 * Rounds the rows so that their sum is the shown total: rows nearest to the next hundredth take the
 * difference.
 */
static long long round_rows(struct amounts *amounts, unsigned unit)
{
    long long total = llround(hundredths(amounts->total, unit));
    long long sum = 0;
    for (size_t i = 0; i < amounts->rows.n; i++) {
        amounts->rows.items[i].shown = llround(hundredths(amounts->rows.items[i].bytes, unit));
        sum += amounts->rows.items[i].shown;
    }
    while (amounts->closes && amounts->shared == 0 && unit > 0 && amounts->rows.n > 0 &&
           sum != total) {
        int sign = sum < total ? 1 : -1;
        size_t best = 0;
        double most = -HUGE_VAL;
        for (size_t i = 0; i < amounts->rows.n; i++) {
            const struct amount *row = &amounts->rows.items[i];
            double error = sign * (hundredths(row->bytes, unit) - (double)row->shown);
            if (error > most && row->shown + sign >= 0) {
                best = i;
                most = error;
            }
        }
        amounts->rows.items[best].shown += sign;
        sum += sign;
    }
    return total;
}

static struct od_view shown_text(struct od_arena *arena, const struct amount *amount, unsigned unit)
{
    return od_view_of(unit == 0 ? od_arena_printf(arena, "%lld", amount->shown)
                                : od_words_hundredths(arena, amount->shown, amount->bytes > 0));
}

static void add_row(struct od_outline *outline, struct od_table *table, const struct amount *amount,
                    unsigned unit, uint64_t whole)
{
    struct od_row *row = od_doc_row(table);
    double part = whole > 0 ? (double)amount->bytes / (double)whole : 0;
    row->cells[0] = (struct od_cell){.tone = amount->tone, .text = od_view_of(amount->what)};
    row->cells[1] = (struct od_cell){.text = shown_text(outline->arena, amount, unit)};
    row->cells[2] = (struct od_cell){.tone = amount->tone, .part = part};
    if (outline->all)
        row->cells[3] =
            (struct od_cell){.text = od_view_of(od_words_count(outline->arena, amount->bytes))};
}

/* Adds rows for the larger memories that contain the table's: the rest of each, and its total. */
static void add_outer(struct od_outline *outline, struct od_table *table,
                      const struct amounts *amounts, unsigned unit)
{
    static const struct {
        const char *rest, *whole;
    } words[OD_SCOPES] = {
        [OD_SCOPE_PROCESS] = {"outside of the heap", "all of the process"},
        [OD_SCOPE_GROUP] = {"others, caches, free", "all of the job or container"},
        [OD_SCOPE_MACHINE] = {"others, caches, free", "all of the RAM"},
    };
    uint64_t inner = amounts->total;
    for (size_t i = 0; amounts->within && i < amounts->within->nouter; i++) {
        const struct od_amount *outer = &amounts->within->outer[i];
        long long all = llround(hundredths(outer->bytes.n, unit)),
                  within = llround(hundredths(inner, unit));
        struct amount rest = {words[outer->scope].rest, outer->bytes.n - inner, OD_PLAIN,
                              all - within};
        struct amount whole = {words[outer->scope].whole, outer->bytes.n, OD_PLAIN, all};
        add_row(outline, table, &rest, unit, 0);
        add_row(outline, table, &whole, unit, 0);
        table->last->total = true;
        inner = outer->bytes.n;
    }
}

static void add_table(struct od_outline *outline, struct od_section *section,
                      struct amounts *amounts)
{
    uint64_t largest = amounts->total;
    for (size_t i = 0; i < amounts->rows.n; i++)
        largest = amounts->rows.items[i].bytes > largest ? amounts->rows.items[i].bytes : largest;
    unsigned unit = od_bytes_unit_for(largest);
    struct amount sum = {
        .what = amounts->total_what, .bytes = amounts->total, .shown = round_rows(amounts, unit)};
    struct od_table *table = od_doc_table(section);
    od_doc_columns(table, "|>%s|#", od_bytes_unit_name(unit));
    if (outline->all)
        od_doc_columns(table, ">bytes");
    for (size_t i = 0; i < amounts->rows.n; i++)
        add_row(outline, table, &amounts->rows.items[i], unit, largest);
    struct amount twice = {"less what is counted twice", amounts->shared, OD_DIM,
                           llround(hundredths(amounts->shared, unit))};
    struct amount requested = {"requested", amounts->request.n, OD_BAD,
                               llround(hundredths(amounts->request.n, unit))};
    if (amounts->closes && amounts->shared > 0)
        add_row(outline, table, &twice, unit, 0);
    if (amounts->closes) {
        add_row(outline, table, &sum, unit, 0);
        table->last->total = true;
    }
    add_outer(outline, table, amounts, unit);
    if (amounts->request.known)
        add_row(outline, table, &requested, unit, largest);
    od_vec_done(&amounts->rows);
}

/* Number of rows on the first screen. */
static size_t rows_shown(const struct od_outline *outline, size_t screen)
{
    if (outline->verbose)
        return OD_OUTLINE_ROWS;
    if (outline->folds)
        return 2 * screen;
    return screen;
}

/* One row for each size, the largest totals first, and one row for the rest. */
static void add_sizes(struct od_outline *outline, const struct od_allocator *a,
                      struct amounts *amounts)
{
    size_t most = amounts->most;
    uint64_t count = a->in_use_count;
    uint64_t bytes = a->in_use_bytes;
    size_t i = 0;
    /* a single remaining size is shown instead of "1 other" */
    if (a->nsizes == most + 1)
        most++;
    for (; i < a->nsizes && i < most; i++) {
        const struct od_size *size = &a->sizes[i];
        if (size->total > bytes || size->count > count)
            break;
        bytes -= size->total;
        count -= size->count;
        add(amounts,
            od_arena_printf(outline->arena, "in use, %s × %s",
                            od_words_count(outline->arena, size->count),
                            od_bytes_text_u64(outline->arena, size->bytes)),
            size->total, OD_PLAIN);
    }
    const char *one = i > 0 ? "other chunk" : "chunk";
    const char *many = i > 0 ? "other chunks" : "chunks";
    if (bytes > 0)
        add(amounts,
            od_arena_printf(outline->arena, "in use, %s",
                            od_words_counted(outline->arena, count, one, many)),
            bytes, OD_PLAIN);
}

static bool add_roles(struct od_outline *outline, const struct od_allocator *a, uint64_t in_use,
                      struct amounts *amounts)
{
    struct od_role_rows rows;
    if (!od_outline_roles(outline, a, in_use, &rows))
        return false;
    for (size_t i = 0; i < rows.n; i++)
        add(amounts, rows.list[i].what, rows.list[i].bytes, OD_PLAIN);
    return true;
}

static void add_free(struct od_outline *outline, const struct od_allocator *a,
                     struct amounts *amounts)
{
    if (a->free_bytes == 0 || a->largest_free_bytes > a->free_bytes)
        return;
    add(amounts, "free, the largest block", a->largest_free_bytes, OD_GOOD);
    if (a->free_bytes > a->largest_free_bytes)
        add(amounts,
            od_arena_printf(outline->arena, "free, %s",
                            od_words_counted(outline->arena, a->free_count - 1, "other free block",
                                             "other free blocks")),
            a->free_bytes - a->largest_free_bytes, OD_GOOD);
}

/* From a complete chunk list: every byte of the limit belongs to a row. */
static void count_chunks(struct od_outline *outline, const struct od_allocator *a,
                         struct amounts *amounts)
{
    uint64_t pool = a->in_use_bytes + a->free_bytes;
    if (!add_roles(outline, a, a->in_use_bytes, amounts))
        add_sizes(outline, a, amounts);
    add_free(outline, a, amounts);
    amounts->closes = true;
    amounts->total = pool;
    amounts->total_what = "all chunks (the log prints no limit)";
    if (!a->limit.known || a->limit.n < pool)
        return;
    if (a->limit.n > pool)
        add(amounts, "not reserved on the device", a->limit.n - pool, OD_DIM);
    amounts->total = a->limit.n;
    amounts->total_what = "limit";
}

/* From the printed totals alone. False if they do not sum up. */
static bool count_printed(struct od_outline *outline, const struct od_allocator *a,
                          struct amounts *amounts)
{
    struct od_count whole = a->limit.known ? a->limit : a->pool;
    if (!whole.known || !a->in_use.known || a->in_use.n > whole.n)
        return false;
    uint64_t rest = whole.n - a->in_use.n;
    if (!add_roles(outline, a, a->in_use.n, amounts))
        add(amounts, "in use, as printed", a->in_use.n, OD_PLAIN);
    if (a->limit.known && a->pool.known && a->pool.n >= a->in_use.n && a->pool.n <= whole.n) {
        add(amounts, "free in the pool", a->pool.n - a->in_use.n, OD_GOOD);
        add(amounts, "not reserved on the device", whole.n - a->pool.n, OD_DIM);
    } else {
        add(amounts, a->limit.known ? "free, or not reserved on the device" : "free", rest,
            OD_GOOD);
    }
    amounts->closes = true;
    amounts->total = whole.n;
    amounts->total_what = a->limit.known ? "limit" : "pool";
    return true;
}

static void say_peak(struct od_outline *outline, struct od_section *section,
                     const struct od_allocator *a)
{
    if (!a->dump.stats.max_in_use.known)
        return;
    struct od_text *words = od_doc_text(section);
    od_say_as(words, OD_DIM, "Peak in use: %s",
              od_bytes_text_u64(outline->arena, a->dump.stats.max_in_use.n));
    if (a->dump.stats.num_allocs.known)
        od_say_as(words, OD_DIM, ", after %s",
                  od_words_counted(outline->arena, a->dump.stats.num_allocs.n, "allocation",
                                   "allocations"));
    od_say_as(words, OD_DIM, ".");
}

static void say_cut(struct od_outline *outline, struct od_section *section,
                    const struct od_allocator *a)
{
    struct od_text *words = od_doc_text(section);
    if (a->has_chunks)
        od_say(words, "The chunk list is incomplete (%s read): its totals are not the allocator's.",
               od_words_counted(outline->arena, a->dump.chunks.n, "chunk", "chunks"));
    else
        od_say(words, "The log has no chunk list, so the free blocks are not known.");
}

/* A table of the holders, if the chunks name an operation or a place in the program. */
static void add_holders(struct od_outline *outline, const struct od_allocator *a)
{
    size_t most = rows_shown(outline, HOLDERS_SHOWN);
    struct od_section *section = od_doc_section(
        outline->doc, od_arena_printf(outline->arena, "What uses %s", od_outline_name(outline, a)));
    struct amounts amounts = {.total = a->in_use_bytes, .total_what = "in use", .closes = true};
    uint64_t named = 0, shown = 0;
    for (size_t i = 0; i < a->nholders; i++) {
        const struct od_holder *holder = &a->holders[i];
        if (ckd_add(&named, named, holder->bytes))
            return;
        if (i >= most)
            continue;
        shown = named;
        add(&amounts,
            od_arena_printf(outline->arena, "%s, %s", od_arena_str(outline->arena, holder->op),
                            od_words_counted(outline->arena, holder->count, "chunk", "chunks")),
            holder->bytes, OD_PLAIN);
    }
    if (named > shown)
        add(&amounts, "elsewhere", named - shown, OD_PLAIN);
    if (a->in_use_bytes > named)
        add(&amounts, "position unknown", a->in_use_bytes - named, OD_DIM);
    add_table(outline, section, &amounts);
}

void od_outline_memory(struct od_outline *outline, const struct od_allocator *a)
{
    struct amounts amounts = {.most = rows_shown(outline, SIZES_SHOWN)};
    bool whole = a->has_chunks && a->chunks_complete;
    uint64_t pool;
    const char *title =
        od_arena_printf(outline->arena, "Memory of %s", od_outline_name(outline, a));
    bool sums = whole && !ckd_add(&pool, a->in_use_bytes, a->free_bytes);
    if (sums)
        count_chunks(outline, a, &amounts);
    else if (!count_printed(outline, a, &amounts))
        amounts.closes = false;
    struct od_section *section = od_doc_section(outline->doc, title);
    section->folded = outline->folds && a != outline->allocator;
    if (amounts.rows.n > 0)
        add_table(outline, section, &amounts);
    od_outline_say_holding(outline, section, a);
    if (!whole)
        say_cut(outline, section, a);
    if (!whole || outline->all)
        say_peak(outline, section, a);
    if (sums && a->nholders > 0)
        add_holders(outline, a);
    if (outline->verbose && a != outline->allocator)
        od_outline_sizes(outline, a); /* the details have the rows of the failed allocator */
}

/* "python3 (killed, PID 4410), and 2 GiB in swap" */
static const char *holder_words(const struct od_outline *outline, const struct od_held *held)
{
    const char *what = od_outline_held_words(outline, held);
    if (held->pid.known && held->name.n > 0)
        what =
            od_arena_printf(outline->arena, "%s, PID %llu", what, (unsigned long long)held->pid.n);
    return held->swap.known && held->swap.n > 0
               ? od_arena_printf(outline->arena, "%s, and %s in swap", what,
                                 od_bytes_text(outline->arena, held->swap))
               : what;
}

static bool is_process(const struct od_held *held)
{
    return held->kind == OD_HELD_PROCESSES || held->kind == OD_HELD_OTHERS ||
           held->kind == OD_HELD_RANKS;
}

/* Processes that hold little are one row on the first screen. */
static void add_smaller(struct od_outline *outline, struct amounts *amounts)
{
    const struct od_parts *parts = &outline->diagnosis->failure->parts;
    size_t shown = 0, count = 0;
    uint64_t bytes = 0;
    for (size_t i = 0; i < parts->n; i++) {
        const struct od_held *held = &parts->list[i];
        if (is_process(held) && shown++ >= amounts->most) {
            bytes += held->bytes.n;
            count += held->count.known ? (size_t)held->count.n : 1;
        }
    }
    if (count > 0)
        add(amounts, od_words_counted(outline->arena, count, "other process", "other processes"),
            bytes, OD_PLAIN);
}

/* The parts of the account; if its limit is unknown, only the processes. */
static void add_holders_of(struct od_outline *outline, struct amounts *amounts)
{
    const struct od_failure *failure = outline->diagnosis->failure;
    bool host = failure->account.scope != OD_SCOPE_DEVICE;
    size_t shown = 0;
    bool summed = false;
    amounts->most = outline->all ? outline->rows : HOLDERS_SHOWN;
    for (size_t i = 0; i < failure->parts.n; i++) {
        const struct od_held *held = &failure->parts.list[i];
        bool own = held->kind == OD_HELD_OWN;
        if (is_process(held) ? shown++ >= amounts->most
                             : !amounts->closes && !(own && host && failure->parts.n > 1))
            continue;
        if (held->kind >= OD_HELD_REST && !summed)
            add_smaller(outline, amounts);
        summed = summed || held->kind >= OD_HELD_REST;
        add(amounts, holder_words(outline, held), held->bytes.n,
            held->kind == OD_HELD_FREE ? OD_GOOD : OD_PLAIN);
    }
    if (!summed)
        add_smaller(outline, amounts);
}

/* The account of the failure as rows that sum to the limit. */
static void add_account(struct od_outline *outline)
{
    const struct od_account *account = &outline->diagnosis->failure->account;
    const struct od_parts *parts = &outline->diagnosis->failure->parts;
    struct amounts amounts = {.closes = true,
                              .total = parts->limit.n,
                              .request = account->request.bytes,
                              .within = account,
                              .shared = parts->shared.known ? parts->shared.n : 0,
                              .total_what = account->scope == OD_SCOPE_DEVICE ? "all of the device"
                                            : account->scope == OD_SCOPE_MACHINE ? "all of the RAM"
                                                                                 : "limit"};
    add_holders_of(outline, &amounts);
    add_table(outline, od_doc_section(outline->doc, "Who held the memory"), &amounts);
}

/* The numbers of the message, as printed. */
static void add_printed(struct od_outline *outline, bool divided)
{
    const struct od_incident *incident = outline->incident;
    const struct od_failure *failure = outline->diagnosis->failure;
    const struct od_account *account = &failure->account;
    const struct {
        const char *what;
        struct od_bytes bytes;
        enum od_tone tone;
    } printed[] = {
#define OD_PRINTED(what, name, bytes, tone) {what, bytes, tone},
#include "report/words.def"
    };
    struct amounts amounts = {0};
    for (size_t i = 0; i < OD_COUNT_OF(printed); i++) {
        if (printed[i].bytes.known && (printed[i].bytes.n > 0 || printed[i].tone == OD_GOOD))
            add(&amounts, printed[i].what, printed[i].bytes.n, printed[i].tone);
    }
    if (!divided && incident == failure->incident)
        add_holders_of(outline, &amounts);
    if (amounts.rows.n > 1)
        add_table(outline, od_doc_section(outline->doc, "Memory when it failed"), &amounts);
    else
        od_vec_done(&amounts.rows);
}

void od_outline_incident_memory(struct od_outline *outline)
{
    const struct od_failure *failure = outline->diagnosis->failure;
    bool divided = failure->parts.limit.known && outline->incident == failure->incident;
    if (divided)
        add_account(outline);
    if (!divided || outline->verbose)
        add_printed(outline, divided);
}
