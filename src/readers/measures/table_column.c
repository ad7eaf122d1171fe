#include "readers/measures/table_column.h"

#include "base/word_table.h"
#include "readers/measures/memory_words.h"

#include "readers/measures/table_column_lists.inc"

/* Meanings of words in a name besides memory, as bits. */
enum {
    TIME = 1,
    MILLISECONDS = 1 << 1,
    SECONDS = 1 << 2,
    MINUTES = 1 << 3,
    HOURS = 1 << 4,
    DAYS = 1 << 10,
    PERCENT = 1 << 5,
    EPOCH = 1 << 6,
    STEP = 1 << 7,
    PID = 1 << 8,
    RANK = 1 << 9
};

static const struct od_word_means beside[] = {
#include "readers/measures/table_words.inc"

};

static unsigned said_by(struct od_view name)
{
    struct od_view word;
    unsigned says = 0;
    while (od_memory_next_word(&name, &word))
        says |= od_word_means(beside, OD_COUNT_OF(beside), word);
    return says;
}

static void copy_unit(struct od_table_column *column, struct od_view unit)
{
    if (unit.n < sizeof column->unit) {
        memcpy(column->unit, unit.p, unit.n);
        column->unit[unit.n] = '\0';
    }
}

/* "gpu1_", "gpu_1_", "cuda:1." */
static struct od_count number_behind(struct od_view rest)
{
    uint64_t n;
    if (rest.n > 0 && memchr("_:.-", rest.p[0], 4))
        rest = od_view_from(rest, 1);
    return od_num_take_u64(&rest, &n) ? od_count_of(n) : (struct od_count){0};
}

/* "mem %", "ram_percent". Weights & Biases calls the share "gpu.0.memoryAllocated" and the size
 * "gpu.0.memoryAllocatedBytes". */
static bool is_share(struct od_view name)
{
    return od_view_find_char(name, '%', 0) != OD_VIEW_NONE || (said_by(name) & PERCENT) ||
           od_view_ends(name, OD_VIEW(".memoryAllocated"));
}

static struct od_table_column share_column(struct od_table_column column, unsigned words)
{
    const unsigned memory = OD_MW_MEMORY | OD_MW_RSS;
    bool used = (words & memory) && !(words & (OD_MW_FOREIGN | OD_MW_FREE | OD_MW_MAX));
    (void)od_memory_field(words, &column.space);
    column.field = used ? OD_F_SHARE : OD_F_NONE;
    column.unit[0] = '\0';
    if (!column.space)
        column.space = "host";
    return column;
}

/* The column if its words name memory; the last unit among them is its unit. */
static struct od_table_column memory_column(struct od_view name)
{
    struct od_table_column column = {0};
    unsigned words = 0;
    bool unknown = false;
    struct od_view word, rest = name;
    /* torch.cuda.memory_stats also has totals of all allocations, and values for each pool */
    bool moment =
        od_view_ends(name, OD_VIEW(".all.current")) || od_view_ends(name, OD_VIEW(".all.peak"));
    /* minimum and maximum of a metric in Weights & Biases */
    bool envelope = od_view_ends(name, OD_VIEW("__MIN")) || od_view_ends(name, OD_VIEW("__MAX"));
    if ((od_view_has(name, OD_VIEW("bytes.")) && !moment) || envelope)
        return column;
    /* for xpu-smi this is memory in use; elsewhere it is the time that memory is busy */
    bool share = is_share(name), filled = od_view_has(name, OD_VIEW("Memory Utilization (%)"));
    while (od_memory_next_word(&rest, &word)) {
        unsigned means = od_memory_word(word);
        if (means == OD_MW_DEVICE)
            column.device = number_behind(rest);
        if (od_memory_is_unit(word))
            copy_unit(&column, word);
        else if (means & OD_MW_UNKNOWN)
            unknown = true;
        else if (!(filled && od_view_eq_str(word, "Utilization")))
            words |= means;
    }
    column.heap = words & OD_MW_HEAP;
    if (share)
        return share_column(column, words);
    size_t letter = name.n > 3 && od_view_ends(name, OD_VIEW(")")) ? name.n - 3 : 0;
    if (letter > 0 && name.p[letter] == '(' && memchr("BKMG", name.p[letter + 1], 4))
        copy_unit(&column, od_view_head(od_view_from(name, letter + 1), 1)); /* "WS(K)" */
    /* "peak_gb", "GPU_GB" */
    if (column.unit[0] != '\0' && !unknown && (words & (OD_MW_PEAK | OD_MW_USED | OD_MW_DEVICE)))
        words |= OD_MW_MEMORY;
    if ((words & (OD_MW_MEMORY | OD_MW_RSS | OD_MW_VIRTUAL)) || column.unit[0] != '\0')
        column.field = od_memory_field(words, &column.space);
    if (column.field == OD_F_RESERVED) /* counted by an allocator of a device */
        column.space = "device";
    return column;
}

static double time_unit(struct od_view name, unsigned says)
{
    bool seconds = (says & SECONDS) || od_view_starts(name, OD_VIEW("Relative Time"));
    return says & MILLISECONDS ? 1e-3
           : says & DAYS       ? 86400
           : says & HOURS      ? 3600
           : says & MINUTES    ? 60
                               : seconds;
}

bool od_table_column_counts(struct od_view name)
{
    return said_by(name) & (TIME | EPOCH | STEP);
}

bool od_table_column_is_key(struct od_view name)
{
    return od_view_eq_any(name, keys);
}

bool od_table_column_is_value(struct od_view name)
{
    return od_view_eq_any(name, values);
}

bool od_table_column_is_unit(struct od_view name)
{
    return od_view_eq_any(name, units);
}

void od_table_column_take_unit(struct od_table_column *column, struct od_view unit)
{
    if (od_memory_is_unit(unit))
        copy_unit(column, unit);
    else if (column->field != OD_F_NONE && od_field_type(column->field) == OD_T_BYTES)
        column->field = OD_F_NONE;
}

struct od_table_column od_table_column_of(struct od_view name)
{
    struct od_table_column column = memory_column(name);
    if (column.field != OD_F_NONE)
        return column;
    unsigned says = said_by(name);
    if (says & TIME)
        return (struct od_table_column){.field = OD_F_ELAPSED, .seconds = time_unit(name, says)};
    if (od_view_eq_any(name, devices))
        return (struct od_table_column){.field = OD_F_DEVICE};
    if (od_view_eq_any(name, groups))
        return (struct od_table_column){.field = OD_F_GROUP};
    if (od_view_eq_any(name, processes))
        return (struct od_table_column){.field = OD_F_PROCESS};
    enum od_field counted = says & EPOCH  ? OD_F_EPOCH
                            : says & STEP ? OD_F_STEP
                            : says & PID  ? OD_F_PID
                            : says & RANK ? OD_F_RANK
                                          : OD_F_NONE;
    return (struct od_table_column){.field = counted};
}

struct od_table_column od_table_column_of_smi(struct od_view name)
{
    struct od_view bare = od_view_trim(od_view_head(name, od_view_find_char(name, '[', 0)));
    struct od_table_column column = od_table_column_of(bare);
    bool size = column.field != OD_F_NONE && od_field_type(column.field) == OD_T_BYTES;
    bool held = od_view_starts(bare, OD_VIEW("memory.")) || od_view_starts(bare, OD_VIEW("used_"));
    /* "reserved" is the driver's memory; a name does not identify a device */
    static const char *const others[] = {"name", "gpu_name", "memory.reserved", NULL};
    if ((size && !held) || column.field == OD_F_SHARE || od_view_eq_any(bare, others))
        return (struct od_table_column){0};
    column.space = "device";
    memcpy(column.unit, "MiB", sizeof "MiB");
    return column;
}
