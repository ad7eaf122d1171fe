/* The address space of an allocator as a bar, regions in one line; its parts are runs of cells. */
#include "report/outline_parts.h"

#include "report/words.h"

/* Number of cells: the columns of the bar in a text page. */
enum { CELLS = 76 };

static double sum_chunks(const struct od_dump *dump)
{
    double sum = 0;
    for (size_t i = 0; i < dump->chunks.n; i++)
        sum += (double)dump->chunks.items[i].bytes;
    return sum;
}

/* Bytes in use in each cell. Every chunk adds to the cells it touches: chunks + cells steps. */
struct canvas {
    double used[CELLS];
    double per_cell;
    uint64_t hole; /* the largest free block */
    double hole_start;
};

static void paint(struct canvas *canvas, double start, double bytes)
{
    double end = start + bytes;
    for (size_t i = (size_t)(start / canvas->per_cell); i < CELLS && start < end; i++) {
        double edge = (double)(i + 1) * canvas->per_cell;
        double stop = edge < end ? edge : end;
        if (stop > start) {
            canvas->used[i] += stop - start;
            start = stop;
        }
    }
}

static void paint_chunks(const struct od_dump *dump, struct canvas *canvas)
{
    double at = 0;
    OD_FOR_EACH (const struct od_chunk, chunk, dump->chunks) {
        if (chunk->in_use) {
            paint(canvas, at, (double)chunk->bytes);
        } else if (chunk->bytes > canvas->hole) {
            canvas->hole = chunk->bytes;
            canvas->hole_start = at;
        }
        at += (double)chunk->bytes;
    }
}

static const struct look {
    const char *words;
    enum od_fill fill;
} looks[] = {{"free", OD_FILL_FREE},
             {"less than half in use", OD_FILL_HELD},
             {"more than half in use", OD_FILL_BASE},
             {"in use", OD_FILL_USED},
             {"not reserved", OD_FILL_FREE}};

/* Only a cell with no byte in use looks free, and only one with all bytes in use looks used. */
static size_t look_of(const struct canvas *canvas, size_t i, double taken)
{
    double part = canvas->used[i] / canvas->per_cell;
    if (((double)i + 0.5) / CELLS >= taken)
        return 4;
    return part <= 0 ? 0 : part > 1 - 1e-9 ? 3 : part < 0.5 ? 1 : 2;
}

static void add_runs(struct od_bar *bar, const struct canvas *canvas, double taken)
{
    for (size_t i = 0, end; i < CELLS; i = end) {
        const struct look *look = &looks[look_of(canvas, i, taken)];
        for (end = i + 1; end < CELLS && &looks[look_of(canvas, end, taken)] == look; end++)
            ;
        od_doc_bar_part(bar, &(struct od_bar_part){.label = od_view_of(look->words),
                                                   .fill = look->fill,
                                                   .length = (double)(end - i) / CELLS});
    }
}

static void add_request(struct od_outline *outline, const struct od_allocator *a,
                        struct od_bar *bar, const struct canvas *canvas)
{
    double whole = canvas->per_cell * CELLS;
    struct od_bytes need = a->need.known ? a->need : a->requested;
    const char *hole = canvas->hole > 0
                           ? od_arena_printf(outline->arena, "largest free block %s",
                                             od_bytes_text_u64(outline->arena, canvas->hole))
                           : "nothing is free";
    bar->request = (struct od_mark){
        .label = need.known ? od_arena_printf(outline->arena, "request %s, %s",
                                              od_bytes_text(outline->arena, need), hole)
                            : hole,
        .tone = need.known && need.n > canvas->hole ? OD_BAD : OD_PLAIN,
        .start = canvas->hole_start / whole,
        .length = (need.known ? (double)need.n : (double)canvas->hole) / whole};
}

void od_outline_strip(struct od_outline *outline, const struct od_allocator *a)
{
    const struct od_dump *dump = &a->dump;
    double sum = sum_chunks(dump);
    /* Sizes that sum to 2^64 bytes or more are corrupt. */
    if (!a->has_chunks || !(sum > 0) || sum >= 0x1p64)
        return;
    const char *regions = dump->regions.n > 1
                              ? od_arena_printf(outline->arena, ", %s side by side",
                                                od_words_counted(outline->arena, dump->regions.n,
                                                                 "region", "regions"))
                              : "";
    struct od_section *section = od_doc_section(
        outline->doc,
        od_arena_printf(outline->arena, "Memory in the order of its addresses%s%s", regions,
                        a->chunks_complete ? "" : " (only the part that was read)"));
    section->folded = outline->folds && a != outline->allocator;
    struct od_bar *bar = od_doc_bar(section);
    bool to_limit = a->chunks_complete && a->limit.known && (double)a->limit.n > sum;
    double whole = to_limit ? (double)a->limit.n : sum;
    struct canvas canvas = {.per_cell = whole / CELLS};
    bar->title = od_arena_printf(outline->arena, "%s, %s", od_outline_name(outline, a),
                                 od_bytes_text_u64(outline->arena, (uint64_t)whole));
    bar->whole = 1;
    paint_chunks(dump, &canvas);
    add_runs(bar, &canvas, sum / whole);
    add_request(outline, a, bar, &canvas);
}
