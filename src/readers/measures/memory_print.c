/*
 * Memory printed with a unit by any program: "rss 1.2 GB", "GPU mem (GB): 3.10 | Peak Mem: 4.20",
 * "max_mem: 4096M", "allocated: 3.1GiB reserved: 4GiB", "mem 3.1/8.0 GB", "pmem(rss=1234567,
 * vms=2345678)". The words before a number say what it measures (memory_words.h), the rest of the
 * line has the step, epoch, rank and device.
 *
 * A line that is not clear by itself waits for a second line with the same words: memory in use is
 * printed repeatedly, and changes. A number without a unit then gets the unit that its magnitude
 * suggests (measure.h), unless a rule knows the program. Memory without an owner stays without one.
 * "mem" with a step or an epoch is the device's, unless the log says that it means the process
 * ("host memory is psutil...memory_info().rss").
 */
#include "readers/measures/measure.h"
#include "readers/measures/memory_line.h"
#include "readers/measures/memory_section.h"
#include "readers/reader.h"

#include "readers/measures/memory_print_lists.inc"

enum { LINE_MAX_BYTES = 2000, SAID_MAX = 16 };

/* The words before a number, and the numbers printed with them. */
struct said {
    uint64_t hash;
    double number;
    unsigned times;
    bool mixed; /* the messages after it differ */
    uint64_t message;
    bool varied; /* its value changes, so it is memory in use and not a total */
    const char *units[OD_MEMORY_FOUND_MAX]; /* units guessed for numbers without one */
    bool held; /* the first line of this kind waits for a second one, because it does not show its
                  owner */
    struct od_kept_line first;      /* that first line */
    struct od_memory_section under; /* section of that line */
    double whole;                   /* the latest total */
    bool uses;                      /* the total changes, so it is memory in use */
};

struct print {
    bool host_declared; /* the log says that "mem" means the process */
    bool physical;      /* it prints "physical memory", so its "virtual memory" is another metric */
    bool host_measured; /* measured by psutil, which knows no devices: memory without an owner is
                           the host's */
    struct said said[SAID_MAX];
    unsigned next_said;
    struct od_memory_section section;
};

/* --- events --- */

static void set_place(const struct od_memory_line *l, const struct od_memory_found *found,
                      struct od_event *event, char name[static 21])
{
    const struct {
        enum od_field field;
        struct od_memory_count count;
    } counts[] = {
        {OD_F_STEP, l->step}, {OD_F_EPOCH, l->epoch}, {OD_F_RANK, l->rank}, {OD_F_PID, l->pid}};
    for (size_t i = 0; i < OD_COUNT_OF(counts); i++) {
        if (counts[i].count.known)
            od_event_set_count(event, counts[i].field, counts[i].count.n);
    }
    if (l->runtime >= 0)
        od_event_set_number(event, OD_F_ELAPSED, l->runtime);
    if (l->key.n > 0)
        od_event_set_text(event, OD_F_GROUP,
                          od_view_head(od_view_from(l->text, l->key.at), l->key.n));
    bool host = found->space && strcmp(found->space, "host") == 0;
    if (found->device.known && !host)
        od_event_set_text(event, OD_F_DEVICE, od_view_of(od_num_print_u64(found->device.n, name)));
}

static bool same_owner(const struct od_memory_found *a, const struct od_memory_found *b)
{
    bool space = a->space == b->space || (a->space && b->space && strcmp(a->space, b->space) == 0);
    return space && a->device.known == b->device.known && a->device.n == b->device.n &&
           a->unitless == b->unitless && a->heap == b->heap && a->privately == b->privately;
}

static void emit(struct od_memory_line *l, const struct od_line *line, const struct od_sink *sink)
{
    for (size_t i = 0; i < l->n; i++) {
        struct od_memory_found *first = &l->found[i];
        char name[21];
        if (first->field == OD_F_NONE)
            continue;
        /* two series, because a log may print both */
        const char *by = first->given ? "memory_print.allocator" : "memory_print";
        struct od_event event;
        od_measure_begin(&event, by, line, first->assumed ? NULL : first->space);
        event.unit_guessed = first->unitless;
        set_place(l, first, &event, name);
        if (first->heap)
            od_event_set_text(&event, OD_F_PROCESS, OD_VIEW("heap"));
        if (first->privately)
            od_event_set_text(&event, OD_F_NAME, OD_VIEW("private"));
        if (l->when.n > 0)
            od_event_set_text(&event, OD_F_NAME, l->when);
        if (l->phase && !l->phases)
            od_event_set_text(&event, OD_F_PHASE, od_view_of(l->phase));
        for (size_t j = i; j < l->n; j++) {
            struct od_memory_found *found = &l->found[j];
            if (found->field == OD_F_NONE || !same_owner(first, found))
                continue;
            if (found->field != OD_F_SHARE)
                od_event_set_known(&event, found->field, found->bytes);
            if (found->share > 0 && found->share <= 1)
                od_event_set_number(&event, OD_F_SHARE, found->share);
            if (j > i)
                found->field = OD_F_NONE;
        }
        od_sink_put(sink, &event);
    }
}

/* Does an allocator of a device print it: "allocated: ... reserved: ..."? */
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

/* Adds the line to those with the same words. Totals are printed once, memory in use repeatedly. */
static struct said *say(struct print *s, const struct od_memory_line *l)
{
    double number = 0; /* not a sum: what is used and what is free add up to the same */
    for (size_t i = 0; i < l->n; i++)
        number = 2 * number + (l->found[i].unitless              ? l->found[i].number
                               : l->found[i].field == OD_F_SHARE ? l->found[i].share
                                                                 : (double)l->found[i].bytes.n);
    for (size_t i = 0; i < SAID_MAX; i++) {
        struct said *said = &s->said[i];
        if (said->times == 0 || said->hash != l->words)
            continue;
        said->varied = said->varied || said->number < number || said->number > number;
        said->mixed = said->mixed || said->message != l->message;
        said->number = number;
        said->times++;
        return said;
    }
    struct said *said = &s->said[s->next_said++ % SAID_MAX];
    said->hash = l->words;
    said->number = number;
    said->times = 1;
    said->message = l->message;
    said->varied = said->held = said->mixed = said->uses = false;
    said->whole = 0;
    return said;
}

/* "vm memory total=210MB": a total that changes, without memory in use or free beside it, is the
 * memory in use. */
static void learn_total(struct said *said, struct od_memory_line *l)
{
    struct od_memory_found *total = NULL;
    for (size_t i = 0; i < l->n; i++) {
        if (l->found[i].field == OD_F_IN_USE || l->found[i].field == OD_F_FREE)
            return;
        total = l->found[i].field == OD_F_CAPACITY ? &l->found[i] : total;
    }
    if (!total || total->heap) /* a heap's total is what it took from the system */
        return;
    double whole = total->unitless ? total->number : (double)total->bytes.n;
    said->uses = said->uses || (said->times > 1 && (whole < said->whole || whole > said->whole));
    said->whole = whole;
    if (said->uses) {
        total->field = OD_F_IN_USE;
        total->ownerless = true;
    }
}

/* "Memory after forward", "GPU memory after ...": totals have no moments, and moments of a step are
 * printed for a device. */
static bool is_of_step(struct od_view when)
{
    static const char *const words[] = {"orward", "ackward", "ptimizer", "zero_grad",
                                        "cuda",   "GPU",     "gpu",      NULL};
    return od_view_has_any(when, words);
}

/* "mem_used=9GB gpu_mem_used=7GB": a number beside a device's number is the machine's, unless the
 * line also names the host. */
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

/* "memory usage ...; peak ...": a number beside one without an owner has none either. */
static bool is_ownerless(const struct od_memory_line *l)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->found[i].ownerless)
            return !l->allocated; /* "Memory usage ... Peak allocated ..." */
    return false;
}

/* Is it virtual memory of a program that also prints physical memory? Alone, psutil's virtual
 * memory is the machine's. */
static bool is_virtual(const struct print *s, const struct od_memory_line *l)
{
    return s->physical && (od_view_has(l->text, OD_VIEW("irtual mem")) ||
                           od_view_has(l->text, OD_VIEW("irtual Mem")));
}

/* Memory allocated by a garbage-collected runtime is not a device's. */
static bool is_collected(const struct od_memory_line *l, const struct od_memory_found *found)
{
    return found->allocator && od_view_has_any(l->text, collected);
}

/* Decides whose memory it is, if the words do not say it. */
static void settle_owner(const struct print *s, const struct od_memory_line *l, bool step,
                         struct od_memory_found *found)
{
    bool moment = l->when.n > 0 && is_of_step(l->when);
    if (is_collected(l, found))
        found->space = "host";
    if (found->space)
        return;
    if (found->field == OD_F_IN_USE && is_virtual(s, l)) {
        found->space = "host";
        found->field = OD_F_VIRTUAL;
        return;
    }
    if (s->host_declared || l->process) {
        found->space = "host";
        found->field = found->field == OD_F_IN_USE ? OD_F_RSS : found->field;
    } else if (found->field == OD_F_SHARE) {
        found->space = "host"; /* percent from psutil; a device's would be named */
    } else if (found->vague || l->headed) {
        found->space = s->host_measured ? "host" : "unknown";
    } else if ((step && !is_ownerless(l)) || l->allocated || moment ||
               found->field == OD_F_RESERVED) {
        found->space = "device";
        found->assumed = !l->allocated && !moment && found->field != OD_F_RESERVED;
    } else {
        found->space = s->host_measured ? "host" : "unknown";
    }
}

/* May the number be something else (a total, a plan), judged from this line? */
static bool is_doubtful(const struct print *s, const struct od_memory_line *l,
                        const struct od_memory_found *found, bool step)
{
    bool moment = l->when.n > 0 && (found->space || is_of_step(l->when));
    bool figure = found->field == OD_F_PEAK || found->field == OD_F_FREE;
    bool nobodys = (is_ownerless(l) || (figure && !step)) && !found->space &&
                   found->field != OD_F_SHARE && l->when.n == 0 && !l->process && !s->host_declared;
    return found->unitless || found->vague || found->named || l->headed ||
           (found->bare && !step && !moment) || nobodys ||
           (found->allocator && !allocates(l) && l->when.n == 0);
}

static const char *unit_of(const struct od_memory_found *found)
{
    return od_measure_unit_of_part(found->number, found->pages                ? OD_MEASURED_PAGES
                                                  : found->heap               ? OD_MEASURED_HEAP
                                                  : found->field == OD_F_PEAK ? OD_MEASURED_PEAK
                                                                              : OD_MEASURED);
}

/* Keeps the unit that two lines agree on, because later values may cross the border between two
 * units. */
static void learn_units(struct said *said, const struct od_memory_line *l)
{
    static const char order[] = "BKMG";
    for (size_t i = 0; i < l->n && said->times <= 2; i++) {
        const char *unit = l->found[i].unitless ? unit_of(&l->found[i]) : NULL;
        const char *before = said->times > 1 ? said->units[i] : NULL;
        bool smaller = unit && before && strchr(order, unit[0]) < strchr(order, before[0]);
        said->units[i] = before && !smaller ? before : unit;
    }
}

static bool set_unit(struct od_memory_found *found, const char *unit)
{
    double scaled = found->number;
    uint64_t factor = 1;
    for (size_t i = 0; unit && i < 3 && "KMG"[i]; i++)
        if (unit[0] == "KMG"[i])
            factor = UINT64_C(1) << (10 * (i + 1));
    scaled *= (double)factor;
    if (!unit || !(scaled < 1e15))
        return false;
    found->bytes = od_bytes_exact((uint64_t)scaled);
    return true;
}

/* Decides about each number; true if some wait for a second line. */
static bool settle(const struct print *s, struct od_memory_line *l, const struct said *said)
{
    bool step = l->step.known || l->epoch.known || l->loss || allocates(l), waits = false;
    bool again = said->times > 1;
    for (size_t i = 0; i < l->n; i++) {
        struct od_memory_found *found = &l->found[i];
        if (!found->space && is_beside_device(l, found))
            found->space = "host";
        bool doubtful = is_doubtful(s, l, found, step);
        /* a single number must vary to be a measurement, unless the line has a step */
        bool enough = again && l->headed
                          ? said->varied && said->mixed
                          : again && (said->varied || found->ownerless || found->allocator ||
                                      (step && !found->vague) || s->host_declared);
        if (doubtful && !enough) {
            found->field = OD_F_NONE;
            waits = true;
            continue;
        }
        settle_owner(s, l, step, found);
        if (found->unitless && !set_unit(found, said->units[i]))
            found->field = OD_F_NONE;
    }
    return waits;
}

static bool is_stranger(struct od_view text)
{
    return od_view_has_any(text, strangers);
}

static bool measures_host(struct od_view text)
{
    return od_view_has(text, OD_VIEW("psutil"));
}

static bool declares_host(struct od_view text)
{
    return od_view_has(text, OD_VIEW("tracemalloc")) ||
           (od_view_has(text, OD_VIEW("memory_info")) &&
            (od_view_has(text, OD_VIEW("rss")) || od_view_has(text, OD_VIEW("psutil"))));
}

/* Is it a row of a table, whose meaning is in its heading? The last form is from an allocator's
 * dump. */
static bool is_row(struct od_view text)
{
    return od_view_starts(text, OD_VIEW("|")) || od_view_starts(text, OD_VIEW("+-")) ||
           od_view_has(text, OD_VIEW(" in use in bin."));
}

/* Does the line have no memory numbers? */
static bool is_empty(struct od_view text)
{
    return text.n > LINE_MAX_BYTES || is_row(text) || is_stranger(text) ||
           !od_memory_line_may_hold(text);
}

/* Stores the line until another one with its words comes. */
static void hold(struct said *said, const struct od_memory_section *section,
                 const struct od_line *line)
{
    said->held = line->text.n <= OD_EXCERPT;
    if (said->held)
        od_line_keep(&said->first, line);
    said->under = *section;
}

static bool read_held(struct said *said, struct od_memory_line *ret_line)
{
    if (od_memory_section_has(&said->under, said->first.line.text))
        od_memory_section_read(&said->under, said->first.line.text, ret_line);
    else
        od_memory_line_read(said->first.line.text, NULL, ret_line);
    return ret_line->n > 0;
}

/* Emits the events of the first line after a second one came. */
static void tell_held(struct print *s, struct said *said, const struct od_sink *sink)
{
    struct od_memory_line l, before;
    if (!said->held || !read_held(said, &l) || !read_held(said, &before))
        return;
    unsigned times = said->times;
    said->times = 1;
    (void)settle(s, &before, said);
    said->times = times;
    if (settle(s, &l, said))
        return;
    for (size_t i = 0; i < l.n; i++)
        if (before.found[i].field != OD_F_NONE)
            l.found[i].field = OD_F_NONE; /* emitted already */
    emit(&l, &said->first.line, sink);
    said->held = false;
}

/* False if it has no memory number. */
static bool read_line(struct print *s, const struct od_line *line, struct od_memory_line *ret_line)
{
    if (od_memory_section_has(&s->section, line->text) && !is_empty(line->text)) {
        od_memory_section_read(&s->section, line->text, ret_line);
        if (ret_line->n > 0)
            return true;
    }
    void **kept = od_line_kept(line, openers);
    struct od_memory_form *forms = kept ? *kept : NULL;
    if (od_memory_form_read(forms, line->text, ret_line))
        return ret_line->n > 0;
    bool declares = declares_host(line->text);
    s->host_declared |= declares;
    s->host_measured |= measures_host(line->text);
    s->physical |= od_view_has(line->text, OD_VIEW("hysical mem")) ||
                   od_view_has(line->text, OD_VIEW("hysical Mem"));
    if (is_empty(line->text))
        return false;
    od_memory_line_read(line->text, NULL, ret_line);
    if (kept && !declares)
        *kept = od_memory_form_keep(ret_line, line->memory->arena, forms);
    return ret_line->n > 0;
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct print *s = state;
    struct od_memory_line l;
    if (!read_line(s, line, &l)) {
        od_memory_section_pass(&s->section, line->text);
        return OD_TAKE_NONE;
    }
    struct said *said = say(s, &l);
    learn_units(said, &l);
    learn_total(said, &l);
    tell_held(s, said, sink);
    if (settle(s, &l, said) && said->times == 1)
        hold(said, &s->section, line);
    emit(&l, line, sink);
    return OD_TAKE_SHARE;
}

static bool is_silent(struct od_view text)
{
    return !declares_host(text) && !measures_host(text) && is_empty(text) &&
           !od_memory_section_begins(text);
}

static bool is_open(const void *state)
{
    return ((const struct print *)state)->section.open;
}

/* Closes the section at the end of a source; everything else stays. */
static void end(void *state, const struct od_sink *sink)
{
    (void)sink;
    ((struct print *)state)->section.open = false;
}

const struct od_reader od_reader_memory_print = {
    .name = "memory_print",
    .literals = openers,
    .numbered = numbered,
    .state_size = sizeof(struct print),
    .silent = is_silent,
    .line = take_line,
    .is_open = is_open,
    .end = end,
};
