#include "report/outline.h"
#include "report/words.h"
#include "runs/fleet_days.h"
#include "runs/fleet_parts.h"
#include "runs/names.h"

enum { GROUPS_SHOWN = 20 };

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* How to call hours of runs: device hours, or machine hours for jobs without a device. */
static const char *hours_name(const struct od_fleet *fleet)
{
    return od_fleet_has_devices(fleet) ? "GPU hours" : "hours";
}

static const char *hours(struct od_doc *doc, struct od_count seconds)
{
    if (!seconds.known)
        return "unknown";
    if (seconds.n < 180)
        return "<0.1";
    return od_arena_printf(doc->arena, "%.1f", (double)seconds.n / 3600);
}

static void add_opening(struct od_doc *doc, const struct od_fleet *fleet)
{
    size_t failed = od_fleet_outcomes(fleet, "memory_failure");
    size_t others = od_fleet_outcomes(fleet, "other_failure");
    struct od_text *text = od_doc_text(od_doc_section(doc, NULL));
    od_say_as(text, OD_STRONG, "%zu of %zu run%s ran out of memory", failed, fleet->runs.n,
              plural(fleet->runs.n));
    od_say(text, ", in %zu way%s", fleet->groups.n, plural(fleet->groups.n));
    if (others > 0)
        od_say(text, "; %zu failed for other reasons", others);
    od_say(text, ".");
    struct od_count seconds = od_fleet_seconds(fleet);
    if (seconds.known && seconds.n >= 180)
        od_say(text, " They took at least %s %s.", hours(doc, seconds), hours_name(fleet));
}

static void add_since(struct od_doc *doc, const struct od_fleet *fleet)
{
    if (!fleet->since)
        return;
    struct od_text *text = od_doc_text(od_doc_section(doc, NULL));
    od_say(text, "Since %s: %zu new, %zu came back, %zu gone, %zu as before.", fleet->since,
           od_fleet_statuses(fleet, "new"), od_fleet_statuses(fleet, "back"),
           od_fleet_statuses(fleet, "gone"), od_fleet_statuses(fleet, "ongoing"));
}

/* Writes a signature such as "tensorflow | batch_too_large | GPU" in words. */
static const char *in_words(struct od_doc *doc, const char *signature)
{
    struct od_view rest = od_view_of(signature), part;
    const char *words = "";
    while (od_view_cut(&rest, '|', &part)) {
        const char *name = od_arena_str(doc->arena, od_view_trim(part));
        const char *ours = od_name_cause(name);
        ours = ours ? ours : od_name_incident(name);
        ours = ours ? ours : od_name_producer(name, doc->arena);
        words =
            od_arena_printf(doc->arena, "%s%s%s", words, *words ? ", " : "", ours ? ours : name);
    }
    return words;
}

/* A common property of all groups, shown once before the table instead of in a column. */
static const char *shared(struct od_doc *doc, const struct od_fleet_group *group)
{
    if (!group->status || strcmp(group->status, "ongoing") == 0)
        return in_words(doc, group->signature);
    return od_arena_printf(doc->arena, "%s: %s",
                           strcmp(group->status, "back") == 0 ? "came back" : group->status,
                           in_words(doc, group->signature));
}

/* Bars of a group's failures over the days, scaled to the group's maximum. */
static const char *course(struct od_doc *doc, const struct od_fleet_days *days,
                          const struct od_fleet_group *group, bool unicode)
{
    double counts[OD_FLEET_STRETCHES] = {0}, most = 0;
    if (days->n < 2)
        return "";
    od_fleet_days_count(days, group, counts);
    for (size_t i = 0; i < days->n; i++)
        most = counts[i] > most ? counts[i] : most;
    const struct od_spark_frame frame = {.hi = most, .cells = days->n, .unicode = unicode};
    return od_spark(doc->arena, counts, days->n, &frame);
}

/* Number of groups to show: some on a screen, all if the medium can fold and search them. */
static size_t groups_shown(const struct od_fleet *fleet, const struct od_report_options *look)
{
    return look->folds || fleet->groups.n < GROUPS_SHOWN ? fleet->groups.n : GROUPS_SHOWN;
}

static void add_groups(struct od_doc *doc, const struct od_fleet *fleet,
                       const struct od_report_options *look)
{
    if (fleet->groups.n == 0)
        return;
    struct od_fleet_days days = od_fleet_days_of(fleet);
    struct od_table *table = od_doc_table(od_doc_section(doc, "Similar failures"));
    table->searched = true;
    od_doc_columns(table, ">|>runs|common cause|best remedy|>%s|>median|by day", hours_name(fleet));
    for (size_t i = 0; i < groups_shown(fleet, look); i++) {
        const struct od_fleet_group *group = &fleet->groups.items[i];
        od_doc_row_of(table,
                      OD_CELLS(od_arena_printf(doc->arena, "%zu", i + 1),
                               od_arena_printf(doc->arena, "%zu", group->count), shared(doc, group),
                               group->action_title, hours(doc, group->gpu_seconds),
                               group->median.known ? hours(doc, group->median) : "",
                               course(doc, &days, group, look->unicode)));
    }
    od_doc_drop_blank_columns(table);
}

static void add_left_out(struct od_doc *doc, const struct od_fleet *fleet, size_t shown)
{
    size_t runs = 0;
    for (size_t i = shown; i < fleet->groups.n; i++)
        runs += fleet->groups.items[i].count;
    if (runs > 0)
        od_say_as(od_doc_text(doc->last), OD_DIM,
                  "%zu more kinds with %zu runs are left out; the page and the JSON have all.",
                  fleet->groups.n - shown, runs);
}

static void add_rest(struct od_doc *doc, const struct od_fleet *fleet,
                     const struct od_report_options *look)
{
    if (fleet->groups.n == 0)
        return;
    struct od_fleet_days days = od_fleet_days_of(fleet);
    bool devices = od_fleet_has_devices(fleet);
    add_left_out(doc, fleet, groups_shown(fleet, look));
    struct od_text *text = od_doc_text(doc->last);
    od_say_as(text, OD_DIM, "%s: from the first to the last timestamp of each failed log%s.",
              devices ? "GPU hours" : "Hours", devices ? ", times the devices it names" : "");
    od_say_as(text, OD_DIM, " Median: of a failed run.");
    if (days.n > 1)
        od_say_as(text, OD_DIM, " By day: %s to %s%s.", days.first, days.last,
                  days.each > 1 ? od_arena_printf(doc->arena, ", %zu days a bar", days.each) : "");
}

static void add_examples(struct od_doc *doc, const struct od_fleet *fleet,
                         const struct od_report_options *look)
{
    if (fleet->groups.n == 0)
        return;
    struct od_node *list = od_doc_list(od_doc_section(doc, "Example logs"));
    OD_FOR_EACH_OF (const struct od_fleet_group, group, fleet->groups.items,
                    groups_shown(fleet, look)) {
        struct od_text *text = od_doc_item(list);
        od_say(text, "%s: ", in_words(doc, group->signature));
        for (size_t k = 0; k < group->count && k < 3; k++)
            od_say_as(text, OD_CODE, "%s%s", k > 0 ? ", " : "", group->runs[k].name);
    }
}

struct od_doc *od_fleet_outline(struct od_fleet *fleet, const struct od_report_options *look,
                                const struct od_pictures *pictures)
{
    struct od_doc *doc = od_doc_new();
    od_fleet_group(fleet);
    add_opening(doc, fleet);
    add_since(doc, fleet);
    add_groups(doc, fleet, look);
    add_rest(doc, fleet, look);
    od_outline_pictures(doc, pictures, NULL, 1);
    add_examples(doc, fleet, look);
    return doc;
}
