/*
 * Grid Engine's record of a job (qacct -j): "slots 4", "exit_status 137", "maxvmem 31.98G", and the
 * requested resources in its category: "-l h_vmem=8G -pe smp 4". h_vmem is per slot, so the limit
 * of the job is the product. A job that was killed close to its limit was stopped by it.
 */
#include "readers/reader.h"

enum { RECORD_LINES = 80, SLOTS_MOST = 65536, KILLED = 128 + 9 };

/* Share of the limit; below 1 because maxvmem is sampled and does not include the failed
 * request. */
static const double at_limit = 0.95;

struct record {
    unsigned left; /* remaining lines that may belong to it; 0 = none is open */
    uint64_t slots;
    bool killed;                /* by a signal that cannot be caught */
    struct od_bytes each, most; /* h_vmem, maxvmem */
};

static const char *const openers[] = {"jobnumber ", NULL};

/* "slots        4" */
static bool value_of(struct od_view text, const char *key, struct od_view *ret_value)
{
    if (!od_view_take(&text, od_view_of(key)))
        return false;
    *ret_value = od_view_trim(text);
    return true;
}

static void take_asked(struct record *record, struct od_view text)
{
    size_t at = od_view_find(text, OD_VIEW("h_vmem="), 0), n = 0;
    if (at == OD_VIEW_NONE)
        return;
    struct od_view size = od_view_from(text, at + 7);
    while (n < size.n && (od_is_alnum(size.p[n]) || size.p[n] == '.'))
        n++;
    struct od_bytes each;
    if (od_bytes_parse(od_view_head(size, n), OD_UNIT_BINARY, &each))
        record->each = each;
    size_t pe = od_view_find(text, OD_VIEW("-pe "), 0); /* "-pe smp 4", if no line has the slots */
    struct od_view environment =
        pe != OD_VIEW_NONE ? od_view_from(text, pe + 4) : (struct od_view){0};
    struct od_view name;
    uint64_t slots;
    if (record->slots == 0 && od_view_cut(&environment, ' ', &name) &&
        od_num_take_u64(&environment, &slots) && slots <= SLOTS_MOST)
        record->slots = slots;
}

static bool was_stopped(const struct record *record, struct od_bytes *ret_limit)
{
    uint64_t limit;
    if (!record->killed || record->slots == 0 || !record->each.known || !record->most.known ||
        ckd_mul(&limit, record->each.n, record->slots))
        return false;
    *ret_limit = od_bytes_exact(limit);
    return (double)record->most.n >= at_limit * (double)limit;
}

static void take_line(struct record *record, struct od_view text)
{
    struct od_view value;
    struct od_bytes most;
    uint64_t n;
    if (value_of(text, "jobnumber ", &value))
        *record = (struct record){.left = RECORD_LINES};
    else if (value_of(text, "slots ", &value) && od_num_take_u64(&value, &n) && n <= SLOTS_MOST)
        record->slots = n;
    else if (value_of(text, "exit_status ", &value) && od_num_take_u64(&value, &n))
        record->killed = n == KILLED;
    else if (value_of(text, "maxvmem ", &value) && od_bytes_parse(value, OD_UNIT_BINARY, &most))
        record->most = most;
    else
        take_asked(record, text);
}

static enum od_take read_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct record *record = state;
    struct od_bytes limit;
    take_line(record, od_view_trim(line->text));
    record->left -= record->left > 0;
    if (record->left == 0 || !was_stopped(record, &limit))
        return OD_TAKE_NONE;
    struct od_event event;
    od_event_begin(&event, OD_EV_JOB_KILLED, line, "sge_record");
    event.excerpt = od_view_trim(line->text);
    od_event_set_text(&event, OD_F_PRODUCER, OD_VIEW("sge"));
    od_event_set_bytes(&event, OD_F_LIMIT, limit);
    od_event_set_bytes(&event, OD_F_PEAK, record->most);
    od_sink_put(sink, &event);
    *record = (struct record){0};
    return OD_TAKE_SHARE;
}

static bool is_open(const void *state)
{
    return ((const struct record *)state)->left > 0;
}

const struct od_reader od_reader_sge_record = {
    .name = "sge_record",
    .literals = openers,
    .state_size = sizeof(struct record),
    .foreign_max = RECORD_LINES,
    .line = read_line,
    .is_open = is_open,
};
