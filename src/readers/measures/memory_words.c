#include "readers/measures/memory_words.h"

#include "base/ascii.h"
#include "base/num.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_MAX = 16 };

struct entry {
    const char *word;
    unsigned means;
};

/* In order of the words. */
static const struct entry entries[] = {
    {"activation", OD_MW_FOREIGN},
    {"activations", OD_MW_FOREIGN},
    {"active", OD_MW_FOREIGN},
    {"after", OD_MW_GLUE | OD_MW_WHEN},
    {"alloc", OD_MW_ALLOCATED},
    {"allocated", OD_MW_ALLOCATED},
    {"allocation", OD_MW_ALLOCATED},
    {"at", OD_MW_GLUE},
    {"avail", OD_MW_FREE},
    {"available", OD_MW_FREE},
    {"ave", OD_MW_FOREIGN},
    {"average", OD_MW_FOREIGN},
    {"avg", OD_MW_FOREIGN},
    {"backward", OD_MW_GLUE | OD_MW_WHEN},
    {"bandwidth", OD_MW_FOREIGN},
    {"bar", OD_MW_FOREIGN},
    {"batch", OD_MW_GLUE},
    {"before", OD_MW_GLUE | OD_MW_WHEN},
    {"begin", OD_MW_GLUE | OD_MW_WHEN},
    {"block", OD_MW_FOREIGN},
    {"blocks", OD_MW_FOREIGN},
    {"budget", OD_MW_FOREIGN},
    {"buffer", OD_MW_FOREIGN},
    {"by", OD_MW_GLUE},
    {"cached", OD_MW_RESERVED},
    {"capacity", OD_MW_TOTAL},
    {"clock", OD_MW_FOREIGN},
    {"clocks", OD_MW_FOREIGN},
    {"consumed", OD_MW_USED},
    {"consumes", OD_MW_USED},
    {"consuming", OD_MW_USED},
    {"consumption", OD_MW_USED},
    {"cpu", OD_MW_HOST},
    {"cuda", OD_MW_DEVICE},
    {"cur", OD_MW_USED},
    {"current", OD_MW_USED},
    {"currently", OD_MW_USED},
    {"data", OD_MW_FOREIGN},
    {"dataset", OD_MW_FOREIGN},
    {"dcu", OD_MW_DEVICE},
    {"delta", OD_MW_FOREIGN},
    {"device", OD_MW_DEVICE},
    {"diff", OD_MW_FOREIGN},
    {"disk", OD_MW_FOREIGN},
    {"during", OD_MW_GLUE | OD_MW_WHEN},
    {"end", OD_MW_GLUE | OD_MW_WHEN},
    {"epoch", OD_MW_GLUE},
    {"estimated", OD_MW_FOREIGN},
    {"eval", OD_MW_GLUE | OD_MW_VALIDATION},
    {"evaluating", OD_MW_GLUE | OD_MW_VALIDATION},
    {"evaluation", OD_MW_GLUE | OD_MW_VALIDATION},
    {"expected", OD_MW_FOREIGN},
    {"far", OD_MW_GLUE},
    {"file", OD_MW_FOREIGN},
    {"footprint", OD_MW_USED},
    {"for", OD_MW_GLUE},
    {"forward", OD_MW_GLUE | OD_MW_WHEN},
    {"fraction", OD_MW_FOREIGN},
    {"free", OD_MW_FREE},
    {"frequency", OD_MW_FOREIGN},
    {"gpu", OD_MW_DEVICE},
    {"gradient", OD_MW_FOREIGN},
    {"gradients", OD_MW_FOREIGN},
    {"graph", OD_MW_FOREIGN},
    {"growth", OD_MW_FOREIGN},
    {"hbm", OD_MW_DEVICE | OD_MW_MEMORY},
    {"heap", OD_MW_FOREIGN},
    {"highest", OD_MW_PEAK},
    {"hip", OD_MW_DEVICE},
    {"host", OD_MW_HOST},
    {"hpu", OD_MW_DEVICE},
    {"hwm", OD_MW_RSS | OD_MW_PEAK},
    {"image", OD_MW_FOREIGN},
    {"in", OD_MW_GLUE},
    {"increase", OD_MW_FOREIGN},
    {"increment", OD_MW_FOREIGN},
    {"info", OD_MW_GLUE},
    {"is", OD_MW_GLUE},
    {"iter", OD_MW_GLUE},
    {"iteration", OD_MW_GLUE},
    {"kv", OD_MW_FOREIGN},
    {"left", OD_MW_FREE},
    {"limit", OD_MW_FOREIGN},
    {"load", OD_MW_GLUE},
    {"machine", OD_MW_RAM},
    {"max", OD_MW_MAX},
    {"maximum", OD_MW_MAX},
    {"maxresident", OD_MW_RSS | OD_MW_PEAK},
    {"maxrss", OD_MW_RSS | OD_MW_PEAK},
    {"mean", OD_MW_FOREIGN},
    {"mem", OD_MW_MEMORY},
    {"memory", OD_MW_MEMORY},
    {"min", OD_MW_FOREIGN},
    {"minimum", OD_MW_FOREIGN},
    {"mlu", OD_MW_DEVICE},
    {"model", OD_MW_FOREIGN},
    {"mps", OD_MW_DEVICE},
    {"need", OD_MW_FOREIGN},
    {"needed", OD_MW_FOREIGN},
    {"needs", OD_MW_FOREIGN},
    {"node", OD_MW_RAM},
    {"now", OD_MW_GLUE},
    {"npu", OD_MW_DEVICE},
    {"occupied", OD_MW_USED},
    {"of", OD_MW_GLUE},
    {"on", OD_MW_GLUE},
    {"optimizer", OD_MW_FOREIGN},
    {"param", OD_MW_FOREIGN},
    {"parameter", OD_MW_FOREIGN},
    {"parameters", OD_MW_FOREIGN},
    {"params", OD_MW_FOREIGN},
    {"pct", OD_MW_GLUE | OD_MW_PERCENT},
    {"peak", OD_MW_PEAK},
    {"per", OD_MW_FOREIGN},
    {"percent", OD_MW_GLUE | OD_MW_PERCENT},
    {"percentage", OD_MW_GLUE | OD_MW_PERCENT},
    {"phase", OD_MW_GLUE},
    {"pinned", OD_MW_FOREIGN},
    {"post", OD_MW_GLUE | OD_MW_WHEN},
    {"pre", OD_MW_GLUE | OD_MW_WHEN},
    {"proc", OD_MW_GLUE},
    {"process", OD_MW_GLUE},
    {"pss", OD_MW_RSS},
    {"ram", OD_MW_RAM | OD_MW_MEMORY},
    {"recommended", OD_MW_FOREIGN},
    {"remaining", OD_MW_FREE},
    {"req", OD_MW_FOREIGN},
    {"requested", OD_MW_FOREIGN},
    {"required", OD_MW_FOREIGN},
    {"requires", OD_MW_FOREIGN},
    {"reserve", OD_MW_RESERVED},
    {"reserved", OD_MW_RESERVED},
    {"resident", OD_MW_RSS},
    {"rss", OD_MW_RSS},
    {"saved", OD_MW_FOREIGN},
    {"saving", OD_MW_FOREIGN},
    {"savings", OD_MW_FOREIGN},
    {"set", OD_MW_GLUE},
    {"shared", OD_MW_FOREIGN},
    {"shm", OD_MW_FOREIGN},
    {"size", OD_MW_GLUE},
    {"smi", OD_MW_DEVICE | OD_MW_MEMORY | OD_MW_USED},
    {"so", OD_MW_GLUE},
    {"start", OD_MW_GLUE | OD_MW_WHEN},
    {"step", OD_MW_GLUE},
    {"swap", OD_MW_FOREIGN},
    {"sys", OD_MW_RAM},
    {"system", OD_MW_RAM},
    {"takes", OD_MW_USED},
    {"temp", OD_MW_FOREIGN},
    {"temperature", OD_MW_FOREIGN},
    {"tensor", OD_MW_FOREIGN},
    {"tensors", OD_MW_FOREIGN},
    {"test", OD_MW_GLUE | OD_MW_VALIDATION},
    {"testing", OD_MW_GLUE | OD_MW_VALIDATION},
    {"the", OD_MW_GLUE},
    {"this", OD_MW_GLUE},
    {"threshold", OD_MW_FOREIGN},
    {"torch", OD_MW_DEVICE},
    {"total", OD_MW_TOTAL},
    {"tpu", OD_MW_DEVICE},
    {"train", OD_MW_GLUE | OD_MW_TRAIN},
    {"training", OD_MW_GLUE | OD_MW_TRAIN},
    {"usage", OD_MW_USED},
    {"use", OD_MW_USED},
    {"used", OD_MW_USED},
    {"uses", OD_MW_USED},
    {"using", OD_MW_USED},
    {"uss", OD_MW_RSS},
    {"util", OD_MW_FOREIGN},
    {"utilization", OD_MW_FOREIGN},
    {"val", OD_MW_GLUE | OD_MW_VALIDATION},
    {"valid", OD_MW_GLUE | OD_MW_VALIDATION},
    {"validating", OD_MW_GLUE | OD_MW_VALIDATION},
    {"validation", OD_MW_GLUE | OD_MW_VALIDATION},
    {"virt", OD_MW_VIRTUAL},
    {"virtual", OD_MW_GLUE},
    {"vm", OD_MW_GLUE},
    {"vms", OD_MW_VIRTUAL},
    {"vram", OD_MW_DEVICE | OD_MW_MEMORY},
    {"vsz", OD_MW_VIRTUAL},
    {"was", OD_MW_GLUE},
    {"weight", OD_MW_FOREIGN},
    {"weights", OD_MW_FOREIGN},
    {"while", OD_MW_GLUE},
    {"working", OD_MW_RSS},
    {"xpu", OD_MW_DEVICE},
};

/* "MiB" is no camel. */
static bool begins_unit(struct od_view text)
{
    return text.n >= 3 && memchr("KMGT", text.p[0], 4) && text.p[1] == 'i' && text.p[2] == 'B' &&
           (text.n == 3 || !od_is_letter(text.p[3]));
}

bool od_memory_next_word(struct od_view *text, struct od_view *ret_word)
{
    size_t at = 0;
    while (at < text->n && !od_is_letter(text->p[at]))
        at++;
    if (at == text->n)
        return false;
    const char *p = text->p;
    size_t end = at + (begins_unit(od_view_from(*text, at)) ? strlen("MiB") : 1);
    while (end < text->n && od_is_letter(p[end])) {
        /* memAllocated; GPUMem, but RSSs stays whole */
        bool hump = od_is_upper(p[end]) && !od_is_upper(p[end - 1]);
        bool after_capitals = od_is_upper(p[end]) && end + 2 < text->n &&
                              od_is_letter(p[end + 1]) && !od_is_upper(p[end + 1]) &&
                              od_is_letter(p[end + 2]);
        if (hump || after_capitals)
            break;
        end++;
    }
    *ret_word = od_view_head(od_view_from(*text, at), end - at);
    *text = od_view_from(*text, end);
    return true;
}

static int compare(const void *key, const void *entry)
{
    return strcmp(key, ((const struct entry *)entry)->word);
}

unsigned od_memory_word(struct od_view word)
{
    char lower[WORD_MAX];
    if (word.n == 0 || word.n >= sizeof lower)
        return OD_MW_UNKNOWN;
    for (size_t i = 0; i < word.n; i++)
        lower[i] = od_lower(word.p[i]);
    lower[word.n] = '\0';
    const struct entry *found =
        bsearch(lower, entries, OD_COUNT_OF(entries), sizeof entries[0], compare);
    return found ? found->means : OD_MW_UNKNOWN;
}

bool od_memory_is_unit(struct od_view word)
{
    static const char *const units[] = {
        "KB",    "MB",    "GB",   "TB",        "KiB",       "MiB",       "GiB",       "TiB", "kB",
        "kb",    "mb",    "gb",   "kib",       "mib",       "gib",       "Kb",        "Mb",  "Gb",
        "bytes", "Bytes", "byte", "megabytes", "gigabytes", "MegaBytes", "GigaBytes", NULL};
    if (word.n < 2 || word.n > 9 || !strchr("KMGTkmgbB", word.p[0]))
        return false;
    return od_view_eq_any(word, units);
}

enum od_field od_memory_field(unsigned words, const char **ret_space)
{
    bool ram = (words & OD_MW_RAM) && !(words & OD_MW_DEVICE);
    bool host = ram || (words & (OD_MW_HOST | OD_MW_RSS | OD_MW_VIRTUAL));
    bool device = words & (OD_MW_DEVICE | OD_MW_ALLOCATED);
    *ret_space = host ? "host" : device ? "device" : NULL;
    if (words & (OD_MW_FOREIGN | OD_MW_UNKNOWN))
        return OD_F_NONE;
    bool peak = words & (OD_MW_PEAK | OD_MW_MAX);
    if (words & OD_MW_VIRTUAL)
        return peak ? OD_F_NONE : OD_F_VIRTUAL;
    if (words & OD_MW_RSS)
        return peak ? OD_F_PEAK : OD_F_RSS;
    const unsigned allocator = OD_MW_ALLOCATED | OD_MW_RESERVED;
    if (!(words & (OD_MW_MEMORY | OD_MW_DEVICE | allocator)))
        return OD_F_NONE;
    if (words & OD_MW_RESERVED)
        return peak ? OD_F_NONE : OD_F_RESERVED;
    if (peak)
        return OD_F_PEAK;
    /* "total memory available": what there is, or what is left of it */
    if ((words & OD_MW_FREE) && (words & OD_MW_TOTAL))
        return OD_F_NONE;
    if (words & OD_MW_FREE)
        return OD_F_FREE;
    if ((words & OD_MW_TOTAL) && !(words & (OD_MW_USED | OD_MW_ALLOCATED)))
        return OD_F_CAPACITY;
    return words & (OD_MW_MEMORY | OD_MW_USED | OD_MW_ALLOCATED) ? OD_F_IN_USE : OD_F_NONE;
}
