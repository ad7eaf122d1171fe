/*
 * npu-smi's table, once or in a loop: a device's name and number in one row, its memory (HBM-Usage,
 * in MB of 1024 * 1024) in the next, and below them the processes that hold it.
 *
 *   | 0     910B3     | OK            | 97.5        41                0    / 0     |
 *   | 0               | 0000:C1:00.0  | 0           0    / 0          3379 / 65536 |
 *   | 0       0       | 331201        | python                      | 3120         |
 *
 * Newer ones print the device's number among all chips, its Phy-ID, behind that of the chip.
 */
#include "base/num.h"
#include "readers/measures/measure.h"
#include "readers/reader.h"

enum { CELLS_MAX = 4, FOREIGN_MAX = 8 };

struct npu {
    struct od_count number; /* of the row that has begun */
    bool processes;         /* below their heading */
};

static const char *const openers[] = {"| npu-smi ", "| OK   ",      "| Warning ", "| Alarm ",
                                      "| 0000:",    "| Process id", NULL};

/* "|a|b|c|" -> a, b, c */
static size_t split(struct od_view text, struct od_view cells[static CELLS_MAX])
{
    size_t n = 0;
    text = od_view_trim(text);
    if (!od_view_take(&text, OD_VIEW("|")) || !od_view_ends(text, OD_VIEW("|")))
        return 0;
    for (; n < CELLS_MAX && text.n > 0; n++) {
        struct od_view cell;
        if (!od_view_cut(&text, '|', &cell))
            return 0;
        cells[n] = od_view_trim(cell);
    }
    return text.n == 0 ? n : 0;
}

static bool take_u64(struct od_view *text, uint64_t *ret_n)
{
    od_view_skip_blanks(text);
    return od_num_take_u64(text, ret_n);
}

/* "0           0    / 0          3379 / 65536": the last of the pairs that has a whole. */
static bool usage(struct od_view cell, uint64_t *ret_used, uint64_t *ret_whole)
{
    uint64_t n = 0, whole;
    bool found = false;
    while (take_u64(&cell, &n)) {
        struct od_view rest = cell;
        od_view_skip_blanks(&rest);
        if (!od_view_take(&rest, OD_VIEW("/")) || !take_u64(&rest, &whole))
            continue;
        cell = rest;
        if (whole == 0)
            continue;
        *ret_used = n;
        *ret_whole = whole;
        found = true;
    }
    return found;
}

static struct od_event begin(const struct od_line *line, uint64_t number, char name[static 21])
{
    struct od_event event = od_measure_event("npu_smi", line, "device");
    od_event_set_text(&event, OD_F_DEVICE, od_view_of(od_num_print_u64(number, name)));
    return event;
}

static bool take_memory(struct npu *s, const struct od_line *line, const struct od_view *cells,
                        const struct od_sink *sink)
{
    uint64_t chip, number, used, whole;
    struct od_view first = cells[0];
    char name[21];
    if (!s->number.known || !take_u64(&first, &chip) || !usage(cells[2], &used, &whole))
        return false;
    bool physical = take_u64(&first, &number);
    struct od_event event = begin(line, physical ? number : s->number.n, name);
    if (!physical && chip > 0)
        od_event_set_text(&event, OD_F_GROUP, cells[1]);
    od_measure_set(&event, OD_F_IN_USE, od_measure_mebibytes(used));
    od_measure_set(&event, OD_F_CAPACITY, od_measure_mebibytes(whole));
    od_sink_put(sink, &event);
    s->number.known = false;
    return true;
}

static bool take_process(const struct od_line *line, const struct od_view *cells,
                         const struct od_sink *sink)
{
    uint64_t number, chip, pid, held;
    struct od_view first = cells[0], size = cells[3];
    char name[21];
    if (!take_u64(&first, &number) || !take_u64(&first, &chip) || chip > 0 ||
        !od_num_parse_u64(cells[1], &pid) || !take_u64(&size, &held) || cells[2].n == 0)
        return false;
    struct od_event event = begin(line, number, name);
    od_event_set_count(&event, OD_F_PID, pid);
    od_event_set_text(&event, OD_F_PROCESS, cells[2]);
    od_measure_set(&event, OD_F_IN_USE, od_measure_mebibytes(held));
    od_sink_put(sink, &event);
    return true;
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct npu *s = state;
    struct od_view cells[CELLS_MAX];
    uint64_t number;
    size_t n = split(line->text, cells);
    bool taken = false;
    if (n == 4 && od_view_starts(cells[1], OD_VIEW("Process id")))
        taken = s->processes = true;
    else if (n == 4 && s->processes)
        taken = take_process(line, cells, sink);
    else if (n == 3 && od_view_starts(cells[1], OD_VIEW("0000:")))
        taken = take_memory(s, line, cells, sink);
    else if (n == 3 && take_u64(&cells[0], &number) && cells[0].n > 0) {
        s->number = od_count_of(number);
        s->processes = false;
        taken = true;
    } else if (n == 1 && od_view_starts(cells[0], OD_VIEW("npu-smi ")))
        s->processes = false;
    return taken ? OD_TAKE_SHARE : OD_TAKE_NONE;
}

static bool is_open(const void *state)
{
    return ((const struct npu *)state)->processes;
}

const struct od_reader od_reader_npu_smi = {
    .name = "npu_smi",
    .literals = openers,
    .state_size = sizeof(struct npu),
    .foreign_max = FOREIGN_MAX,
    .line = take_line,
    .is_open = is_open,
};
