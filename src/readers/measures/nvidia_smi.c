/*
 * nvidia-smi's tables, once or in a loop: a row of two lines for each device (its number on the
 * first, its memory on the second), MIG instances, and the processes that use memory. Its MiB (MB
 * before driver 325) are binary. Column widths changed with nearly every driver; the bars did not.
 * Rules read the same lines for facts about the device; this reader makes points of series.
 *
 *   |   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |
 *   | N/A   41C    P0    26W /  70W |   1021MiB / 15109MiB |     12%      Default |
 *   |    0   N/A  N/A      9120      C   python                           1018MiB |
 */
#include "base/daytime.h"
#include "readers/measures/measure.h"
#include "readers/measures/table.h"
#include "readers/reader.h"

enum { DATE_LEN = 24, BLOCK_LINES = 4 };

struct smi {
    bool processes;      /* below the heading of the processes */
    struct od_count gpu; /* device of the current row */
    bool timed, started;
    double time, start;
    unsigned block;        /* within "nvidia-smi -q": remaining lines of the memory block */
    struct od_bytes total; /* total printed in that block */
    char bus[24];          /* bus id of the device above it; empty = not printed */
};

static const char *const openers[] = {
    "NVIDIA-SMI ", "MiB / ",     "MB / ",  "MiB |",      "MB |", "MiB \xe2\x94\x82",
    "MB  |",       " 00000000:", " 0000:", "Processes:", "Mon ", "Tue ",
    "Wed ",        "Thu ",       "Fri ",   "Sat ",       "Sun ", "FB Memory Usage",
    "GPU 0000",    NULL};

/* "|a|b|c|" -> a, b, c; none if it is no row. nvitop draws the bars with a box character. */
static void split(struct od_view text, struct od_table_cells *cells)
{
    static const struct od_table bars[] = {{.by = {"|", 1}}, {.by = {"\xe2\x94\x82", 3}}};
    text = od_view_trim(text);
    cells->n = 0;
    for (size_t i = 0; i < OD_COUNT_OF(bars) && cells->n == 0; i++)
        if (od_view_starts(text, bars[i].by) && od_view_ends(text, bars[i].by))
            od_table_cut(&bars[i], text, cells);
}

static struct od_view word(struct od_view *text)
{
    od_view_skip_blanks(text);
    size_t n = 0;
    while (n < text->n && text->p[n] != ' ' && text->p[n] != '\t')
        n++;
    struct od_view found = od_view_head(*text, n);
    *text = od_view_from(*text, n);
    od_view_skip_blanks(text);
    return found;
}

/* "1021MiB", "11 MB" */
static struct od_bytes mebibytes(struct od_view text)
{
    text = od_view_trim(text);
    bool sized = od_view_ends(text, OD_VIEW("MiB")) || od_view_ends(text, OD_VIEW("MB"));
    return sized ? od_table_size(text, NULL) : (struct od_bytes){0};
}

/* "1021MiB / 15109MiB"; before driver 325 the fan share precedes it. */
static bool usage(struct od_view cell, struct od_bytes *ret_used, struct od_bytes *ret_total)
{
    size_t slash = od_view_find_char(cell, '/', 0);
    if (slash == OD_VIEW_NONE)
        return false;
    *ret_used = mebibytes(od_view_head(cell, slash));
    *ret_total = mebibytes(od_view_from(cell, slash + 1));
    return ret_used->known && ret_total->known && ret_total->n > 0;
}

/* gpu: unknown if only the second lines of the rows were kept, for example by grep. */
static struct od_event begin(struct smi *s, const struct od_line *line, struct od_count gpu,
                             char name[static 21])
{
    struct od_event event;
    od_measure_begin(&event, "nvidia_smi", line, "device");
    if (gpu.known)
        od_event_set_text(&event, OD_F_DEVICE, od_view_of(od_num_print_u64(gpu.n, name)));
    if (s->timed) {
        s->start = s->started ? s->start : s->time;
        s->started = true;
        if (s->time >= s->start)
            od_event_set_number(&event, OD_F_ELAPSED, s->time - s->start);
    }
    return event;
}

static void emit_usage(struct smi *s, const struct od_line *line, struct od_view cell,
                       const char *part, const struct od_sink *sink)
{
    struct od_bytes used, total;
    char name[21];
    if ((!s->gpu.known && part) || !usage(cell, &used, &total))
        return;
    struct od_event event = begin(s, line, s->gpu, name);
    od_event_set_bytes(&event, OD_F_IN_USE, used);
    od_event_set_bytes(&event, OD_F_CAPACITY, total);
    if (part)
        od_event_set_text(&event, OD_F_PROCESS, od_view_of(part));
    od_sink_put(sink, &event);
    s->gpu.known = false;
}

/* A first cell of four numbers: device, GPU instance, compute instance, MIG device. */
static bool is_mig(struct od_view cell, uint64_t ids[static 4])
{
    for (int i = 0; i < 4; i++) {
        if (!od_num_parse_u64(word(&cell), &ids[i]))
            return false;
    }
    return cell.n == 0;
}

static void take_mig(struct smi *s, const struct od_line *line, const struct od_view *cells,
                     const uint64_t ids[static 4], const struct od_sink *sink)
{
    struct od_buf part = {0};
    od_buf_printf(&part, "MIG %llu/%llu", (unsigned long long)ids[1], (unsigned long long)ids[2]);
    s->gpu = od_count_of(ids[0]);
    emit_usage(s, line, cells[1], od_buf_str(&part), sink);
    od_buf_done(&part);
}

static bool is_type(struct od_view text)
{
    return od_view_eq_str(text, "C") || od_view_eq_str(text, "G") || od_view_eq_str(text, "C+G") ||
           od_view_eq_str(text, "M+C");
}

/* Are two words followed by a PID and its type: "N/A  N/A  9120  C", "7  0  9120  C"? */
static bool has_instances(struct od_view first, struct od_view rest)
{
    uint64_t n;
    struct od_view second = word(&rest);
    bool na = od_view_eq_str(first, "N/A") && od_view_eq_str(second, "N/A");
    bool numbers = od_num_parse_u64(first, &n) && od_num_parse_u64(second, &n);
    return (na || numbers) && od_num_parse_u64(word(&rest), &n) && is_type(word(&rest));
}

/* "0  N/A  N/A  9120  C  python train.py  1018MiB"; without the instances before driver 450,
 * without the type before 346. */
static bool take_process(struct smi *s, const struct od_line *line, struct od_view cell,
                         const struct od_sink *sink)
{
    uint64_t gpu, pid;
    struct od_view next;
    char name[21];
    if (!od_num_parse_u64(word(&cell), &gpu))
        return false;
    next = word(&cell);
    if (has_instances(next, cell)) {
        (void)word(&cell);
        next = word(&cell);
    }
    if (!od_num_parse_u64(next, &pid))
        return false;
    struct od_view rest = cell;
    if (is_type(word(&rest)))
        cell = rest;
    size_t at = cell.n;
    while (at > 0 && cell.p[at - 1] != ' ')
        at--;
    struct od_bytes used = mebibytes(od_view_from(cell, at));
    struct od_view process = od_view_trim(od_view_head(cell, at));
    if (!used.known || process.n == 0)
        return false;
    struct od_event event = begin(s, line, od_count_of(gpu), name);
    od_event_set_count(&event, OD_F_PID, pid);
    od_event_set_text(&event, OD_F_PROCESS, process);
    od_event_set_bytes(&event, OD_F_IN_USE, used);
    od_sink_put(sink, &event);
    return true;
}

/* "   0  Tesla T4   Off" beside a bus id */
static bool opens_row(struct od_view first, struct od_view second, uint64_t *ret_gpu)
{
    size_t colon = od_view_find_char(second, ':', 0);
    return (colon == 4 || colon == 8) && od_num_parse_u64(word(&first), ret_gpu) && first.n > 0;
}

static bool take_row(struct smi *s, const struct od_line *line, const struct od_sink *sink)
{
    struct od_table_cells row;
    split(line->text, &row);
    const struct od_view *cells = row.items;
    size_t n = row.n;
    uint64_t ids[4] = {0};
    if (n == 1 && od_view_starts(cells[0], OD_VIEW("Processes:"))) {
        s->processes = true;
        return true;
    }
    if (n == 1)
        return s->processes && take_process(s, line, cells[0], sink);
    if (n < 3)
        return false;
    if (opens_row(cells[0], cells[1], &ids[0])) {
        s->processes = false;
        s->gpu = od_count_of(ids[0]);
        return true;
    }
    if (is_mig(cells[0], ids))
        take_mig(s, line, cells, ids, sink);
    else if (cells[0].n > 0)
        emit_usage(s, line, cells[1], NULL, sink);
    return true;
}

/* "Tue Mar  5 09:12:33 2024": a separate line above each table. */
static bool take_date(struct smi *s, struct od_view text)
{
    static const char *const months = "JanFebMarAprMayJunJulAugSepOctNovDec";
    text = od_view_trim(text);
    if (text.n != DATE_LEN || text.p[3] != ' ' || text.p[7] != ' ' || text.p[19] != ' ')
        return false;
    char key[4] = {text.p[4], text.p[5], text.p[6], '\0'};
    const char *month = strstr(months, key);
    uint64_t day, year;
    if (!month || !od_num_parse_u64(od_view_trim(od_view_head(od_view_from(text, 8), 2)), &day) ||
        !od_num_parse_u64(od_view_from(text, 20), &year))
        return false;
    struct od_buf iso = {0};
    od_buf_printf(&iso, "%04llu-%02u-%02llu %.8s", (unsigned long long)year,
                  (unsigned)((month - months) / 3 + 1), (unsigned long long)day, text.p + 11);
    s->timed = od_daytime_parse(od_buf_view(&iso), &s->time);
    od_buf_done(&iso);
    return s->timed;
}

/*
 * "nvidia-smi -q": below the bus id of a device
 *     FB Memory Usage
 *         Total                             : 40960 MiB
 *         Used                              : 4096 MiB
 */
static bool take_block(struct smi *s, const struct od_line *line, const struct od_sink *sink)
{
    struct od_view text = od_view_trim(line->text), name, value = text;
    if (od_view_starts(line->text, OD_VIEW("GPU 0000")) && text.n - 4 < sizeof s->bus) {
        memcpy(s->bus, text.p + 4, text.n - 4);
        s->bus[text.n - 4] = '\0';
        return true;
    }
    if (od_view_eq_str(text, "FB Memory Usage")) {
        s->block = BLOCK_LINES;
        s->total = (struct od_bytes){0};
        return true;
    }
    if (s->block == 0 || !od_view_cut(&value, ':', &name))
        return false;
    s->block--;
    name = od_view_trim(name);
    if (od_view_eq_str(name, "Total"))
        s->total = mebibytes(value);
    if (!od_view_eq_str(name, "Used"))
        return true;
    s->block = 0;
    struct od_event event;
    od_measure_begin(&event, "nvidia_smi", line, "device");
    if (s->bus[0] != '\0')
        od_event_set_text(&event, OD_F_GROUP, od_view_of(s->bus));
    od_event_set_known(&event, OD_F_IN_USE, mebibytes(value));
    od_event_set_known(&event, OD_F_CAPACITY, s->total);
    if (od_event_get(&event, OD_F_IN_USE))
        od_sink_put(sink, &event);
    return true;
}

static bool is_open(const void *state)
{
    return ((const struct smi *)state)->block > 0;
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct smi *s = state;
    if (!od_view_starts(line->text, OD_VIEW("|")) && take_date(s, line->text))
        return OD_TAKE_NONE;
    if (od_view_starts(line->text, OD_VIEW("| NVIDIA-SMI "))) {
        s->processes = false;
        s->gpu.known = false;
        return OD_TAKE_SHARE;
    }
    return take_row(s, line, sink) || take_block(s, line, sink) ? OD_TAKE_SHARE : OD_TAKE_NONE;
}

const struct od_reader od_reader_nvidia_smi = {
    .name = "nvidia_smi",
    .literals = openers,
    .state_size = sizeof(struct smi),
    .line = take_line,
    .is_open = is_open,
};
