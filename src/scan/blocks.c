#include "scan/blocks.h"

enum { ROWS_MOST = 80, TEXT_MOST = 16384, BEFORE_MOST = 1024 };

struct block {
    bool open;
    struct od_blocks *shared;
    size_t rule, nrows;
    struct od_buf text;
    struct od_kept_line first;
    struct od_prov at[ROWS_MOST];
};

/* Rows beyond the limits belong to the block, but are not matched. Of a long first line the text is
 * kept from shortly before the words that begin the block. */
static void add_row(struct block *b, const struct od_line *line)
{
    struct od_view text = line->text;
    if (b->nrows == ROWS_MOST || b->text.n >= TEXT_MOST)
        return;
    if (b->nrows > 0)
        od_buf_add_char(&b->text, '\n');
    else if (text.n > TEXT_MOST && b->shared->at > BEFORE_MOST)
        text = od_view_from(text, b->shared->at - BEFORE_MOST);
    od_buf_add(&b->text, od_view_head(text, TEXT_MOST - b->text.n));
    b->at[b->nrows++] = line->at;
}

/* The row that has a byte of the text; its number in *ret_row. */
static struct od_view row_of(const struct block *b, size_t at, size_t *ret_row)
{
    struct od_view rest = od_buf_view(&b->text), row = {0};
    *ret_row = 0;
    while (od_view_cut(&rest, '\n', &row) && b->text.p + at > row.p + row.n)
        ++*ret_row;
    return row;
}

/* Emits the event of a match that ends there: of its row, or of the whole block. */
static void put(struct block *b, const struct od_rule *rule, size_t end, const struct od_sink *sink)
{
    struct od_event *event = &b->shared->event;
    const struct od_prov *last = &b->at[b->nrows - 1];
    struct od_line line = b->first.line;
    size_t row;
    line.text = row_of(b, rule->each ? end : 0, &row);
    line.at = b->at[row];
    if (!rule->each && last->line > line.at.line)
        line.at.nlines = (uint32_t)(last->line - line.at.line) + last->nlines;
    event->at = line.at;
    event->line = &line;
    event->excerpt = od_view_trim(line.text);
    od_sink_put(sink, event);
}

/* Ends the block, and emits what its rule finds in it. */
static void close_block(struct block *b, bool last, const struct od_sink *sink)
{
    const struct od_rule *rule = od_ruleset_rule(b->shared->rules, b->rule);
    struct od_line whole = b->first.line;
    whole.text = od_buf_view(&b->text);
    size_t at = 0;
    b->open = false;
    for (bool goes = last || !rule->last; goes; goes = rule->each) {
        if (!od_ruleset_apply_next(b->shared->rules, b->rule, &whole, &at, &b->shared->event))
            break;
        put(b, rule, at, sink);
    }
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct block *b = state;
    size_t begins = b->shared->begins;
    bool goes = b->open && od_ruleset_goes_on(b->shared->rules, b->rule, line->text);
    if (!goes && !begins && (line->overprinted || od_view_trim(line->text).n == 0))
        return OD_TAKE_NONE;
    if (b->open && !goes)
        close_block(b, od_view_starts(od_view_trim(line->text), OD_VIEW("```")), sink);
    if (!b->open && begins) {
        b->open = goes = true;
        b->rule = begins - 1;
        b->nrows = b->text.n = 0;
        od_line_keep(&b->first, line);
    }
    if (!goes)
        return OD_TAKE_NONE;
    add_row(b, line);
    const struct od_rule *rule = od_ruleset_rule(b->shared->rules, b->rule);
    bool whole = od_event_kind_is_trouble(rule->means) && rule->means != OD_EV_EXCEPTION;
    return whole && !rule->each ? OD_TAKE_ALL : OD_TAKE_SHARE;
}

static void end(void *state, const struct od_sink *sink)
{
    struct block *b = state;
    if (b->open)
        close_block(b, true, sink);
}

static void begin(const struct od_reader *reader, void *state, void *shared, struct od_arena *arena)
{
    (void)reader, (void)arena;
    ((struct block *)state)->shared = shared;
}

static void release(void *state)
{
    od_buf_done(&((struct block *)state)->text);
}

const struct od_reader od_blocks_reader = {
    .name = "blocks",
    .state_size = sizeof(struct block),
    .shared_size = sizeof(struct od_blocks),
    .begin = begin,
    .line = take_line,
    .is_open = od_reader_state_is_open,
    .end = end,
    .release = release,
};
