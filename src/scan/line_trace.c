#include "scan/line_trace.h"

#include "readers/logs/sentence.h"
#include "rules/value.h"
#include "scan/readers.h"

#include <stdio.h>

static void note_view(const struct od_line_trace *t, enum od_trace_kind kind, struct od_view text,
                      const char *verdict, const char *reason)
{
    struct od_buf name = {0};
    od_text_visible(text, &name);
    od_trace_note(t->trace, kind, od_buf_str(&name), verdict, reason);
    od_buf_done(&name);
}

static bool is_wanted(const struct od_trace *trace, const struct od_prov *at)
{
    const struct od_prov *only = &trace->only;
    return only->line == 0 || (at->source == only->source && at->line <= only->line &&
                               only->line < at->line + (at->nlines > 0 ? at->nlines : 1));
}

/* Records the removed prefix and suffix. A text outside of the raw line was rewritten. */
static void note_layers(const struct od_line_trace *t, const struct od_line *line)
{
    struct od_view raw = t->raw->bytes, text = line->text;
    bool within = text.p >= raw.p && text.p + text.n <= raw.p + raw.n;
    if (within && text.n == raw.n)
        od_trace_note(t->trace, OD_TRACE_LAYERS, "none", NULL, NULL);
    else if (!within)
        note_view(t, OD_TRACE_LAYERS, raw, NULL, "the whole line was rewritten");
    struct od_view front = {raw.p, within ? (size_t)(text.p - raw.p) : 0};
    struct od_view end = within ? od_view_from(raw, front.n + text.n) : (struct od_view){raw.p, 0};
    if (front.n > 0)
        note_view(t, OD_TRACE_LAYERS, front, NULL, "taken off the front");
    if (end.n > 0)
        note_view(t, OD_TRACE_LAYERS, end, NULL, "taken off the end");
    if (line->stamp.n > 0)
        note_view(t, OD_TRACE_LAYERS, line->stamp, NULL, "its time");
}

static void note_lane(const struct od_line_trace *t, const struct od_line *line)
{
    struct od_buf name = {0};
    const struct od_place *place = line->place;
    od_buf_printf(&name, "%" PRIu32, line->lane);
    if (place && place->host.n > 0) {
        od_buf_add_str(&name, ", host ");
        od_text_visible(place->host, &name);
    }
    if (place && place->process.n > 0) {
        od_buf_add_str(&name, ", process ");
        od_text_visible(place->process, &name);
    }
    if (place && place->pid.known)
        od_buf_printf(&name, ", pid %" PRIu64, place->pid.n);
    if (place && place->rank.known)
        od_buf_printf(&name, ", rank %" PRIu64, place->rank.n);
    od_trace_note(t->trace, OD_TRACE_LANE, od_buf_str(&name), NULL, NULL);
    od_buf_done(&name);
}

static void note_segment(const struct od_line_trace *t, const struct od_line *line)
{
    enum od_segment segment = line->segment, around = OD_SEGMENT_OPEN;
    if (segment == OD_SEGMENT_OPEN)
        segment = od_segment_of(line->text);
    if (t->sentences && !od_segment_is_code(segment) && segment != OD_SEGMENT_TITLE)
        around = od_sentences_are_titled(t->sentences, line) ? OD_SEGMENT_TITLE
                                                             : od_sentences_around(t->sentences);
    if (around != OD_SEGMENT_OPEN)
        segment = around;
    od_trace_note(t->trace, OD_TRACE_SEGMENT, od_segment_name(segment), NULL, NULL);
}

bool od_line_trace_begin(struct od_line_trace *t, const struct od_line *line)
{
    char number[24];
    t->on = t->trace && is_wanted(t->trace, &line->at);
    if (!t->on)
        return false;
    t->made_by = NULL;
    (void)snprintf(number, sizeof number, "%" PRIu64, line->at.line);
    note_view(t, OD_TRACE_LINE, line->text, number, NULL);
    note_layers(t, line);
    note_lane(t, line);
    note_segment(t, line);
    return true;
}

/* ---- readers and rules that were tried ---- */

static void note_literals(const struct od_line_trace *t, const char *const *literals,
                          const struct od_line *line, const char *owner)
{
    for (; literals && *literals; literals++)
        if (od_view_has(line->text, od_view_of(*literals)))
            od_trace_note(t->trace, OD_TRACE_LITERAL, *literals, "of", owner);
}

static void note_readers(const struct od_line_trace *t, const struct od_line *line,
                         const struct od_line_asked *asked)
{
    for (size_t i = 0; od_readers[i]; i++) {
        const struct od_reader *reader = od_readers[i];
        uint64_t bit = UINT64_C(1) << i;
        bool took = (asked->took & bit) != 0;
        if (((asked->readers | asked->silent) & bit) == 0)
            continue;
        note_literals(t, reader->literals, line, reader->name);
        note_literals(t, reader->numbered, line, reader->name);
        enum od_trace_reason reason = asked->over == OD_NOT_CONTINUES ? OD_NOT_CONTINUES
                                      : (asked->readers & bit) == 0   ? OD_NOT_SILENT
                                                                      : OD_NOT_USED;
        od_trace_note(t->trace, OD_TRACE_READER, reader->name, took ? "yes" : "no",
                      took ? NULL : od_trace_reason_text(reason));
    }
}

/* Does the line have a literal of the rule, whether or not the required number follows? */
static bool holds_literal(const struct od_rule *rule, const struct od_line *line)
{
    for (size_t i = 0; i < rule->nliterals; i++)
        if (od_view_has(line->text, od_view_of(rule->literals[i])))
            return true;
    return rule->nliterals == 0;
}

static void note_rules(const struct od_line_trace *t, const struct od_line *line,
                       enum od_trace_reason over)
{
    for (size_t i = 0; i < od_ruleset_count(t->rules); i++) {
        const struct od_rule *rule = od_ruleset_rule(t->rules, i);
        if (!holds_literal(rule, line))
            continue;
        bool asked = od_ruleset_has_literal(t->rules, i, line->text);
        enum od_trace_reason reason = OD_NOT_NUMBERED;
        if (asked)
            reason = (over == OD_NOT_TAKEN && !rule->begins) || over == OD_NOT_CONTINUES
                         ? over
                         : od_ruleset_explain(t->rules, i, line->text);
        bool made = t->made_by && strcmp(t->made_by, rule->id) == 0;
        if (reason == OD_NOT_END && rule->fallback && over == OD_NOT_FALLBACK && !made)
            reason = over;
        if (reason == OD_NOT_END && od_event_kind_is_trouble(rule->means) &&
            od_segment_is_code(line->segment))
            reason = OD_NOT_CODE;
        if (rule->people && line->segment == OD_SEGMENT_OUTPUT)
            reason = OD_NOT_PEOPLE;
        for (size_t k = 0; k < rule->nliterals; k++)
            if (od_view_has(line->text, od_view_of(rule->literals[k])))
                od_trace_note(t->trace, OD_TRACE_LITERAL, rule->literals[k], "of", rule->id);
        od_trace_note(t->trace, OD_TRACE_RULE, rule->id, reason == OD_NOT_END ? "yes" : "no",
                      od_trace_reason_text(reason));
    }
}

static void note_sentence(const struct od_line_trace *t, const struct od_line *line,
                          enum od_trace_reason over)
{
    const struct od_lexicon *lexicon = od_ruleset_lexicon(t->rules);
    bool begins = false;
    if (!lexicon)
        return;
    for (size_t i = 0; i < lexicon->nliterals && !begins; i++)
        begins = od_view_has(line->text, od_view_of(lexicon->literals[i]));
    enum od_trace_reason reason = over == OD_NOT_FALLBACK             ? OD_NOT_END
                                  : over != OD_NOT_END                ? over
                                  : od_segment_is_code(line->segment) ? OD_NOT_CODE
                                  : !begins                           ? OD_NOT_VOCABULARY
                                                                      : OD_NOT_END;
    od_sentence_explain(lexicon, line->text, t->trace);
    struct od_sentence sentence = od_sentence_read(lexicon, line->text);
    if (reason == OD_NOT_END && sentence.kind != OD_EV_NONE && t->sentences &&
        od_sentences_are_of_document(t->sentences, &sentence))
        reason = OD_NOT_DOCUMENT;
    if (reason != OD_NOT_END)
        od_trace_note(t->trace, OD_TRACE_SENTENCE, "the line", "no", od_trace_reason_text(reason));
}

void od_line_trace_end(struct od_line_trace *t, const struct od_line *line,
                       const struct od_line_asked *asked)
{
    note_readers(t, line, asked);
    note_rules(t, line, asked->over);
    note_sentence(t, line, asked->over);
    t->on = false;
}

/* ---- events of the line ---- */

static void add_value(const struct od_field_value *value, struct od_buf *to)
{
    char size[OD_BYTES_TEXT];
    od_buf_printf(to, " %s=", od_field_name(value->field));
    if (od_field_type(value->field) == OD_T_BYTES)
        od_buf_add_str(to, od_bytes_print(value->as.bytes, size));
    else
        od_value_print(value, to);
}

void od_line_trace_event(struct od_line_trace *t, const struct od_event *event)
{
    struct od_buf fields = {0};
    if (!t->trace || !(t->on || is_wanted(t->trace, &event->at)))
        return;
    if (t->on && od_event_kind_is_trouble(event->kind))
        t->made_by = event->rule;
    od_buf_printf(&fields, "line %" PRIu64 ":", event->at.line);
    for (size_t i = 0; i < event->nfields; i++)
        add_value(&event->fields[i], &fields);
    od_trace_note(t->trace, OD_TRACE_EVENT, od_event_kind_name(event->kind), event->rule,
                  od_buf_str(&fields));
    od_buf_done(&fields);
}
