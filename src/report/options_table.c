/* The options table, of a plan and of a report whose model is known. */
#include "report/options_table.h"

#include "plan/changes.h"
#include "report/words.h"

/* Precisions and optimizers ("amp_bf16") are written without the name of their field. */
const char *od_words_option(const struct od_plan_option *asked, const struct od_plan_option *option,
                            struct od_arena *arena)
{
    struct od_change changes[OD_CHANGES_MAX];
    size_t n = od_plan_changes(&asked->workload, &option->workload, arena, changes);
    const struct od_workload *to = &option->workload;
    const char *checkpointing =
        od_words_checkpointing(to->checkpointing, to->checkpoint_every, arena);
    struct od_buf words = {0};
    for (size_t i = 0; i < n; i++) {
        const struct od_change *c = &changes[i];
        bool plain = strcmp(c->field, "precision") == 0 || strcmp(c->field, "optimizer") == 0;
        if (strcmp(c->field, "accumulation") == 0) {
            od_buf_printf(&words, " x %" PRIu64 " steps", c->number);
            continue;
        }
        od_buf_add_str(&words, i > 0 ? ", " : "");
        if (strcmp(c->field, "checkpointing") == 0)
            od_buf_printf(&words, "%s %s", c->field, checkpointing);
        else if (c->word)
            od_buf_printf(&words, "%s%s%s", plain ? "" : c->field, plain ? "" : " ", c->word);
        else
            od_buf_printf(&words, "%s %" PRIu64,
                          strcmp(c->field, "batch_size") == 0 ? "batch" : c->field, c->number);
    }
    const char *text = n == 0 ? NULL : od_arena_str(arena, od_buf_view(&words));
    od_buf_done(&words);
    return text;
}

/* One unit for the column, in which the smallest peak can be read, too. */
static unsigned unit_of(const struct od_options_table *t)
{
    uint64_t least = t->options[0].peak.n;
    for (size_t i = 1; i < t->n && i < t->most; i++)
        least = t->options[i].peak.n < least ? t->options[i].peak.n : least;
    return od_bytes_unit_for(least);
}

static void add_row(const struct od_options_table *t, struct od_doc *doc, struct od_table *table,
                    const struct od_plan_option *option)
{
    struct od_row *row = od_doc_row(table);
    unsigned unit = unit_of(t);
    size_t i = 0;
    const char *words = od_words_option(&t->options[0], option, doc->arena);
    row->cells[i++].text = od_view_of(words ? words : t->asked);
    row->cells[i++].text = od_view_of(od_words_size_in(doc->arena, option->peak.n, unit));
    if (t->device) {
        row->cells[i].text = od_view_of(od_words_probability(doc->arena, option->fits));
        row->cells[i++].tone = option->fits >= 0.5 ? OD_GOOD : OD_BAD;
        row->cells[i++].text =
            option->largest.known ? od_view_of(od_words_count(doc->arena, option->largest.expected))
                                  : OD_VIEW("any");
    }
    row->cells[i].text = od_view_of(option->cost);
}

void od_doc_options(const struct od_options_table *t, struct od_doc *doc,
                    struct od_section *section)
{
    struct od_table *table = od_doc_table(section);
    od_doc_columns(table, "change|>%s", od_bytes_unit_name(unit_of(t)));
    if (t->device)
        od_doc_columns(table, ">fits|>%s", t->serves ? "at once" : "largest");
    od_doc_columns(table, "cost");
    for (size_t i = 0; i < t->n && i < t->most; i++)
        add_row(t, doc, table, &t->options[i]);
}
