#include "scan/scan.h"

#include "input/unwrap.h"
#include "models/file_reader.h"
#include "readers/logs/sentence_lines.h"
#include "readers/measures/record.h"
#include "readers/reading.h"
#include "scan/block_lines.h"
#include "scan/blocks.h"
#include "scan/broken_prefix.h"
#include "scan/candidates.h"
#include "scan/line_shapes.h"
#include "scan/line_trace.h"
#include "scan/mentions.h"
#include "scan/people.h"
#include "scan/readers.h"
#include "scan/shell_trace.h"
#include "scan/signs.h"

struct scan {
    const struct od_scan_options *options;
    struct od_ruleset *rules;
    struct od_candidates *candidates;
    struct od_unwrap *unwrap;
    struct od_scan_stats stats;
    struct od_reading *readings; /* one for each reader, and one for the blocks of rules */
    size_t nreadings;
    uint64_t open;                            /* bit set of the readers that are within a block */
    struct od_sentences *sentences;           /* NULL = do not read sentences */
    const struct od_file_reader *file_reader; /* reader of the current source as a whole file */
    const struct od_sink *out;
    struct od_sink counting; /* counts events, then passes them to out */
    bool worth_keeping;      /* keep the lines around this one: a failure, or the end of the run */
    bool troubled;           /* an event of the source shows the failure */
    struct od_people people; /* words of people in the current source */
    uint64_t source_bytes;   /* bytes read from the source */
    struct od_event event;   /* event of the last rule that was tried */
    struct od_line_trace trace;
    uint64_t took; /* readers that used the line; only set for a traced line */
    struct od_broken_prefix broken_prefix;
    struct od_shell_trace shell_trace;
    const struct od_block *block;  /* that is scanned; NULL = none */
    struct od_record record;       /* the last one of the block with a measurement */
    struct od_event owned;         /* a measurement with the owner that its record names */
    struct od_line_shapes *shapes; /* NULL = shapes are not used */
    uint64_t number;               /* number of this scan among the scans with these shapes */
    struct od_line_lister lister;
    struct od_block_lines listing;
    bool by_shape;            /* use shapes for this part */
    struct od_arena *scratch; /* owns plans that are used once */
    struct od_line_plan nothing;
    struct od_line_plan broken; /* plan of lines with many CRs, which must be unwrapped */
    struct od_view between;     /* the last piece between CRs that was unwrapped */
    struct od_line_shape *between_shape;
    size_t between_known; /* number of pieces of the line that have a plan */
};

/* Does a failure event show why the run failed? An incomplete traceback or an abort does not. */
static bool says_why(const struct od_event *event)
{
    bool cut = od_view_eq_str(od_event_text(event, OD_F_NAME), "Traceback");
    bool aborted = event->kind == OD_EV_CRASH &&
                   od_view_eq_str(od_event_text(event, OD_F_NAME), "SIGABRT") &&
                   od_event_text(event, OD_F_MESSAGE).n == 0;
    return !cut && !aborted && event->kind != OD_EV_RUN_ENDED;
}

/* The measurement with the owner that other lines of its record name. */
static const struct od_event *with_owner(struct scan *s, const struct od_event *event)
{
    const struct od_block *block = s->block;
    if (event->kind != OD_EV_SAMPLE || !block || block->offsets ||
        event->at.source != block->source || event->at.offset < block->offset ||
        event->at.offset - block->offset >= block->bytes.n)
        return event;
    od_event_copy(&s->owned, event);
    od_record_own(&s->record, block->bytes, (size_t)(event->at.offset - block->offset), &s->owned);
    return &s->owned;
}

static void count_event(void *self, const struct od_event *event)
{
    struct scan *s = self;
    event = with_owner(s, event);
    s->stats.events++;
    s->worth_keeping =
        s->worth_keeping || od_event_kind_is_trouble(event->kind) || event->kind == OD_EV_RUN_ENDED;
    s->troubled = s->troubled || (s->worth_keeping && says_why(event));
    od_line_trace_event(&s->trace, event);
    od_sink_put(s->out, event);
}

static void note_open(struct scan *s, size_t i)
{
    uint64_t bit = UINT64_C(1) << i;
    s->open = od_reading_is_open(&s->readings[i]) ? s->open | bit : s->open & ~bit;
}

/* Gives the line to open readers and to readers with literals in it. True if one took all of it. */
static bool offer_to_readers(struct scan *s, const struct od_line *line, struct od_line_plan *plan)
{
    bool taken = false;
    struct od_blocks *blocks = s->readings[s->nreadings].shared;
    blocks->begins = od_line_plan_block(plan, s->rules, line, &blocks->at);
    uint64_t hits = od_line_plan_readers(plan, line->segment) | (uint64_t)(blocks->begins > 0)
                                                                    << s->nreadings,
             wanted = hits | s->open;
    for (; wanted; wanted &= wanted - 1) {
        size_t i = (size_t)__builtin_ctzll(wanted);
        enum od_take take = od_reading_line(&s->readings[i], line, hits >> i & 1, &s->counting);
        taken = take == OD_TAKE_ALL || taken;
        s->took |= take != OD_TAKE_NONE ? UINT64_C(1) << i : 0;
        note_open(s, i);
        wanted &= take == OD_TAKE_ALL ? s->open | UINT64_C(1) << i : UINT64_MAX;
    }
    return taken;
}

/* The kind of events that rules emitted for a line. After END (an exception or a crash) a sentence
 * may still give the reason; a line with MEASURED is no sentence. */
enum outcome { OUTCOME_NOTHING, OUTCOME_SOMETHING, OUTCOME_END, OUTCOME_MEASURED, OUTCOME_TROUBLE };

static enum outcome outcome_of(enum od_event_kind kind)
{
    if (kind == OD_EV_EXCEPTION || kind == OD_EV_CRASH)
        return OUTCOME_END;
    if (kind == OD_EV_SAMPLE)
        return OUTCOME_MEASURED;
    return od_event_kind_is_trouble(kind) ? OUTCOME_TROUBLE : OUTCOME_SOMETHING;
}

/* Applies the rule of a step. Returns its event; NULL if it does not match. */
static struct od_event *apply_step(struct scan *s, const struct od_line *line,
                                   struct od_line_plan *plan, size_t i)
{
    struct od_step *step = &plan->steps[i];
    if (od_ruleset_rule(s->rules, step->rule)->begins ||
        !od_line_plan_ask(plan, step, s->rules, line))
        return NULL;
    struct od_event *event = step->made ? od_ruleset_make(s->rules, step->made, line) : NULL;
    if (!event && od_ruleset_apply_candidate(s->rules, step->rule, line, &s->event))
        event = &s->event;
    if (!event || !plan->has_failure_word || event == &s->event)
        return event;
    od_event_copy(&s->event, event); /* copied, because a sentence may complete the event */
    return &s->event;
}

/* Is the line a title between paragraphs of a person? */
static bool is_title_below(const struct scan *s, const struct od_line *line)
{
    return s->sentences && od_sentences_are_titled(s->sentences, line);
}

static bool is_mere_title(const struct scan *s, const struct od_line *line,
                          const struct od_event *exact)
{
    return od_people_is_mere_title(&s->people, line, exact) || (!exact && is_title_below(s, line));
}

/* Is the line source code, only a title or, for general wordings, part of a document? */
static bool is_of_text(const struct scan *s, const struct od_line *line,
                       const struct od_line_plan *plan, const struct od_event *exact)
{
    return od_segment_is_code(line->segment) || is_mere_title(s, line, exact) ||
           (!exact && s->sentences && plan->has_failure_word &&
            od_sentences_around(s->sentences) == OD_SEGMENT_DOCUMENT);
}

/* Emits the event of a rule, and of its further matches if the rule has `each`. */
static void put_each(struct scan *s, const struct od_line *line, size_t rule,
                     struct od_event *event)
{
    size_t at = 0;
    if (!od_ruleset_rule(s->rules, rule)->each)
        od_sink_put(&s->counting, event);
    else
        while (od_ruleset_apply_next(s->rules, rule, line, &at, &s->event))
            od_sink_put(&s->counting, &s->event);
}

/* Tries either the fallback rules or the others. Returns the kind of events. */
static enum outcome offer_to(struct scan *s, const struct od_line *line, struct od_line_plan *plan,
                             bool fallback)
{
    enum outcome outcome = OUTCOME_NOTHING;
    size_t end = fallback ? plan->nsteps : plan->nmain;
    for (size_t i = fallback ? plan->nmain : 0; i < end; i++) {
        struct od_event *event = apply_step(s, line, plan, i);
        if (!event || (od_event_kind_is_trouble(event->kind) &&
                       is_of_text(s, line, plan, fallback ? NULL : event)))
            continue;
        if (s->sentences && plan->has_failure_word)
            od_sentence_complete(od_ruleset_lexicon(s->rules), line, event);
        put_each(s, line, plan->steps[i].rule, event);
        if (s->sentences && (event->kind == OD_EV_EXCEPTION || event->kind == OD_EV_FRAME))
            od_sentences_note(s->sentences, line);
        if (outcome_of(event->kind) > outcome)
            outcome = outcome_of(event->kind);
        if (fallback && outcome >= OUTCOME_END)
            break;
    }
    return outcome;
}

/* Reads the line as a sentence about a failure, if no rule matches it. */
static bool offer_as_sentence(struct scan *s, const struct od_line *line,
                              const struct od_line_plan *plan)
{
    if (!plan->has_failure_word || od_segment_is_code(line->segment) ||
        is_mere_title(s, line, NULL))
        return false;
    return od_sentences_line(s->sentences, line, &s->counting);
}

/* Tries rules, sentences and fallback rules. True if one of them used the line. */
static bool offer_to_rules(struct scan *s, const struct od_line *line, struct od_line_plan *plan)
{
    enum outcome outcome = offer_to(s, line, plan, false);
    if (outcome >= OUTCOME_MEASURED || offer_as_sentence(s, line, plan) || outcome == OUTCOME_END)
        return true;
    return offer_to(s, line, plan, true) != OUTCOME_NOTHING || outcome != OUTCOME_NOTHING;
}

static void note_unused(struct scan *s, const struct od_line *line)
{
    if (s->options->unused && od_mentions_size(od_ruleset_lexicon(s->rules), line->text))
        s->options->unused(s->options->unknown_self, line);
}

/* Reports the next line as unused; neither rules nor readers are tried on it. */
static void note_passed(struct scan *s, const struct od_cursor *cursor)
{
    struct od_cursor next = *cursor;
    struct od_raw_line raw;
    if (s->options->unused && od_cursor_next(&next, &raw))
        note_unused(s, &(struct od_line){.text = raw.bytes, .at = raw.at});
}

static void note_unknown(struct scan *s, const struct od_line *line,
                         const struct od_line_plan *plan)
{
    note_unused(s, line);
    if (!plan->mentions || !od_mentions_memory(line->text))
        return;
    s->stats.unknown++;
    if (s->options->unknown)
        s->options->unknown(s->options->unknown_self, line);
}

/* The plan of a line that no reader or rule uses. */
static struct od_line_plan *nothing(struct scan *s)
{
    return s->shapes ? od_line_shapes_nothing(s->shapes) : &s->nothing;
}

/* Makes a plan for the current set of candidates. Stores it in the shape if that has none. */
static struct od_line_plan *make_plan(struct scan *s, struct od_line_shape *shape,
                                      struct od_view text, bool hit)
{
    const struct od_guards *guards = &od_candidates_set(s->candidates)->guards;
    bool keep = shape && !shape->plan && !guards->crowded;
    struct od_line_plan *plan = nothing(s);
    if (hit || guards->n > 0 || od_candidates_wants_every_line(s->candidates)) {
        od_arena_reset(s->scratch);
        plan = od_line_plan_new(keep ? od_line_shapes_arena(s->shapes) : s->scratch, s->candidates);
        plan->hit = hit;
        if (keep)
            od_line_plan_keep(plan, text, s->shapes, s->number);
        plan->readers &= ~plan->silent;
    }
    if (keep)
        shape->plan = plan;
    return plan;
}

static struct od_line_plan *plan_of(struct scan *s, struct od_line_shape *shape,
                                    struct od_view text)
{
    if (shape && shape->plan && od_line_plan_holds(shape->plan, text))
        return shape->plan;
    bool hit = true;
    if (s->options->no_prefilter)
        od_candidates_search(s->candidates, text);
    else
        hit = od_candidates_filter(s->candidates, text);
    return make_plan(s, shape, text, hit);
}

static struct od_line_shape *shape_of(struct scan *s, struct od_view text)
{
    return s->by_shape ? od_line_shapes_at(s->shapes, text) : NULL;
}

static struct od_line_plan *plan_of_text(struct scan *s, struct od_view text)
{
    bool asked = text.p == s->between.p && text.n == s->between.n;
    return plan_of(s, asked ? s->between_shape : shape_of(s, text), text);
}

static bool is_known_piece(void *self, struct od_view piece, enum od_block_prefixes labels)
{
    struct scan *s = self;
    s->between = piece;
    s->between_shape = shape_of(s, piece);
    s->between_known += s->between_shape && s->between_shape->plan;
    return s->between_shape && (s->between_shape->plain >> labels & 1) != 0;
}

static bool is_in_sentence(const struct scan *s)
{
    return s->sentences && od_sentences_is_open(s->sentences);
}

/* Emits the events of a line that only has signs of programs, steps of the run and measurements. */
static void offer_counts(struct scan *s, const struct od_line *line, struct od_line_plan *plan)
{
    bool any = false;
    od_signs_tell(plan->signs, plan->nsigns, line, s->out);
    for (size_t i = 0; i < plan->nsteps; i++) {
        const struct od_event *event = apply_step(s, line, plan, i);
        if (event)
            count_event(s, event);
        any |= event != NULL;
    }
    if (!any)
        note_unknown(s, line, plan);
}

/* Continues a sentence with the line, or gives it to readers and rules. Returns the user. */
static enum od_trace_reason offer_to_all(struct scan *s, const struct od_line *line,
                                         struct od_line_plan *plan)
{
    uint64_t events = s->stats.events;
    if (s->sentences && od_sentences_goes_on(s->sentences, line, &s->counting)) {
        od_signs_tell(plan->signs, plan->nsigns, line, s->out);
        return OD_NOT_CONTINUES;
    }
    bool taken = offer_to_readers(s, line, plan);
    od_signs_tell(plan->signs, plan->nsigns, line, s->out);
    /* a reader may use the line and still leave it to the rules */
    bool used = taken || offer_to_rules(s, line, plan);
    bool reports =
        !s->worth_keeping && plan->has_failure_word && s->sentences &&
        od_people_report(&s->people, od_ruleset_lexicon(s->rules), line,
                         is_title_below(s, line) || (od_is_title_phrase(od_view_trim(line->text)) &&
                                                     od_sentences_are_apart(s->sentences)));
    if (!(reports && line->segment == OD_SEGMENT_TITLE) && !used && s->stats.events == events)
        note_unknown(s, line, plan);
    if (plan->kept && !plan->complete)
        od_line_plan_complete(plan);
    return taken ? OD_NOT_TAKEN : s->worth_keeping ? OD_NOT_FALLBACK : OD_NOT_END;
}

static void offer_line(struct scan *s, const struct od_line *printed, struct od_line_plan *plan)
{
    bool waits = s->open || is_in_sentence(s);
    struct od_line whole = od_broken_prefix_continue(&s->broken_prefix, printed, waits);
    const struct od_line *line = &whole;
    if (od_shell_trace_has(&s->shell_trace, whole.at))
        whole.segment = OD_SEGMENT_COMMAND;
    else if (plan->hit || is_in_sentence(s) || s->trace.trace)
        whole.segment = od_line_plan_segment(plan, &whole);
    bool output = whole.segment == OD_SEGMENT_OPEN || whole.segment == OD_SEGMENT_OUTPUT;
    if (output && plan->readers && s->sentences &&
        od_sentences_are_config(s->sentences, whole.text))
        whole.segment = OD_SEGMENT_CONFIG;
    bool traced = od_line_trace_begin(&s->trace, line);
    struct od_line_asked asked = {.over = OD_NOT_END};
    if (traced) {
        s->took = 0;
        asked.readers = plan->readers | (s->open & ~(UINT64_MAX << s->nreadings));
        asked.silent = plan->silent;
    }
    if (plan->only_measurements && !s->open && !is_in_sentence(s))
        offer_counts(s, line, plan);
    else
        asked.over = offer_to_all(s, line, plan);
    if (traced) {
        asked.took = s->took;
        od_line_trace_end(&s->trace, line, &asked);
    }
}

static struct od_shape_memory *memory_of(const struct scan *s, struct od_line_plan *plan)
{
    plan->memory.log = s->number;
    return plan->kept ? &plan->memory : NULL;
}

/* Unwraps the line and offers the resulting lines; *ret_line is the last one. */
static size_t offer_unwrapped(struct scan *s, const struct od_raw_line *raw,
                              struct od_line_plan *plan, struct od_line *ret_line)
{
    size_t n = 0;
    s->between = (struct od_view){0};
    s->between_shape = NULL;
    s->between_known = 0;
    od_unwrap_start(s->unwrap, raw);
    for (; od_unwrap_next(s->unwrap, ret_line); n++) {
        unsigned labels = 1U << raw->labels;
        if (s->between_shape && (s->between_shape->plain & labels) == 0 &&
            od_unwrap_is_plain(s->unwrap, s->between))
            s->between_shape->plain |= labels;
        /* the plan of the physical line applies only if unwrapping changed nothing */
        struct od_view text = ret_line->text;
        bool same = text.p == raw->bytes.p && text.n == raw->bytes.n;
        struct od_line_plan *of_text = same ? plan : plan_of_text(s, text);
        ret_line->memory = memory_of(s, of_text);
        offer_line(s, ret_line, of_text);
    }
    if (n > 1)
        s->lister.breaks_known = s->between_known > n / 2;
    return n;
}

/* Offers a line whose layers are known from its shape. False if they are not known. */
static bool offer_layered(struct scan *s, const struct od_raw_line *raw,
                          struct od_line_shape *shape, struct od_line *ret_line)
{
    if (!shape || !shape->layers || !od_unwrap_layered(s->unwrap, raw, shape->layers, ret_line))
        return false;
    if (!shape->inner)
        shape->inner = shape_of(s, ret_line->text);
    struct od_line_plan *plan = plan_of(s, shape->inner, ret_line->text);
    ret_line->memory = memory_of(s, plan);
    offer_line(s, ret_line, plan);
    return true;
}

/* Stores the layers of a shape, if the unwrapped text is a part of the line. */
static void note_layers(struct scan *s, const struct od_raw_line *raw, struct od_line_shape *shape)
{
    struct od_layers layers;
    if (od_unwrap_is_plain(s->unwrap, raw->bytes)) {
        shape->plain |= 1U << raw->labels;
    } else if (od_unwrap_layers(s->unwrap, raw, &layers)) {
        if (!shape->layers)
            shape->layers = OD_NEW(od_line_shapes_arena(s->shapes), struct od_layers);
        *shape->layers = layers;
        shape->inner = NULL;
    }
}

static void scan_line(struct scan *s, const struct od_raw_line *raw, struct od_line_shape *shape,
                      struct od_line_plan *plan, struct od_line *ret_line)
{
    size_t nlines = 1;
    s->stats.candidates++;
    s->trace.raw = raw;
    if (shape && raw->at.line != s->people.title.at.line && (shape->plain >> raw->labels & 1)) {
        od_unwrap_plain(s->unwrap, raw, ret_line);
        ret_line->memory = memory_of(s, plan);
        offer_line(s, ret_line, plan);
    } else if (!offer_layered(s, raw, shape, ret_line)) {
        nlines = offer_unwrapped(s, raw, plan, ret_line);
        if (shape && nlines == 1)
            note_layers(s, raw, shape);
    }
    s->trace.raw = NULL; /* the caller's line becomes invalid */
}

static void scan_next(struct scan *s, struct od_cursor *cursor, const struct od_listed *listed,
                      struct od_line_plan *plan)
{
    const struct od_block *block = cursor->block;
    struct od_raw_line raw;
    struct od_line line;
    od_cursor_take(cursor, listed->next, &raw);
    s->worth_keeping = false;
    od_shell_trace_look(&s->shell_trace, block, &raw);
    if (s->sentences)
        od_sentences_stand(s->sentences, block->bytes, raw.bytes);
    scan_line(s, &raw, listed->shape, plan ? plan : plan_of(s, NULL, raw.bytes), &line);
    if (s->worth_keeping)
        od_around_keep(s->options->around, raw.at, raw.bytes, block->bytes);
}

static void scan_by_literals(struct scan *s, struct od_cursor *cursor, size_t end)
{
    struct od_view block = cursor->block->bytes;
    bool every_line = s->options->no_prefilter || od_candidates_wants_every_line(s->candidates);
    while (cursor->at < end) {
        bool all = every_line || s->open || is_in_sentence(s);
        bool each = all || s->options->unused;
        size_t hit = od_candidates_next_hit(s->candidates);
        if (!each)
            od_cursor_skip_to(cursor, hit == OD_VIEW_NONE ? end : hit);
        if ((!each && hit == OD_VIEW_NONE) || cursor->at >= block.n)
            break;
        struct od_cursor next = *cursor;
        struct od_raw_line raw;
        struct od_line_plan *plan = NULL;
        (void)od_cursor_next(&next, &raw);
        if (!s->options->no_prefilter)
            plan =
                make_plan(s, NULL, raw.bytes, od_candidates_take(s->candidates, block, raw.bytes));
        if (all || plan->hit)
            scan_next(s, cursor, &(struct od_listed){.next = next.at}, plan);
        else {
            note_passed(s, cursor);
            *cursor = next;
        }
    }
}

/* ---- lines by their shapes ---- */

static struct od_line_plan *plan_listed(struct scan *s, struct od_view block,
                                        const struct od_listed *line)
{
    struct od_view text = od_view_from(od_view_head(block, line->end), line->start);
    if (line->broken)
        return &s->broken;
    if (!line->met)
        return text.n > 0 ? plan_of(s, line->shape, text) : nothing(s);
    return make_plan(s, line->shape, text, od_candidates_take(s->candidates, block, text));
}

static void scan_by_shapes(struct scan *s, struct od_cursor *cursor, size_t end,
                           const struct od_block_lines *listing)
{
    const struct od_block *block = cursor->block;
    size_t first = cursor->index, n = listing->lines.n;
    for (size_t i = 0; i < n; i++) {
        const struct od_listed *line = &listing->lines.items[i];
        od_block_lines_fetch_plan(listing, i);
        struct od_line_plan *plan = plan_listed(s, block->bytes, line);
        bool plain = line->shape && line->shape->plain >> block->labels & 1;
        bool skip = (!plan->hit || (plain && plan->unwanted)) && !s->open && !is_in_sentence(s);
        if (skip && !s->options->unused)
            continue;
        od_cursor_pass(cursor, line->start - cursor->at, first + i - cursor->index);
        if (skip)
            note_passed(s, cursor);
        else
            scan_next(s, cursor, line, plan);
    }
    if (cursor->at < end && n > 0)
        od_cursor_pass(cursor, end - cursor->at, first + n - cursor->index);
}

static void scan_listing(struct scan *s, struct od_cursor *cursor, size_t end,
                         const struct od_block_lines *listing)
{
    s->by_shape = listing->lines.n > 0;
    od_candidates_found(s->candidates, &listing->hits);
    if (s->by_shape)
        scan_by_shapes(s, cursor, end, listing);
    else
        scan_by_literals(s, cursor, end);
}

/* Lists the lines up to end, or only filters the bytes. */
static void make_listing(struct scan *s, const struct od_cursor *cursor, size_t end, bool list)
{
    if (list && od_line_shapes_are_full(s->shapes))
        od_line_shapes_forget(s->shapes);
    if (list)
        od_line_lister_list(&s->lister, *cursor, end, &s->listing);
    else if (!s->options->no_prefilter)
        od_line_lister_filter(&s->lister, *cursor, end, &s->listing);
}

enum { PIECE_OF_SHAPES = 32 << 10, PIECE_MOST = 1 << 30 };

static void scan_block(struct scan *s, const struct od_block *block)
{
    struct od_cursor cursor = od_cursor_start(block);
    size_t end = 0;
    s->block = block;
    s->record = (struct od_record){0};
    while (end < block->bytes.n && cursor.at < block->bytes.n) {
        bool list = s->shapes && !block->spans && s->lister.unseen == 0;
        size_t piece = list ? PIECE_OF_SHAPES : PIECE_MOST;
        if (s->lister.unseen > 0 && piece > s->lister.unseen)
            piece = s->lister.unseen;
        end = od_block_lines_end_of_piece(&cursor, piece);
        make_listing(s, &cursor, end, list);
        scan_listing(s, &cursor, end, &s->listing);
    }
    s->block = NULL;
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
    size_t used;
    struct od_diags *diags = od_diags_new();
    const struct od_file file = {.bytes = block->bytes,
                                 .name = od_input_source(input, block->source)->name,
                                 .source = block->source,
                                 .used = &used,
                                 .diags = diags,
                                 .sink = &s->counting,
                                 .arena = s->options->arena,
                                 .dims = s->options->dims};
    bool goes_on = od_input_taken(input, od_file_read(s->file_reader, &file), &used);
    if (!goes_on || used > 0 || s->options->files_only) /* otherwise the source is text */
        od_diags_add_all(s->options->diags, diags);
    s->source_bytes = goes_on ? 0 : s->source_bytes; /* the rest of the source is read as a log */
    od_diags_free(diags);
}

static void end_readings(struct scan *s)
{
    for (size_t i = 0; i <= s->nreadings; i++)
        od_reading_end(&s->readings[i], &s->counting);
    s->open = 0; /* no reader is open after its end */
    if (s->sentences)
        od_sentences_end(s->sentences, &s->counting);
}

/* Reads a title that is an error message as a line of the log, if no line shows a failure. */
static void read_title(struct scan *s)
{
    struct od_line line;
    struct od_raw_line title;
    if (!s->troubled && od_people_take_title(&s->people, &title)) {
        s->trace.raw = &title;
        od_unwrap_titles(s->unwrap, true);
        (void)offer_unwrapped(s, &title, plan_of(s, NULL, title.bytes), &line);
        od_unwrap_titles(s->unwrap, false);
        end_readings(s);
    }
    od_people_end(&s->people, s->troubled ? NULL : &s->counting);
    s->troubled = false;
}

static void end_source(struct scan *s)
{
    od_candidates_forget(s->candidates);
    end_readings(s);
    read_title(s);
}

static void open_readers(struct scan *s, struct od_arena *arena)
{
    while (od_readers[s->nreadings])
        s->nreadings++;
    s->readings = od_mem_alloc(s->nreadings + 1, sizeof *s->readings);
    for (size_t i = 0; i < s->nreadings; i++)
        s->readings[i] = od_reading_begin(od_readers[i], arena);
    s->readings[s->nreadings] = od_reading_begin(&od_blocks_reader, arena);
    ((struct od_blocks *)s->readings[s->nreadings].shared)->rules = s->rules;
}

static void close_readers(struct scan *s)
{
    for (size_t i = 0; i <= s->nreadings; i++)
        od_reading_done(&s->readings[i]);
    od_mem_free(s->readings);
}

static void read_head(struct scan *s, const struct od_block *block)
{
    struct od_raw_line title = {0};
    if (od_people_find_title(&s->people, block, s->options->arena, &title))
        od_around_keep(s->options->around, title.at, title.bytes, block->bytes);
    od_around_keep_head(block->spans ? NULL : s->options->around, block->source, block->bytes);
    od_unwrap_title_line(s->unwrap, title.at.line);
}

static void scan_source_block(struct scan *s, struct od_input *input, const struct od_block *block)
{
    if (s->source_bytes == 0 && !block->whole)
        read_head(s, block);
    s->source_bytes += block->bytes.n;
    if (block->whole)
        scan_file(s, input, block);
    else
        scan_block(s, block);
}

static void scan_blocks(struct scan *s, struct od_input *input)
{
    struct od_block block;
    bool started = false;
    uint32_t source = 0;
    uint64_t bytes = 0;
    while (od_input_next(input, &block)) {
        bytes += block.bytes.n;
        if (s->options->progress)
            s->options->progress(s->options->progress_self, bytes);
        if (started && block.source != source) {
            end_source(s);
            s->source_bytes = 0;
        }
        source = block.source, started = true;
        scan_source_block(s, input, &block);
    }
    if (started)
        end_source(s);
}

struct od_scan_stats od_scan(struct od_input *input, struct od_ruleset *rules,
                             const struct od_scan_options *options, const struct od_sink *sink)
{
    struct scan s = {.options = options, .rules = rules, .out = sink};
    s.counting = (struct od_sink){.event = count_event, .self = &s};
    s.candidates = options->candidates ? options->candidates : od_candidates_new(rules, NULL, NULL);
    s.unwrap = od_unwrap_new();
    s.broken.hit = true;
    od_unwrap_ask(s.unwrap, is_known_piece, &s);
    s.scratch = od_arena_new();
    if (!options->no_prefilter && !options->no_shapes &&
        !od_candidates_wants_every_line(s.candidates))
        s.shapes = options->shapes ? options->shapes : od_line_shapes_new();
    s.lister =
        (struct od_line_lister){.shapes = s.shapes, .finder = od_candidates_finder(s.candidates)};
    if (s.shapes)
        s.number = od_line_shapes_scan(s.shapes);
    open_readers(&s, options->arena);
    if (od_ruleset_lexicon(rules))
        s.sentences = od_sentences_new(od_ruleset_lexicon(rules));
    s.trace =
        (struct od_line_trace){.trace = options->trace, .rules = rules, .sentences = s.sentences};
    od_input_set_taker(input, (struct od_whole_taker){.word = take_whole, .self = &s});
    scan_blocks(&s, input);
    for (size_t i = 0; i < od_input_count(input); i++)
        s.stats.lines += od_input_source(input, i)->lines;
    od_input_set_taker(input, (struct od_whole_taker){0});
    close_readers(&s);
    od_sentences_free(s.sentences);
    if (!options->shapes)
        od_line_shapes_free(s.shapes);
    od_block_lines_done(&s.listing);
    od_arena_free(s.scratch);
    s.stats.crowded = od_unwrap_crowded(s.unwrap);
    od_unwrap_free(s.unwrap);
    if (!options->candidates)
        od_candidates_free(s.candidates);
    return s.stats;
}
