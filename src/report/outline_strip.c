/* The address space of an allocator, regions laid end to end. */
#include "report/outline_parts.h"

#include "report/words.h"

/* Bytes in use in each fine cell of the strip. */
struct canvas {
    double used[OD_STRIP_CELLS];
    double per_cell;
};

/* Every chunk adds to the cells it touches: chunks + cells steps in all. */
static void paint(struct canvas *canvas, double start, double bytes)
{
    double end = start + bytes;
    size_t i = (size_t)(start / canvas->per_cell);
    for (; i < OD_STRIP_CELLS && start < end; i++) {
        double edge = (double)(i + 1) * canvas->per_cell;
        double stop = edge < end ? edge : end;
        if (stop <= start)
            continue;
        canvas->used[i] += stop - start;
        start = stop;
    }
}

/* 0 and 255 are kept for cells without and with every byte in use. */
static uint8_t shade(double part)
{
    if (part <= 0)
        return 0;
    if (part > 1 - 1e-9)
        return 255;
    double scaled = part * 255;
    return scaled < 1 ? 1 : scaled > 254 ? 254 : (uint8_t)scaled;
}

static double sum_chunks(const struct od_dump *dump)
{
    double sum = 0;
    for (size_t i = 0; i < dump->chunks.n; i++)
        sum += (double)dump->chunks.items[i].bytes;
    return sum;
}

struct walk {
    double hole_start;
    uint64_t hole;
};

static struct walk paint_chunks(const struct od_dump *dump, struct od_strip *strip,
                                struct canvas *canvas)
{
    struct walk walk = {0};
    double at = 0;
    size_t region = 0;
    for (size_t i = 0; i < dump->chunks.n; i++) {
        const struct od_chunk *chunk = &dump->chunks.items[i];
        while (region < dump->regions.n && dump->regions.items[region].first_chunk <= i) {
            if (region > 0)
                strip->borders[strip->nborders++] = at / strip->bytes;
            region++;
        }
        if (chunk->in_use) {
            paint(canvas, at, (double)chunk->bytes);
        } else if (chunk->bytes > walk.hole) {
            walk.hole = chunk->bytes;
            walk.hole_start = at;
        }
        at += (double)chunk->bytes;
    }
    return walk;
}

static void add_marks(struct od_outline *outline, const struct od_allocator *a,
                      struct od_strip *strip, const struct walk *walk)
{
    if (walk->hole > 0) {
        struct od_mark hole = {.tone = OD_GOOD,
                               .start = walk->hole_start / strip->bytes,
                               .length = (double)walk->hole / strip->bytes};
        hole.label = od_arena_printf(outline->arena, "largest free block %s",
                                     od_bytes_text_u64(outline->arena, walk->hole));
        od_doc_mark(outline->doc, strip, &hole);
    }
    struct od_bytes need = a->need.known ? a->need : a->requested;
    if (!need.known)
        return;
    struct od_mark request = {.tone = need.n > walk->hole ? OD_BAD : OD_PLAIN,
                              .start = walk->hole_start / strip->bytes,
                              .length = (double)need.n / strip->bytes};
    request.label =
        od_arena_printf(outline->arena, "request %s%s", od_bytes_text(outline->arena, need),
                        request.length > 1 ? " (longer than the address space)" : "");
    od_doc_mark(outline->doc, strip, &request);
}

void od_outline_strip(struct od_outline *outline, const struct od_allocator *a)
{
    const struct od_dump *dump = &a->dump;
    double sum = sum_chunks(dump);
    if (!a->has_chunks || !(sum > 0))
        return;
    const char *regions = dump->regions.n > 1
                              ? od_arena_printf(outline->arena, ", %s side by side",
                                                od_words_counted(outline->arena, dump->regions.n,
                                                                 "region", "regions"))
                              : "";
    const char *title =
        od_arena_printf(outline->arena, "Memory in the order of its addresses%s%s", regions,
                        a->chunks_complete ? "" : " (only the part that was read)");
    struct od_section *section = od_doc_section(outline->doc, title);
    section->folded = outline->folds && a != outline->allocator;
    struct od_strip *strip = od_doc_strip(outline->doc, section);
    bool to_limit = a->chunks_complete && a->limit.known && (double)a->limit.n > sum;
    strip->bytes = to_limit ? (double)a->limit.n : sum;
    strip->taken = sum / strip->bytes;
    strip->borders = OD_NEW_N(outline->arena, dump->regions.n + 1, double);
    struct canvas *canvas = od_mem_alloc(1, sizeof *canvas);
    canvas->per_cell = strip->bytes / OD_STRIP_CELLS;
    struct walk walk = paint_chunks(dump, strip, canvas);
    for (size_t i = 0; i < OD_STRIP_CELLS; i++)
        strip->cells[i] = shade(canvas->used[i] / canvas->per_cell);
    od_mem_free(canvas);
    add_marks(outline, a, strip, &walk);
}
