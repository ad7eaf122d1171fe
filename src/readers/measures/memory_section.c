#include "readers/measures/memory_section.h"

#include "readers/measures/memory_words.h"

enum { HEADING_MOST = 80, AGE_MOST = 5 };

static const unsigned sides = OD_MW_MEMORY | OD_MW_DEVICE | OD_MW_HOST | OD_MW_RAM | OD_MW_RSS;

/* "GPU memory:", "=== Memory usage ===" */
static bool is_marked(struct od_view text)
{
    return text.n > 0 && text.n <= HEADING_MOST &&
           (text.p[text.n - 1] == ':' || strchr("=-#*", text.p[0]) != NULL);
}

/* "[INFO] [utils.py:785:see_memory_usage] ": the prefix up to the last bracket that is followed by
 * a blank, if it names memory. */
static struct od_view prefix_of(struct od_view text)
{
    struct od_view head = od_view_head(text, OD_MEMORY_PREFIX), word;
    size_t end = 0;
    for (size_t at = 0; (at = od_view_find(head, OD_VIEW("] "), at)) != OD_VIEW_NONE; at += 2) {
        struct od_view rest = od_view_head(head, at), name = rest;
        const char *open = od_find_last(rest.p, '[', rest.n);
        name = open ? od_view_from(rest, (size_t)(open - rest.p)) : name;
        while (end == 0 && od_memory_next_word(&name, &word))
            end = od_memory_word(word) & OD_MW_MEMORY ? at + 2 : 0;
    }
    return od_view_head(text, end);
}

/* Are they equal except for digits? */
static bool is_alike(struct od_view a, struct od_view b)
{
    bool alike = a.n == b.n;
    for (size_t i = 0; i < a.n && alike; i++)
        alike = a.p[i] == b.p[i] || (od_is_digit(a.p[i]) && od_is_digit(b.p[i]));
    return alike;
}

/* "before forward 12" without its number, because a counter does not make it another moment. */
static struct od_view without_number(struct od_view text)
{
    size_t n = text.n;
    while (n > 0 && (od_is_digit(text.p[n - 1]) || strchr(" :=#,.", text.p[n - 1])))
        n--;
    return od_view_head(text, n);
}

/* False if the line has words other than those for memory and its place. */
static bool read_heading(struct od_view text, struct od_memory_section *ret_section)
{
    struct od_memory_line l;
    text = od_view_trim(text);
    if (!is_marked(text))
        return false;
    od_memory_line_read(text, NULL, &l);
    if (l.n > 0 || !(l.label & sides) || (l.label & OD_MW_FOREIGN) || l.unknown || l.broken)
        return false;
    *ret_section = (struct od_memory_section){
        .open = true, .context = l.label, .device = l.device, .hash = od_view_hash(text)};
    if (l.unit.n < sizeof ret_section->unit)
        memcpy(ret_section->unit, l.unit.p ? l.unit.p : "", l.unit.n);
    return true;
}

static bool read_moment(struct od_view text, struct od_memory_section *ret_section)
{
    struct od_view prefix = prefix_of(text);
    struct od_view moment = without_number(od_view_trim(od_view_from(text, prefix.n)));
    moment = od_view_head(moment, OD_MEMORY_MOMENT);
    if (prefix.n == 0 || moment.n == 0)
        return false;
    *ret_section =
        (struct od_memory_section){.open = true, .nprefix = prefix.n, .nmoment = moment.n};
    memcpy(ret_section->prefix, prefix.p, prefix.n);
    memcpy(ret_section->moment, moment.p, moment.n);
    return true;
}

bool od_memory_section_begins(struct od_view text)
{
    struct od_memory_section section;
    return read_heading(text, &section) || read_moment(text, &section);
}

void od_memory_section_pass(struct od_memory_section *section, struct od_view text)
{
    if (!read_heading(text, section) && !read_moment(text, section) &&
        (++section->age > AGE_MOST || (section->context && od_view_trim(text).n > 0)))
        section->open = false;
}

bool od_memory_section_has(const struct od_memory_section *section, struct od_view text)
{
    return section->open &&
           (section->context ||
            is_alike(prefix_of(text), (struct od_view){section->prefix, section->nprefix}));
}

void od_memory_section_read(struct od_memory_section *section, struct od_view text,
                            struct od_memory_line *ret_line)
{
    struct od_memory_under under = {section->context, section->device, od_view_of(section->unit)};
    od_memory_line_read(text, section->context ? &under : NULL, ret_line);
    if (ret_line->n == 0)
        return;
    section->age = 0;
    ret_line->words ^= section->hash;
    if (ret_line->when.n == 0)
        ret_line->when = (struct od_view){section->moment, section->nmoment};
}
