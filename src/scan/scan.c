#include "scan/scan.h"

#include "base/code_line.h"
#include "base/mem.h"
#include "input/unwrap.h"
#include "readers/file_reader.h"
#include "readers/logs/sentence_lines.h"
#include "readers/reading.h"
#include "scan/ahead.h"
#include "scan/candidates.h"
#include "scan/signs.h"
#include "scan/smell.h"

struct scan {
    const struct od_scan_options *options;
    struct od_ruleset *rules;
    struct od_candidates *candidates;
    struct od_unwrap *unwrap;
    struct od_scan_stats stats;
    struct od_reading *readings; /* one a reader */
    size_t nreadings;
    uint64_t open;                            /* a bit for each of them that is */
    struct od_sentences *sentences;           /* NULL: they are not read */
    const struct od_file_reader *file_reader; /* of the source being read */
    const struct od_sink *out;
    struct od_sink counting; /* counts, then passes on */
    bool worth_keeping;      /* an event of the line was trouble, or an end */
    size_t sole;             /* reader, the only one that was offered the line; it took all of it */
    size_t piece;            /* bytes to be filtered at once */
    struct od_ahead *ahead;  /* reads the source; NULL: nobody does */
    uint64_t source_bytes;   /* of the source, read */
    const struct od_hits *hits; /* of the block, found already; NULL: they are not */
};

/* Of sole. */
enum { NOBODY = 64 };

/* Behind lines that went by unfiltered there may be more: filtered is what is reached. */
enum { PIECE_LEAST = 2 << 10, PIECE_MOST = 1 << 30 };

static void count_event(void *self, const struct od_event *event)
{
    struct scan *s = self;
    s->stats.events++;
    s->worth_keeping =
        s->worth_keeping || od_event_kind_is_trouble(event->kind) || event->kind == OD_EV_RUN_ENDED;
    od_sink_put(s->out, event);
}

static void note_open(struct scan *s, size_t i)
{
    uint64_t bit = UINT64_C(1) << i;
    s->open = od_reading_is_open(&s->readings[i]) ? s->open | bit : s->open & ~bit;
}

/* Offers the line to readers that are open or whose literals it holds; true when one took it all.
 */
static bool offer_to_readers(struct scan *s, const struct od_line *line)
{
    bool taken = false;
    uint64_t hits = od_candidates_readers(s->candidates), wanted = hits | s->open;
    bool alone = (wanted & (wanted - 1)) == 0;
    for (; wanted; wanted &= wanted - 1) {
        size_t i = (size_t)__builtin_ctzll(wanted);
        bool hit = hits >> i & 1;
        taken = od_reading_line(&s->readings[i], line, hit, &s->counting) == OD_TAKE_ALL || taken;
        note_open(s, i);
        s->sole = alone && taken ? i : NOBODY;
    }
    return taken;
}

/* Of an exception or a crash a sentence may still tell that it was for lack of memory. */
enum told { TOLD_NOTHING, TOLD_SOMETHING, TOLD_END, TOLD_TROUBLE };

static enum told told_by(enum od_event_kind kind)
{
    if (kind == OD_EV_EXCEPTION || kind == OD_EV_CRASH)
        return TOLD_END;
    return od_event_kind_is_trouble(kind) ? TOLD_TROUBLE : TOLD_SOMETHING;
}

/* The rules that are a fallback, or those that are not: what they had to say. */
static enum told offer_to(struct scan *s, const struct od_line *line, bool fallback)
{
    enum told told = TOLD_NOTHING;
    for (size_t rule = 0; od_candidates_next_rule(s->candidates, fallback, &rule); rule++) {
        struct od_event event;
        if (!od_ruleset_apply_candidate(s->rules, rule, line, &event))
            continue;
        if (od_event_kind_is_trouble(event.kind) && od_is_code_line(line->text))
            continue;
        od_sink_put(&s->counting, &event);
        if (s->sentences && (event.kind == OD_EV_EXCEPTION || event.kind == OD_EV_FRAME))
            od_sentences_note(s->sentences, line);
        if (told_by(event.kind) > told)
            told = told_by(event.kind);
        if (fallback && told >= TOLD_END)
            break;
    }
    return told;
}

/* Is it a sentence of a failure, in words that no rule knows? */
static bool offer_as_sentence(struct scan *s, const struct od_line *line)
{
    if (!od_candidates_speaks(s->candidates) || od_is_code_line(line->text))
        return false;
    return od_sentences_line(s->sentences, line, &s->counting);
}

/* True when a rule took the line, or its words told. */
static bool offer_to_rules(struct scan *s, const struct od_line *line)
{
    od_ruleset_begin_line(s->rules, line);
    enum told told = offer_to(s, line, false);
    if (told == TOLD_TROUBLE || offer_as_sentence(s, line) || told == TOLD_END)
        return true;
    return offer_to(s, line, true) != TOLD_NOTHING || told != TOLD_NOTHING;
}

static void note_unknown(struct scan *s, const struct od_line *line)
{
    if (!od_candidates_smells(s->candidates) || !od_smells(line->text))
        return;
    s->stats.unknown++;
    if (s->options->unknown)
        s->options->unknown(s->options->unknown_self, line);
}

/* Did unwrapping take something off the front at most? */
static bool is_tail_of(struct od_view text, struct od_view raw)
{
    return text.n > 0 && text.n <= raw.n && text.p + text.n == raw.p + raw.n;
}

/* Was it a row of a dump? Rows like it go by unseen, so none of them shows anything. */
static bool is_of_streak(const struct scan *s, bool taken)
{
    return taken && s->sole != NOBODY && od_readers[s->sole]->streak;
}

/* Unwraps the line and offers what comes out; *ret_line is the last of it. */
static void scan_line(struct scan *s, const struct od_raw_line *raw, struct od_line *ret_line)
{
    size_t nlines = 0;
    s->stats.candidates++;
    od_unwrap_start(s->unwrap, raw);
    for (; od_unwrap_next(s->unwrap, ret_line); nlines++) {
        const struct od_line *line = ret_line;
        s->sole = NOBODY;
        /* What the prefilter saw in the physical line holds for that very text only. */
        if (s->options->no_prefilter)
            od_candidates_search(s->candidates, line->text);
        else if (line->text.p != raw->bytes.p || line->text.n != raw->bytes.n)
            od_candidates_filter(s->candidates, line->text);
        uint64_t events = s->stats.events;
        if (s->sentences && od_sentences_goes_on(s->sentences, line, &s->counting))
            continue;
        bool taken = offer_to_readers(s, line);
        if (!is_of_streak(s, taken))
            od_signs_tell(od_candidates_signs(s->candidates), line, s->out);
        if (taken)
            continue;
        /* A reader may have used the line and left it to rules as well. */
        if (!offer_to_rules(s, line) && s->stats.events == events)
            note_unknown(s, line);
    }
    if (nlines != 1 || raw->said || !is_tail_of(ret_line->text, raw->bytes))
        s->sole = NOBODY;
}

/* Lines that a reader takes by their likeness to the one before. */
static void follow_streak(struct scan *s, struct od_cursor *cursor, const struct od_raw_line *raw,
                          const struct od_line *line)
{
    const struct od_block *block = cursor->block;
    if (block->spans || block->offsets)
        return;
    struct od_streak streak = {.sample = raw->bytes,
                               .line = line,
                               .rest = od_view_from(block->bytes, cursor->at),
                               .offset = block->offset + cursor->at};
    struct od_streak_taken taken = od_reading_streak(&s->readings[s->sole], &streak, &s->counting);
    note_open(s, s->sole);
    if (taken.lines == 0)
        return;
    od_cursor_pass(cursor, taken.bytes, taken.lines);
    od_candidates_pass(s->candidates, cursor->at);
    s->stats.candidates += taken.lines;
    s->piece = PIECE_LEAST;
}

/* Where a line ends in which that many bytes behind the cursor are over. */
static size_t end_of_piece(const struct od_cursor *cursor, size_t n)
{
    struct od_view bytes = cursor->block->bytes;
    if (n >= bytes.n - cursor->at)
        return bytes.n;
    size_t lf = od_view_find_char(bytes, '\n', cursor->at + n);
    return lf == OD_VIEW_NONE ? bytes.n : lf + 1;
}

static bool is_in_sentence(const struct scan *s)
{
    return s->sentences && od_sentences_is_open(s->sentences);
}

/* The lines up to end; a streak goes on beyond. */
static void scan_piece(struct scan *s, struct od_cursor *cursor, size_t end)
{
    const struct od_block *block = cursor->block;
    struct od_raw_line raw;
    struct od_line line;
    bool every_line = s->options->no_prefilter || od_candidates_wants_every_line(s->candidates);
    if (s->hits)
        od_candidates_found(s->candidates, s->hits);
    else if (!s->options->no_prefilter)
        od_candidates_piece(s->candidates, block->bytes, cursor->at, end);
    while (cursor->at < end) {
        bool all = every_line || s->open || is_in_sentence(s);
        size_t hit = od_candidates_next_hit(s->candidates);
        if (!all)
            od_cursor_skip_to(cursor, hit == OD_VIEW_NONE ? end : hit);
        if ((!all && hit == OD_VIEW_NONE) || !od_cursor_next(cursor, &raw))
            break;
        bool hits =
            od_candidates_take(s->candidates, (size_t)(raw.bytes.p + raw.bytes.n - block->bytes.p));
        s->worth_keeping = false;
        s->sole = NOBODY;
        if (all || hits)
            scan_line(s, &raw, &line);
        if (s->worth_keeping && s->options->around)
            od_around_keep(s->options->around, raw.at, raw.bytes, block->bytes);
        if (s->sole != NOBODY && !every_line)
            follow_streak(s, cursor, &raw, &line);
    }
}

static void scan_block(struct scan *s, const struct od_block *block)
{
    struct od_cursor cursor = od_cursor_start(block);
    size_t end = 0;
    while (end < block->bytes.n && cursor.at < block->bytes.n) {
        end = s->hits ? block->bytes.n : end_of_piece(&cursor, s->piece);
        s->piece = s->piece < PIECE_MOST ? 2 * s->piece : PIECE_MOST;
        scan_piece(s, &cursor, end);
    }
}

static const char *take_whole(void *self, struct od_view head)
{
    struct scan *s = self;
    const char *word = NULL;
    s->file_reader = od_file_reader_find(head, &word);
    return word;
}

static void scan_file(struct scan *s, struct od_input *input, const struct od_block *block)
{
    const struct od_file file = {
        .bytes = block->bytes,
        .name = od_input_source(input, block->source)->name,
        .source = block->source,
        .diags = s->options->diags,
        .sink = &s->counting,
        .arena = s->options->arena,
    };
    enum od_err err = s->file_reader->read(&file);
    if (err != OD_OK)
        od_input_not_taken(input, err);
}

static void end_source(struct scan *s)
{
    for (size_t i = 0; i < s->nreadings; i++)
        od_reading_end(&s->readings[i], &s->counting);
    for (size_t i = 0; i < s->nreadings; i++)
        note_open(s, i);
    if (s->sentences)
        od_sentences_end(s->sentences, &s->counting);
}

static void open_readers(struct scan *s, struct od_arena *arena)
{
    while (od_readers[s->nreadings])
        s->nreadings++;
    s->readings = od_mem_alloc(s->nreadings, sizeof *s->readings);
    for (size_t i = 0; i < s->nreadings; i++)
        s->readings[i] = od_reading_begin(od_readers[i], arena);
}

static void close_readers(struct scan *s)
{
    for (size_t i = 0; i < s->nreadings; i++)
        od_reading_done(&s->readings[i]);
    od_mem_free(s->readings);
}

/* The next block, and its hits where they are known; false at the end of the input. */
static bool next_block(struct scan *s, struct od_input *input, struct od_block *block)
{
    bool filter = !s->options->no_prefilter && s->piece == PIECE_MOST;
    s->hits = NULL;
    if (s->ahead && od_ahead_next(s->ahead, filter, block, &s->hits))
        return true;
    s->stats.ahead_ns += od_ahead_stop(s->ahead);
    s->ahead = NULL;
    return od_input_next(input, block);
}

static void scan_source_block(struct scan *s, struct od_input *input, const struct od_block *block)
{
    s->source_bytes += block->bytes.n;
    if (block->whole)
        scan_file(s, input, block);
    else
        scan_block(s, block);
    uint64_t from = s->options->ahead_from;
    if (!s->ahead && !block->whole && from > 0 && s->source_bytes >= from)
        s->ahead = od_ahead_start(input, s->candidates);
}

static void scan_blocks(struct scan *s, struct od_input *input)
{
    struct od_block block;
    bool started = false;
    uint32_t source = 0;
    uint64_t bytes = 0;
    while (next_block(s, input, &block)) {
        bytes += block.bytes.n;
        if (s->options->progress)
            s->options->progress(s->options->progress_self, bytes);
        if (started && block.source != source) {
            end_source(s);
            s->source_bytes = 0;
        }
        source = block.source;
        started = true;
        scan_source_block(s, input, &block);
    }
    if (started)
        end_source(s);
}

struct od_scan_stats od_scan(struct od_input *input, struct od_ruleset *rules,
                             const struct od_scan_options *options, const struct od_sink *sink)
{
    struct scan s = {.options = options, .rules = rules, .out = sink, .piece = PIECE_MOST};
    s.counting = (struct od_sink){.event = count_event, .self = &s};
    s.candidates = options->candidates ? options->candidates : od_candidates_new(rules, NULL);
    s.unwrap = od_unwrap_new();
    open_readers(&s, options->arena);
    if (od_ruleset_lexicon(rules))
        s.sentences = od_sentences_new(od_ruleset_lexicon(rules));
    od_input_set_taker(input, (struct od_whole_taker){.word = take_whole, .self = &s});
    scan_blocks(&s, input);
    for (size_t i = 0; i < od_input_count(input); i++)
        s.stats.lines += od_input_source(input, i)->lines;
    s.stats.filter = od_candidates_engine(s.candidates);
    od_input_set_taker(input, (struct od_whole_taker){0});
    close_readers(&s);
    od_sentences_free(s.sentences);
    s.stats.crowded = od_unwrap_crowded(s.unwrap);
    od_unwrap_free(s.unwrap);
    if (!options->candidates)
        od_candidates_free(s.candidates);
    return s.stats;
}
