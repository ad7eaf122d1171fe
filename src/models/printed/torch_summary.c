/*
 * The table of torch.cuda.memory_summary() (torch/cuda/memory.py), and of its copies for other
 * devices, one memory_state per table. A cell is a size rounded down to a binary unit ("MB" before
 * 1.13, "MiB" since). Lines for pools, numbers of allocations and total columns are ignored. A
 * truncated table gives what it has.
 */
#include "readers/reader.h"

#include <stdio.h>

enum {
    FOREIGN_MAX = 3, /* other lines of its lane between two rows */
    AGE_MAX = 64,    /* lines of all lanes since its last row */
};

struct table {
    bool open;
    uint64_t device;
    struct od_count failures;
    struct od_bytes in_use, peak, reserved;
    struct od_kept_line first;
    uint64_t last_line;
};

static const char *const openers[] = {"memory summary, device ID", NULL};

static bool title_device(struct od_view text, uint64_t *ret_device)
{
    static const char words[] = "memory summary, device ID";
    size_t at = od_view_find(text, od_view_of(words), 0);
    if (at == OD_VIEW_NONE || !od_view_has(od_view_head(text, at), OD_VIEW("PyTorch")))
        return false;
    struct od_view rest = od_view_from(text, at + sizeof words - 1);
    od_view_skip_blanks(&rest);
    return od_num_take_u64(&rest, ret_device);
}

static struct od_count count_after(struct od_view text, const char *words)
{
    size_t at = od_view_find(text, od_view_of(words), 0);
    uint64_t n;
    if (at == OD_VIEW_NONE)
        return (struct od_count){0};
    struct od_view rest = od_view_from(text, at + od_view_of(words).n);
    od_view_skip_blanks(&rest);
    return od_num_take_u64(&rest, &n) ? od_count_of(n) : (struct od_count){0};
}

/* "  19132 MiB " : at least that many whole units, and less than one more. */
static struct od_bytes cell_bytes(struct od_view cell)
{
    static const char prefixes[] = "BKMGTP";
    uint64_t number, lo, hi;
    od_view_skip_blanks(&cell);
    if (!od_num_take_u64(&cell, &number))
        return (struct od_bytes){0};
    cell = od_view_trim(cell);
    const char *prefix = cell.n > 0 && cell.n <= 3 ? strchr(prefixes, cell.p[0]) : NULL;
    if (!prefix || !*prefix || !od_view_ends(cell, OD_VIEW("B")))
        return (struct od_bytes){0};
    uint64_t unit = UINT64_C(1) << (10 * (unsigned)(prefix - prefixes));
    if (ckd_mul(&lo, number, unit) || ckd_add(&hi, lo, unit - 1))
        return (struct od_bytes){0};
    return (struct od_bytes){.n = lo, .lo = lo, .hi = hi, .known = true};
}

/* "| Allocated memory | current | peak | ..." */
static void read_row(struct table *t, struct od_view text)
{
    struct od_view cells[4] = {{0}};
    for (size_t i = 0; i < OD_COUNT_OF(cells); i++)
        (void)od_view_cut(&text, '|', &cells[i]);
    struct od_view label = od_view_trim(cells[1]);
    if (od_view_eq_str(label, "Allocated memory")) {
        t->in_use = cell_bytes(cells[2]);
        t->peak = cell_bytes(cells[3]);
    } else if (od_view_ends(label, OD_VIEW(" reserved memory"))) {
        t->reserved = cell_bytes(cells[2]);
    }
}

static void flush(void *state, const struct od_sink *sink)
{
    struct table *t = state;
    if (!t->open)
        return;
    t->open = false;
    if (!t->in_use.known && !t->reserved.known && !t->failures.known)
        return;
    char device[32];
    (void)snprintf(device, sizeof device, "GPU %llu", (unsigned long long)t->device);
    struct od_event event = {.kind = OD_EV_MEMORY_STATE,
                             .at = t->first.line.at,
                             .line = &t->first.line,
                             .excerpt = t->first.line.text,
                             .rule = "torch_summary"};
    uint64_t span = t->last_line - t->first.line.at.line + 1;
    event.at.nlines = span < UINT32_MAX ? (uint32_t)span : UINT32_MAX;
    od_event_set_text(&event, OD_F_PRODUCER, OD_VIEW("pytorch"));
    od_event_set_text(&event, OD_F_DEVICE, od_view_of(device));
    od_event_set_text(&event, OD_F_SPACE, OD_VIEW("device"));
    od_event_set_text(&event, OD_F_NAME, OD_VIEW("memory_summary"));
    od_event_set_known(&event, OD_F_IN_USE, t->in_use);
    od_event_set_known(&event, OD_F_PEAK, t->peak);
    od_event_set_known(&event, OD_F_RESERVED, t->reserved);
    if (t->failures.known)
        od_event_set_count(&event, OD_F_COUNT, t->failures.n);
    od_sink_put(sink, &event);
}

static void begin(struct table *t, const struct od_line *line, uint64_t device,
                  const struct od_sink *sink)
{
    flush(t, sink);
    *t = (struct table){.open = true, .device = device, .last_line = line->at.line};
    od_line_keep(&t->first, line);
}

/* Takes a row of the table, a ruler, or its end. */
static void go_on(struct table *t, const struct od_line *line, struct od_view text,
                  const struct od_sink *sink)
{
    t->last_line = line->at.line;
    if (od_view_has(text, OD_VIEW(" OOMs:"))) {
        t->failures = count_after(text, " OOMs:");
        return;
    }
    read_row(t, text);
    if (od_view_starts(text, OD_VIEW("|====")) && (t->in_use.known || t->reserved.known))
        flush(t, sink);
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct table *t = state;
    uint64_t device;
    if (title_device(line->text, &device)) {
        begin(t, line, device, sink);
        return OD_TAKE_ALL;
    }
    struct od_view text = od_view_trim(line->text);
    if (t->open && od_view_starts(text, OD_VIEW("|"))) {
        go_on(t, line, text, sink);
        return OD_TAKE_ALL;
    }
    return OD_TAKE_NONE;
}

const struct od_reader od_reader_torch_summary = {
    .name = "torch_summary",
    .literals = openers,
    .state_size = sizeof(struct table),
    .foreign_max = FOREIGN_MAX,
    .age_max = AGE_MAX,
    .line = take_line,
    .is_open = od_reader_state_is_open,
    .end = flush,
};
