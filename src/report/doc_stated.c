/* Finds what a document has stated already: numbers, amounts of memory, lines of the log. */
#include "report/doc.h"

#include "base/log_prefix.h"
#include "base/mask_digits.h"

/* The unit of an amount after its number: "GiB", "MB" or "bytes"; empty if there is none. */
static struct od_view take_unit(struct od_view *text)
{
    struct od_view rest = *text;
    if (rest.n > 0 && rest.p[0] == ' ')
        rest = od_view_from(rest, 1);
    size_t n = 0;
    if (od_view_starts(rest, OD_VIEW("bytes")))
        n = 5;
    else if (rest.n > 1 && strchr("KMGTPE", rest.p[0]))
        n = rest.p[1] == 'B' ? 2 : rest.n > 2 && rest.p[1] == 'i' && rest.p[2] == 'B' ? 3 : 0;
    if (n > 0)
        *text = od_view_from(rest, n);
    return od_view_head(rest, n);
}

/* An amount of memory as a text prints it. */
struct printed {
    struct od_view number, unit;
};

/* Takes the text up to the end of its next amount. Digits in a name ("x86") are no amount. */
static bool take_amount(struct od_view *text, struct printed *ret_amount)
{
    bool inside = false;
    while (text->n > 0) {
        char c = text->p[0];
        if (inside || !od_is_digit(c)) {
            inside = od_is_word(c);
            *text = od_view_from(*text, 1);
            continue;
        }
        ret_amount->number = od_num_take_text(text);
        ret_amount->unit = take_unit(text);
        if (ret_amount->unit.n > 0)
            return true;
        inside = true;
    }
    return false;
}

/* What to search for in the texts of the document. */
struct search {
    bool (*in_text)(const struct od_text *text, const struct search *search);
    bool (*in_node)(const struct od_node *node, const struct search *search);
    struct od_view words, name;
    struct printed amount;
    struct od_prov at;
};

static bool is_in_section(const struct od_section *section, const struct search *search)
{
    for (const struct od_node *node = section->first; node; node = node->next) {
        if (search->in_node && search->in_node(node, search))
            return true;
        for (const struct od_text *text = node->text; text && search->in_text; text = text->next)
            if (search->in_text(text, search))
                return true;
        if (node->details && is_in_section(node->details, search))
            return true;
    }
    return false;
}

static bool is_from(const struct od_section *section, const struct search *search)
{
    for (; section; section = section->next)
        if (is_in_section(section, search))
            return true;
    return false;
}

/* Does the text contain a part of the name ("batch" of "train_batch_size"), or all of one without
 * long parts ("-t")? An empty name is in every text. */
static bool has_name(struct od_view text, struct od_view name)
{
    enum { PART = 4 };
    size_t start = 0, parts = 0;
    for (size_t i = 0; i <= name.n; i++) {
        if (i < name.n && od_is_letter(name.p[i]))
            continue;
        struct od_view part = od_view_from(od_view_head(name, i), start);
        if (part.n >= PART && od_view_find(text, part, 0) != OD_VIEW_NONE)
            return true;
        parts += part.n >= PART;
        start = i + 1;
    }
    return parts == 0 && od_view_find(text, name, 0) != OD_VIEW_NONE;
}

/* Numbers in a path are parts of a name. */
static bool has_number(struct od_view text, struct od_view number)
{
    struct od_view word;
    while (od_view_cut(&text, ' ', &word)) {
        bool path = word.n > 0 && !od_is_digit(word.p[0]) &&
                    od_view_find_char(word, '/', 0) != OD_VIEW_NONE;
        if (!path && od_num_is_in(word, number))
            return true;
    }
    return false;
}

static bool text_has_number(const struct od_text *text, const struct search *search)
{
    bool number = false, name = false, quotes = text->first && text->first->at.line > 0;
    for (const struct od_span *span = text->first; span; span = span->next) {
        if (quotes && span->tone == OD_CODE)
            continue;
        number = number || (span->at.line == 0 && has_number(span->text, search->words));
        name = name || has_name(span->text, search->name);
    }
    return number && name;
}

/* Is the number in code, or as a fraction in a table, whose cells have no names? */
static bool node_has_number(const struct od_node *node, const struct search *search)
{
    bool table = node->kind == OD_NODE_TABLE && search->name.n == 0;
    for (const struct od_row *row = table ? node->table->first : NULL; row; row = row->next)
        for (size_t i = 0; i < node->table->ncolumns; i++)
            if (od_view_find_char(row->cells[i].text, '.', 0) != OD_VIEW_NONE &&
                od_num_is_in(row->cells[i].text, search->words))
                return true;
    return node->kind == OD_NODE_CODE && has_number(od_view_of(node->code), search->words) &&
           has_name(od_view_of(node->code), search->name);
}

bool od_doc_states(const struct od_doc *doc, struct od_view number, struct od_view name)
{
    return is_from(doc->first, &(struct search){.in_text = text_has_number,
                                                .in_node = node_has_number,
                                                .words = number,
                                                .name = name});
}

static bool has_amount(struct od_view text, const struct printed *wanted)
{
    struct printed amount;
    while (take_amount(&text, &amount))
        if (od_view_eq(amount.unit, wanted->unit) && od_num_is_in(amount.number, wanted->number))
            return true;
    return false;
}

static bool text_has_amount(const struct od_text *text, const struct search *search)
{
    bool quotes = text->first && text->first->at.line > 0;
    for (const struct od_span *span = text->first; span; span = span->next)
        if (!(quotes && span->tone == OD_CODE) && has_amount(span->text, &search->amount))
            return true;
    return false;
}

/* The words of a bar: its title and its parts. */
static bool bar_has_amount(const struct od_node *node, const struct search *search)
{
    if (node->kind != OD_NODE_BAR || node->bar->small)
        return false;
    for (const struct od_bar_part *part = node->bar->first; part; part = part->next)
        if (has_amount(part->label, &search->amount))
            return true;
    return has_amount(od_view_of(node->bar->title), &search->amount);
}

bool od_doc_adds_amount(const struct od_doc *doc, struct od_view text)
{
    struct search search = {.in_text = text_has_amount, .in_node = bar_has_amount};
    while (take_amount(&text, &search.amount))
        if (!is_from(doc->first, &search))
            return true;
    return false;
}

bool od_doc_states_amounts(const struct od_doc *doc, struct od_view text)
{
    struct printed amount;
    struct od_view rest = text;
    return take_amount(&rest, &amount) && !od_doc_adds_amount(doc, text);
}

static bool text_refers(const struct od_text *text, const struct search *search)
{
    for (const struct od_span *span = text->first; span; span = span->next)
        if (span->at.line > 0 && od_log_line_order(span->at, search->at) == 0)
            return true;
    return false;
}

bool od_doc_refers(const struct od_doc *doc, struct od_prov at)
{
    struct search search = {.in_text = text_refers, .at = at};
    return doc->first && is_from(doc->first->next, &search);
}

static bool quotes_words(const struct od_node *node, const struct search *search)
{
    return node->kind == OD_NODE_QUOTE && od_log_line_order(node->quote.at, search->at) == 0 &&
           od_view_find(node->quote.text, search->words, 0) != OD_VIEW_NONE;
}

bool od_doc_quotes(const struct od_doc *doc, struct od_prov at, struct od_view words)
{
    return is_from(doc->first, &(struct search){.in_node = quotes_words, .at = at, .words = words});
}

/* The message of a log line, without the varying prefix: time, numbers, marks. */
static struct od_view message_of(struct od_view line)
{
    enum { PREFIX = 64, LEAST = 16 };
    struct od_view rest = od_view_trim(line), message = rest;
    while (rest.n > LEAST && rest.p < line.p + PREFIX) {
        size_t n = od_view_find_char(rest, ' ', 0);
        struct od_view word = od_view_head(rest, n);
        bool date = od_log_begins_with_time(word);
        if (n == OD_VIEW_NONE)
            break;
        rest = od_view_trim(od_view_from(rest, n));
        if (date || (message.p == word.p && (od_has_digit(word) || word.n == 1)))
            message = rest;
    }
    return message;
}

bool od_is_part_of_line(struct od_view part, struct od_view line)
{
    struct od_view words = message_of(part);
    return words.n > 0 && od_view_find(line, words, 0) != OD_VIEW_NONE;
}

bool od_is_mostly_in_line(struct od_view part, struct od_view line)
{
    struct od_view words = message_of(part);
    size_t longest = 0;
    for (size_t i = 0; i + longest < words.n; i++) {
        struct od_view run = od_view_head(od_view_from(words, i), longest + 1);
        while (i + run.n <= words.n && od_view_find(line, run, 0) != OD_VIEW_NONE)
            longest = run.n++;
    }
    return 2 * longest > words.n;
}

static bool node_shows(const struct od_node *node, const struct search *search)
{
    return node->kind == OD_NODE_QUOTE && od_is_part_of_line(search->words, node->quote.text);
}

static bool text_shows(const struct od_text *text, const struct search *search)
{
    enum { LEAST = 24 }; /* bytes: shorter ones are names and values */
    for (const struct od_span *span = text->first; span; span = span->next)
        if (span->tone == OD_CODE && span->text.n >= LEAST &&
            od_is_part_of_line(search->words, span->text))
            return true;
    return false;
}

bool od_doc_shows_line(const struct od_doc *doc, struct od_view line)
{
    struct search search = {.in_node = node_shows, .in_text = text_shows, .words = line};
    return is_from(doc->first, &search);
}
