/* Memory in use by role; with -v, what each size can be. */
#include "report/outline_parts.h"

#include "report/words.h"

/* A smaller part than one in this many has no row of its own on one screen. */
enum { SLIGHT = 50 };

enum { ROWS_SHOWN = 4, LABEL_MOST = 60 };

static const char *role_words(enum od_role role)
{
    static const char *const words[OD_ROLES] = {
#define OD_ROLE_WORDS(constant, words, share, fill) [OD_ROLE_##constant] = words,
#include "report/words.def"
    };
    return words[role];
}

static uint64_t sum_of(const struct od_holding *holding)
{
    uint64_t sum = 0;
    for (unsigned role = 0; role < OD_ROLES; role++) {
        if (ckd_add(&sum, sum, holding->bytes_by_role[role]))
            return UINT64_MAX;
    }
    return sum;
}

static bool tells_most(const struct od_holding *holding, uint64_t in_use)
{
    uint64_t sum = sum_of(holding);
    return sum > 0 && sum <= in_use && holding->bytes_by_role[OD_ROLE_UNKNOWN] <= sum / 2;
}

static void add(struct od_role_rows *rows, enum od_role role, const char *what, uint64_t bytes)
{
    rows->list[rows->n++] = (struct od_role_row){role, what, bytes};
}

/* The largest remaining role; OD_ROLES if none is left. */
static unsigned largest(const uint64_t *bytes, const bool *taken)
{
    unsigned best = OD_ROLES;
    for (unsigned role = 0; role < OD_ROLES; role++) {
        if (!taken[role] && bytes[role] > 0 && (best == OD_ROLES || bytes[role] > bytes[best]))
            best = role;
    }
    return best;
}

/* Merges roles for the short report: the step's tensors are one row, and everything unexplained is
 * one. */
static void gather(const struct od_holding *holding, uint64_t in_use, uint64_t *bytes)
{
    for (unsigned role = 0; role < OD_ROLES; role++)
        bytes[role] = holding->bytes_by_role[role];
    bytes[OD_ROLE_UNKNOWN] += in_use - sum_of(holding);
    if (bytes[OD_ROLE_ACTIVATION] > 0) {
        bytes[OD_ROLE_ACTIVATION] += bytes[OD_ROLE_BATCH];
        bytes[OD_ROLE_BATCH] = 0;
    }
}

/* Does the report say that a whole dataset is on the device? Its size alone would suggest an
 * activation. */
static bool is_dataset(const struct od_diagnosis *diagnosis)
{
    return diagnosis->findings.n > 0 &&
           diagnosis->findings.items[0].cause == OD_CAUSE_DATASET_ON_DEVICE;
}

bool od_outline_roles(const struct od_outline *outline, const struct od_allocator *a,
                      uint64_t in_use, struct od_role_rows *ret_rows)
{
    const struct od_holding *holding = od_holding_of(outline->report->attribution, a);
    struct od_role_rows rows = {0};
    bool whole = is_dataset(outline->diagnosis);
    uint64_t bytes[OD_ROLES], rest = in_use;
    bool taken[OD_ROLES] = {false};
    if (!holding || !tells_most(holding, in_use))
        return false;
    gather(holding, in_use, bytes);
    for (unsigned role = largest(bytes, taken); role < OD_ROLES; role = largest(bytes, taken)) {
        bool slight = rows.n > 0 && bytes[role] < in_use / SLIGHT;
        if ((rows.n >= ROWS_SHOWN || slight) && !outline->verbose)
            break;
        bool step = role == OD_ROLE_ACTIVATION || role == OD_ROLE_BATCH;
        bool mixed = role == OD_ROLE_ACTIVATION && holding->bytes_by_role[OD_ROLE_BATCH] > 0;
        taken[role] = true;
        rest -= bytes[role];
        add(&rows, (enum od_role)role,
            step && whole ? "dataset, or tensors of the step"
            : mixed       ? "activations, other step tensors"
                          : role_words((enum od_role)role),
            bytes[role]);
    }
    if (rest > 0)
        add(&rows, OD_ROLE_UNKNOWN, "everything else in use", rest);
    *ret_rows = rows;
    return true;
}

void od_outline_say_holding(struct od_outline *outline, struct od_section *section,
                            const struct od_allocator *a)
{
    const struct od_attribution *attribution = outline->report->attribution;
    const struct od_holding *holding = od_holding_of(attribution, a);
    if (!outline->verbose || !holding || !holding->fixed.known)
        return;
    struct od_text *words = od_doc_text(section);
    od_say(words, "%s %s independent of the batch size",
           od_bytes_text(outline->arena, holding->fixed),
           holding->per_sample.known ? "are in use" : "are in use by the setup:");
    if (holding->per_sample.known && attribution->batch.known)
        od_say(words, "; each of %s %s used %s at the failure",
               od_words_count(outline->arena, attribution->batch.n),
               attribution->batch.n == 1 ? "sample" : "samples",
               od_bytes_text(outline->arena, holding->per_sample));
    od_say(words, ".");
}

/* ---- verbose: the sizes ---- */

static const char *shape_text(struct od_arena *arena, const struct od_candidate *candidate)
{
    return od_arena_printf(
        arena, "%s%s", candidate->dtype != OD_DTYPE_UNKNOWN ? od_dtype_name(candidate->dtype) : "",
        od_words_shape(arena, &candidate->shape, ", "));
}

static bool is_alike(const struct od_candidate *a, const struct od_candidate *b)
{
    bool alike = a->role == b->role && a->dtype == b->dtype && a->shape.known == b->shape.known &&
                 a->shape.n == b->shape.n;
    for (uint32_t i = 0; alike && i < a->shape.n; i++)
        alike = a->shape.dims[i] == b->shape.dims[i];
    return alike;
}

static void add_label(struct od_buf *text, const char *before, struct od_view label)
{
    if (label.n == 0)
        return;
    od_buf_printf(text, "%s", before);
    od_buf_add(text, od_view_head(label, LABEL_MOST));
}

/* "optimizer fc1/kernel float32[25088, 4096]; weights ...": one entry for each role and shape, with
 * all its layers. */
static const char *candidates_text(struct od_arena *arena,
                                   const struct od_size_candidates *candidates)
{
    struct od_buf text = {0};
    for (size_t i = 0; i < candidates->n;) {
        const struct od_candidate *first = &candidates->list[i];
        const char *role = od_role_name(first->role);
        od_buf_printf(&text, "%s%s", i > 0 ? "; or " : "", role ? role : "unknown");
        add_label(&text, " ", first->label);
        for (i++; i < candidates->n && is_alike(first, &candidates->list[i]); i++)
            add_label(&text, ", ", candidates->list[i].label);
        if (first->shape.known)
            od_buf_printf(&text, " %s", shape_text(arena, first));
    }
    const char *copy = candidates->n > 0 ? od_arena_str(arena, od_buf_view(&text)) : "unexplained";
    od_buf_done(&text);
    return copy;
}

void od_outline_sizes(struct od_outline *outline, const struct od_allocator *a)
{
    const struct od_holding *holding = od_holding_of(outline->report->attribution, a);
    char text[OD_BYTES_TEXT];
    if (!holding || a->nsizes == 0)
        return;
    struct od_section *section =
        od_doc_section(outline->doc, od_arena_printf(outline->arena, "Sizes in use of %s",
                                                     od_outline_name(outline, a)));
    section->folded = true;
    struct od_table *table = od_doc_table(section);
    od_doc_columns(table, ">chunks|>bytes each|>MiB|what they can be");
    for (size_t i = 0; i < a->nsizes && i < outline->rows; i++) {
        const struct od_size *size = &a->sizes[i];
        const char *mib = od_bytes_print_in(size->total, 2, text);
        od_doc_row_of(table, OD_CELLS(od_words_count(outline->arena, size->count),
                                      od_words_count(outline->arena, size->bytes),
                                      od_arena_str(outline->arena, od_view_of(mib)),
                                      candidates_text(outline->arena, &holding->sizes[i])));
    }
}
