/* Shared by the text, the figures and the JSON of a plan. */
#include "report/plan.h"

#include "plan/changes.h"
#include "report/words.h"

void od_plan_parts(const struct od_breakdown *b,
                   struct od_plan_part ret_parts[static OD_PLAN_PARTS])
{
    const struct od_plan_part parts[OD_PLAN_PARTS] = {
        {"weights", &b->parameters},
        {"gradients", &b->gradients},
        {"optimizer state", &b->optimizer},
        {"buffers", &b->buffers},
        {"activations", &b->activations},
        {"inputs", &b->inputs},
        {"workspace", &b->workspace},
        {"framework, context", &b->framework},
        {"allocator slack", &b->allocator_waste},
    };
    memcpy(ret_parts, parts, sizeof parts);
}

const char *od_plan_sharding(const struct od_workload *workload)
{
    static const char *const stages[] = {NULL, "zero1", "zero2", "zero3"};
    if (workload->fsdp)
        return "fsdp";
    return workload->zero_stage < 4 ? stages[workload->zero_stage] : NULL;
}

struct od_view od_plan_model_name(const struct od_model *model)
{
    return model->name.n > 0 ? model->name : od_view_of(od_model_format_name(model->format));
}

/* ---- a plan compared with its measured run ---- */

/* "0.16 GiB more", "0.04 GiB less" */
static const char *apart(struct od_doc *doc, int64_t bytes)
{
    return od_arena_printf(doc->arena, "%s %s",
                           od_bytes_text_u64(doc->arena, (uint64_t)(bytes < 0 ? -bytes : bytes)),
                           bytes < 0 ? "less" : "more");
}

static void say_peak(struct od_doc *doc, const struct od_plan_compared_row *row,
                     struct od_text *text)
{
    double share = 100 * ((double)row->measured / (double)row->planned.n - 1);
    bool within = row->planned.lo <= row->measured && row->measured <= row->planned.hi;
    od_say_as(text, OD_STRONG, "%s: %s predicted, %s measured", od_metric_name(row->metric),
              od_bytes_text_u64(doc->arena, row->planned.n),
              od_bytes_text_u64(doc->arena, row->measured));
    od_say(text, " (%+.1f %%), %s the range of %s to %s.", share, within ? "within" : "outside",
           od_bytes_text_u64(doc->arena, row->planned.lo),
           od_bytes_text_u64(doc->arena, row->planned.hi));
}

void od_outline_compared(struct od_doc *doc, const struct od_plan_compared *c)
{
    if (!c)
        return;
    struct od_node *list = od_doc_list(od_doc_section(doc, "As measured"));
    for (size_t i = 0; i < c->nrows; i++)
        say_peak(doc, &c->rows[i], od_doc_item(list));
    if (c->split)
        od_say(od_doc_item(list),
               "Where the difference lies: tensors took %s, the allocator beside them %s.",
               apart(doc, c->tensors), apart(doc, c->waste));
    if (c->largest.known && c->largest.n != c->expected.n)
        od_say(od_doc_item(list),
               "If samples take what they took in this run, the largest batch is about %s.",
               od_words_count(doc->arena, c->largest.n));
}

/* ---- the options, of a plan and of a report whose model is known ---- */

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

/* One unit for the column in which the smallest peak is still readable. */
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
        row->cells[i].text = od_view_of(od_words_chance(doc->arena, option->fits));
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
