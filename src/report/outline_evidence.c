/* Lines of the log: references, quotations, and the excerpt that contains them. */
#include "report/outline_parts.h"

#include "base/log_prefix.h"
#include "facts/around.h"
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

struct od_view od_outline_quoted(const struct od_outline *outline, struct od_view text,
                                 size_t whole, size_t most)
{
    if (text.n <= whole)
        return text;
    struct od_view part = od_excerpt_telling(&od_shipped_lexicon, text, most);
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
    struct od_quote quote = {.file = od_words_source(outline->report, evidence->at.source),
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

/* Does a remedy change that number of that line? */
static bool is_changed(const struct od_outline *outline, const struct od_mention *mention)
{
    const struct od_remedies *remedies = outline->report->remedies;
    for (size_t i = 0; remedies && i < remedies->n && i < OD_OUTLINE_BLOCKS; i++) {
        const struct od_edit *edit = &remedies->list[i].how[0].edit;
        if (edit->from && od_log_line_order(edit->at, mention->at) == 0 &&
            od_num_is_in(od_view_of(edit->from), mention->value))
            return true;
    }
    return false;
}

/* Is the number stated already, as written or as an amount in the report's format? A number without
 * a unit counts only with its name. */
static bool is_stated(const struct od_outline *outline, const struct od_mention *mention)
{
    const struct od_doc *doc = outline->doc;
    struct od_view value = mention->value, any = {0};
    struct od_view amount = od_view_of(od_bytes_text(outline->arena, mention->bytes));
    struct od_view number = od_num_take_text(&value);
    if (!mention->bytes.known)
        return value.n == 0 && od_doc_states(doc, number, mention->text);
    return od_doc_states(doc, mention->sets ? mention->value : number, any) ||
           od_doc_states(doc, od_num_take_text(&amount), any);
}

/* If a remedy changes the line, lists only the numbers that the remedy does not state. */
void od_outline_telling(struct od_outline *outline)
{
    const struct od_key_lines *telling = outline->report->telling;
    struct od_section *section = NULL;
    for (size_t i = 0; telling && i < telling->n; i++) {
        if (od_doc_refers(outline->doc, telling->list[i].at) ||
            (!outline->all && od_doc_shows_line(outline->doc, telling->list[i].text)))
            continue;
        if (!section)
            section = od_doc_section(outline->doc, outline->quoted ? NULL : "In the log");
        section->indented = outline->quoted;
        od_outline_say_line(outline, od_doc_text(section), &telling->list[i]);
    }
    outline->lines = section;
}

/* Is that whole line shown? */
static bool is_shown(const struct od_outline *outline, struct od_prov at)
{
    const struct od_node *node = outline->lines ? outline->lines->first : NULL;
    for (; node; node = node->next)
        for (const struct od_span *span = node->text->first; span; span = span->next)
            if (od_log_line_order(span->at, at) == 0)
                return true;
    return false;
}

/* Does the number size the run's memory? Amounts that are not small against the request do, and
 * settings of memory or of an extent in thousands ("memoryOverhead=132000"), counts of thousands
 * and, for host memory, the number of parallel parts; widths, levels or a few connections do not.
 */
static bool sizes_memory(const struct od_failure *failure, const struct od_mention *mention)
{
    static const double many = 1000, small = 0.01;
    struct od_view value = mention->value;
    double count = 0;
    if (mention->bytes.known)
        return !failure->asked.known ||
               (double)mention->bytes.hi >= small * (double)failure->asked.lo;
    if (od_means(mention->means, OD_SIZE_AT_ONCE))
        return !od_failure_is_device(failure);
    bool set = mention->sets && od_means(mention->means, OD_SIZE_MEMORY);
    return (set || od_means(mention->means, OD_SIZE_ITEMS)) &&
           od_num_parse_double(od_num_take_text(&value), &count) && count >= many;
}

/* A number alone does not say what it measures, so its line is shown once. */
void od_outline_mentions(struct od_outline *outline)
{
    const struct od_mentions *mentions = outline->report->mentions;
    struct od_section *section = NULL;
    for (size_t i = 0; mentions && i < mentions->n; i++) {
        const struct od_mention *mention = &mentions->list[i];
        struct od_view words = od_view_trim(mention->text);
        struct od_evidence line = {.at = mention->at, .text = mention->said};
        if (!sizes_memory(outline->diagnosis->failure, mention) || is_changed(outline, mention) ||
            is_stated(outline, mention) || is_shown(outline, mention->at) ||
            od_doc_refers(outline->doc, mention->at) ||
            od_doc_quotes(outline->doc, mention->at, words) ||
            (!outline->all && od_doc_shows_line(outline->doc, mention->said)))
            continue;
        if (!section)
            section = od_doc_section(outline->doc, "Also stated");
        od_outline_say_line(outline, od_doc_text(section), &line);
    }
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
