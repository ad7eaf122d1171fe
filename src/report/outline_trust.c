/* How far to trust the report, and the next command to type. */
#include "report/outline_parts.h"

#include "report/words.h"

enum {
    NOTES_SHOWN = 4,
    NAME_MOST = 33 /* a longer name leaves no room on its line for another word */
};

/* Counts the checks of all dumps; the short report leaves them out if all pass. */
static void say_checks(struct od_outline *outline, struct od_section *section)
{
    uint64_t of[OD_CHECK_FAIL + 1] = {0};
    for (size_t i = 0; i < outline->c->allocators.n; i++)
        for (size_t k = 0; k < OD_CHECKS; k++)
            of[outline->c->allocators.items[i]->checks[k].result]++;
    uint64_t fails = of[OD_CHECK_FAIL], passes = of[OD_CHECK_PASS];
    if (outline->c->allocators.n == 0 || (!outline->all && fails == 0 && passes > 0))
        return;
    struct od_text *text = od_doc_text(section);
    if (fails + passes == 0) {
        od_say(text, "The dump is too short for consistency checks.");
        return;
    }
    od_say_as(text, fails > 0 ? OD_PLAIN : OD_GOOD, "%s %s",
              od_words_counted(outline->arena, passes, "check", "checks"),
              passes == 1 ? "passes" : "pass");
    if (fails > 0)
        od_say_as(text, OD_BAD, ", %s %s", od_words_count(outline->arena, fails),
                  fails == 1 ? "fails" : "fail");
    if (of[OD_CHECK_SKIP] > 0)
        od_say_as(text, OD_DIM, ", %s skipped", od_words_count(outline->arena, of[OD_CHECK_SKIP]));
    od_say(text, ": the dump%s%s consistent.", outline->c->allocators.n == 1 ? " is" : "s are",
           fails > 0 ? " not fully" : "");
}

/* A list that grows to a limit and counts the rest. */
struct notes {
    struct od_outline *outline;
    struct od_node *list;
    size_t shown, most, left;
    bool passes; /* list passed checks, too */
};

static struct od_text *add_note(struct notes *notes)
{
    if (notes->shown == notes->most) {
        notes->left++;
        return NULL;
    }
    notes->shown++;
    return od_doc_item(notes->list);
}

static void note_check(struct notes *notes, const struct od_allocator *a, unsigned id)
{
    struct od_outline *outline = notes->outline;
    const struct od_check *check = &a->checks[id];
    if (check->result != OD_CHECK_FAIL && !notes->passes)
        return;
    struct od_text *text = add_note(notes);
    if (!text)
        return;
    struct od_prov at = {.source = a->dump.at.source, .line = check->line};
    od_say_as(text, check->result == OD_CHECK_FAIL ? OD_BAD : OD_PLAIN, "%s %s",
              od_check_id_name((enum od_check_id)id), od_check_result_name(check->result));
    if (at.line > 0) {
        od_say(text, " ");
        od_outline_refer(outline, text, at, (struct od_view){0});
    }
    if (check->detail.n > 0) {
        od_say(text, ": ");
        od_doc_add(text, OD_PLAIN, check->detail);
    }
}

static void note_conflicts(struct notes *notes)
{
    struct od_outline *outline = notes->outline;
    OD_FOR_EACH (const struct od_conflict, conflict, outline->c->conflicts) {
        struct od_text *text = add_note(notes);
        if (!text)
            continue;
        od_say_as(text, OD_BAD, "contradiction");
        od_say(text, " ");
        od_outline_refer(outline, text, conflict->at, (struct od_view){0});
        od_say(text, ": ");
        od_doc_add(text, OD_PLAIN, conflict->message);
    }
}

static void note_dump(struct notes *notes, const struct od_allocator *a)
{
    struct od_outline *outline = notes->outline;
    const struct od_dump *dump = &a->dump;
    const char *at = od_words_line(outline->arena, outline->report, dump->at);
    const char *name = od_outline_name(outline, a);
    struct od_text *text;
    if (dump->chunk_limit_hit && (text = add_note(notes)))
        od_say_as(text, OD_BAD, "%s: %s beyond the limit of oomdoctor were not kept", at,
                  od_words_counted(outline->arena, dump->chunks_lost, "chunk line", "chunk lines"));
    if ((dump->cut_tail || !dump->has_header) && !a->complete && (text = add_note(notes)))
        od_say(text, "%s: the dump of %s %s", at, name,
               !dump->cut_tail    ? "begins without its first line"
               : dump->has_header ? "ends before its last line"
                                  : "lacks its first and its last line");
}

/* Adds one note for all dumps whose lines are mixed because they were printed at once. */
static void note_mixed(struct notes *notes)
{
    struct od_outline *outline = notes->outline;
    const struct od_dump *mixed = NULL;
    for (size_t i = 0; i < outline->c->allocators.n && !mixed; i++)
        mixed = outline->c->allocators.items[i]->dump.interleaved
                    ? &outline->c->allocators.items[i]->dump
                    : NULL;
    struct od_text *text = mixed ? add_note(notes) : NULL;
    if (text)
        od_say(text, "%s: the lines of several dumps are mixed; their chunks are not judged",
               od_words_line(outline->arena, outline->report, mixed->at));
}

/* "settings, models" */
static const char *closed_lists(const struct od_outline *outline)
{
#define OD_LIST_WORDS(constant, words) words,
    static const char *const lists[] = {OD_LISTS(OD_LIST_WORDS)};
#undef OD_LIST_WORDS
    const char *said = "";
    for (size_t i = 0; i < OD_COUNT_OF(lists); i++)
        if (outline->c->closed >> i & 1)
            said = od_arena_printf(outline->arena, "%s%s%s", said, *said ? ", " : "", lists[i]);
    return said;
}

static void note_sources(struct notes *notes)
{
    struct od_outline *outline = notes->outline;
    struct od_text *text;
    for (size_t i = 0; i < outline->report->nsources; i++) {
        const struct od_source *source = outline->report->sources[i];
        const char *name = od_words_source(outline->report, (uint32_t)i);
        if (!source->complete && (text = add_note(notes)))
            od_say_as(text, OD_BAD, "%s was not read completely", name);
        if (source->unreadable_lines > 0 && (text = add_note(notes)))
            od_say(text, "%s of %s could not be read whole or as text",
                   od_words_counted(outline->arena, source->unreadable_lines, "line", "lines"),
                   name);
    }
    if (outline->c->closed && (text = add_note(notes)))
        od_say_as(text, OD_BAD, "too many %s: some are left out", closed_lists(outline));
    if (outline->c->dumps_forgotten > 0 && (text = add_note(notes)))
        od_say_as(text, OD_BAD, "%s between the first and the latest: read, and not kept",
                  od_words_counted(outline->arena, outline->c->dumps_forgotten, "dump", "dumps"));
    if (outline->c->chunk_lists_forgotten > 0 && (text = add_note(notes)))
        od_say(
            text,
            "the chunks of %s between the first and the latest were added up and not kept: "
            "no picture, no list of them",
            od_words_counted(outline->arena, outline->c->chunk_lists_forgotten, "dump", "dumps"));
}

static bool worth_saying(const struct od_outline *outline)
{
    const struct od_case *c = outline->c;
    bool lost = c->closed || outline->report->unknown_lines.n > 0;
    for (size_t i = 0; i < outline->report->nsources; i++) {
        const struct od_source *source = outline->report->sources[i];
        lost = lost || !source->complete || source->unreadable_lines > 0;
    }
    return lost || c->allocators.n > 0 || c->conflicts.n > 0;
}

/* Does a shell pass the name on unchanged, without quotes? */
static bool is_plain(const char *name)
{
    static const char safe[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+";
    return *name != '-' && *name != '\0' && name[strspn(name, safe)] == '\0';
}

/* The log's name; LOG for several, and for one that needs quotes. */
const char *od_outline_operand(const struct od_report *report)
{
    bool one = report->nsources == 1 && is_plain(report->sources[0]->name);
    return one ? report->sources[0]->name : "LOG";
}

void od_outline_models(struct od_outline *outline)
{
    const struct od_case *c = outline->c;
    if (outline->diagnosis->failure->run.outcome != OD_OUTCOME_NO_FAILURE || c->models.n == 0)
        return;
    const struct od_model *model = &c->models.items[c->models.n - 1];
    struct od_text *text = od_doc_text(od_doc_section(outline->doc, NULL));
    od_say(text, "The text prints a model");
    if (model->name.n > 0)
        od_say(text, ", %.*s", (int)model->name.n, model->name.p);
    if (model->parameters.known)
        od_say(text, ", of %s",
               od_words_counted(outline->arena, model->parameters.n, "parameter", "parameters"));
    if (!outline->folds) {
        od_say_as(text, OD_DIM, " (");
        od_outline_refer(outline, text, model->at, (struct od_view){0});
        od_say_as(text, OD_DIM, ")");
    }
    od_say(text, ".");
    if (outline->folds) /* readers of a web page may have no terminal for the command */
        return;
    od_say(text, " What it needs, and which batch fits: ");
    od_say_as(text, OD_CODE, "oomdoctor plan %s", od_outline_operand(outline->report));
}

static void say_next(struct od_outline *outline, struct od_text *text)
{
    const char *name = od_outline_operand(outline->report);
    od_say_as(text, OD_DIM, "Next: ");
    if (outline->of_run) {
        od_say_as(text, OD_CODE, "oomdoctor run -v -o html:out.html -- COMMAND");
        return;
    }
    if (outline->all) {
        od_say_as(text, OD_CODE, "oomdoctor analyze --format json %s", name);
        od_say_as(text, OD_DIM, " (for programs)");
        return;
    }
    od_say_as(text, OD_CODE, "oomdoctor analyze -v %s", name);
    if (strlen(name) > NAME_MOST)
        return;
    od_say_as(text, OD_DIM, " or ");
    od_say_as(text, OD_CODE, "-o html:out.html");
}

static void note_unknown(struct notes *notes)
{
    struct od_count unknown = notes->outline->report->unknown_lines;
    struct od_text *text = unknown.n > 0 ? add_note(notes) : NULL;
    if (text)
        od_say(text, "%s memory but %s no rule (--unknowns FILE lists %s).",
               od_words_counted(notes->outline->arena, unknown.n, "line mentions", "lines mention"),
               unknown.n == 1 ? "matches" : "match", unknown.n == 1 ? "it" : "them");
}

static void add_notes(struct od_outline *outline, struct od_section *section)
{
    const struct od_case *c = outline->c;
    struct notes notes = {.outline = outline,
                          .list = od_doc_list(section),
                          .most = outline->rows,
                          .passes = outline->verbose};
    note_sources(&notes);
    notes.most = outline->all ? outline->rows : notes.shown + NOTES_SHOWN;
    note_conflicts(&notes);
    note_mixed(&notes);
    for (size_t i = 0; i < c->allocators.n; i++) {
        note_dump(&notes, c->allocators.items[i]);
        for (unsigned k = 0; k < OD_CHECKS; k++)
            note_check(&notes, c->allocators.items[i], k);
    }
    note_unknown(&notes);
    if (notes.left > 0)
        od_say_as(od_doc_text(section), OD_DIM, "%s%s",
                  od_words_counted(outline->arena, notes.left, "more note", "more notes"),
                  outline->all ? "." : " (-v shows all).");
}

void od_outline_trust(struct od_outline *outline)
{
    if (!worth_saying(outline))
        return;
    struct od_section *section =
        od_doc_section(outline->doc, outline->folds ? "How reliable this is" : NULL);
    say_checks(outline, section);
    add_notes(outline, section);
}

void od_outline_next(struct od_outline *outline)
{
    bool said = outline->c->incidents.n + outline->c->allocators.n + outline->c->series.n > 0;
    if (said && !outline->folds) /* readers of a web page may have no terminal for the command */
        say_next(outline, od_doc_text(od_doc_section(outline->doc, NULL)));
}
