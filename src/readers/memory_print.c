/*
 * Prints of memory that carry their unit, whoever wrote them: "rss 1.2 GB", "GPU mem (GB): 3.10 |
 * Peak Mem: 4.20", "max_mem: 4096M", "allocated: 3.1GiB reserved: 4GiB", "mem 3.1/8.0 GB",
 * "pmem(rss=1234567, vms=2345678)". The words before a number say what it is (memory_words.h), the
 * rest of the line where: step, epoch, rank, device.
 *
 * Numbers without a unit are left to rules, which know who printed them. What the words do not
 * settle is left out; "mem" alone counts only beside a step or epoch, and is the device's unless
 * the log has said that it means the process ("host memory is psutil...memory_info().rss").
 */
#include "base/ascii.h"
#include "base/num.h"
#include "readers/measure.h"
#include "readers/memory_line.h"
#include "readers/reader.h"

#include <string.h>

enum { LINE_MAX_BYTES = 2000, SAID_MAX = 8 };

/* Words before a number, and the number. */
struct said {
    uint64_t hash;
    uint64_t bytes;
    bool varied; /* it was another one before: what is in use, not what there is */
};

struct print {
    bool host_declared; /* "mem" alone is the process here */
    struct said said[SAID_MAX];
    unsigned next_said;
};

static const char *const openers[] = {
    " mem",     "mem ",   "mem:",   "mem=",     "mem_",        "mem'",  "mem\"", "_mem",
    "Mem ",     "Mem:",   "Mem=",   "Memory",   "memory",      "MEM ",  "MEM:",  "rss ",
    "rss:",     "rss=",   "rss_",   "RSS",      "RAM",         "VRAM",  "VmHWM", "llocated",
    "LLOCATED", "vram",   "ram=",   "ram:",     "ram_",        "Mem.",  "mem(",  "Mem(",
    "/mem",     "MEMORY", "maxrss", "eserved:", "esident set", "GPU: ", "GB / ", "MB / ",
    "iB / ",    "-smi: ", "lloc=",  "lloc:",    "gpu=",        "gpu:",  NULL};

/* Lines that complain, plan or configure: their numbers are no measurements of the run. */
static const char *const strangers[] = {
    "out of memory",
    "Out of memory",
    "OutOfMemory",
    "OUT_OF_MEMORY",
    "ried to allocate",
    "oom",
    "OOM",
    "Killed",
    "rror:",
    "ailed",
    "xceed",
    "nable to",
    "oad weight",
    "KV ",
    "kv_cache",
    "quire",
    "stimate",
    "recommend",
    "--mem",
    "would",
    "annot",
    "nsufficient",
    "Profil",
    "BIOS",
    "kernel code",
    "MaxMemAllocated", /* rules know these */
    "MemAvail",
    "MemTotal",
    "ident set size (kb",
    "imum resident set",
    "Used Memory (B)",
    "Total Memory (B)",
    "bytes.all.",
    "avail mem=", /* of SGLang */
    "mem_get_info()",
    "svmem(",
    "memory.current",
    "usage_in_bytes",
    "MB (lfb ",
    "Trained Tokens",      /* of MLX */
    "CPU Virtual Memory:", /* of DeepSpeed, which has its own reader */
    "memory_limit_:",      /* of a dump, not of a moment */
    "mem usages: ",
    "mem avail: ",
    "GPU memory use (", /* of rocm-smi: the card stands on another line, or in another cell */
    NULL,
};

/* --- events --- */

static void set_place(const struct od_memory_line *l, const struct od_memory_found *found,
                      struct od_event *event, char name[static 21])
{
    const struct {
        enum od_field field;
        struct od_count count;
    } counts[] = {
        {OD_F_STEP, l->step}, {OD_F_EPOCH, l->epoch}, {OD_F_RANK, l->rank}, {OD_F_PID, l->pid}};
    for (size_t i = 0; i < OD_COUNT_OF(counts); i++) {
        if (counts[i].count.known)
            od_event_set_count(event, counts[i].field, counts[i].count.n);
    }
    if (l->runtime >= 0)
        od_event_set_number(event, OD_F_ELAPSED, l->runtime);
    bool host = found->space && strcmp(found->space, "host") == 0;
    if (found->device.known && !host)
        od_event_set_text(event, OD_F_DEVICE, od_view_of(od_num_print_u64(found->device.n, name)));
}

static bool same_owner(const struct od_memory_found *a, const struct od_memory_found *b)
{
    bool space = a->space == b->space || (a->space && b->space && strcmp(a->space, b->space) == 0);
    return space && a->device.known == b->device.known && a->device.n == b->device.n;
}

static void emit(struct od_memory_line *l, const struct od_line *line, const struct od_sink *sink)
{
    for (size_t i = 0; i < l->n; i++) {
        struct od_memory_found *first = &l->found[i];
        char name[21];
        if (first->field == OD_F_NONE)
            continue;
        /* Two series: a log may print both, one below the other. */
        const char *by = first->given ? "memory_print.allocator" : "memory_print";
        struct od_event event = od_measure_event(by, line, first->space);
        set_place(l, first, &event, name);
        if (l->when.n > 0)
            od_event_set_text(&event, OD_F_NAME, l->when);
        if (l->phase && !l->phases)
            od_event_set_text(&event, OD_F_PHASE, od_view_of(l->phase));
        for (size_t j = i; j < l->n; j++) {
            struct od_memory_found *found = &l->found[j];
            if (found->field == OD_F_NONE || !same_owner(first, found))
                continue;
            if (found->field != OD_F_SHARE)
                od_measure_set(&event, found->field, found->bytes);
            if (found->share > 0 && found->share <= 1)
                od_event_set_number(&event, OD_F_SHARE, found->share);
            if (j > i)
                found->field = OD_F_NONE;
        }
        od_sink_put(sink, &event);
    }
}

/* "allocated: ... reserved: ...": an allocator of a device speaks. */
static bool allocates(const struct od_memory_line *l)
{
    bool allocated = false, reserved = false;
    for (size_t i = 0; i < l->n; i++) {
        bool device = l->found[i].space && strcmp(l->found[i].space, "device") == 0;
        allocated = allocated || (device && l->found[i].field != OD_F_RESERVED);
        reserved = reserved || l->found[i].field == OD_F_RESERVED;
    }
    return allocated && reserved;
}

/* The same words before the first number that were printed before; NULL when they were not. What
 * there is, is said once; what is in use, again and again. */
static const struct said *said_again(struct print *s, const struct od_memory_line *l)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < l->first_number; i++) {
        unsigned char c = (unsigned char)l->text.p[i];
        /* a count before it may be another one each time, but not the device */
        if (!od_is_digit((char)c))
            hash = (hash ^ c) * UINT64_C(1099511628211);
    }
    uint64_t bytes = l->n > 0 ? l->found[0].bytes.n : 0;
    if (l->n > 0 && l->found[0].device.known)
        hash = (hash ^ l->found[0].device.n) * UINT64_C(1099511628211);
    for (size_t i = 0; i < SAID_MAX; i++) {
        struct said *said = &s->said[i];
        if (said->hash != hash)
            continue;
        said->varied = said->varied || said->bytes != bytes;
        said->bytes = bytes;
        return said;
    }
    s->said[s->next_said++ % SAID_MAX] = (struct said){hash, bytes, false};
    return NULL;
}

/* "memory usage ...; peak ...": what is said without an owner beside it has none either. */
static bool is_ownerless(const struct od_memory_line *l)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->found[i].ownerless)
            return true;
    return false;
}

/* "Memory after forward", "GPU memory after ...": no capacity has moments, and who prints those of
 * a step prints the device's. */
static bool is_of_step(struct od_view when)
{
    static const char *const words[] = {"orward", "ackward", "ptimizer", "zero_grad",
                                        "cuda",   "GPU",     "gpu",      NULL};
    return od_view_has_any(when, words);
}

/* "mem_used=9GB gpu_mem_used=7GB": what is not of the device that another number is of, is the
 * machine's, unless the line speaks of the host by its name. */
static bool is_beside_device(const struct od_memory_line *l, const struct od_memory_found *found)
{
    bool beside = false, host = false;
    for (size_t i = 0; i < l->n && found->ownerless; i++) {
        const struct od_memory_found *other = &l->found[i];
        bool owned = other->space && !other->given;
        beside = beside || (owned && strcmp(other->space, "device") == 0);
        host = host || (owned && strcmp(other->space, "host") == 0);
    }
    return beside && !host;
}

/* "mem" alone: whose it is. */
static void settle(struct print *s, struct od_memory_line *l)
{
    bool allocator = allocates(l);
    bool beside_step = l->step.known || l->epoch.known || l->loss || allocator;
    const struct said *again = said_again(s, l);
    bool ownerless = is_ownerless(l) && !l->allocated; /* "Memory usage ... Peak allocated ..." */
    for (size_t i = 0; i < l->n; i++) {
        struct od_memory_found *found = &l->found[i];
        if (!found->space && is_beside_device(l, found))
            found->space = "host";
        bool process = !found->space && (od_view_has(l->text, OD_VIEW("rocess mem")) ||
                                         od_view_has(l->text, OD_VIEW("this process")));
        bool moment = l->when.n > 0 && (found->space || is_of_step(l->when));
        /* "GPU 1 memory: 5.1 GB", "RAM: 12 GB", and then another number */
        bool varies = again && again->varied && found->space;
        bool repeats = again && (process || s->host_declared);
        bool alone = found->bare && !beside_step && !moment && !repeats && !varies;
        /* "peak: 4 GB", "available memory: 4 GB" with nothing beside it */
        bool figure = found->field == OD_F_PEAK || found->field == OD_F_FREE;
        bool nobodys = (ownerless || (figure && !beside_step)) && !found->space;
        bool unowned = nobodys && found->field != OD_F_SHARE && l->when.n == 0 && !process &&
                       !s->host_declared;
        if (alone || unowned || (found->allocator && !allocator && !again && l->when.n == 0))
            found->field = OD_F_NONE;
        else if (!found->space && (process || s->host_declared)) {
            found->space = "host";
            found->field = found->field == OD_F_IN_USE ? OD_F_RSS : found->field;
        } else if (!found->space && found->field == OD_F_SHARE)
            found->space = "host"; /* psutil's percent; a device's is said to be */
        else if (!found->space && (beside_step || l->allocated || moment))
            found->space = "device";
    }
}

static bool is_stranger(struct od_view text)
{
    return od_view_has_any(text, strangers);
}

static bool declares_host(struct od_view text)
{
    return od_view_has(text, OD_VIEW("memory_info")) &&
           (od_view_has(text, OD_VIEW("rss")) || od_view_has(text, OD_VIEW("psutil")));
}

/* Rows of tables: their headings, not the words beside a number, say what it is. The last is of an
 * allocator's dump. */
static bool is_row(struct od_view text)
{
    return od_view_starts(text, OD_VIEW("|")) || od_view_starts(text, OD_VIEW("+-")) ||
           od_view_has(text, OD_VIEW(" in use in bin."));
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct print *s = state;
    if (declares_host(line->text))
        s->host_declared = true;
    struct od_memory_line l;
    if (is_row(line->text) || line->text.n > LINE_MAX_BYTES ||
        !od_memory_line_read(line->text, &l) || is_stranger(line->text))
        return OD_TAKE_NONE;
    settle(s, &l);
    emit(&l, line, sink);
    return OD_TAKE_SHARE;
}

/* "GPU 0: 4120/12206 MB" */
static const char *const numbered[] = {"GPU", NULL};

const struct od_reader od_reader_memory_print = {
    .name = "memory_print",
    .literals = openers,
    .numbered = numbered,
    .state_size = sizeof(struct print),
    .line = take_line,
};
