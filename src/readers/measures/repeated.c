/*
 * Memory printed by any program, learnt from repetition: "rss 1.2 GB", "GPU mem (GB): 3.10 | Peak
 * Mem: 4.20", "wid=a3 rss=512MiB". Lines that repeat with numbers that change are a series; the
 * words tell owner and measure (template.h), and what comes again among others tells the source.
 *
 * A line that is not clear by itself waits for a second line with the same words: memory in use is
 * printed repeatedly, and changes. A number without a unit then gets the unit that its magnitude
 * suggests (measure.h), unless a rule knows the program. Memory without an owner stays without one.
 * "mem" with a step or an epoch is the device's, unless the log says that it means the process
 * ("host memory is psutil...memory_info().rss").
 */
#include "readers/measures/measure.h"
#include "readers/measures/template.h"
#include "readers/reader.h"

#include "readers/measures/repeated_lists.inc"

enum { LINE_MAX_BYTES = 2000, GROUPS_MAX = 16, FAMILIES_MAX = 8, HELD_MAX = 10 };
enum { MOMENT = 80, PREFIX = 120, UNIT = 10, AGE_MOST = 5 };

/* Lines with the same words. */
struct group {
    uint64_t hash;
    double number;
    unsigned times;
    bool mixed; /* texts after the memory number differ from line to line */
    uint64_t message;
    bool varied;                     /* its value changes, so it is memory in use and not a total */
    const char *units[OD_SLOTS_MAX]; /* units guessed for numbers without one */
    struct od_kept_line *first;      /* a line without an owner that waits for a second one */
    double whole;                    /* the total that was printed last */
    bool uses;                       /* the total changes, so it is memory in use */
};

/* Lines that differ only in one name, "wid=a3". If names repeat they are sources, otherwise ids. */
struct family {
    uint64_t hash, values[HELD_MAX];
    size_t n;
    bool decided, keyed;
    struct od_kept_line *held[HELD_MAX];
};

/* Lines without a number that describe the lines below: a heading names the memory ("GPU memory:"),
 * a line with the same prefix names the moment ("[utils.py:785:see_memory_usage] before forward
 * 12"). */
struct section {
    bool open;
    unsigned age; /* lines since the heading that did not use it */
    struct od_template_under under;
    uint64_t hash;
    char prefix[PREFIX], moment[MOMENT], unit[UNIT];
    size_t nprefix;
};

struct repeated {
    bool host_declared; /* the log says that "mem" means the process */
    bool physical;      /* it prints "physical memory", so its "virtual memory" is another metric */
    bool host_measured; /* the log uses psutil, which measures only the host */
    struct group groups[GROUPS_MAX];
    unsigned next_group;
    struct family families[FAMILIES_MAX];
    unsigned next_family;
    struct section section;
    struct od_arena *arena;
};

static bool is_space(const struct od_slot *slot, const char *space)
{
    return slot->space && strcmp(slot->space, space) == 0;
}

static void set_place(const struct od_template *t, const struct od_slot *slot,
                      struct od_event *event, char name[static 21])
{
    const struct {
        enum od_field field;
        struct od_count count;
    } counts[] = {{OD_F_STEP, t->step.count},
                  {OD_F_EPOCH, t->epoch.count},
                  {OD_F_RANK, t->rank.count},
                  {OD_F_PID, t->pid.count}};
    for (size_t i = 0; i < OD_COUNT_OF(counts); i++)
        if (counts[i].count.known)
            od_event_set_count(event, counts[i].field, counts[i].count.n);
    if (t->key.n > 0)
        od_event_set_text(event, OD_F_GROUP, od_span_of(t->text, t->key));
    if (slot->device.count.known && !is_space(slot, "host"))
        od_event_set_text(event, OD_F_DEVICE,
                          od_view_of(od_num_print_u64(slot->device.count.n, name)));
}

static bool same_owner(const struct od_slot *a, const struct od_slot *b)
{
    bool space = a->space == b->space || (a->space && is_space(b, a->space));
    return space && a->device.count.known == b->device.count.known &&
           a->device.count.n == b->device.count.n && a->unitless == b->unitless &&
           a->heap == b->heap && a->privately == b->privately;
}

static void emit(struct od_template *t, struct od_view when, const struct od_line *line,
                 const struct od_sink *sink)
{
    for (size_t i = 0; i < t->n; i++) {
        struct od_slot *first = &t->slots[i];
        char name[21];
        if (first->field == OD_F_NONE)
            continue;
        /* two readers' names, because a log may print an allocator's and other numbers */
        const char *by = first->given ? "repeated.allocator" : "repeated";
        struct od_event event;
        od_measure_begin(&event, by, line, first->assumed ? NULL : first->space);
        event.unit_guessed = first->unitless;
        set_place(t, first, &event, name);
        if (first->heap)
            od_event_set_text(&event, OD_F_PROCESS, OD_VIEW("heap"));
        if (first->privately)
            od_event_set_text(&event, OD_F_NAME, OD_VIEW("private"));
        if (when.n > 0)
            od_event_set_text(&event, OD_F_NAME, when);
        if (t->phase && !t->phases)
            od_event_set_text(&event, OD_F_PHASE, od_view_of(t->phase));
        for (size_t j = i; j < t->n; j++) {
            struct od_slot *slot = &t->slots[j];
            if (slot->field == OD_F_NONE || !same_owner(first, slot))
                continue;
            if (slot->field != OD_F_SHARE)
                od_event_set_known(&event, slot->field, slot->bytes);
            if (slot->share > 0 && slot->share <= 1)
                od_event_set_number(&event, OD_F_SHARE, slot->share);
            if (j > i)
                slot->field = OD_F_NONE;
        }
        od_sink_put(sink, &event);
    }
}

/* --- lines with the same words --- */

/* Adds the line to those with the same words. Totals are printed once, memory in use repeatedly. */
static struct group *group_of(struct repeated *s, const struct od_template *t)
{
    uint64_t hash = od_template_identity(t);
    double number = 0; /* a plain sum would not show changes, because used + free is constant */
    for (size_t i = 0; i < t->n; i++)
        number = 2 * number + (t->slots[i].unitless              ? t->slots[i].number
                               : t->slots[i].field == OD_F_SHARE ? t->slots[i].share
                                                                 : (double)t->slots[i].bytes.n);
    struct group *group = NULL;
    for (size_t i = 0; i < GROUPS_MAX && !group; i++)
        group = s->groups[i].times > 0 && s->groups[i].hash == hash ? &s->groups[i] : NULL;
    if (!group) {
        group = &s->groups[s->next_group++ % GROUPS_MAX];
        *group = (struct group){.hash = hash, .message = t->message, .number = number};
    }
    group->varied |= group->number < number || group->number > number;
    group->mixed |= group->message != t->message;
    group->number = number;
    group->times++;
    return group;
}

/* "vm memory total=210MB": a total that changes, without memory in use or free beside it, is the
 * memory in use. */
static void learn_total(struct group *group, struct od_template *t)
{
    struct od_slot *total = NULL;
    for (size_t i = 0; i < t->n; i++) {
        if (t->slots[i].field == OD_F_IN_USE || t->slots[i].field == OD_F_FREE)
            return;
        total = t->slots[i].field == OD_F_CAPACITY ? &t->slots[i] : total;
    }
    if (!total || total->heap) /* a heap's total is what it took from the system */
        return;
    double whole = total->unitless ? total->number : (double)total->bytes.n;
    group->uses |= group->times > 1 && (whole < group->whole || whole > group->whole);
    group->whole = whole;
    if (group->uses) {
        total->field = OD_F_IN_USE;
        total->ownerless = true;
    }
}

/* Keeps the unit that two lines agree on, because later values may cross the border between two
 * units. */
static void learn_units(struct group *group, const struct od_template *t)
{
    static const char order[] = "BKMG";
    for (size_t i = 0; i < t->n && group->times <= 2; i++) {
        const struct od_slot *slot = &t->slots[i];
        enum od_measure_kind kind = slot->pages                ? OD_MEASURED_PAGES
                                    : slot->heap               ? OD_MEASURED_HEAP
                                    : slot->field == OD_F_PEAK ? OD_MEASURED_PEAK
                                                               : OD_MEASURED;
        const char *unit = slot->unitless ? od_measure_unit_of_part(slot->number, kind) : NULL;
        const char *before = group->times > 1 ? group->units[i] : NULL;
        bool smaller = unit && before && strchr(order, unit[0]) < strchr(order, before[0]);
        group->units[i] = before && !smaller ? before : unit;
    }
}

static void set_unit(struct od_slot *slot, const char *unit)
{
    double scaled = slot->number;
    uint64_t factor = 1;
    for (size_t i = 0; unit && i < 3; i++)
        if (unit[0] == "KMG"[i])
            factor = UINT64_C(1) << (10 * (i + 1));
    scaled *= (double)factor;
    if (unit && scaled < 1e15)
        slot->bytes = od_bytes_exact((uint64_t)scaled);
    else
        slot->field = OD_F_NONE;
}

/* Does an allocator of a device print it: "allocated: ... reserved: ..."? */
static bool allocates(const struct od_template *t)
{
    bool allocated = false, reserved = false;
    for (size_t i = 0; i < t->n; i++) {
        bool held = t->slots[i].field != OD_F_RESERVED;
        allocated |= held && is_space(&t->slots[i], "device");
        reserved |= !held;
    }
    return allocated && reserved;
}

/* "Memory after forward", "GPU memory after ...": totals have no moments, and moments of a step are
 * printed for a device. */
static bool is_of_step(struct od_view when)
{
    static const char *const words[] = {"orward", "ackward", "ptimizer", "zero_grad",
                                        "cuda",   "GPU",     "gpu",      NULL};
    return when.n > 0 && od_view_has_any(when, words);
}

/* Is one of the numbers without an owner, as in "memory usage ...; peak ..."? Then all are. */
static bool is_ownerless(const struct od_template *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->slots[i].ownerless)
            return !t->allocated; /* "Peak allocated" beside it shows the owner: an allocator */
    return false;
}

/* Decides whose memory it is, if the words do not say it. */
static void settle_owner(const struct repeated *s, const struct od_template *t, bool step,
                         bool moment, struct od_slot *slot)
{
    static const char *const virtuals[] = {"irtual mem", "irtual Mem", NULL};
    /* memory allocated by a garbage-collected runtime is not a device's */
    if (slot->allocator && od_view_has_any(t->text, collected))
        slot->space = "host";
    if (slot->space)
        return;
    slot->space = s->host_measured ? "host" : "unknown";
    /* alone, psutil's virtual memory is the machine's */
    if (slot->field == OD_F_IN_USE && s->physical && od_view_has_any(t->text, virtuals)) {
        slot->space = "host";
        slot->field = OD_F_VIRTUAL;
    } else if (s->host_declared || t->process) {
        slot->space = "host";
        slot->field = slot->field == OD_F_IN_USE ? OD_F_RSS : slot->field;
    } else if (slot->field == OD_F_SHARE) {
        slot->space = "host"; /* percent from psutil; a device's would be named */
    } else if (!slot->vague && !t->headed &&
               ((step && !is_ownerless(t)) || t->allocated || moment ||
                slot->field == OD_F_RESERVED)) {
        slot->space = "device";
        slot->assumed = !t->allocated && !moment && slot->field != OD_F_RESERVED;
    }
}

/* May the number be something else (a total, a plan), judged from this line? */
static bool is_doubtful(const struct repeated *s, const struct od_template *t,
                        const struct od_slot *slot, bool step, struct od_view at)
{
    bool when = at.n > 0, moment = when && (slot->space || is_of_step(at));
    bool figure = slot->field == OD_F_PEAK || slot->field == OD_F_FREE;
    bool nobodys = (is_ownerless(t) || (figure && !step)) && !slot->space &&
                   slot->field != OD_F_SHARE && !when && !t->process && !s->host_declared;
    return slot->unitless || slot->vague || slot->named || t->headed ||
           (slot->bare && !step && !moment) || nobodys ||
           (slot->allocator && !allocates(t) && !when);
}

/* Decides about each number; true if some wait for a second line. */
static bool settle(const struct repeated *s, struct od_template *t, struct od_view when,
                   const struct group *group, bool again)
{
    bool step = t->step.count.known || t->epoch.count.known || t->loss || allocates(t);
    bool waits = false, of_step = is_of_step(when);
    for (size_t i = 0; i < t->n; i++) {
        struct od_slot *slot = &t->slots[i];
        /* a single number must vary to be a measurement, unless the line has a step */
        bool enough = t->headed ? group->varied && group->mixed
                                : group->varied || slot->ownerless || slot->allocator ||
                                      (step && !slot->vague) || s->host_declared;
        if (is_doubtful(s, t, slot, step, when) && !(again && enough)) {
            slot->field = OD_F_NONE;
            waits = true;
            continue;
        }
        settle_owner(s, t, step, of_step, slot);
        if (slot->unitless)
            set_unit(slot, group->units[i]);
    }
    return waits;
}

/* The prefix "[INFO] [utils.py:785:see_memory_usage] " up to the last "] ", if it names memory. */
static struct od_view prefix_of(struct od_view text)
{
    struct od_view head = od_view_head(text, PREFIX);
    size_t end = 0;
    for (size_t at = 0; (at = od_view_find(head, OD_VIEW("] "), at)) != OD_VIEW_NONE; at += 2) {
        const char *open = od_find_last(head.p, '[', at);
        struct od_view name = open ? od_view_head(head, at) : (struct od_view){0};
        name = open ? od_view_from(name, (size_t)(open - head.p)) : name;
        end = od_view_has(name, OD_VIEW("memory")) ? at + 2 : end;
    }
    return od_view_head(text, end);
}

static bool opens_section(struct od_view text, struct section *ret_section)
{
    struct section *to = ret_section;
    struct od_template_under under;
    if (od_template_heading(text, &under)) {
        *to = (struct section){.open = true, .under = under, .hash = od_view_hash(text)};
        if (under.unit.n < sizeof to->unit)
            memcpy(to->unit, under.unit.p ? under.unit.p : "", under.unit.n);
        return true;
    }
    struct od_view prefix = prefix_of(text), moment = od_view_trim(od_view_from(text, prefix.n));
    moment = od_view_head(moment, MOMENT - 1);
    /* "before forward 12": a counter does not make it another moment */
    while (moment.n > 0 &&
           (od_is_digit(moment.p[moment.n - 1]) || strchr(" :=#,.", moment.p[moment.n - 1])))
        moment.n--;
    if (prefix.n == 0 || moment.n == 0)
        return false;
    *to = (struct section){.open = true, .nprefix = prefix.n};
    memcpy(to->prefix, prefix.p, prefix.n);
    memcpy(to->moment, moment.p, moment.n);
    return true;
}

/* Closes the section at a line that is no row "name = value". */
static void pass_section(struct section *section, struct od_view text)
{
    struct od_view line = od_view_trim(text);
    bool row = line.n == 0 ||
               (od_view_find_char(line, '=', 0) != OD_VIEW_NONE && od_is_alnum(line.p[line.n - 1]));
    if (!opens_section(text, section) &&
        (++section->age > AGE_MOST || (section->under.context && !row)))
        section->open = false;
}

static bool is_of_section(const struct section *section, struct od_view text)
{
    if (!section->open || section->under.context)
        return section->open;
    struct od_view prefix = prefix_of(text);
    bool alike = prefix.n == section->nprefix;
    for (size_t i = 0; i < prefix.n && alike; i++)
        alike = prefix.p[i] == section->prefix[i] ||
                (od_is_digit(prefix.p[i]) && od_is_digit(section->prefix[i]));
    return alike;
}

static bool declares_host(struct od_view text)
{
    return od_view_has(text, OD_VIEW("tracemalloc")) ||
           (od_view_has(text, OD_VIEW("memory_info")) &&
            (od_view_has(text, OD_VIEW("rss")) || od_view_has(text, OD_VIEW("psutil"))));
}

/* Is the line without memory numbers for this reader? Tables have a reader of their own. */
static bool is_empty(struct od_view text)
{
    return text.n > LINE_MAX_BYTES || od_view_starts(text, OD_VIEW("|")) ||
           od_view_starts(text, OD_VIEW("+-")) || !od_template_may_be(text) ||
           od_view_has_any(text, strangers);
}

/* silent() has examined a line whose shape is remembered. */
static bool tells(const struct od_line *line)
{
    return line->memory || !is_empty(line->text);
}

/* False if it has no memory number. */
static bool read_line(struct repeated *s, const struct od_line *line, struct od_template *ret)
{
    struct section *section = &s->section;
    void **kept = od_line_kept(line, openers);
    if (is_of_section(section, line->text) && tells(line)) {
        struct od_template_under under = section->under;
        under.unit = od_view_of(section->unit);
        od_template_read(line->text, under.context ? &under : NULL, ret);
        section->age = 0;
        ret->label ^= section->hash;
        if (ret->n > 0)
            return true;
    }
    struct od_template_kept *forms = kept ? *kept : NULL;
    if (od_template_apply(forms, line->text, ret))
        return ret->n > 0;
    bool declares = declares_host(line->text);
    s->host_declared |= declares;
    s->host_measured |= od_view_has(line->text, OD_VIEW("psutil"));
    s->physical |= od_view_has(line->text, OD_VIEW("hysical mem")) ||
                   od_view_has(line->text, OD_VIEW("hysical Mem"));
    if (!tells(line))
        return false;
    od_template_read(line->text, NULL, ret);
    if (kept && !declares)
        *kept = od_template_keep(ret, line->memory->arena, forms);
    return ret->n > 0;
}

static struct od_view when_of(const struct repeated *s, const struct od_template *t)
{
    if (t->when.n > 0 || !s->section.open)
        return od_span_of(t->text, t->when);
    return od_view_of(s->section.moment);
}

/* Emits the events of the first line after a second one came. */
static void tell_held(struct repeated *s, struct group *group, const struct od_sink *sink)
{
    struct od_template t, before;
    if (!group->first || !read_line(s, &group->first->line, &t) ||
        !read_line(s, &group->first->line, &before))
        return;
    struct od_view when = od_span_of(t.text, t.when);
    (void)settle(s, &before, when, group, false);
    if (settle(s, &t, when, group, true))
        return;
    for (size_t i = 0; i < t.n; i++)
        if (before.slots[i].field != OD_F_NONE)
            t.slots[i].field = OD_F_NONE; /* emitted already */
    emit(&t, when, &group->first->line, sink);
    group->first = NULL;
}

static struct od_kept_line *hold(struct repeated *s, const struct od_line *line)
{
    struct od_kept_line *kept =
        line->text.n <= OD_EXCERPT ? OD_NEW(s->arena, struct od_kept_line) : NULL;
    if (kept)
        od_line_keep(kept, line);
    return kept;
}

/* Is the line a setting such as "work_mem = 64MB" rather than a measurement? */
static bool is_setting(const struct od_template *t, const struct od_line *line)
{
    bool amount = line->segment == OD_SEGMENT_CONFIG;
    for (size_t i = 0; i < t->n && amount; i++)
        amount = t->slots[i].bare;
    return amount;
}

static void take_template(struct repeated *s, struct od_template *t, const struct od_line *line,
                          const struct od_sink *sink)
{
    struct group *group = group_of(s, t);
    struct od_view when = when_of(s, t);
    learn_units(group, t);
    learn_total(group, t);
    tell_held(s, group, sink);
    if (settle(s, t, when, group, group->times > 1) && group->times == 1)
        group->first = hold(s, line);
    emit(t, when, line, sink);
}

static struct family *family_of(struct repeated *s, const struct od_template *t)
{
    for (size_t i = 0; i < FAMILIES_MAX; i++)
        if (s->families[i].n > 0 && s->families[i].hash == t->label)
            return &s->families[i];
    struct family *family = &s->families[s->next_family++ % FAMILIES_MAX];
    *family = (struct family){.hash = t->label};
    return family;
}

/* Emits the waiting lines of a family, now that it is known whether its name is a source. */
static void release(struct repeated *s, struct family *family, const struct od_sink *sink)
{
    struct od_template t;
    family->decided = true;
    for (size_t i = 0; i < family->n; i++) {
        if (!family->held[i] || !read_line(s, &family->held[i]->line, &t))
            continue;
        t.key = family->keyed ? t.mixed : t.key;
        take_template(s, &t, &family->held[i]->line, sink);
    }
}

/* The differing name is a source if it repeats after another: "wid=a3", "wid=b7", "wid=a3". False
 * while this is undecided; the line then waits. */
static bool find_source(struct repeated *s, struct od_template *t, const struct od_line *line,
                        const struct od_sink *sink)
{
    struct family *family = family_of(s, t);
    uint64_t value = od_view_hash(od_span_of(t->text, t->mixed));
    bool again = false, other = false;
    for (size_t i = 0; i < family->n && !family->decided; i++) {
        again |= family->values[i] == value;
        other |= family->values[i] != value;
    }
    if (!family->decided &&
        ((again && other) || family->n == HELD_MAX || (again && family->n > 2))) {
        family->keyed = again && other;
        release(s, family, sink);
    }
    if (family->decided) {
        t->key = family->keyed ? t->mixed : t->key;
        return true;
    }
    family->values[family->n] = value;
    family->held[family->n++] = hold(s, line);
    return false;
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct repeated *s = state;
    struct od_template t;
    static const char *const courses[] = {"fter ", "->", NULL};
    void **kept = od_line_kept(line, openers);
    if (!(kept && *kept) && line->text.n <= LINE_MAX_BYTES &&
        od_view_has_any(line->text, courses) && od_template_course(line, sink))
        return OD_TAKE_ALL;
    if (!read_line(s, line, &t)) {
        pass_section(&s->section, line->text);
        return OD_TAKE_NONE;
    }
    if (is_setting(&t, line))
        return OD_TAKE_SHARE;
    if (t.mixed.n == 0 || find_source(s, &t, line, sink))
        take_template(s, &t, line, sink);
    return OD_TAKE_SHARE;
}

static bool is_silent(struct od_view text)
{
    struct section section;
    return !declares_host(text) && !od_view_has(text, OD_VIEW("psutil")) && is_empty(text) &&
           !opens_section(text, &section);
}

static bool is_open(const void *state)
{
    return ((const struct repeated *)state)->section.open;
}

/* Ends a source of the log: names that are still undecided are no sources. */
static void end(void *state, const struct od_sink *sink)
{
    struct repeated *s = state;
    s->section.open = false;
    for (size_t i = 0; i < FAMILIES_MAX; i++)
        if (!s->families[i].decided)
            release(s, &s->families[i], sink);
}

static void begin(const struct od_reader *reader, void *state, void *shared, struct od_arena *arena)
{
    (void)reader, (void)shared;
    ((struct repeated *)state)->arena = arena;
}

const struct od_reader od_reader_repeated = {
    .name = "repeated",
    .literals = openers,
    .numbered = numbered,
    .state_size = sizeof(struct repeated),
    .begin = begin,
    .silent = is_silent,
    .line = take_line,
    .is_open = is_open,
    .end = end,
};
