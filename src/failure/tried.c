#include "failure/tried.h"

#include "base/named_number.h"
#include "facts/argv.h"
#include "facts/setting_number.h"
#include "failure/failure.h"

static bool is_on_line_of(const struct od_setting *one, const struct od_setting *other)
{
    return od_prov_distance(&one->said.at, &other->said.at) == 0;
}

/* Is it the smallest batch that failed, and did none work? A failed batch proves nothing about
 * smaller ones. */
static bool is_least(const struct od_case *c, const struct od_setting *failed)
{
    uint64_t n;
    OD_FOR_EACH (const struct od_setting, setting, c->settings) {
        struct od_view value = setting->value;
        if (setting->id == OD_SETTING_BATCH_WORKED ||
            (setting->id == OD_SETTING_BATCH_FAILED && is_on_line_of(setting, failed) &&
             od_num_take_u64(&value, &n) && n > 1))
            return false;
    }
    return true;
}

/* A place that sets another value than the one that works by the text; NULL = none. */
static const struct od_assigned *now_of(const struct od_case *c, const struct od_tried *worked)
{
    double to = od_setting_value(worked->number, NULL);
    for (size_t i = 0; worked->name.n > 0 && c->assigned && i < c->assigned->n; i++) {
        const struct od_assigned *now = &c->assigned->items[i];
        double value = od_setting_value(now->value, NULL);
        if (od_is_same_setting(now->name, worked->name) && value > 0 &&
            (value < to || value > to) && od_prov_distance(&now->at, &worked->said->said.at) > 0)
            return now;
    }
    return NULL;
}

/* The result of the value by this setting; OD_BOUNDS = none. */
static enum od_bound result_of(enum od_setting_id id)
{
    return id == OD_SETTING_BATCH_FAILED   ? OD_BOUND_FAILED
           : id == OD_SETTING_BATCH_WORKED ? OD_BOUND_WORKED
           : id >= OD_SETTING_BOUND_FAILED && id <= OD_SETTING_BOUND_WORKED
               ? (enum od_bound)(id - OD_SETTING_BOUND_FAILED)
               : OD_BOUNDS;
}

struct od_tries od_tries_of(const struct od_case *c, struct od_arena *arena)
{
    static const char batch[] = "batch";
    struct od_tried *list = OD_NEW_N(arena, c->settings.n + 1, struct od_tried), *named = NULL;
    size_t n = 0;
    OD_FOR_EACH (const struct od_setting, setting, c->settings) {
        struct od_tried *one = &list[n];
        const struct od_stated_value said = od_stated_read(setting->value);
        bool of_batch =
            setting->id == OD_SETTING_BATCH_FAILED || setting->id == OD_SETTING_BATCH_WORKED;
        *one = (struct od_tried){.said = setting,
                                 .name = of_batch ? od_view_of(batch) : said.name,
                                 .number = said.number,
                                 .result = result_of(setting->id),
                                 .helped = setting->id == OD_SETTING_FOUND_WORKED,
                                 .did_not_help = setting->id == OD_SETTING_FOUND_FAILED};
        bool kept = setting->id == OD_SETTING_FOUND_KEPT;
        if (one->result == OD_BOUNDS && !one->helped && !one->did_not_help && !kept)
            continue;
        one->nameless = one->name.n == 0;
        one->did_not_help =
            one->did_not_help && (!od_has_word(one->name, batch) || is_least(c, setting));
        if (!one->nameless)
            named = of_batch ? named : one;
        else if (named && od_prov_distance(&named->said->said.at, &setting->said.at) <= 1)
            one->name = named->name;
        if (one->result == OD_BOUND_WORKED && !of_batch)
            one->now = now_of(c, one);
        n++;
    }
    return (struct od_tries){list, n};
}

bool od_tries_are_bounds(const struct od_failure *failure, const struct od_setting *found)
{
    const struct od_view number = od_stated_read(found->value).number;
    OD_FOR_EACH_OF (const struct od_tried, one, failure->tries.list, failure->tries.n) {
        bool worked = one->now || one->said->id == OD_SETTING_BATCH_WORKED;
        bool other = one->said->id == OD_SETTING_BOUND_WORKED && number.n > 0 &&
                     one->number.n > 0 && !od_view_eq(number, one->number);
        if ((worked || other) && is_on_line_of(one->said, found))
            return true;
    }
    return false;
}

const struct od_tried *od_tries_to_restore(const struct od_failure *failure)
{
    OD_FOR_EACH_OF (const struct od_tried, one, failure->tries.list, failure->tries.n)
        if (one->now)
            return one;
    return NULL;
}

bool od_tries_refute(const struct od_failure *failure, struct od_view words,
                     const struct od_prov *after)
{
    OD_FOR_EACH_OF (const struct od_tried, one, failure->tries.list, failure->tries.n) {
        const struct od_prov *at = &one->said->said.at;
        bool failed = one->did_not_help || one->result == OD_BOUND_FAILED ||
                      one->result == OD_BOUND_LITTLE || one->result == OD_BOUND_STANDS;
        bool same = (one->did_not_help && one->number.n == 0) ||
                    od_number_of(words, one->name, one->number) != OD_VIEW_NONE ||
                    (after && at->source == after->source && at->line > after->line);
        if (failed && same && od_is_written_name(one->name) && od_word_has(words, one->name))
            return true;
    }
    return false;
}

/* Is it a batch hardly smaller than that of the run, by a number on the line? */
static bool is_near(const struct od_failure *failure, const struct od_tried *batch)
{
    uint64_t n, now = failure->batch.n;
    OD_FOR_EACH_OF (const struct od_tried, one, failure->tries.list, failure->tries.n) {
        struct od_view number = one->number;
        if (one->said->id == OD_SETTING_BATCH_FAILED && is_on_line_of(one->said, batch->said) &&
            od_num_take_u64(&number, &n) && n < now && 2 * n > now)
            return true;
    }
    return false;
}

const struct od_evidence *od_tries_batch_did_not_help(const struct od_failure *failure)
{
    const struct od_evidence *found = NULL;
    OD_FOR_EACH_OF (const struct od_tried, one, failure->tries.list, failure->tries.n) {
        if (one->said->id == OD_SETTING_BATCH_WORKED)
            return NULL;
        if (one->said->id == OD_SETTING_FOUND_FAILED && od_has_word(one->name, "batch") &&
            !is_near(failure, one))
            found = found ? found : &one->said->said;
    }
    return found;
}

/* --- results of one setting --- */

/* Is it a form or a value of that knob in a program of the failure? ret_unit: unit of its
 * number. */
static bool is_form_of(const struct od_software_used *stack, const char *knob_name,
                       struct od_view name, const char **ret_unit)
{
    for (size_t i = 0; i < stack->n; i++) {
        const struct od_knob *knob = od_software_knob(stack->parts[i].software, knob_name);
        if (knob && (od_knob_sets(knob, name) || od_knob_is_called(knob, name))) {
            *ret_unit = knob->unit;
            return true;
        }
    }
    return false;
}

/* Is the trial about that knob? A size or a total that was tried is about each limit of memory, and
 * a share about a setting of a share. "num_workers" is about the number of workers, unless a value
 * of it worked. */
static bool is_about(const struct od_failure *failure, const struct od_tried *one, const char *name,
                     bool memory, const char **ret_unit)
{
    bool size = one->result == OD_BOUND_MOST || od_setting_number_read(one->number).unit.n > 0;
    if (one->nameless && one->result != OD_BOUNDS &&
        (size ? memory : strcmp(name, "memory_fraction") == 0 && one->number.p[0] == '0'))
        return true;
    return one->name.n > 0 &&
           (is_form_of(&failure->stack, name, one->name, ret_unit) ||
            (one->result == OD_BOUND_WORKED ? od_is_same_setting(one->name, od_view_of(name))
                                            : od_has_word(one->name, name)));
}

struct od_bounds od_tries_bounds(const struct od_failure *failure, const char *name, bool memory)
{
    struct od_bounds bounds = {0};
    OD_FOR_EACH_OF (const struct od_tried, one, failure->tries.list, failure->tries.n) {
        const char *unit = NULL;
        if (!is_about(failure, one, name, memory, &unit))
            continue;
        if ((one->result != OD_BOUNDS || one->did_not_help) && one->number.n > 0)
            od_bounds_add(&bounds, one->did_not_help ? OD_BOUND_FAILED : one->result, one->number,
                          unit, one->said->said.at.line);
        bounds.kept |= one->said->id == OD_SETTING_FOUND_KEPT;
        if (one->helped && !od_tries_are_bounds(failure, one->said))
            bounds.changed = 1;
        if (one->did_not_help && one->number.n == 0 && bounds.changed == 0)
            bounds.changed = -1;
    }
    return bounds;
}
