#include "input/wrap.h"

/* Evidence required to join the lines of a part. */
struct demand {
    size_t full;  /* number of full lines */
    size_t runs;  /* number of wrapped lines */
    size_t alike; /* number of wrapped lines that start alike */
    size_t cuts;  /* number of different cuts through words, or of lines that close a bracket */
};

static const struct demand of_any = {.full = 8, .runs = 4, .alike = 3, .cuts = 4};
static const struct demand of_usual = {.full = 8, .runs = 4, .alike = 3, .cuts = 3};
/* For a short text pasted from a console: a source of one block without longer lines. Lines after a
 * full one must start unlike any other line. */
static const struct demand of_whole = {.full = 3, .runs = 1, .alike = 1, .cuts = 2};
/* For a source that was already wrapped at this width. */
static const struct demand of_known = {.full = 3, .runs = 2, .alike = 2, .cuts = 1};

enum {
    LOOK_FULL = 64,  /* number of full lines that decide about a part */
    LOOK_FIRST = 12, /* number of full lines that can decide against it */
    CLOSER_BYTES = 24
};

static const struct demand *demand_for(const struct od_wrap_watch *watch, size_t width)
{
    if (width == watch->known)
        return &of_known;
    return width == 80 || width == 120 ? &of_usual : &of_any;
}

void od_wrap_start(struct od_wrap *wrap)
{
    /* other members need not be cleared, because they are large */
    wrap->watch.nopen = wrap->watch.nfound = wrap->watch.known = 0;
    wrap->heads.n = wrap->width = 0;
    wrap->first = true;
    wrap->spans.n = wrap->offsets.n = wrap->joins.n = 0;
}

void od_wrap_done(struct od_wrap *wrap)
{
    od_vec_done(&wrap->spans);
    od_vec_done(&wrap->offsets);
    od_vec_done(&wrap->joins);
}

static void keep_found(struct od_wrap_watch *watch, struct od_wrap_stretch stretch, size_t end)
{
    stretch.end = end;
    size_t full = demand_for(watch, stretch.width)->full;
    if (stretch.full < (full < of_whole.full ? full : of_whole.full))
        return;
    size_t room = sizeof watch->found / sizeof *watch->found;
    if (watch->nfound < room) {
        watch->found[watch->nfound++] = stretch;
        return;
    }
    size_t least = 0;
    for (size_t i = 1; i < room; i++)
        if (watch->found[i].full < watch->found[least].full)
            least = i;
    if (watch->found[least].full < stretch.full)
        watch->found[least] = stretch;
}

void od_wrap_watch_close(struct od_wrap_watch *watch, size_t start, size_t n)
{
    /* A part starts after the last longer line, so it includes the narrower parts that end here. */
    size_t begin = start;
    while (watch->nopen > 0 && watch->open[watch->nopen - 1].width < n) {
        watch->nopen--;
        keep_found(watch, watch->open[watch->nopen], start);
        begin = watch->open[watch->nopen].start;
    }
    if (n > OD_WRAP_MOST)
        return;
    if (watch->nopen > 0 && watch->open[watch->nopen - 1].width == n)
        watch->open[watch->nopen - 1].full++;
    else
        watch->open[watch->nopen++] =
            (struct od_wrap_stretch){.start = begin, .width = n, .full = 1};
}

/* One line of a block at its position. */
struct piece {
    struct od_view text; /* text without its line end */
    size_t start, next;
};

static bool piece_at(struct od_view block, size_t start, struct piece *ret_piece)
{
    if (start >= block.n)
        return false;
    const char *p = block.p + start;
    const char *nl = memchr(p, '\n', block.n - start);
    size_t n = nl ? (size_t)(nl - p) : block.n - start;
    ret_piece->start = start;
    ret_piece->next = start + n + (nl ? 1 : 0);
    if (nl && n > 0 && p[n - 1] == '\r')
        n--;
    ret_piece->text = (struct od_view){.p = p, .n = n};
    return true;
}

static uint64_t key_of(struct od_view line)
{
    uint64_t word = 0;
    if (line.n >= sizeof word)
        memcpy(&word, line.p, sizeof word);
    else if (line.n > 0)
        memcpy(&word, line.p, line.n);
    return od_fold_digits(word);
}

static struct od_wrap_key *keys_find(struct od_wrap_keys *keys, uint64_t key)
{
    for (size_t i = 0; i < keys->n; i++)
        if (keys->items[i].text == key)
            return &keys->items[i];
    return NULL;
}

static void keys_add(struct od_wrap_keys *keys, uint64_t key)
{
    struct od_wrap_key *item = keys_find(keys, key);
    if (!item && keys->n < OD_WRAP_KEYS) {
        item = &keys->items[keys->n++];
        *item = (struct od_wrap_key){.text = key};
    }
    if (item)
        item->count++;
}

static bool begins_like_a_head(struct od_wrap_keys *heads, struct od_view line)
{
    const struct od_wrap_key *item = keys_find(heads, key_of(line));
    return item && item->count >= 2;
}

/* Evidence for a wrap, from a part's lines. */
struct evidence {
    struct od_wrap_keys heads;      /* starts of lines that do not follow a full line */
    struct od_wrap_keys full_heads; /* starts of full lines */
    struct od_wrap_keys next;       /* starts of lines after a full line */
    struct od_wrap_keys cuts; /* ends of full lines whose last word continues in the next line */
    size_t full, runs, spaced, nheads, glued, closers, like_heads, columns;
};

static bool ends_word(struct od_view line, size_t at)
{
    return at < line.n && line.p[at] != ' ' && (at + 1 == line.n || line.p[at + 1] == ' ');
}

/* Do the lines have words that end in the same columns, like rows of a table: "Mem: 24105 1034" and
 * "Swap: 0 0" of free? */
static bool are_in_columns(struct od_view above, struct od_view below)
{
    enum { COLUMNS_LEAST = 3 };
    size_t words = 0, alike = 0;
    for (size_t i = 0; i < below.n; i++)
        if (ends_word(below, i)) {
            words++;
            alike += ends_word(above, i);
        }
    return alike >= COLUMNS_LEAST && alike + 1 >= words;
}

/* Does the line close a bracket that the previous line opened? */
static bool closes_first(struct od_view line)
{
    for (size_t i = 0; i < line.n && i < CLOSER_BYTES; i++) {
        char c = line.p[i];
        if (c == '(' || c == '[' || c == '{')
            return false;
        if (c == ')' || c == ']' || c == '}')
            return true;
    }
    return false;
}

static void weigh_cut(struct evidence *e, struct od_view full, struct od_view next)
{
    uint64_t key = key_of(next);
    keys_add(&e->next, key);
    e->full++;
    const struct od_wrap_key *head = keys_find(&e->heads, key);
    e->like_heads += head && head->count >= 2;
    if (next.n == 0)
        return;
    char last = full.p[full.n - 1];
    if (last != ' ' && next.p[0] != ' ' && next.p[0] != '\t')
        e->glued++;
    if (od_is_alnum(last) && od_is_alnum(next.p[0]))
        keys_add(&e->cuts, key_of(od_view_from(full, full.n - 3)));
    e->closers += closes_first(next);
    e->columns += are_in_columns(full, next);
}

static void gather(const struct od_wrap_stretch *stretch, struct od_view block, struct evidence *e)
{
    struct piece piece;
    struct piece before = {0};
    size_t most_full = stretch->full < LOOK_FULL ? stretch->full : LOOK_FULL;
    for (size_t at = stretch->start; at < stretch->end && e->full < LOOK_FULL; at = piece.next) {
        if (!piece_at(block, at, &piece))
            break;
        bool follows = before.text.n == stretch->width;
        if (follows) {
            weigh_cut(e, before.text, piece.text);
        } else {
            uint64_t key = key_of(piece.text);
            keys_add(&e->heads, key);
            if (piece.text.n == stretch->width) {
                keys_add(&e->full_heads, key);
                e->nheads++;
                e->spaced += memchr(piece.text.p, ' ', piece.text.n) != NULL;
            }
        }
        e->runs += follows && piece.text.n < stretch->width;
        /* most parts that were not wrapped are recognized early: many lines after full ones start
         * like ordinary lines */
        if ((e->full >= LOOK_FIRST && e->like_heads * 2 > e->full) ||
            (e->like_heads * 5 > most_full && e->next.n < OD_WRAP_KEYS))
            return;
        before = piece;
    }
}

static unsigned most(const struct od_wrap_keys *keys)
{
    unsigned best = 0;
    for (size_t i = 0; i < keys->n; i++)
        if (keys->items[i].count > best)
            best = keys->items[i].count;
    return best;
}

/* Number of lines after full ones that start like lines elsewhere. */
static size_t overlap(struct evidence *e)
{
    size_t n = 0;
    for (size_t i = 0; i < e->next.n; i++) {
        const struct od_wrap_key *item = keys_find(&e->heads, e->next.items[i].text);
        if (item && item->count >= 2)
            n += e->next.items[i].count;
    }
    return n;
}

/* Does each line after a full one start unlike any other line? */
static bool are_rests(struct evidence *e)
{
    for (size_t i = 0; i < e->next.n; i++)
        if (e->next.items[i].count * 2 > e->full || keys_find(&e->heads, e->next.items[i].text))
            return false;
    return e->glued * 3 >= e->full * 2;
}

static bool is_wrapped(const struct od_wrap_stretch *stretch, struct od_view block,
                       const struct demand *demand, struct od_wrap_keys *ret_heads)
{
    struct evidence e = {0};
    gather(stretch, block, &e);
    if (e.full < demand->full || e.runs < demand->runs || most(&e.full_heads) < demand->alike)
        return false;
    if (e.columns * 2 > e.full || overlap(&e) * 5 > e.full || e.spaced * 10 < e.nheads * 9 ||
        e.glued * 20 < e.full * 9)
        return false;
    if (e.cuts.n < demand->cuts && e.closers < demand->cuts)
        return false;
    if (demand == &of_whole && !are_rests(&e))
        return false;
    *ret_heads = e.heads;
    return true;
}

/* Stores the line ends to remove from a part. Returns the start of its last line if that is
 * unfinished, otherwise its end. */
static size_t plan_stretch(struct od_wrap *wrap, const struct od_wrap_stretch *stretch,
                           struct od_view block)
{
    struct piece piece;
    size_t line_start = stretch->start;
    bool full = false;
    size_t before_next = 0;
    size_t before_end = 0;
    for (size_t at = stretch->start; at < stretch->end; at = piece.next) {
        if (!piece_at(block, at, &piece))
            break;
        if (full && piece.text.n > 0 && !begins_like_a_head(&wrap->heads, piece.text))
            od_vec_push(&wrap->joins, before_end);
        else
            line_start = at;
        full = piece.text.n == stretch->width;
        before_end = piece.start + piece.text.n;
        before_next = piece.next;
    }
    return full ? line_start : before_next;
}

/* The part that was open at the end of the previous block. */
static struct od_wrap_stretch continued(const struct od_wrap *wrap, struct od_view block)
{
    struct od_wrap_stretch stretch = {.width = wrap->width};
    struct piece piece;
    while (piece_at(block, stretch.end, &piece) && piece.text.n <= stretch.width)
        stretch.end = piece.next;
    return stretch;
}

static const struct od_wrap_stretch *next_found(const struct od_wrap_watch *watch, size_t from)
{
    const struct od_wrap_stretch *best = NULL;
    OD_FOR_EACH_OF (const struct od_wrap_stretch, s, watch->found, watch->nfound) {
        if (s->start < from)
            continue;
        if (!best || s->start < best->start || (s->start == best->start && s->full > best->full))
            best = s;
    }
    return best;
}

static void drop_found(struct od_wrap_watch *watch, const struct od_wrap_stretch *stretch)
{
    size_t i = (size_t)(stretch - watch->found);
    watch->found[i] = watch->found[--watch->nfound];
}

size_t od_wrap_plan(struct od_wrap *wrap, struct od_view block, bool last)
{
    struct od_wrap_watch *watch = &wrap->watch;
    size_t widest = watch->nopen > 0 ? watch->open[0].width : 0;
    while (watch->nopen > 0) {
        watch->nopen--;
        keep_found(watch, watch->open[watch->nopen], block.n);
    }
    wrap->joins.n = 0;
    size_t done = 0;
    size_t ready = block.n;
    if (wrap->width > 0) {
        struct od_wrap_stretch stretch = continued(wrap, block);
        ready = plan_stretch(wrap, &stretch, block);
        done = stretch.end;
        if (done < block.n)
            wrap->width = 0;
    }
    const struct od_wrap_stretch *found;
    while ((found = next_found(watch, done)) != NULL) {
        struct od_wrap_stretch stretch = *found;
        drop_found(watch, found);
        bool whole = last && wrap->first && stretch.width == widest;
        if (whole && is_wrapped(&stretch, block, &of_whole, &wrap->heads)) {
            (void)plan_stretch(wrap, &stretch, block);
            break;
        }
        if (!is_wrapped(&stretch, block, demand_for(watch, stretch.width), &wrap->heads))
            continue;
        ready = plan_stretch(wrap, &stretch, block);
        done = stretch.end;
        wrap->width = done == block.n ? stretch.width : 0;
        watch->known = stretch.width;
    }
    watch->nfound = 0;
    wrap->first = false;
    if (done < block.n || last || ready == 0)
        return block.n;
    return ready;
}

uint64_t od_wrap_join(struct od_wrap *wrap, char *bytes, struct od_block *block)
{
    size_t to = 0;
    size_t next_join = 0;
    uint32_t span = 1;
    size_t physical = 0;
    size_t line_at = 0; /* start of the current line's first physical line */
    wrap->spans.n = wrap->offsets.n = 0;
    size_t line_index = 0;
    for (size_t at = 0; at < block->bytes.n;) {
        const char *lf = memchr(bytes + at, '\n', block->bytes.n - at);
        size_t next = lf ? (size_t)(lf - bytes) + 1 : block->bytes.n;
        bool joined = next_join < wrap->joins.n && wrap->joins.items[next_join] < next;
        size_t keep = joined ? wrap->joins.items[next_join++] : next;
        memmove(bytes + to, bytes + at, keep - at);
        to += keep - at;
        physical++;
        at = next;
        if (joined) {
            span++;
            continue;
        }
        od_vec_push(&wrap->spans, span);
        od_vec_push(&wrap->offsets,
                    block->offsets ? block->offsets[line_index] : block->offset + line_at);
        span = 1;
        line_at = at;
        line_index = physical;
    }
    block->bytes.n = to;
    block->spans = wrap->spans.items;
    block->offsets = wrap->offsets.items;
    return physical - wrap->spans.n;
}
