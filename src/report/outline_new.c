/* Leaves out what the headline or an earlier part of the report has stated. */
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

/* Does a pronoun refer to the clause before: "it is not the limit of the pod"? */
static bool needs_clause_before(struct od_view clause)
{
    static const char *const pronouns[] = {"it ", "they ", "its ", "their ", "this ", NULL};
    return od_view_starts_any(clause, pronouns);
}

const char *od_outline_new(struct od_outline *outline, const char *sentences)
{
    struct od_view rest = od_view_of(sentences);
    struct od_buf kept = {0};
    bool open = false; /* a clause of this sentence was kept */
    while (rest.n > 0) {
        bool ends;
        struct od_view from = rest, clause = take_clause(&rest, &ends);
        while (!ends && needs_clause_before(rest)) {
            struct od_view more = take_clause(&rest, &ends);
            clause = od_view_head(from, (size_t)(more.p + more.n - from.p));
        }
        bool stated = clause.n == 0 || od_doc_states_amounts(outline->doc, clause);
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

bool od_outline_names(const char *sentence, const char *name)
{
    return strstr(sentence, name) != NULL;
}

/* Has the report already stated what the part repeats? */
static bool is_stated(const struct od_outline *outline, const struct od_claimed_part *part,
                      struct od_view words)
{
    const struct od_verdict_of_run *run = &outline->diagnosis->failure->run;
    bool told = run->outcome == OD_OUTCOME_MEMORY_FAILURE || run->reported ||
                (run->outcome == OD_OUTCOME_UNKNOWN && outline->incident); /* a kill */
    switch (part->what) {
    case OD_CLAIMED_CAUSE:
        return outline->cause_stated;
    case OD_CLAIMED_EVENT:
        return told && !od_doc_adds_amount(outline->doc, words);
    case OD_CLAIMED_AMOUNTS:
        return od_doc_states_amounts(outline->doc, words);
    case OD_CLAIMED_END:
        break;
    }
    return false;
}

/* Does the text begin with the name of a process, which is not capitalized? */
static bool begins_with_name(const struct od_outline *outline, struct od_view text)
{
    const struct od_parts *parts = &outline->diagnosis->failure->parts;
    for (size_t i = 0; i < parts->n; i++)
        if (parts->list[i].name.n > 0 && od_view_starts(text, parts->list[i].name))
            return true;
    return false;
}

const char *od_outline_unstated(struct od_outline *outline, const char *sentences,
                                const struct od_claimed_parts *parts)
{
    char *kept = od_arena_printf(outline->arena, "%s", sentences);
    struct od_view left = od_view_of(kept);
    for (size_t i = 0; i < parts->n; i++) {
        const struct od_claimed_part *part = &parts->list[i];
        if (is_stated(outline, part, od_view_head(od_view_from(left, part->at), part->n)))
            memset(kept + part->at, '\0', part->n);
    }
    struct od_buf new = {0};
    for (size_t i = 0; i < left.n; i++)
        if (kept[i] != '\0' && (new.n > 0 || !strchr(" ;:,.", kept[i])))
            od_buf_add_char(&new, new.n == 0 && !begins_with_name(outline, od_view_from(left, i))
                                      ? od_upper(kept[i])
                                      : kept[i]);
    const char *text = od_arena_str(outline->arena, od_view_trim(od_buf_view(&new)));
    od_buf_done(&new);
    return text;
}
