/* What else the log said, how far to trust it, and what to type next. */
#include "report/outline_parts.h"

#include "report/words.h"

enum { ROWS_SHOWN = 4, NOTES_SHOWN = 3 };

static struct od_view size_in(struct od_outline *outline, struct od_bytes bytes, unsigned unit)
{
    char text[OD_BYTES_TEXT];
    if (!bytes.known)
        return OD_VIEW("?");
    return od_view_of(
        od_arena_printf(outline->arena, "%s", od_bytes_print_in(bytes.n, unit, text)));
}

static struct od_bytes incident_size(const struct od_incident *incident)
{
    return incident->requested.known ? incident->requested : incident->tensor.bytes;
}

static void add_incident_row(struct od_outline *outline, struct od_table *table,
                             const struct od_incident *incident, unsigned unit)
{
    struct od_row *row = od_doc_row(outline->doc, table);
    const char *device = od_arena_str(outline->arena, incident->device);
    row->cells[0].text = od_view_of(od_words_at(outline->arena, outline->report, incident->at));
    row->cells[0].tone = OD_CODE;
    row->cells[1].text = od_view_of(od_arena_printf(outline->arena, "%s%s%s",
                                                    od_words_incident_short(incident->kind),
                                                    *device ? " on " : "", device));
    row->cells[2].text = size_in(outline, incident_size(incident), unit);
    row->cells[3].text = od_view_of(od_words_count(outline->arena, incident->count));
}

static void say_more(struct od_outline *outline, struct od_section *section, size_t n,
                     const char *what)
{
    if (n > 0)
        od_doc_say(outline->doc, od_doc_text(outline->doc, section), OD_DIM, "and %s %s%s",
                   od_words_count(outline->arena, n), what,
                   outline->verbose ? "" : "; -v shows them");
}

static void add_other_incidents(struct od_outline *outline)
{
    const struct od_case *c = outline->c;
    size_t others = c->incidents.n - (outline->incident ? 1 : 0);
    size_t most = outline->verbose ? OD_OUTLINE_ROWS : ROWS_SHOWN;
    if (c->incidents.n == 0 || others == 0)
        return;
    uint64_t largest = 0;
    for (size_t i = 0; i < c->incidents.n; i++) {
        struct od_bytes size = incident_size(&c->incidents.items[i]);
        largest = size.known && size.n > largest ? size.n : largest;
    }
    unsigned unit = od_bytes_unit_for(largest);
    struct od_section *section = od_doc_section(outline->doc, "Also in the log");
    struct od_table *table = od_doc_table(outline->doc, section);
    od_doc_column(table, "line", OD_COLUMN_LEFT);
    od_doc_column(table, "what", OD_COLUMN_LEFT);
    od_doc_column(table, od_bytes_unit_name(unit), OD_COLUMN_RIGHT);
    od_doc_column(table, "times", OD_COLUMN_RIGHT);
    size_t shown = 0;
    for (size_t i = 0; i < c->incidents.n && shown < most; i++) {
        if (&c->incidents.items[i] == outline->incident)
            continue;
        add_incident_row(outline, table, &c->incidents.items[i], unit);
        shown++;
    }
    say_more(outline, section, others - shown, "more");
}

static struct od_bytes from_count(struct od_count count)
{
    return count.known ? od_bytes_exact(count.n) : (struct od_bytes){0};
}

static void add_allocator_row(struct od_outline *outline, struct od_table *table,
                              const struct od_allocator *a, unsigned unit)
{
    struct od_row *row = od_doc_row(outline->doc, table);
    const char *verdict = od_verdict_name(a->verdict);
    bool whole = a->has_chunks && a->chunks_complete;
    struct od_bytes hole = {0};
    if (whole)
        hole = od_bytes_exact(a->largest_free_bytes);
    row->cells[0].text = od_view_of(od_words_at(outline->arena, outline->report, a->dump.at));
    row->cells[0].tone = OD_CODE;
    row->cells[1].text = od_view_of(od_outline_name(outline, a));
    row->cells[2].text = size_in(outline, a->need.known ? a->need : a->requested, unit);
    row->cells[3].text = size_in(outline, from_count(a->in_use), unit);
    row->cells[4].text = size_in(outline, hole, unit);
    row->cells[5].text = verdict ? od_view_of(verdict) : OD_VIEW("?");
}

static uint64_t largest_of(const struct od_case *c)
{
    uint64_t largest = 0;
    for (size_t i = 0; i < c->allocators.n; i++) {
        const struct od_allocator *a = c->allocators.items[i];
        uint64_t sizes[] = {a->in_use.known ? a->in_use.n : 0, a->need.known ? a->need.n : 0,
                            a->chunks_complete ? a->largest_free_bytes : 0};
        for (size_t k = 0; k < OD_COUNT_OF(sizes); k++)
            largest = sizes[k] > largest ? sizes[k] : largest;
    }
    return largest;
}

static void add_other_allocators(struct od_outline *outline)
{
    const struct od_case *c = outline->c;
    size_t others = c->allocators.n - (outline->allocator ? 1 : 0);
    size_t most = outline->verbose ? OD_OUTLINE_ROWS : ROWS_SHOWN;
    if (c->allocators.n == 0 || others == 0)
        return;
    unsigned unit = od_bytes_unit_for(largest_of(c));
    const char *name = od_bytes_unit_name(unit);
    struct od_section *section = od_doc_section(
        outline->doc, od_arena_printf(outline->arena, "Other allocator dumps, in %s", name));
    struct od_table *table = od_doc_table(outline->doc, section);
    od_doc_column(table, "line", OD_COLUMN_LEFT);
    od_doc_column(table, "allocator", OD_COLUMN_LEFT);
    od_doc_column(table, "request", OD_COLUMN_RIGHT);
    od_doc_column(table, "in use", OD_COLUMN_RIGHT);
    od_doc_column(table, "largest hole", OD_COLUMN_RIGHT);
    od_doc_column(table, "verdict", OD_COLUMN_LEFT);
    size_t shown = 0;
    for (size_t i = 0; i < c->allocators.n && shown < most; i++) {
        if (c->allocators.items[i] == outline->allocator)
            continue;
        add_allocator_row(outline, table, c->allocators.items[i], unit);
        shown++;
    }
    say_more(outline, section, others - shown, "more");
}

void od_outline_others(struct od_outline *outline)
{
    add_other_incidents(outline);
    add_other_allocators(outline);
}

struct tally {
    uint64_t of[OD_CHECK_FAIL + 1];
};

static struct tally tally_checks(const struct od_case *c)
{
    struct tally tally = {{0}};
    for (size_t i = 0; i < c->allocators.n; i++) {
        for (size_t k = 0; k < OD_CHECKS; k++)
            tally.of[c->allocators.items[i]->checks[k].result]++;
    }
    return tally;
}

static void say_checks(struct od_outline *outline, struct od_text *text)
{
    struct tally tally = tally_checks(outline->c);
    uint64_t fails = tally.of[OD_CHECK_FAIL];
    uint64_t passes = tally.of[OD_CHECK_PASS];
    od_doc_say(outline->doc, text, fails > 0 ? OD_PLAIN : OD_GOOD, "%s %s",
               od_words_counted(outline->arena, passes, "check", "checks"),
               passes == 1 ? "passes" : "pass");
    if (fails > 0)
        od_doc_say(outline->doc, text, OD_BAD, ", %s %s", od_words_count(outline->arena, fails),
                   fails == 1 ? "fails" : "fail");
    if (tally.of[OD_CHECK_SKIP] > 0)
        od_doc_say(outline->doc, text, OD_DIM, ", %s skipped",
                   od_words_count(outline->arena, tally.of[OD_CHECK_SKIP]));
    od_doc_say(outline->doc, text, OD_PLAIN, ": the dump%s arithmetic%s.",
               outline->c->allocators.n == 1 ? "'s own" : "s' own",
               fails > 0 ? " does not hold everywhere" : "");
}

/* A list that grows to a limit and counts the rest. */
struct notes {
    struct od_outline *outline;
    struct od_node *list;
    size_t shown, most, left;
};

static struct od_text *add_note(struct notes *notes)
{
    if (notes->shown == notes->most) {
        notes->left++;
        return NULL;
    }
    notes->shown++;
    return od_doc_item(notes->outline->doc, notes->list);
}

static void note_check(struct notes *notes, const struct od_allocator *a, unsigned id)
{
    struct od_outline *outline = notes->outline;
    const struct od_check *check = &a->checks[id];
    if (check->result != OD_CHECK_FAIL && !outline->verbose)
        return;
    struct od_text *text = add_note(notes);
    if (!text)
        return;
    struct od_prov at = {.source = a->dump.at.source, .line = check->line};
    od_doc_say(outline->doc, text, check->result == OD_CHECK_FAIL ? OD_BAD : OD_PLAIN, "%s %s",
               od_check_id_name((enum od_check_id)id), od_check_result_name(check->result));
    if (at.line > 0)
        od_doc_say(outline->doc, text, OD_CODE, " %s",
                   od_words_at(outline->arena, outline->report, at));
    if (check->detail.n > 0) {
        od_doc_say(outline->doc, text, OD_PLAIN, ": ");
        od_doc_add(outline->doc, text, OD_PLAIN, check->detail);
    }
}

static void note_conflicts(struct notes *notes)
{
    struct od_outline *outline = notes->outline;
    for (size_t i = 0; i < outline->c->conflicts.n; i++) {
        const struct od_conflict *conflict = &outline->c->conflicts.items[i];
        struct od_text *text = add_note(notes);
        if (!text)
            continue;
        od_doc_say(outline->doc, text, OD_BAD, "contradiction");
        od_doc_say(outline->doc, text, OD_CODE, " %s",
                   od_words_at(outline->arena, outline->report, conflict->at));
        od_doc_say(outline->doc, text, OD_PLAIN, ": ");
        od_doc_add(outline->doc, text, OD_PLAIN, conflict->message);
    }
}

static void note_dump(struct notes *notes, const struct od_allocator *a)
{
    struct od_outline *outline = notes->outline;
    const struct od_dump *dump = &a->dump;
    const char *at = od_words_at(outline->arena, outline->report, dump->at);
    const char *name = od_outline_name(outline, a);
    struct od_text *text;
    if (dump->chunk_limit_hit && (text = add_note(notes)))
        od_doc_say(
            outline->doc, text, OD_BAD, "%s: %s beyond our limit were not kept", at,
            od_words_counted(outline->arena, dump->chunks_lost, "chunk line", "chunk lines"));
    if ((dump->cut_tail || !dump->has_header) && !a->complete && (text = add_note(notes)))
        od_doc_say(outline->doc, text, OD_PLAIN, "%s: the dump of %s %s", at, name,
                   !dump->cut_tail    ? "begins without its first line"
                   : dump->has_header ? "ends before its last line"
                                      : "lacks its first and its last line");
    if (dump->interleaved && outline->verbose && (text = add_note(notes)))
        od_doc_say(outline->doc, text, OD_PLAIN,
                   "%s: lines of another dump stood in between; told apart by addresses", at);
}

static void note_sources(struct notes *notes)
{
    struct od_outline *outline = notes->outline;
    struct od_text *text;
    for (size_t i = 0; i < outline->report->nsources; i++) {
        const struct od_source *source = outline->report->sources[i];
        const char *name = od_words_source(outline->report, (uint32_t)i);
        if (!source->complete && (text = add_note(notes)))
            od_doc_say(outline->doc, text, OD_BAD, "%s was not read to its end", name);
        if (source->unreadable_lines > 0 && (text = add_note(notes)))
            od_doc_say(outline->doc, text, OD_PLAIN, "%s of %s could not be read as text",
                       od_words_counted(outline->arena, source->unreadable_lines, "line", "lines"),
                       name);
    }
    if (outline->c->limit_hit && (text = add_note(notes)))
        od_doc_say(outline->doc, text, OD_BAD,
                   "more was said than we keep: a list of this report was closed early");
}

static bool worth_saying(const struct od_outline *outline)
{
    const struct od_case *c = outline->c;
    bool lost = c->limit_hit;
    for (size_t i = 0; i < outline->report->nsources; i++) {
        const struct od_source *source = outline->report->sources[i];
        lost = lost || !source->complete || source->unreadable_lines > 0;
    }
    return lost || c->allocators.n > 0 || c->conflicts.n > 0;
}

void od_outline_trust(struct od_outline *outline)
{
    if (!worth_saying(outline))
        return;
    struct od_section *section = od_doc_section(outline->doc, "How far to trust this");
    if (outline->c->allocators.n > 0)
        say_checks(outline, od_doc_text(outline->doc, section));
    struct notes notes = {.outline = outline,
                          .list = od_doc_list(outline->doc, section),
                          .most = outline->verbose ? OD_OUTLINE_ROWS : NOTES_SHOWN};
    note_sources(&notes);
    note_conflicts(&notes);
    for (size_t i = 0; i < outline->c->allocators.n; i++) {
        note_dump(&notes, outline->c->allocators.items[i]);
        for (unsigned k = 0; k < OD_CHECKS; k++)
            note_check(&notes, outline->c->allocators.items[i], k);
    }
    say_more(outline, section, notes.left, "more notes");
}

static bool needs_quotes(const char *name)
{
    for (const char *p = name; *p; p++) {
        unsigned char c = (unsigned char)*p;
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '/' || c == '.' || c == '_' || c == '-' || c == '+';
        if (!plain)
            return true;
    }
    return *name == '-' || *name == '\0';
}

/* A name that a shell takes as it is; anything else is left to the reader. */
static const char *operand(const struct od_report *report)
{
    if (report->nsources != 1 || needs_quotes(report->sources[0]->name))
        return "LOG";
    return report->sources[0]->name;
}

void od_outline_next(struct od_outline *outline)
{
    if (outline->c->incidents.n == 0 && outline->c->allocators.n == 0)
        return;
    struct od_section *section = od_doc_section(outline->doc, "Next");
    const char *name = operand(outline->report);
    struct od_text *text;
    if (!outline->verbose) {
        text = od_doc_text(outline->doc, section);
        od_doc_say(outline->doc, text, OD_CODE, "oomdoctor analyze -v %s", name);
        od_doc_say(outline->doc, text, OD_DIM, "  every size, dump and check");
    }
    text = od_doc_text(outline->doc, section);
    od_doc_say(outline->doc, text, OD_CODE, "oomdoctor analyze --format json %s", name);
    od_doc_say(outline->doc, text, OD_DIM, "  the same for programs");
}
