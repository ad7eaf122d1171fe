/* A plan next to what its run measured: a part of the plan, or all that diff says. */
#include "report/plan.h"

#include "report/words.h"

static const char *size(struct od_doc *doc, uint64_t bytes)
{
    return od_arena_printf(doc->arena, "%s", od_bytes_text_u64(doc->arena, bytes));
}

/* "0.16 GiB more", "0.04 GiB less" */
static const char *apart(struct od_doc *doc, int64_t bytes)
{
    return od_arena_printf(doc->arena, "%s %s", size(doc, (uint64_t)(bytes < 0 ? -bytes : bytes)),
                           bytes < 0 ? "less" : "more");
}

static void say_peak(struct od_doc *doc, const struct od_plan_compared_row *row,
                     struct od_text *text)
{
    double share = 100 * ((double)row->measured / (double)row->planned.n - 1);
    bool within = row->planned.lo <= row->measured && row->measured <= row->planned.hi;
    od_say_as(text, OD_STRONG, "%s: %s predicted, %s measured", od_metric_name(row->metric),
              size(doc, row->planned.n), size(doc, row->measured));
    od_say(text, " (%+.1f %%), %s the range of %s to %s.", share, within ? "within" : "outside",
           size(doc, row->planned.lo), size(doc, row->planned.hi));
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
