/* The largest buffers of a program that a compiler planned, as it printed them. */
#include "report/outline_parts.h"

#include "report/words.h"

enum { ROWS_FOLDED = 5, GIBIBYTES = 3 };

static bool is_buffer(const struct od_memory_state *state)
{
    return od_view_eq_str(state->name, "buffer") && state->in_use.known && state->count.known;
}

/* "bfloat16[64,2048,24576]" */
static const char *shape_of(struct od_outline *outline, const struct od_memory_state *state)
{
    const char *dtype = od_dtype_name(state->dtype);
    return !state->shape.known
               ? ""
               : od_arena_printf(outline->arena, "%s%s", dtype ? dtype : "",
                                 od_words_shape(outline->arena, &state->shape, ","));
}

/* What padding adds; nothing where the compiler does not say it. */
static const char *padding_of(struct od_outline *outline, const struct od_memory_state *state)
{
    uint64_t more;
    bool padded = state->requested.known && !ckd_sub(&more, state->in_use.n, state->requested.n) &&
                  more > state->in_use.n / 100;
    return padded ? od_words_size_in(outline->arena, more, GIBIBYTES) : "";
}

static void add_row(struct od_outline *outline, struct od_table *table,
                    const struct od_memory_state *state)
{
    struct od_row *row =
        od_doc_row_of(table, OD_CELLS(od_words_size_in(outline->arena, state->in_use.n, GIBIBYTES),
                                      padding_of(outline, state), shape_of(outline, state)));
    row->cells[3].text = state->op;
}

void od_outline_plan_buffers(struct od_outline *outline)
{
    size_t most = outline->all ? outline->rows : ROWS_FOLDED, n = 0;
    struct od_table *table = NULL;
    for (size_t i = 0; i < outline->c->states.n && n < most; i++) {
        const struct od_memory_state *state = &outline->c->states.items[i];
        if (!is_buffer(state))
            continue;
        if (!table) {
            struct od_section *section =
                od_doc_section(outline->doc, "Largest buffers of the compiled program");
            table = od_doc_table(section);
            od_doc_columns(table, ">GiB|>of it padding|tensor|operation");
        }
        add_row(outline, table, state);
        n++;
    }
}
