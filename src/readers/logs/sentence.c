#include "readers/logs/sentence.h"

#include "readers/logs/sentence_parts.h"

struct od_view od_sentence_window(const struct od_lexicon *lexicon, struct od_view text)
{
    enum { LEAD = 600 };
    if (text.n <= OD_SENTENCE_BYTES)
        return text;
    size_t first = text.n;
    for (size_t i = 0; i < lexicon->nliterals; i++) {
        size_t at = od_view_find(od_view_head(text, first), od_view_of(lexicon->literals[i]), 0);
        first = at < first ? at : first;
    }
    return od_view_from(text, first > LEAD ? first - LEAD : 0);
}

static const enum od_field bounds[] = {OD_F_FREE, OD_F_LIMIT, OD_F_CAPACITY};

static bool asks_more_than_there_is(const struct od_sentence *s)
{
    for (size_t i = 0; i < OD_COUNT_OF(bounds); i++)
        if (od_bytes_less(s->sizes[bounds[i] - OD_F_REQUESTED], s->sizes[0]) == OD_YES)
            return true;
    const struct od_bytes limit = s->sizes[OD_F_LIMIT - OD_F_REQUESTED];
    const struct od_bytes used = s->sizes[OD_F_IN_USE - OD_F_REQUESTED];
    return od_bytes_less(limit, used) == OD_YES ||
           od_bytes_less(limit, od_bytes_add(used, s->sizes[0])) == OD_YES;
}

/* Is the exceeded bound known, or possibly missing in a truncated sentence? */
static bool has_bound(const struct od_sentence *s)
{
    for (size_t i = 0; i < OD_COUNT_OF(bounds); i++)
        if (s->sizes[bounds[i] - OD_F_REQUESTED].known)
            return true;
    return false;
}

/* Is the refusal repeated in brackets: "not enough memory for the tree (bad_alloc)"? */
static bool is_said_twice(const struct od_tokens *t, const struct od_refusal *r)
{
    for (size_t i = r->upto; i < t->n; i++) {
        if (t->list[i].bracket &&
            (od_token_is(&t->list[i], OD_WORD_REFUSAL) || od_token_is(&t->list[i], OD_WORD_OUT_OF)))
            return true;
    }
    return false;
}

/* Weights were fitted to English sentences. In another script the sentence has to start with the
 * refusal and must not be a heading or an item of a list. */
static bool is_plain_foreign(const struct od_tokens *t, const struct od_refusal *r)
{
    bool foreign = false;
    for (size_t i = t->list[r->from].at; i < t->list[r->upto - 1].end; i++)
        foreign = foreign || (t->text.p[i] & 0x80) != 0;
    char first = t->text.n > 0 ? t->text.p[0] : '#';
    bool listed = strchr("#*-|>`", first) != NULL || od_is_digit(first);
    return foreign && !listed && (r->from == 0 || t->list[r->from].mark != 0 || r->from < 4);
}

/* Why a refusal is rejected; OD_NOT_END: accepted. A comparison needs numbers. */
static enum od_trace_reason doubt(const struct od_tokens *t, struct od_sentence *s,
                                  const struct od_refusal *r)
{
    bool compares = r->form == 'e' || r->form == 'n';
    bool size = s->sizes[0].known && s->sizes[0].n > 0;
    if (s->kind == OD_EV_SOFT_WARNING)
        return (!r->vague || size) && !compares ? OD_NOT_END : OD_NOT_COMPARED;
    bool bare = r->form == 'e' && r->vague && s->marked; /* "Error: it exceeds the free memory" */
    /* "exceeded its limit of 3 GiB": the limit alone was reached */
    bool reached = r->form == 'e' && s->sizes[OD_F_LIMIT - OD_F_REQUESTED].known && !size &&
                   od_view_ends(od_view_head(t->text, t->list[r->from].end), OD_VIEW("exceeded"));
    if (compares && !bare && !reached && (!size || r->vague || has_bound(s)) &&
        !asks_more_than_there_is(s))
        return OD_NOT_COMPARED;
    /* a statement with the requested size and a bound is about a run */
    if ((size && has_bound(s)) || is_plain_foreign(t, r))
        return OD_NOT_END;
    s->weight =
        od_sentence_weight(t, r, s, NULL) + (is_said_twice(t, r) ? OD_SENTENCE_SAID_TWICE : 0);
    return s->weight > OD_SENTENCE_LEAST ? OD_NOT_END : OD_NOT_WEIGHT;
}

enum od_trace_reason od_refusal_read(const struct od_tokens *t, const struct od_lexicon *lexicon,
                                     const struct od_refusal *r, struct od_sentence *ret)
{
    enum od_statement stated = od_refusal_stated(t, r);
    if (stated == OD_STATED_NOT)
        return OD_NOT_STATED;
    struct od_sentence s = {.kind = stated == OD_STATED_HANDLED ? OD_EV_SOFT_WARNING
                                                                : od_sentence_kind(t),
                            .marked = stated == OD_STATED_AS_ERROR};
    od_sentence_sizes(t, r, &s);
    enum od_trace_reason reason = doubt(t, &s, r);
    if (reason == OD_NOT_END) {
        od_sentence_place(t, r, lexicon, &s);
        s.said = od_view_part(t->text, t->list[r->from].at, t->list[r->upto - 1].end);
    }
    *ret = s;
    return reason;
}

struct od_sentence od_sentence_read(const struct od_lexicon *lexicon, struct od_view text)
{
    struct od_tokens tokens;
    struct od_sentence sentence;
    struct od_refusal refusal;
    od_tokens_read(&tokens, lexicon, od_sentence_window(lexicon, text));
    for (size_t n = 0; od_refusal_next(&tokens, &n, &refusal);) {
        if (od_refusal_read(&tokens, lexicon, &refusal, &sentence) == OD_NOT_END)
            return sentence;
    }
    return (struct od_sentence){.kind = OD_EV_NONE};
}

bool od_sentence_may_open(const struct od_lexicon *lexicon, struct od_view text)
{
    enum { TAIL = 14, TAIL_BYTES = 400 };
    const uint64_t openers = OD_WORD_BIT(OD_WORD_CANNOT) | OD_WORD_BIT(OD_WORD_OUT_OF) |
                             OD_WORD_BIT(OD_WORD_LACK) | OD_WORD_BIT(OD_WORD_ALLOCATION) |
                             OD_WORD_BIT(OD_WORD_EXCEED) | OD_WORD_BIT(OD_WORD_REQUESTED);
    struct od_tokens t;
    if (text.n > TAIL_BYTES)
        text = od_view_from(text, text.n - TAIL_BYTES);
    od_tokens_read(&t, lexicon, text);
    bool opens = false;
    for (size_t i = t.n > TAIL ? t.n - TAIL : 0; i < t.n; i++) {
        opens = opens || (t.list[i].classes & openers) != 0;
        if ((t.list[i].classes & OD_WORD_BIT(OD_WORD_ELSE)) != 0)
            opens = false; /* something else than memory ran out */
    }
    return opens;
}

static void set_text(struct od_event *event, enum od_field field, struct od_view text)
{
    if (text.n > 0 && od_event_kind_has(event->kind, field))
        od_event_set_text(event, field, text);
}

static void add_sizes(const struct od_sentence *s, struct od_event *event)
{
    for (unsigned i = 0; i < OD_SENTENCE_SIZES; i++) {
        enum od_field field = (enum od_field)(OD_F_REQUESTED + i);
        if (s->sizes[i].known && od_event_kind_has(event->kind, field) &&
            !od_event_get(event, field))
            od_event_set_bytes(event, field, s->sizes[i]);
    }
}

struct od_event od_sentence_event(const struct od_sentence *s, const struct od_line *line)
{
    struct od_event event = {.kind = s->kind, .at = line->at, .line = line, .rule = "sentence"};
    event.excerpt = od_excerpt_of(line->text, s->said);
    set_text(&event, OD_F_PRODUCER, od_view_of(s->producer ? s->producer : "other"));
    set_text(&event, OD_F_SPACE, od_view_of(s->space));
    set_text(&event, OD_F_DEVICE, s->device);
    set_text(&event, OD_F_MESSAGE, s->said);
    add_sizes(s, &event);
    return event;
}

/* Are there sizes of the rule's event that the sentence does not confirm? */
static bool differs(const struct od_event *event, const struct od_sentence *s)
{
    for (unsigned i = 0; i < OD_SENTENCE_SIZES; i++) {
        struct od_bytes told = od_event_bytes(event, (enum od_field)(OD_F_REQUESTED + i));
        if (told.known && (!s->sizes[i].known || s->sizes[i].n != told.n))
            return true;
    }
    return false;
}

void od_sentence_complete(const struct od_lexicon *lexicon, const struct od_line *line,
                          struct od_event *event)
{
    if (!od_event_kind_is_trouble(event->kind) || !od_event_kind_has(event->kind, OD_F_SHAPE) ||
        od_event_get(event, OD_F_COUNTED)) /* its numbers are of tokens or buffers */
        return;
    /* the rule has established the failure, so only the numbers are read */
    const struct od_refusal all = {.from = 0, .upto = 1};
    struct od_sentence sentence = {.kind = event->kind, .strict = true};
    struct od_tokens tokens;
    od_tokens_read(&tokens, lexicon, od_sentence_window(lexicon, line->text));
    if (tokens.n > 0)
        od_sentence_sizes(&tokens, &all, &sentence);
    if (!differs(event, &sentence))
        add_sizes(&sentence, event);
}
