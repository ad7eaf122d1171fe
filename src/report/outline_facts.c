/* The facts line: which log this is. */
#include "report/outline_parts.h"
#include "report/words.h"

static void say(struct od_outline *outline, const char *words)
{
    od_say(od_doc_fact(outline->doc), "%s", words);
}

static void say_source(struct od_outline *outline)
{
    const struct od_report *report = outline->report;
    if (report->nsources == 0)
        return;
    const char *name = report->sources[0]->name, *slash = strrchr(name, '/');
    name = strcmp(name, "-") == 0 ? "standard input" : slash ? slash + 1 : name;
    od_say_as(od_doc_fact(outline->doc), OD_STRONG, "%s%s", name,
              report->nsources == 1
                  ? ""
                  : od_arena_printf(outline->arena, " and %zu more", report->nsources - 1));
}

/* Seconds since the machine started are not shown: they are not a time of day. */
static bool is_date(struct od_view stamp)
{
    return od_view_find_char(stamp, ':', 0) != OD_VIEW_NONE;
}

static void say_program(struct od_outline *outline)
{
    const struct od_stack *stack = &outline->diagnosis->failure->stack;
    const char *driver = stack->driver ? stack->driver->title : NULL;
    bool named = outline->incident && outline->incident->producer.n > 0 &&
                 !od_view_eq_str(outline->incident->producer, "other");
    if (named) {
        const char *producer = od_words_producer(outline->arena, outline->incident->producer);
        say(outline, driver && strcmp(driver, producer) != 0
                         ? od_arena_printf(outline->arena, "%s, %s", driver, producer)
                         : producer);
    } else if (driver) {
        say(outline, driver);
    }
}

static void say_device(struct od_outline *outline)
{
    const struct od_failure *failure = outline->diagnosis->failure;
    const struct od_case *c = outline->c;
    if (outline->incident && outline->incident->device.n > 0)
        say(outline,
            failure->capacity.known
                ? od_arena_printf(outline->arena, "%s, %s",
                                  od_words_device(outline->arena, outline->incident->device),
                                  od_words_short(outline->arena, failure->capacity.n))
                : od_words_device(outline->arena, outline->incident->device));
    if (c->devices.n > 0 && c->devices.items[0].name.n > 0)
        say(outline, od_arena_str(outline->arena, c->devices.items[0].name));
}

void od_outline_facts(struct od_outline *outline)
{
    const struct od_answer *answer = outline->report->answer;
    say_source(outline);
    if (outline->incident && is_date(outline->incident->stamp))
        say(outline, od_arena_str(outline->arena, outline->incident->stamp));
    say_program(outline);
    say_device(outline);
    if (answer && answer->batch.known)
        say(outline, od_arena_printf(outline->arena, "batch size %s",
                                     od_words_count(outline->arena, answer->batch.n)));
}
