#include "advise/slots.h"

#include "advise/remedies.h"

#include <math.h>
#include <stdio.h>

const struct od_number *od_slots_number(const struct od_finding *finding, struct od_view name)
{
    for (size_t i = 0; i < finding->nnumbers; i++) {
        if (od_view_eq_str(name, finding->numbers[i].name))
            return &finding->numbers[i];
    }
    return NULL;
}

struct od_view od_slots_command(const struct od_case *c, const struct od_prov *at)
{
    enum { LONGEST = 74 }; /* maximum length of a line of code in bytes */
    struct od_view command = {0};
    OD_FOR_EACH (const struct od_evidence, said, c->commands) {
        if (said->at.source == at->source && said->at.line < at->line && said->text.n <= LONGEST)
            command = said->text;
    }
    return command;
}

/* --- lines to paste --- */

static bool has_slot(const char *code, const char *name)
{
    struct od_slot slot;
    bool found = false;
    for (; !found && od_slot_find(code, &slot); code = slot.end)
        found = od_view_eq_str(slot.name, name);
    return found;
}

double od_slots_bytes(const struct od_finding *finding, const char *name)
{
    const struct od_number *number = od_slots_number(finding, od_view_of(name));
    return number ? number->value : 0;
}

double od_slots_needs(const struct od_finding *finding)
{
    static const double besides = 1.4, more = 1.2;
    double limit = od_slots_bytes(finding, "limit_bytes");
    double whole = od_slots_bytes(finding, "whole_bytes");
    double heap = limit > 0 ? besides * od_slots_bytes(finding, "heap_bytes") : 0;
    return fmax(more * whole, heap > limit ? heap : 0);
}

/* The memory to request, in GiB: the need; if that is not known, a fifth more than the memory in
 * use with the refused request, or twice the limit. */
static struct od_count gib_of(const struct od_finding *finding)
{
    static const double gib = 1024.0 * 1024 * 1024, most = 8192, more = 1.2;
    double needs = od_slots_needs(finding);
    double limit = od_slots_bytes(finding, "limit_bytes");
    double wanted =
        od_slots_bytes(finding, "in_use_bytes") + od_slots_bytes(finding, "requested_bytes");
    double least = wanted > limit ? more * wanted : 2 * limit;
    double asked = (needs > limit ? needs : least) / gib;
    if (asked <= 0 || asked > most)
        return (struct od_count){0};
    uint64_t whole = (uint64_t)asked;
    return od_count_of(whole + ((double)whole < asked));
}

const char *od_slots_limit(const struct od_finding *finding, struct od_arena *arena)
{
    struct od_count gib = od_slots_needs(finding) > od_slots_bytes(finding, "limit_bytes")
                              ? gib_of(finding)
                              : (struct od_count){0};
    return gib.known ? od_arena_printf(arena, "%" PRIu64 " GiB", gib.n) : NULL;
}

/* Values of slots as shares of the memory to request, in GiB or MiB: the heap that fits in it;
 * twice Spark's default for memory outside of the heap; a tenth of the heap. */
static const struct {
    const char *slot;
    double of_request, of_limit, unit;
} shares[] = {{"gib", 1, 0, 1},
              {"mib", 1, 0, 1024},
              {"heapmib", 0.8, 0, 1024},
              {"overhead", 0, 0.2 / 1.1, 1024}};

static struct od_count share_at(const struct od_how_values *values, size_t i)
{
    static const double gib = 1024.0 * 1024 * 1024, exact = 1e-6;
    struct od_count whole = gib_of(values->finding);
    double limit = od_slots_bytes(values->finding, "limit_bytes") / gib;
    double asked = values->enough > 0 ? values->enough / gib : (double)whole.n;
    if (values->failed >= asked * gib)
        asked = 2 * values->failed / gib;
    double of = shares[i].of_request * asked + shares[i].of_limit * limit;
    /* the heap keeps the rest of the limit */
    double rest = shares[i].of_limit > 0 ? limit * (1 - shares[i].of_limit / 2) : 0;
    double most = (shares[i].of_request > 0 ? shares[i].of_request : 1) * values->most / gib - rest;
    if (values->most > 0 && of > most)
        return (struct od_count){.n = (uint64_t)fmax(most * shares[i].unit, 0), .known = most > 0};
    return (asked > 0 || whole.known) && of > 0
               ? od_count_of((uint64_t)ceil(of * shares[i].unit - exact))
               : whole;
}

#define AT(field) offsetof(struct od_how_values, field)
static const struct {
    const char *slot;
    size_t value; /* offset of the member in the values */
} counts[] = {{"batch", AT(batch)},    {"accumulation", AT(accumulation)},
              {"same", AT(same)},      {"fewer", AT(workers)},
              {"shm", AT(shm)},        {"pid", AT(pid)},
              {"gpu", AT(free_device)}};

struct od_count od_slots_value(const struct od_how_values *values, struct od_view name,
                               bool accumulates)
{
    char full[64];
    const struct od_finding *finding = values->finding;
    if (od_view_eq_str(name, "batch") && accumulates && values->part.known)
        return values->part;
    if (od_view_eq_str(name, "half") && values->same.known && values->same.n > 1)
        return od_count_of(values->same.n / 2);
    for (size_t i = 0; i < OD_COUNT_OF(counts); i++)
        if (od_view_eq_str(name, counts[i].slot))
            return *(const struct od_count *)(const void *)((const char *)values + counts[i].value);
    for (size_t i = 0; finding && i < OD_COUNT_OF(shares); i++)
        if (od_view_eq_str(name, shares[i].slot))
            return share_at(values, i);
    (void)snprintf(full, sizeof full, "%.*s_count", (int)name.n, name.p);
    const struct od_number *number = finding ? od_slots_number(finding, od_view_of(full)) : NULL;
    return number ? od_count_of((uint64_t)number->value) : (struct od_count){0};
}

/* Slots for texts, and the names that scripts use if the text is not known. */
static const struct {
    const char *slot, *unknown;
    size_t value; /* offset of the member in the values; 0 = the slot is a number */
} names[] = {
    {"job", "JOBID", AT(job)},
    {"unit", "NAME.service", AT(unit)},
    {"pod", "POD", AT(pod)},
    {"command", "YOUR_PROGRAM", AT(command)},
    {"checkpoint", "PATH", AT(checkpoint)},
    {"model", "NAME", AT(model)},
    {"moved", "", AT(moved)},
    {"accumulation", "2", 0},
};

/* The text for a slot, or the usual name in scripts; empty = omit the line. */
static struct od_view text_of(const struct od_how_values *values, struct od_view slot)
{
    for (size_t i = 0; i < OD_COUNT_OF(names); i++) {
        struct od_view text = {0};
        if (!od_view_eq_str(slot, names[i].slot))
            continue;
        if (names[i].value > 0)
            memcpy(&text, (const char *)values + names[i].value, sizeof text);
        return text.n > 0 ? text : od_view_of(names[i].unknown);
    }
    return (struct od_view){0};
}

const char *od_how_number(const struct od_advice_how *how, const struct od_how_values *values,
                          struct od_arena *arena)
{
    struct od_slot slot;
    bool accumulates = how->code && has_slot(how->code, "accumulation");
    if (!how->code || !od_slot_find(how->code, &slot))
        return NULL;
    if (accumulates && values->accumulation.known && values->part.known)
        return od_arena_printf(arena, "%" PRIu64 " x %" PRIu64, values->accumulation.n,
                               values->part.n);
    struct od_count value = od_slots_value(values, slot.name, false);
    bool samples = od_view_eq_str(slot.name, "batch") || od_view_eq_str(slot.name, "half");
    return samples && value.known ? od_arena_printf(arena, "%" PRIu64, value.n) : NULL;
}

bool od_how_sets_place(const struct od_advice_how *how)
{
    return how->code && (has_slot(how->code, "gib") || has_slot(how->code, "mib"));
}

/* Do only headings remain, because all their lines were omitted: "resources:", "[wsl2]"? */
static bool is_heading(struct od_view lines)
{
    return lines.n == 0 || strchr(":]", lines.p[lines.n - 1]);
}

/* Is a value or a usual name known for every slot of the line? */
static bool can_fill_line(const char *line, const char *end, const struct od_how_values *values,
                          bool accumulates)
{
    struct od_slot slot;
    for (; od_slot_find(line, &slot) && slot.end <= end; line = slot.end)
        if (!od_slots_value(values, slot.name, accumulates).known &&
            text_of(values, slot.name).n == 0)
            return false;
    return true;
}

/* Fills a slot and returns the rest of the line. A size that worked and is no whole number of GiB
 * is in MiB, so the unit after the slot is changed. */
static const char *fill_slot(const struct od_slot *slot, const struct od_how_values *values,
                             bool accumulates, struct od_buf *to)
{
    struct od_view text = text_of(values, slot->name);
    struct od_count value = od_slots_value(values, slot->name, accumulates),
                    mib = od_slots_value(values, OD_VIEW("mib"), false);
    bool quoted = od_view_eq_str(slot->name, "model"); /* needs quotes as a Python string */
    bool parts = values->enough > 0 && mib.known && mib.n % 1024 > 0 &&
                 od_view_eq_str(slot->name, "gib") && od_lower(*slot->end) == 'g';
    if (parts)
        od_buf_printf(to, "%" PRIu64 "%c", mib.n, *slot->end == 'g' ? 'm' : 'M');
    else if (value.known)
        od_buf_printf(to, "%" PRIu64, value.n);
    else
        od_buf_printf(to, quoted ? "'%.*s'" : "%.*s", (int)text.n, text.p);
    return slot->end + parts;
}

/* Keeps the lines whose slots can all be filled. A line with the number of a process or device is
 * omitted if the number is not known, which alone leaves no gap. */
const char *od_how_code(const struct od_advice_how *how, const struct od_how_values *values,
                        struct od_arena *arena)
{
    struct od_slot slot;
    struct od_buf text = {0};
    bool left_out = false; /* a line was omitted */
    if (!how->code || !od_slot_find(how->code, &slot))
        return how->code;
    bool accumulates = has_slot(how->code, "accumulation");
    for (const char *line = how->code, *end; *line; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        if (!can_fill_line(line, end, values, accumulates)) {
            (void)od_slot_find(line, &slot);
            left_out |= !od_view_eq_str(slot.name, "pid") && !od_view_eq_str(slot.name, "gpu");
            continue;
        }
        const char *rest = line;
        while (od_slot_find(rest, &slot) && slot.end <= end) {
            od_buf_add(&text, (struct od_view){rest, (size_t)(slot.begin - rest)});
            rest = fill_slot(&slot, values, accumulates, &text);
        }
        od_buf_add(&text, (struct od_view){rest, (size_t)(end - rest)});
        od_buf_add_str(&text, "\n");
    }
    struct od_view lines = od_view_trim(od_buf_view(&text));
    const char *filled = NULL;
    if (!left_out || !is_heading(lines))
        filled = od_arena_str(arena, lines);
    od_buf_done(&text);
    return filled;
}

const char *od_how_text(const struct od_advice_how *how, const struct od_how_values *values,
                        struct od_arena *arena)
{
    struct od_slot slot;
    if (!how->text || !od_slot_find(how->text, &slot))
        return how->text;
    struct od_view name = values->extension,
                   before = od_view_head(od_view_of(how->text), (size_t)(slot.begin - how->text));
    if (od_view_eq_str(slot.name, "lever"))
        name = od_view_of(values->lever);
    else if (name.n == 0)
        name = OD_VIEW("compiled extensions");
    return name.n == 0 ? od_arena_str(arena, od_view_trim(before)) /* omits the last sentence */
                       : od_arena_printf(arena, "%.*s%.*s%s", (int)before.n, before.p, (int)name.n,
                                         name.p, slot.end);
}

const char *od_remedy_title(const struct od_remedy *remedy, struct od_arena *arena)
{
    struct od_slot slot; /* {what} */
    const struct od_advice_remedy *advice = remedy->advice;
    const char *what = remedy->action.what;
    if (!what && advice->named && remedy->nhow > 0 && remedy->how[0].to)
        return od_arena_printf(arena, "%s: try %s", advice->title, remedy->how[0].to);
    if (!what)
        return advice->title;
    if (!advice->named || !od_slot_find(advice->named, &slot))
        return od_arena_printf(arena, "%s: %s", advice->title, what);
    return od_arena_printf(arena, "%.*s%s%s", (int)(slot.begin - advice->named), advice->named,
                           what, slot.end);
}
