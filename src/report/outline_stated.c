/* The report of a text that is not a log: the numbers in it. */
#include "report/outline_parts.h"
#include "rules/topics.h"

/* Adds two sums; an unknown one is left out. */
static struct od_bytes add(struct od_bytes sum, struct od_bytes one)
{
    return sum.known && one.known ? od_bytes_add(sum, one) : sum.known ? sum : one;
}

static struct od_view cell(struct od_outline *outline, struct od_bytes bytes)
{
    return bytes.known ? od_view_of(od_bytes_text(outline->arena, bytes)) : OD_VIEW("not stated");
}

static struct od_bytes difference(const struct od_stated *row)
{
    return row->before.n >= row->after.n ? od_bytes_sub(row->before, row->after)
                                         : (struct od_bytes){0};
}

/* People round numbers. A sum that is off by more than this is not their sum. */
static bool is_near(struct od_bytes a, struct od_bytes b)
{
    uint64_t more = a.n > b.n ? a.n : b.n, less = a.n > b.n ? b.n : a.n;
    return !a.known || !b.known || more - less <= more / 50;
}

static void add_row(struct od_outline *outline, struct od_table *table, const struct od_stated *row,
                    bool total)
{
    struct od_row *cells = od_doc_row(table);
    cells->cells[0].text = row->phase;
    cells->cells[1].text = cell(outline, row->before);
    cells->cells[2].text = cell(outline, row->after);
    cells->cells[3].text = cell(outline, total ? row->saved : difference(row));
    cells->total = total;
}

/* The table ends with our sum, followed by the printed sum if it differs. */
static void add_phases(struct od_outline *outline, struct od_section *section)
{
    const struct od_case *c = outline->c;
    struct od_stated sum = {.phase = OD_VIEW("sum of the rows")};
    const struct od_stated *printed = NULL;
    struct od_table *table = NULL;
    OD_FOR_EACH (const struct od_stated, row, c->stated) {
        if (row->phase.n == 0)
            continue;
        if (!table) {
            table = od_doc_table(section);
            od_doc_columns(table, "phase, as stated|>before|>after|>saved");
        }
        if (od_means(od_label_means(row->phase), OD_LABEL_TOTAL)) {
            printed = row;
            continue;
        }
        add_row(outline, table, row, false);
        sum.before = add(sum.before, row->before);
        sum.after = add(sum.after, row->after);
        sum.saved = add(sum.saved, difference(row));
    }
    if (table)
        add_row(outline, table, &sum, true);
    if (!printed || (is_near(printed->before, sum.before) && is_near(printed->after, sum.after)))
        return;
    struct od_text *text = od_doc_text(section);
    od_say(text, "The text states %.*s and %.*s in total, but its rows do not add up to that.",
           (int)cell(outline, printed->before).n, cell(outline, printed->before).p,
           (int)cell(outline, printed->after).n, cell(outline, printed->after).p);
}

static void add_courses(struct od_outline *outline, struct od_section *section)
{
    const struct od_case *c = outline->c;
    OD_FOR_EACH (const struct od_stated, one, c->stated) {
        if (one->phase.n > 0)
            continue;
        struct od_text *text = od_doc_text(section);
        od_say(text, "Memory went from %s to %s, according to the text (",
               od_bytes_text(outline->arena, one->before),
               od_bytes_text(outline->arena, one->after));
        od_outline_refer(outline, text, one->at, (struct od_view){0});
        od_say(text, ")%s",
               one->before.n > 0 && one->after.n / 2 > one->before.n
                   ? ": growth like this usually means that something is kept after use."
                   : ".");
    }
}

/* Lists the settings that the text changes, in its words. */
static void add_changes(struct od_outline *outline, struct od_section *section)
{
    struct od_table *table = NULL;
    OD_FOR_EACH (const struct od_proposed, one, outline->c->proposed) {
        if (one->setting.n == 0 || one->before.n == 0 || one->after.n == 0)
            continue;
        if (!table) {
            table = od_doc_table(section);
            od_doc_columns(table, "setting, as stated|>before|>after|>line");
        }
        struct od_row *row = od_doc_row(table);
        row->cells[0].text = one->setting;
        row->cells[1].text = one->before;
        row->cells[2].text = one->after;
        row->cells[3].text =
            od_view_of(od_arena_printf(outline->arena, "%llu", (unsigned long long)one->at.line));
    }
}

/* Adds the command that tests a run against the size that a person requires. */
static void add_bounds(struct od_outline *outline, struct od_section *section)
{
    OD_FOR_EACH (const struct od_proposed, one, outline->c->proposed) {
        if (!one->below.known)
            continue;
        struct od_text *text = od_doc_text(section);
        od_say(text, "To check a run against what line %llu asks for: ",
               (unsigned long long)one->at.line);
        od_say_as(text, OD_CODE, "oomdoctor analyze --fail-on '%s>%lluMiB|failure|leak' RUN.log",
                  one->of_device ? "device_peak" : "host_peak",
                  (unsigned long long)(one->below.n >> 20));
    }
}

void od_outline_stated(struct od_outline *outline)
{
    if (outline->c->stated.n == 0)
        return;
    struct od_section *section = od_doc_section(outline->doc, "What the text states about memory");
    add_courses(outline, section);
    add_phases(outline, section);
    add_changes(outline, section);
    add_bounds(outline, section);
    od_say_as(od_doc_text(section), OD_DIM,
              "None of it was measured here. The log of the run itself would show more.");
}

const struct od_topic *od_outline_topic(const struct od_outline *outline,
                                        const struct od_run_event *event)
{
    struct od_view name = event->name;
    bool none_found = outline->diagnosis->findings.n == 0;
    if (event->kind != OD_EV_REMARK || !(od_view_take(&name, OD_VIEW("asks_")) ||
                                         (none_found && od_view_take(&name, OD_VIEW("about_")))))
        return NULL;
    const struct od_topic *const *topic = od_shipped_topics;
    while (*topic && !od_view_eq_str(name, (*topic)->topic))
        topic++;
    return *topic;
}

void od_outline_topics(struct od_outline *outline)
{
    OD_VEC(const struct od_topic *) said = {0};
    OD_FOR_EACH (const struct od_run_event, event, outline->c->run_events) {
        const struct od_topic *topic = od_outline_topic(outline, event);
        bool again = false;
        for (size_t i = 0; i < said.n; i++)
            again = again || said.items[i] == topic;
        if (!topic || again)
            continue;
        od_vec_push(&said, topic);
        struct od_section *section = od_doc_section(outline->doc, topic->title);
        od_doc_paragraphs(section, topic->say, outline->all ? SIZE_MAX : 1);
        if (topic->code)
            od_doc_code(section, topic->code);
        struct od_text *text = od_doc_text(section);
        od_say_as(text, OD_DIM, "See ");
        od_outline_refer(outline, text, event->said.at, event->said.text);
        od_say_as(text, OD_DIM, "; more: ");
        od_say_as(text, OD_CODE, "oomdoctor ask %s", topic->questions[0]);
    }
    od_vec_done(&said);
}
