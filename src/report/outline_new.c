/* Leaves out of sentences what the headline or an earlier part of the report has stated. */
#include "report/outline_parts.h"

/* Takes a clause: up to a semicolon, or to the end of its sentence. */
static struct od_view take_clause(struct od_view *text, bool *ret_ends)
{
    size_t n = 0;
    while (n < text->n && !((text->p[n] == '.' || text->p[n] == ';') &&
                            (n + 1 == text->n || text->p[n + 1] == ' ')))
        n++;
    struct od_view clause = od_view_head(*text, n);
    *ret_ends = n >= text->n || text->p[n] == '.';
    *text = od_view_trim(od_view_from(*text, n < text->n ? n + 1 : n));
    return clause;
}

static void add_capitalized(struct od_buf *to, struct od_view words)
{
    od_buf_add_char(to, od_upper(words.p[0]));
    od_buf_add(to, od_view_from(words, 1));
}

/* "it is not the limit of the pod": its subject is in the clause before. */
static bool needs_clause_before(struct od_view clause)
{
    static const char *const pronouns[] = {"it ", "they ", "its ", "their ", "this ", NULL};
    return od_view_starts_any(clause, pronouns);
}

/* The sentences and clauses of the text that the document does not state already. */
static const char *keep_new(struct od_outline *outline, struct od_view rest, bool amounts)
{
    struct od_buf kept = {0};
    bool open = false; /* a sentence of which a clause is kept */
    while (rest.n > 0) {
        bool ends;
        struct od_view from = rest, clause = take_clause(&rest, &ends);
        while (!ends && needs_clause_before(rest)) {
            struct od_view more = take_clause(&rest, &ends);
            clause = od_view_head(from, (size_t)(more.p + more.n - from.p));
        }
        bool stated = clause.n == 0 || od_doc_restates(outline->doc, clause) ||
                      (amounts && od_doc_states_amounts(outline->doc, clause));
        if (!stated) {
            od_buf_add_str(&kept, open ? "; " : kept.n > 0 ? " " : "");
            if (open)
                od_buf_add(&kept, clause);
            else
                add_capitalized(&kept, clause);
            open = true;
        }
        if (ends && open) {
            od_buf_add_char(&kept, '.');
            open = false;
        }
    }
    const char *text = od_arena_str(outline->arena, od_buf_view(&kept));
    od_buf_done(&kept);
    return text;
}

const char *od_outline_new(struct od_outline *outline, const char *sentences)
{
    return keep_new(outline, od_view_of(sentences), true);
}

/* How the summary of a cause begins by what the headline says, and the words used instead.
 * "{}" is an amount that the headline states, "*" any words of the sentence. */
static const struct lead {
    const char *words, *instead;
} leads[] = {
    {"{} of RAM was requested, and {} was free.", ""},
    {"{} was requested for ", "The request was for "},
    {"{} could not be allocated: ", ""},
    {"{} could not be allocated for ", "The request was for "},
    {"{} could not be allocated ", "The request failed "},
    {"{} is ", "The request is "},
    {"The * reached its memory limit of {}.", ""},
    {"* reached its own limit of {}; ", ""},
    {"* reached its own memory limit of {}; ", ""},
    {"The machine's memory was exhausted: ", ""},
    {"The machine's memory was exhausted; the killed process held {}.", ""},
    {"The machine's memory was exhausted; the killed process held only {}.",
     "The killed process held only a small part of it."},
};

/* Skips the fixed words up to "{}" or "*", where they begin the text, or come later in its sentence
 * after "*". */
static bool skip_fixed(struct od_view *text, struct od_view fixed, bool later)
{
    size_t at = od_view_find(*text, fixed, 0);
    if (at == OD_VIEW_NONE || (at > 0 && !later) ||
        od_view_find_char(od_view_head(*text, at), '.', 0) != OD_VIEW_NONE)
        return false;
    *text = od_view_from(*text, at + fixed.n);
    return true;
}

/* The text after the lead, if it begins with that and states nothing new by it. */
static bool skip_lead(const struct od_doc *doc, struct od_view *text, const char *words,
                      struct od_view *ret_any)
{
    struct od_view rest = *text, lead = od_view_of(words);
    bool later = false;
    while (lead.n > 0) {
        size_t n = strcspn(lead.p, "{*");
        n = n < lead.n ? n : lead.n;
        struct od_view before = rest;
        if (!skip_fixed(&rest, od_view_head(lead, n), later))
            return false;
        if (later)
            *ret_any = od_view_head(before, before.n - rest.n - n);
        lead = od_view_from(lead, n);
        later = od_view_starts(lead, OD_VIEW("*"));
        bool amount = od_view_starts(lead, OD_VIEW("{}"));
        if (amount && !od_doc_skip_stated(doc, &rest))
            return false;
        lead = od_view_from(lead, amount ? 2 : later ? 1 : 0);
    }
    *text = rest;
    return true;
}

/* Without the end that gives the cause in the words of the headline. */
static struct od_view without_cause(const struct od_outline *outline, struct od_view text)
{
    const char *words = od_cause_clause(od_first_cause(outline->diagnosis));
    struct od_view cause = od_view_of(words ? words : "");
    size_t at = cause.n > 0 ? od_view_find(text, cause, 0) : OD_VIEW_NONE;
    bool ends = at != OD_VIEW_NONE && at + cause.n + 1 == text.n && at > 2 && text.p[at - 2] == ':';
    return ends && od_doc_says(outline->doc, cause) ? od_view_head(text, at - 2) : text;
}

/* The words, with those of the summary in place of "*". */
static const char *filled(struct od_outline *outline, const char *words, struct od_view any)
{
    const char *star = strchr(words, '*');
    return star ? od_arena_printf(outline->arena, "%.*s%.*s%s", (int)(star - words), words,
                                  (int)any.n, any.p, star + 1)
                : words;
}

const char *od_outline_after_headline(struct od_outline *outline, const struct od_finding *finding)
{
    struct od_view rest = od_view_of(finding->summary), any = {0};
    struct od_view lead = od_view_head(rest, finding->lead);
    const char *instead = "";
    if (finding->lead > 0 && od_doc_states_amounts(outline->doc, lead))
        rest = od_view_from(rest, finding->lead);
    for (size_t i = 0; i < OD_COUNT_OF(leads); i++)
        if (skip_lead(outline->doc, &rest, leads[i].words, &any)) {
            instead = filled(outline, leads[i].instead, any);
            break;
        }
    struct od_view kept = od_view_trim(without_cause(outline, rest));
    return keep_new(
        outline,
        od_view_of(od_arena_printf(outline->arena, "%s%s%.*s", instead,
                                   od_view_ends(od_view_of(instead), OD_VIEW(".")) ? " " : "",
                                   (int)kept.n, kept.p ? kept.p : "")),
        false);
}
