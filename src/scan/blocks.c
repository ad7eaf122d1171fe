#include "scan/blocks.h"

enum { ROWS_MOST = 80, TEXT_MOST = 16384, BEFORE_MOST = 1024, LEAD = 120 };

struct block {
    bool open;
    struct od_blocks *shared;
    size_t rule, nrows;
    struct od_buf text;
    struct od_kept_line first;
    struct od_prov at[ROWS_MOST];
};

static const struct od_rule *rule_of(const struct block *b)
{
    return od_ruleset_rule(b->shared->rules, b->rule);
}

/* Adds a row to the block. Rows above the limits belong to the block but are not matched. A long
 * first line is stored from shortly before the words that begin the block. */
static void add_row(struct block *b, const struct od_line *line)
{
    struct od_view text = line->text;
    if (b->nrows == ROWS_MOST || b->text.n >= TEXT_MOST)
        return;
    if (b->nrows > 0)
        od_buf_add_char(&b->text, '\n');
    else if (rule_of(b)->squeezed && b->shared->at > OD_EXCERPT / 2)
        text = od_view_from(text, b->shared->at - LEAD);
    else if (text.n > TEXT_MOST && b->shared->at > BEFORE_MOST)
        text = od_view_from(text, b->shared->at - BEFORE_MOST);
    od_buf_add(&b->text, od_view_head(text, TEXT_MOST - b->text.n));
    b->at[b->nrows++] = line->at;
}

/* The row that contains byte `at` of the text; *ret_row is its number. */
static struct od_view row_of(const struct block *b, size_t at, size_t *ret_row)
{
    struct od_view rest = od_buf_view(&b->text), row = {0};
    *ret_row = 0;
    while (od_view_cut(&rest, '\n', &row) && b->text.p + at > row.p + row.n)
        ++*ret_row;
    return row;
}

/* Emits the event of a match that ends at `end`, at its row or at the whole block. */
static void put(struct block *b, const struct od_rule *rule, size_t end, const struct od_sink *sink)
{
    struct od_event *event = &b->shared->event;
    const struct od_prov *last = &b->at[b->nrows - 1];
    struct od_line line = b->first.line;
    size_t row;
    bool each = rule->each && !rule->also;
    line.text = row_of(b, each ? end : 0, &row);
    line.at = b->at[row];
    if (!each && last->line > line.at.line)
        line.at.nlines = (uint32_t)(last->line - line.at.line) + last->nlines;
    event->at = line.at;
    event->line = &line;
    event->excerpt = od_view_trim(line.text);
    od_sink_put(sink, event);
}

/* Ends the block and emits the events that its rule finds. */
static void close_block(struct block *b, bool last, const struct od_sink *sink)
{
    struct od_ruleset *rules = b->shared->rules;
    const struct od_rule *own = rule_of(b), *rule = own;
    struct od_event *event = &b->shared->event;
    struct od_line whole = b->first.line;
    struct od_view device = {0};
    whole.text = od_ruleset_block_text(rules, b->rule, od_buf_view(&b->text));
    b->open = false;
    for (size_t i = b->rule; last || !own->last;) {
        size_t at = 0;
        for (bool goes = true; goes && od_ruleset_apply_next(rules, i, &whole, &at, event);
             goes = rule->each) {
            if (rule == own)
                device = od_event_text(event, OD_F_DEVICE);
            else if (device.n > 0)
                od_event_set_text(event, OD_F_DEVICE, device);
            put(b, rule, at, sink);
        }
        do /* skips rules with the same rows, which are adjacent */
            rule = ++i < od_ruleset_count(rules) ? od_ruleset_rule(rules, i) : own;
        while (rule != own && rule->rows && !rule->also && own->rows &&
               strcmp(rule->rows, own->rows) == 0);
        if (rule == own || !rule->also)
            break;
    }
}

static struct od_view row_above(const struct block *b)
{
    struct od_view above = od_buf_view(&b->text);
    const char *lf = above.n > 0 ? od_find_last(above.p, '\n', above.n) : NULL;
    return od_view_from(above, lf ? (size_t)(lf - above.p) + 1 : 0);
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct block *b = state;
    size_t begins = b->shared->begins;
    bool squeezed = b->open && rule_of(b)->squeezed, blank = od_view_trim(line->text).n == 0;
    /* a message may be indented like the traceback before it */
    bool anew = begins && !squeezed && od_ruleset_rule(b->shared->rules, begins - 1)->squeezed;
    bool goes =
        b->open && !anew && od_ruleset_goes_on(b->shared->rules, b->rule, row_above(b), line->text);
    if (!begins && (goes ? blank && squeezed : line->overprinted || (blank && !squeezed)))
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
    const struct od_rule *rule = rule_of(b);
    bool whole = rule->means == OD_EV_MEMORY_STATE ||
                 (od_event_kind_is_trouble(rule->means) && rule->means != OD_EV_EXCEPTION);
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
