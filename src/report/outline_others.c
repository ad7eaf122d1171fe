/* Tables of the other incidents and allocator dumps. */
#include "report/outline_parts.h"

#include "report/words.h"

enum { ROWS_SHOWN = 4 };

/* A row of either table; columns that are empty in all rows are dropped. */
struct other {
    struct od_prov at;
    const char *what;
    struct od_count times;
    struct od_bytes request;
    struct od_count in_use;
    const struct od_allocator *dump; /* NULL = none */
};

struct others {
    OD_VEC(struct other) rows;
};

static struct od_count hole_of(const struct od_allocator *a)
{
    bool whole = a && a->has_chunks && a->chunks_complete;
    return whole ? od_count_of(a->largest_free_bytes) : (struct od_count){0};
}

static const struct od_allocator *dump_of(const struct od_case *c,
                                          const struct od_incident *incident)
{
    return incident->dump > 0 && incident->dump <= c->allocators.n
               ? c->allocators.items[incident->dump - 1]
               : NULL;
}

/* The unit for the largest size of the table. */
static unsigned unit_of(const struct others *others)
{
    uint64_t largest = 0;
    OD_FOR_EACH (const struct other, row, others->rows) {
        const struct od_count hole = hole_of(row->dump);
        const uint64_t sizes[] = {row->request.known ? row->request.n : 0,
                                  row->in_use.known ? row->in_use.n : 0, hole.known ? hole.n : 0};
        for (size_t i = 0; i < OD_COUNT_OF(sizes); i++)
            largest = sizes[i] > largest ? sizes[i] : largest;
    }
    return od_bytes_unit_for(largest);
}

static void add_row(struct od_outline *outline, struct od_table *table, const struct other *other,
                    unsigned unit)
{
    const struct od_count hole = hole_of(other->dump);
    const char *verdict = other->dump ? od_verdict_name(other->dump->verdict) : NULL;
    const char *times = other->times.known ? od_words_count(outline->arena, other->times.n) : "";
    struct od_row *row = od_doc_row_of(
        table,
        OD_CELLS("", other->what, times,
                 other->request.known ? od_words_size_in(outline->arena, other->request.n, unit)
                                      : "",
                 other->in_use.known ? od_words_size_in(outline->arena, other->in_use.n, unit) : "",
                 hole.known ? od_words_size_in(outline->arena, hole.n, unit) : "", verdict));
    od_outline_refer_cell(outline, &row->cells[0], other->at);
}

static void add_table(struct od_outline *outline, const char *title, struct others *others)
{
    size_t n = others->rows.n, most = outline->all ? outline->rows : ROWS_SHOWN;
    unsigned unit = unit_of(others);
    if (n > 0) {
        struct od_section *section = od_doc_section(
            outline->doc, unit == 0 ? title
                                    : od_arena_printf(outline->arena, "%s, sizes in %s", title,
                                                      od_bytes_unit_name(unit)));
        section->folded = n > ROWS_SHOWN;
        struct od_table *table = od_doc_table(section);
        od_doc_columns(table, "line|what|>times|>request|>in use|>largest free|verdict");
        for (size_t i = 0; i < n && i < most; i++)
            add_row(outline, table, &others->rows.items[i], unit);
        od_doc_drop_blank_columns(table);
        if (n > most)
            od_say_as(od_doc_text(section), OD_DIM, "and %s more%s",
                      od_words_count(outline->arena, n - most),
                      outline->all ? "" : "; -v shows them");
    }
    od_vec_done(&others->rows);
}

/* Has the report mentioned its line, and would the row add no number? */
static bool is_stated(const struct od_outline *outline, const struct od_incident *incident)
{
    const struct od_incident *shown = outline->incident;
    if (shown && shown->kind == incident->kind && od_prov_distance(&shown->at, &incident->at) == 0)
        return !outline->all;
    return !outline->all && incident->count == 1 && !incident->requested.known &&
           !incident->tensor.bytes.known && incident->dump == 0 &&
           od_doc_refers(outline->doc, incident->at);
}

/* The short report does not list an incident that another one explains: it is the same failure, as
 * the shell or the scheduler reports it. */
static void add_incidents(struct od_outline *outline)
{
    struct others others = {0};
    OD_FOR_EACH (const struct od_incident, incident, outline->c->incidents) {
        if (incident == outline->incident || is_stated(outline, incident) ||
            (!outline->all && incident->echo_of != 0))
            continue;
        const char *what =
            incident->echo_of != 0 ? "the same failure" : od_words_incident_short(incident->kind);
        struct other row = {
            .at = incident->at,
            .what = incident->device.n == 0 || od_view_eq_str(incident->device, "CPU")
                        ? what
                        : od_arena_printf(outline->arena, "%s, %s", what,
                                          od_arena_str(outline->arena, incident->device)),
            .times = od_count_of(incident->count),
            .request = incident->requested.known ? incident->requested : incident->tensor.bytes,
            .dump = dump_of(outline->c, incident)};
        od_vec_push(&others.rows, row);
    }
    add_table(outline, "Also in the log", &others);
}

/* Is it a row of the incidents? */
static bool is_of_incident(const struct od_case *c, size_t dump)
{
    OD_FOR_EACH (const struct od_incident, incident, c->incidents)
        if (incident->dump == dump + 1)
            return true;
    return false;
}

/* Does the dump repeat the shown one? Allocators count their allocations, so the same count and
 * request mean that nothing has changed in between. */
static bool is_copy(const struct od_allocator *shown, const struct od_allocator *a)
{
    const struct od_count made = a->dump.stats.num_allocs;
    return shown && shown->dump.at.source == a->dump.at.source && made.known &&
           shown->dump.stats.num_allocs.known && made.n == shown->dump.stats.num_allocs.n &&
           od_view_eq(shown->name, a->name) && od_bytes_same(shown->need, a->need) == OD_YES &&
           shown->in_use.known == a->in_use.known && shown->in_use.n == a->in_use.n;
}

static void add_dumps(struct od_outline *outline)
{
    struct others others = {0};
    for (size_t i = 0; i < outline->c->allocators.n; i++) {
        const struct od_allocator *a = outline->c->allocators.items[i];
        if (a == outline->allocator ||
            (!outline->all && (is_of_incident(outline->c, i) || is_copy(outline->allocator, a))))
            continue;
        struct other row = {.at = a->dump.at,
                            .what = od_outline_name(outline, a),
                            .request = a->need.known ? a->need : a->requested,
                            .in_use = a->in_use,
                            .dump = a};
        od_vec_push(&others.rows, row);
    }
    add_table(outline, "Other allocator dumps", &others);
}

void od_outline_others(struct od_outline *outline)
{
    add_incidents(outline);
    add_dumps(outline);
}
