/* Incidents and allocator dumps besides the decisive ones, as compact tables. */
#include "report/outline_parts.h"

#include "report/words.h"

enum { ROWS_SHOWN = 4 };

static struct od_view size_in(struct od_outline *outline, struct od_bytes bytes, unsigned unit)
{
    return bytes.known ? od_words_size_in(outline->arena, bytes.n, unit) : OD_VIEW("?");
}

static struct od_bytes incident_size(const struct od_incident *incident)
{
    return incident->requested.known ? incident->requested : incident->tensor.bytes;
}

static struct od_bytes allocator_size(const struct od_allocator *a)
{
    return a->need.known ? a->need : a->requested;
}

static struct od_bytes hole_of(const struct od_allocator *a)
{
    if (!a || !a->has_chunks || !a->chunks_complete)
        return (struct od_bytes){0};
    return od_bytes_exact(a->largest_free_bytes);
}

static struct od_bytes from_count(struct od_count count)
{
    return count.known ? od_bytes_exact(count.n) : (struct od_bytes){0};
}

static const struct od_allocator *dump_of(const struct od_case *c,
                                          const struct od_incident *incident)
{
    return incident->dump > 0 && incident->dump <= c->allocators.n
               ? c->allocators.items[incident->dump - 1]
               : NULL;
}

static uint64_t larger(uint64_t n, struct od_bytes bytes)
{
    return bytes.known && bytes.n > n ? bytes.n : n;
}

static uint64_t largest_size(const struct od_case *c)
{
    uint64_t largest = 0;
    for (size_t i = 0; i < c->incidents.n; i++)
        largest = larger(largest, incident_size(&c->incidents.items[i]));
    for (size_t i = 0; i < c->allocators.n; i++) {
        largest = larger(largest, allocator_size(c->allocators.items[i]));
        largest = larger(largest, from_count(c->allocators.items[i]->in_use));
        largest = larger(largest, hole_of(c->allocators.items[i]));
    }
    return largest;
}

/* The unit that suits the largest size of both tables. */
static unsigned unit_of(const struct od_case *c)
{
    return od_bytes_unit_for(largest_size(c));
}

static struct od_view verdict_of(const struct od_allocator *a)
{
    const char *verdict = a ? od_verdict_name(a->verdict) : NULL;
    return verdict ? od_view_of(verdict) : OD_VIEW("?");
}

static size_t rows_shown(const struct od_outline *outline)
{
    return outline->all ? outline->rows : ROWS_SHOWN;
}

static void say_more(struct od_outline *outline, struct od_section *section, size_t n)
{
    if (n > 0)
        od_doc_say(outline->doc, od_doc_text(outline->doc, section), OD_DIM, "and %s more%s",
                   od_words_count(outline->arena, n), outline->all ? "" : "; -v shows them");
}

/* On one screen, an incident that another one explains is not listed: it is the same failure, as
 * the shell or the scheduler reports it. */
static bool is_listed(const struct od_outline *outline, const struct od_incident *incident)
{
    return incident != outline->incident && (outline->all || incident->echo_of == 0);
}

static void add_incident_row(struct od_outline *outline, struct od_table *table,
                             const struct od_incident *incident, unsigned unit)
{
    struct od_row *row = od_doc_row(outline->doc, table);
    const struct od_allocator *a = dump_of(outline->c, incident);
    const char *device = od_arena_str(outline->arena, incident->device);
    const char *what = od_arena_printf(
        outline->arena, "%s%s%s",
        incident->echo_of != 0 ? "the same failure" : od_words_incident_short(incident->kind),
        *device ? ", " : "", device);
    struct od_view cells[] = {
        {0},
        od_view_of(what),
        od_view_of(od_words_count(outline->arena, incident->count)),
        size_in(outline, incident_size(incident), unit),
        size_in(outline, hole_of(a), unit),
        verdict_of(a),
    };
    for (size_t i = 0; i < table->ncolumns; i++)
        row->cells[i].text = cells[i];
    od_outline_refer_cell(outline, &row->cells[0], incident->at);
}

static const char *title_of(struct od_outline *outline, const char *what, unsigned unit)
{
    if (largest_size(outline->c) == 0)
        return what;
    return od_arena_printf(outline->arena, "%s, sizes in %s", what, od_bytes_unit_name(unit));
}

/* Holes and verdicts have columns only where some dump tells them. */
static struct od_table *start_incidents(struct od_outline *outline, struct od_section *section)
{
    const struct od_case *c = outline->c;
    struct od_table *table = od_doc_table(outline->doc, section);
    bool dumps = false;
    for (size_t i = 0; i < c->incidents.n; i++)
        dumps = dumps ||
                (is_listed(outline, &c->incidents.items[i]) && dump_of(c, &c->incidents.items[i]));
    od_doc_column(table, "line", OD_COLUMN_LEFT);
    od_doc_column(table, "what", OD_COLUMN_LEFT);
    od_doc_column(table, "times", OD_COLUMN_RIGHT);
    bool sizes = largest_size(c) > 0;
    if (sizes)
        od_doc_column(table, "request", OD_COLUMN_RIGHT);
    if (dumps && sizes) {
        od_doc_column(table, "hole", OD_COLUMN_RIGHT);
        od_doc_column(table, "verdict", OD_COLUMN_LEFT);
    }
    return table;
}

static void add_incidents(struct od_outline *outline, unsigned unit)
{
    const struct od_case *c = outline->c;
    size_t most = rows_shown(outline);
    size_t others = 0;
    for (size_t i = 0; i < c->incidents.n; i++)
        others += is_listed(outline, &c->incidents.items[i]);
    if (others == 0)
        return;
    struct od_section *section =
        od_doc_section(outline->doc, title_of(outline, "Also in the log", unit));
    section->folded = others > ROWS_SHOWN;
    struct od_table *table = start_incidents(outline, section);
    size_t shown = 0;
    for (size_t i = 0; i < c->incidents.n && shown < most; i++) {
        if (!is_listed(outline, &c->incidents.items[i]))
            continue;
        add_incident_row(outline, table, &c->incidents.items[i], unit);
        shown++;
    }
    say_more(outline, section, others - shown);
}

static void add_allocator_row(struct od_outline *outline, struct od_table *table,
                              const struct od_allocator *a, unsigned unit)
{
    struct od_row *row = od_doc_row(outline->doc, table);
    struct od_view cells[] = {
        {0},
        od_view_of(od_outline_name(outline, a)),
        size_in(outline, allocator_size(a), unit),
        size_in(outline, from_count(a->in_use), unit),
        size_in(outline, hole_of(a), unit),
        verdict_of(a),
    };
    for (size_t i = 0; i < table->ncolumns; i++)
        row->cells[i].text = cells[i];
    od_outline_refer_cell(outline, &row->cells[0], a->dump.at);
}

/* Marks in wanted the dumps that belong to no row of the incidents; returns their number. */
static size_t find_dumps(const struct od_outline *outline, bool *wanted)
{
    const struct od_case *c = outline->c;
    size_t n = 0;
    for (size_t i = 0; i < c->allocators.n; i++)
        wanted[i] = c->allocators.items[i] != outline->allocator;
    for (size_t i = 0; i < c->incidents.n && !outline->all; i++) {
        if (dump_of(c, &c->incidents.items[i]))
            wanted[c->incidents.items[i].dump - 1] = false;
    }
    for (size_t i = 0; i < c->allocators.n; i++)
        n += wanted[i];
    return n;
}

static void add_dumps(struct od_outline *outline, unsigned unit)
{
    const struct od_case *c = outline->c;
    size_t most = rows_shown(outline);
    bool *wanted = OD_NEW_N(outline->arena, c->allocators.n + 1, bool);
    size_t others = find_dumps(outline, wanted);
    if (others == 0)
        return;
    struct od_section *section =
        od_doc_section(outline->doc, title_of(outline, "Other allocator dumps", unit));
    section->folded = true;
    struct od_table *table = od_doc_table(outline->doc, section);
    od_doc_column(table, "line", OD_COLUMN_LEFT);
    od_doc_column(table, "allocator", OD_COLUMN_LEFT);
    od_doc_column(table, "request", OD_COLUMN_RIGHT);
    od_doc_column(table, "in use", OD_COLUMN_RIGHT);
    od_doc_column(table, "hole", OD_COLUMN_RIGHT);
    od_doc_column(table, "verdict", OD_COLUMN_LEFT);
    size_t shown = 0;
    for (size_t i = 0; i < c->allocators.n && shown < most; i++) {
        if (!wanted[i])
            continue;
        add_allocator_row(outline, table, c->allocators.items[i], unit);
        shown++;
    }
    say_more(outline, section, others - shown);
}

void od_outline_others(struct od_outline *outline)
{
    unsigned unit = unit_of(outline->c);
    add_incidents(outline, unit);
    add_dumps(outline, unit);
}
