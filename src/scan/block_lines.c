#include "scan/block_lines.h"

enum { UNSEEN_LEAST = 64 << 10, UNSEEN_MOST = 4 << 20, FEW_LINES = 64 };

/* Lists some lines with their shapes. Returns the number of lines to filter. */
static size_t list_some(struct od_line_lister *lister, struct od_cursor *from, size_t end,
                        struct od_block_lines *listing)
{
    struct od_line_shape_found found[OD_LINE_SHAPES_AT_ONCE];
    struct od_view texts[OD_LINE_SHAPES_AT_ONCE];
    struct od_raw_line raw;
    size_t n = 0, met = 0, first = listing->lines.n;
    while (n < OD_LINE_SHAPES_AT_ONCE && from->at < end && od_cursor_next(from, &raw)) {
        struct od_listed line = {.start = (size_t)(raw.bytes.p - from->block->bytes.p)};
        line.end = line.start + raw.bytes.n;
        line.next = from->at;
        od_vec_push(&listing->lines, line);
        texts[n++] = raw.bytes;
    }
    od_line_shapes_find(lister->shapes, texts, n, found);
    for (size_t i = 0; i < n; i++) {
        struct od_listed *line = &listing->lines.items[first + i];
        line->shape = found[i].shape;
        line->broken = !line->shape && lister->breaks_known && texts[i].n > OD_LINE_SHAPE_BYTES &&
                       od_view_find_char(texts[i], '\r', 0) != OD_VIEW_NONE;
        line->met = !line->broken && (found[i].fresh || (!line->shape && texts[i].n > 0));
        met += line->met;
    }
    return met;
}

/* Filters consecutive lines with new shapes together. */
static void filter_new_ones(struct od_finder *finder, struct od_view block,
                            struct od_block_lines *listing)
{
    const struct od_listed *lines = listing->lines.items;
    for (size_t i = 0, end = 0; i < listing->lines.n; i = end + 1) {
        for (end = i; end < listing->lines.n && lines[end].met;)
            end++;
        if (end > i)
            od_finder_more(finder, block, lines[i].start, lines[end - 1].end, &listing->hits);
    }
}

void od_line_lister_list(struct od_line_lister *lister, struct od_cursor from, size_t end,
                         struct od_block_lines *listing)
{
    size_t met = 0, n = 0;
    listing->lines.n = 0;
    listing->hits.list.n = 0;
    do {
        n = listing->lines.n;
        met += list_some(lister, &from, end, listing);
    } while (listing->lines.n > n);
    n = listing->lines.n;
    bool unseen = n >= FEW_LINES && met > n - n / 5;
    size_t next = lister->unseen_next > 0 ? lister->unseen_next : UNSEEN_LEAST;
    lister->unseen = unseen ? next : 0;
    lister->unseen_next = unseen && next < UNSEEN_MOST ? 2 * next : UNSEEN_LEAST;
    filter_new_ones(lister->finder, from.block->bytes, listing);
}

void od_line_lister_filter(struct od_line_lister *lister, struct od_cursor from, size_t end,
                           struct od_block_lines *listing)
{
    size_t n = end - from.at;
    listing->lines.n = 0;
    listing->hits.list.n = 0;
    od_finder_more(lister->finder, from.block->bytes, from.at, end, &listing->hits);
    lister->unseen -= lister->unseen < n ? lister->unseen : n;
}

void od_block_lines_done(struct od_block_lines *listing)
{
    od_vec_done(&listing->lines);
    od_vec_done(&listing->hits.list);
}

size_t od_block_lines_end_of_piece(const struct od_cursor *cursor, size_t n)
{
    struct od_view bytes = cursor->block->bytes;
    if (n >= bytes.n - cursor->at)
        return bytes.n;
    size_t lf = od_view_find_char(bytes, '\n', cursor->at + n);
    return lf == OD_VIEW_NONE ? bytes.n : lf + 1;
}

void od_block_lines_fetch_plan(const struct od_block_lines *listing, size_t i)
{
    enum { LINES_ON = 8 };
    const struct od_line_shape *shape =
        i + LINES_ON < listing->lines.n ? listing->lines.items[i + LINES_ON].shape : NULL;
    if (shape)
        __builtin_prefetch(shape->plan);
}
