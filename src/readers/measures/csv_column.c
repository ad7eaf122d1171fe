#include "readers/measures/csv_column.h"

#include "readers/measures/memory_words.h"

static bool has_word(struct od_view name, const char *wanted)
{
    struct od_view word;
    size_t n = strlen(wanted);
    while (od_memory_next_word(&name, &word)) {
        bool same = word.n == n;
        for (size_t i = 0; same && i < n; i++)
            same = (word.p[i] | 0x20) == wanted[i];
        if (same)
            return true;
    }
    return false;
}

static void copy_unit(struct od_csv_column *column, struct od_view unit)
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

/* "mem %", "ram_percent"; Weights & Biases has "gpu.0.memoryAllocated" for the share, with "Bytes"
 * behind it for the size. */
static bool is_share(struct od_view name)
{
    return od_view_find_char(name, '%', 0) != OD_VIEW_NONE || has_word(name, "percent") ||
           has_word(name, "pct") || od_view_ends(name, OD_VIEW(".memoryAllocated"));
}

static struct od_csv_column share_column(struct od_csv_column column, unsigned words)
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

/* Memory when its words say so; the last unit among them is its unit. */
static struct od_csv_column memory_column(struct od_view name)
{
    struct od_csv_column column = {0};
    unsigned words = 0;
    struct od_view word, rest = name;
    /* torch.cuda.memory_stats counts what was ever allocated, too, and by pool. */
    bool moment =
        od_view_ends(name, OD_VIEW(".all.current")) || od_view_ends(name, OD_VIEW(".all.peak"));
    /* of Weights & Biases, beside the value itself */
    bool envelope = od_view_ends(name, OD_VIEW("__MIN")) || od_view_ends(name, OD_VIEW("__MAX"));
    if ((od_view_has(name, OD_VIEW("bytes.")) && !moment) || envelope)
        return column;
    /* xpu-smi's is what is in use; elsewhere it is the time that memory is busy. */
    bool share = is_share(name), filled = od_view_has(name, OD_VIEW("Memory Utilization (%)"));
    while (od_memory_next_word(&rest, &word)) {
        if (od_memory_word(word) == OD_MW_DEVICE)
            column.device = number_behind(rest);
        if (od_memory_is_unit(word))
            copy_unit(&column, word);
        else if (!(od_memory_word(word) & OD_MW_UNKNOWN) &&
                 !(filled && od_view_eq_str(word, "Utilization")))
            words |= od_memory_word(word);
    }
    if (share)
        return share_column(column, words);
    if (od_view_has(name, OD_VIEW("(B)")))
        copy_unit(&column, OD_VIEW("B"));
    if ((words & (OD_MW_MEMORY | OD_MW_RSS | OD_MW_VIRTUAL)) || column.unit[0] != '\0')
        column.field = od_memory_field(words, &column.space);
    if (column.field == OD_F_RESERVED) /* by an allocator of a device */
        column.space = "device";
    /* "used_memory_mb" beside "gpu_memory_mb": what is not of the device is the machine's. */
    if (column.field != OD_F_NONE && !column.space)
        column.space = "host";
    return column;
}

static double time_unit(struct od_view name)
{
    if (has_word(name, "ms") || has_word(name, "msec") || has_word(name, "milliseconds"))
        return 1e-3;
    if (has_word(name, "hours"))
        return 3600;
    if (has_word(name, "min") || has_word(name, "minutes"))
        return 60;
    bool seconds = has_word(name, "s") || has_word(name, "sec") || has_word(name, "seconds") ||
                   has_word(name, "elapsed") || od_view_starts(name, OD_VIEW("Relative Time"));
    return seconds ? 1 : 0;
}

static struct od_csv_column count_column(struct od_view name)
{
    static const struct {
        const char *word;
        enum od_field field;
    } names[] = {{"epoch", OD_F_EPOCH}, {"step", OD_F_STEP}, {"iteration", OD_F_STEP},
                 {"iter", OD_F_STEP},   {"pid", OD_F_PID},   {"rank", OD_F_RANK}};
    for (size_t i = 0; i < OD_COUNT_OF(names); i++) {
        if (has_word(name, names[i].word) && !has_word(name, "time"))
            return (struct od_csv_column){.field = names[i].field};
    }
    return (struct od_csv_column){0};
}

struct od_csv_column od_csv_column_of(struct od_view name)
{
    struct od_csv_column column = memory_column(name);
    if (column.field != OD_F_NONE)
        return column;
    if (has_word(name, "timestamp") || has_word(name, "time") || has_word(name, "elapsed") ||
        has_word(name, "seconds") || has_word(name, "minutes") || has_word(name, "hours"))
        return (struct od_csv_column){.field = OD_F_ELAPSED, .seconds = time_unit(name)};
    static const char *const devices[] = {"index",  "gpu",       "gpu_id",   "GPU", "gpu_index",
                                          "device", "device_id", "DeviceId", NULL};
    if (od_view_eq_any(name, devices))
        return (struct od_csv_column){.field = OD_F_DEVICE};
    static const char *const groups[] = {"JobID", "name",       "NAME",  "Name", "POD",
                                         "pod",   "Image Name", "JOBID", NULL};
    if (od_view_eq_any(name, groups))
        return (struct od_csv_column){.field = OD_F_GROUP};
    static const char *const processes[] = {"process_name", "COMMAND", "Command",
                                            "CMD",          "command", NULL};
    if (od_view_eq_any(name, processes))
        return (struct od_csv_column){.field = OD_F_PROCESS};
    return count_column(name);
}

struct od_csv_column od_csv_column_of_smi(struct od_view name)
{
    static const struct {
        const char *name;
        enum od_field field;
    } known[] = {{"memory.used", OD_F_IN_USE},
                 {"memory.total", OD_F_CAPACITY},
                 {"memory.free", OD_F_FREE},
                 {"used_memory", OD_F_IN_USE},
                 {"used_gpu_memory", OD_F_IN_USE},
                 {"timestamp", OD_F_ELAPSED},
                 {"index", OD_F_DEVICE},
                 {"gpu_index", OD_F_DEVICE},
                 {"pid", OD_F_PID},
                 {"process_name", OD_F_PROCESS},
                 /* name a device, but not by its number */
                 {"gpu_uuid", OD_F_GROUP},
                 {"uuid", OD_F_GROUP},
                 {"pci.bus_id", OD_F_GROUP},
                 {"gpu_bus_id", OD_F_GROUP}};
    struct od_view bare = name;
    size_t bracket = od_view_find_char(name, '[', 0);
    if (bracket != OD_VIEW_NONE)
        bare = od_view_trim(od_view_head(name, bracket));
    for (size_t i = 0; i < OD_COUNT_OF(known); i++) {
        if (od_view_eq_str(bare, known[i].name))
            return (struct od_csv_column){
                .field = known[i].field, .space = "device", .unit = "MiB"};
    }
    return (struct od_csv_column){0};
}
