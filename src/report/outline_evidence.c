/* Lines of the log: references, quotations, and the excerpt that contains them. */
#include "report/outline_parts.h"

#include "base/log_prefix.h"
#include "facts/around.h"
#include "facts/meaning.h"
#include "report/words.h"
#include "rules/words.h"

enum { CITED_MOST = 60, CITED_LEAST = 8 };

static size_t cited_most(const struct od_outline *outline)
{
    size_t most = outline->rows * CITED_MOST / OD_OUTLINE_FOLDED;
    return most > CITED_LEAST ? most : CITED_LEAST;
}

/* References beyond the limit are dropped: the first ones are the most important. */
static void cite(struct od_outline *outline, struct od_prov at, struct od_view text)
{
    if (!outline->folds || at.line == 0)
        return;
    OD_FOR_EACH (struct od_cited, cited, outline->cited) {
        if (od_log_line_order(cited->at, at) != 0)
            continue;
        if (cited->text.n == 0)
            cited->text = text;
        return;
    }
    struct od_cited cited = {.at = at, .text = text};
    if (outline->cited.n < cited_most(outline))
        od_vec_push(&outline->cited, cited);
}

void od_outline_refer(struct od_outline *outline, struct od_text *words, struct od_prov at,
                      struct od_view text)
{
    cite(outline, at, text);
    od_doc_refer(words, at, od_words_line(outline->arena, outline->report, at));
}

void od_outline_refer_cell(struct od_outline *outline, struct od_cell *cell, struct od_prov at)
{
    cite(outline, at, (struct od_view){0});
    cell->text = od_view_of(od_words_line(outline->arena, outline->report, at));
    cell->tone = OD_CODE;
    cell->at = at;
}

void od_outline_said_at(struct od_outline *outline, struct od_text *words,
                        const struct od_evidence *evidence, size_t n)
{
    size_t said = 0;
    for (size_t i = 0; i < n; i++) {
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again = again || od_log_line_order(evidence[k].at, evidence[i].at) == 0;
        if (again || evidence[i].at.line == 0)
            continue;
        od_say_as(words, OD_DIM, said++ == 0 ? " See " : ", ");
        od_outline_refer(outline, words, evidence[i].at, evidence[i].text);
    }
    if (said > 0)
        od_say_as(words, OD_DIM, ".");
}

/* A title without its heading mark. */
static struct od_view as_said(const struct od_evidence *evidence)
{
    struct od_view said = od_view_trim(od_log_after_place(evidence->text));
    struct od_view title = said;
    while (evidence->at.line == 1 && title.n > 0 && title.p[0] == '#')
        title = od_view_from(title, 1);
    return title.n > 0 && title.p[0] == ' ' ? od_view_trim(title) : said; /* not "#SBATCH" */
}

const char *od_outline_locate(const struct od_outline *outline, struct od_view file,
                              uint32_t source)
{
    const char *log = od_words_source(outline->report, source);
    return outline->locate ? outline->locate(file, log, outline->arena) : NULL;
}

struct od_view od_outline_quoted(const struct od_outline *outline, struct od_view text,
                                 size_t whole, size_t most)
{
    if (text.n <= whole)
        return text;
    struct od_view part = od_excerpt_key_part(&od_shipped_lexicon, text, most);
    return od_view_of(od_arena_printf(outline->arena, "%s%.*s%s",
                                      part.p > text.p ? "\xe2\x80\xa6 " : "", (int)part.n, part.p,
                                      part.p + part.n < text.p + text.n ? " \xe2\x80\xa6" : ""));
}

void od_outline_quote(struct od_outline *outline, struct od_section *section,
                      const struct od_evidence *evidence)
{
    enum { WHOLE = 300, MOST = 720 }; /* bytes of a quotation in the short report */
    struct od_view text = evidence->text;
    if (!outline->all)
        text = od_outline_quoted(outline, od_log_after_place(text), WHOLE, MOST);
    const char *file = od_words_source(outline->report, evidence->at.source);
    struct od_quote quote = {.file = file,
                             .address =
                                 od_outline_locate(outline, od_view_of(file), evidence->at.source),
                             .at = evidence->at,
                             .text = od_arena_view(outline->arena, text)};
    cite(outline, evidence->at, evidence->text);
    od_doc_quote(section, &quote);
}

void od_outline_say_line(struct od_outline *outline, struct od_text *text,
                         const struct od_evidence *evidence)
{
    enum { MOST = 220 }; /* bytes in a sentence: two lines of 120 columns */
    struct od_view said = od_outline_quoted(outline, as_said(evidence), MOST, MOST);
    od_outline_refer(outline, text, evidence->at, evidence->text);
    od_say(text, ": ");
    od_doc_add(text, OD_CODE, od_arena_view(outline->arena, said));
}

/* If a remedy changes the line, lists only the numbers that the remedy does not state. */
void od_outline_key_lines(struct od_outline *outline)
{
    const struct od_key_lines *key_lines = outline->report->key_lines;
    struct od_section *section = NULL;
    for (size_t i = 0; key_lines && i < key_lines->n; i++) {
        if (od_doc_refers(outline->doc, key_lines->list[i].at) ||
            (!outline->all && od_doc_shows_line(outline->doc, key_lines->list[i].text)))
            continue;
        if (!section)
            section = od_doc_section(outline->doc, outline->quoted ? NULL : "In the log");
        section->indented = outline->quoted;
        od_outline_say_line(outline, od_doc_text(section), &key_lines->list[i]);
    }
}

/* Does the report state the number, or quote it? One without a unit counts only with its name. */
static bool is_stated(const struct od_outline *outline, const struct od_mention *mention)
{
    const struct od_doc *doc = outline->doc;
    struct od_view value = mention->value, number = od_num_take_text(&value), any = {0};
    bool amount = mention->bytes.known;
    bool sum =
        outline->incident && od_bytes_same(outline->incident->held, mention->bytes) == OD_YES;
    if ((mention->prose && od_doc_shows_line(doc, mention->text)) ||
        ((sum || !amount || mention->prose) && od_doc_quotes(doc, mention->at, mention->value)) ||
        (!amount && od_doc_refers(doc, mention->at)))
        return true;
    if (!amount)
        return value.n == 0 && od_doc_states(doc, number, mention->share ? any : mention->name);
    struct od_view bytes = od_view_of(od_bytes_text(outline->arena, mention->bytes)), rest = bytes;
    number = od_num_take_text(&rest);
    return od_doc_states_amounts(doc, mention->value) || od_doc_states_amounts(doc, bytes) ||
           (od_doc_refers(doc, mention->at) && od_doc_states(doc, mention->value, any)) ||
           (od_view_find_char(number, '.', 0) != OD_VIEW_NONE && od_doc_states(doc, number, any)) ||
           ((mention->sets || od_view_find_char(mention->name, '_', 0) != OD_VIEW_NONE) &&
            od_doc_states(doc, mention->value, mention->name));
}

/* Adds the chosen numbers, those of one line together; numbers in a person's words come last. */
static void add_numbers(struct od_outline *outline, const struct od_mention **chosen, size_t n)
{
    struct od_section *sections[2] = {NULL};
    for (size_t i = 0; i < n; i++) {
        const struct od_mention *first = chosen[i];
        if (!first)
            continue;
        struct od_section **section = &sections[first->prose];
        if (!*section)
            *section =
                od_doc_section(outline->doc, first->prose ? "The text says" : "The log states");
        struct od_text *text = od_doc_text(*section);
        for (size_t k = i; k < n; k++) {
            if (!chosen[k] || od_log_line_order(chosen[k]->at, first->at) != 0)
                continue;
            od_say(text, "%s%s",
                   k == i         ? ""
                   : first->prose ? "; "
                                  : ", ",
                   od_mention_words(chosen[k], outline->arena));
            chosen[k] = NULL;
        }
        od_say_as(text, OD_DIM, " (");
        od_outline_refer(outline, text, first->at, (struct od_view){0});
        od_say_as(text, OD_DIM, ")");
    }
}

void od_outline_mentions(struct od_outline *outline)
{
    enum { MOST = 6, ANY = 3 };
    uint64_t least =
        UINT64_C(1) << OD_SIZE_MEMORY | UINT64_C(1) << OD_SIZE_LIMIT | UINT64_C(1) << OD_SIZE_STATE;
    const struct od_mentions *mentions = outline->report->mentions;
    const struct od_mention *chosen[MOST];
    size_t n = 0, others = 0;
    for (size_t i = 0; mentions && i < mentions->n && n < MOST; i++) {
        const struct od_mention *mention = &mentions->list[i];
        bool other = !mention->bytes.known || !(mention->means & least);
        bool counts = mention->pair || (mention->prose && od_means(mention->means, OD_SIZE_ITEMS));
        bool again = is_stated(outline, mention) || (other && (counts ? others : n) >= ANY);
        for (size_t k = 0; k < n && !again; k++)
            again = (mention->prose && od_view_eq(chosen[k]->text, mention->text)) ||
                    (chosen[k]->rank == mention->rank &&
                     (od_view_eq(chosen[k]->value, mention->value) ||
                      (mention->bytes.known && chosen[k]->bytes.n == mention->bytes.n)));
        if (again)
            continue;
        others += other;
        chosen[n++] = mention;
    }
    add_numbers(outline, chosen, n);
}

static int by_place(const void *a, const void *b)
{
    const struct od_log_line *x = a;
    const struct od_log_line *y = b;
    int order = od_log_line_order(x->at, y->at);
    return order != 0 ? order : (x->cited < y->cited) - (x->cited > y->cited);
}

static size_t add_line(struct od_outline *outline, size_t n, struct od_prov at,
                       const struct od_cited *cited)
{
    struct od_view text = od_around_find(outline->report->around, at);
    if (text.n == 0 && cited)
        text = cited->text;
    if (text.n == 0)
        return n;
    outline->doc->excerpt.lines[n] =
        (struct od_log_line){.file = od_words_source(outline->report, at.source),
                             .at = at,
                             .text = od_view_trim(text),
                             .cited = cited != NULL};
    return n + 1;
}

/* Sorts the lines and removes duplicates. A line that is cited and also a neighbor of a cited one
 * counts as cited. */
static void settle(struct od_excerpt *excerpt)
{
    size_t kept = 0;
    qsort(excerpt->lines, excerpt->n, sizeof *excerpt->lines, by_place);
    for (size_t i = 0; i < excerpt->n; i++)
        if (kept == 0 || od_log_line_order(excerpt->lines[kept - 1].at, excerpt->lines[i].at) != 0)
            excerpt->lines[kept++] = excerpt->lines[i];
    excerpt->n = kept;
}

void od_outline_excerpt(struct od_outline *outline)
{
    size_t n = 0;
    size_t room = outline->cited.n * (2 * OD_AROUND_LINES + 1);
    if (outline->cited.n == 0)
        return;
    outline->doc->excerpt.lines = OD_NEW_N(outline->arena, room, struct od_log_line);
    OD_FOR_EACH (const struct od_cited, cited, outline->cited) {
        n = add_line(outline, n, cited->at, cited);
        struct od_prov at = cited->at;
        for (uint64_t k = 1; k <= OD_AROUND_LINES; k++) {
            at.line = cited->at.line + k;
            n = add_line(outline, n, at, NULL);
            at.line = cited->at.line > k ? cited->at.line - k : 0;
            n = add_line(outline, n, at, NULL);
        }
    }
    outline->doc->excerpt.n = n;
    if (n == 0)
        return;
    settle(&outline->doc->excerpt);
    struct od_section *section = od_doc_section(outline->doc, "The log, where it is cited");
    section->folded = true;
    od_doc_excerpt(section);
}
