/* The table of phases: its rows and the remainder close to the peak. */
#include "report/outline_parts.h"
#include "report/words.h"

static const char *title_of(const struct od_outline *outline, unsigned unit)
{
    return od_arena_printf(outline->arena, "%s", od_bytes_unit_name(unit));
}

static void add_row(struct od_outline *outline, struct od_table *table,
                    const struct od_phase_row *row, unsigned unit)
{
    struct od_row *cells = od_doc_row(table);
    cells->cells[0].text = row->name;
    cells->cells[1].text =
        od_view_of(row->bytes.known ? od_words_size_in(outline->arena, row->bytes.n, unit) : "?");
    cells->cells[2].text = od_view_of(row->basis);
    cells->cells[2].tone = OD_DIM;
}

/* Growth that phases share, or what the user asks for; a first level alone is no table. */
static bool is_shown(const struct od_outline *outline, const struct od_phases *phases)
{
    if (!phases || phases->unmarked || phases->n < 2)
        return false;
    return outline->all || phases->given || phases->tells;
}

void od_outline_phases(struct od_outline *outline)
{
    const struct od_phases *phases = outline->report->phases;
    if (!is_shown(outline, phases))
        return;
    uint64_t largest = phases->total.known ? phases->total.n : 0;
    for (size_t i = 0; i < phases->n; i++)
        if (phases->rows[i].bytes.known && phases->rows[i].bytes.n > largest)
            largest = phases->rows[i].bytes.n;
    unsigned unit = od_bytes_unit_for(largest);
    struct od_section *section = od_doc_section(outline->doc, "By phase");
    struct od_table *table = od_doc_table(section);
    od_doc_columns(table, "|>%s|", title_of(outline, unit));
    for (size_t i = 0; i < phases->n; i++)
        add_row(outline, table, &phases->rows[i], unit);
    if (!phases->total.known)
        return;
    struct od_phase_row total = {
        .name = OD_VIEW("peak"), .bytes = phases->total, .basis = phases->total_basis};
    add_row(outline, table, &total, unit);
    table->last->total = true;
}
