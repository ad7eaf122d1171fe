/*
 * Decides from the lines around it whether a line belongs to a document.
 */
#include "readers/logs/sentence_parts.h"

#include "base/log_prefix.h"

#include "readers/logs/sentence_document_lists.inc"

enum { LINE_BYTES = 400, NEAR = 8, HEAD_BYTES = 60, TIME_BYTES = 24, LINES = 4 };

/* The kind of a neighboring line. */
enum sort { BLANK, OTHER, PROSE, CODE, PRINTED, MARKUP, PERSON };

struct neighbours {
    enum sort next;  /* kind of the adjacent line */
    bool next_leads; /* the nearest line that is not blank ends with a colon */
    size_t prose;
    bool printed, person;
};

/* ".B ENOMEM", ".It Er" in the source of a manual page. */
static bool is_macro(struct od_view line)
{
    enum { LONGEST = 9 };
    size_t n = 1;
    if (!od_view_starts(line, OD_VIEW(".")))
        return false;
    while (n < line.n && od_is_letter(line.p[n]))
        n++;
    return n > 1 && n <= LONGEST && (n == line.n || line.p[n] == ' ');
}

/* "ENOMEM Allocation of the buffer failed.": an entry in a list of errors. */
static bool is_entry(struct od_view line)
{
    size_t n = 0;
    while (n < line.n && od_is_upper(line.p[n]))
        n++;
    struct od_view rest = od_view_trim(od_view_from(line, n));
    return n > 3 && line.p[0] == 'E' && line.p[1] != 'R' && n < line.n && line.p[n] == ' ' &&
           rest.n > 0 && od_is_upper(rest.p[0]);
}

/* "**Cause**: ", "OOM:" above a log */
static bool is_heading(struct od_view line)
{
    struct od_view rest = line;
    return od_view_eq_str(line, "OOM:") ||
           (od_view_take(&rest, OD_VIEW("**")) && rest.n > 1 && od_is_letter(rest.p[0]) &&
            !od_is_upper(rest.p[1]) && od_view_has(rest, OD_VIEW("**")));
}

/* Is it text markup? */
static bool is_markup(struct od_view line)
{
    return od_view_starts_any(line, tags) || is_macro(line) || is_entry(line);
}

/* Skips a level and a day before the time, as in glog's "W0410 13:51:44.743979 ". */
static struct od_view behind_day(struct od_view line)
{
    enum { DAY_BYTES = 6 };
    size_t n = 1 + od_num_digits(od_view_from(line, 1));
    bool day = n + 1 == DAY_BYTES && n < line.n && strchr("IWEF", line.p[0]) && line.p[n] == ' ';
    return day ? od_view_from(line, DAY_BYTES) : line;
}

/* Does it look printed by a program: does it start with a time, a bracket, a level, a command, an
 * exception or a frame, or contain a bar? */
static bool is_printed(struct od_view printed)
{
    struct od_view line = behind_day(printed);
    size_t name = 0;
    struct od_view head = od_view_head(line, HEAD_BYTES);
    bool level = od_view_has_any(head, levels);
    bool time = od_log_begins_with_time(line) &&
                od_view_find_char(od_view_head(line, TIME_BYTES), ':', 0) != OD_VIEW_NONE;
    while (name < line.n && (od_is_word(line.p[name]) || line.p[name] == '.'))
        name++;
    struct od_view front = od_view_head(line, name);
    bool exception =
        name < line.n && line.p[name] == ':' &&
        (od_view_ends(front, OD_VIEW("Error")) || od_view_ends(front, OD_VIEW("Exception")));
    bool named = name > 0 && name + 1 < line.n && line.p[name] == ':' && line.p[name + 1] == ' ' &&
                 !od_is_upper(line.p[0]); /* "sort: ", "load_model: " */
    return time || level || exception || named || od_view_starts_any(line, program_starts) ||
           od_view_has(line, OD_VIEW("%|"));
}

static bool is_code(struct od_view line)
{
    return od_view_starts_any(line, code_starts) || line.p[line.n - 1] == ';';
}

struct counts {
    size_t words, small, links, odd; /* odd: words with digits or signs */
    bool person;
};

static void count_word(struct od_view word, struct counts *c)
{
    while (word.n > 0 && strchr("(\"'`*", word.p[0]) != NULL)
        word = od_view_from(word, 1);
    while (word.n > 0 && strchr(").,;:!?\"'`*", word.p[word.n - 1]) != NULL)
        word.n--;
    if (word.n == 0)
        return;
    bool small = true, odd = false;
    for (size_t i = 0; i < word.n; i++) {
        small = small && !od_is_upper(word.p[i]);
        odd = odd || od_is_digit(word.p[i]) || strchr("=/\\<>{}[]|", word.p[i]) != NULL;
    }
    c->words++;
    c->odd += odd;
    c->small += small && !odd;
    c->links += od_view_eq_any(word, links);
    c->person = c->person || od_view_eq_any(word, people);
}

static bool is_bullet(struct od_view line)
{
    return od_view_starts(line, OD_VIEW("- ")) || od_view_starts(line, OD_VIEW("* ")) ||
           od_view_starts(line, OD_VIEW("+ "));
}

static enum sort sort_of(struct od_view line)
{
    enum { WORDS = 5, LINKS = 2 };
    struct counts c = {0};
    struct od_view word;
    line = od_view_trim(od_view_head(line, LINE_BYTES));
    if (line.n == 0)
        return BLANK;
    if (is_markup(line))
        return MARKUP;
    const bool bullet = is_bullet(line);
    while (line.n > 1 && strchr("-*>#+", line.p[0]) != NULL && line.p[1] == ' ')
        line = od_view_trim(od_view_from(line, 2));
    if (!bullet && is_printed(line))
        return PRINTED;
    if (is_code(line))
        return CODE;
    while (line.n > 0) {
        if (!od_view_cut(&line, ' ', &word))
            word = line, line.n = 0;
        count_word(word, &c);
    }
    if (c.words < WORDS || c.links < LINKS || 10 * c.small < 6 * c.words || c.odd > 1 + c.words / 8)
        return OTHER;
    return c.person ? PERSON : PROSE;
}

static bool ends_with_any(struct od_view line, const char *marks)
{
    line = od_view_trim(line);
    return line.n > 0 && strchr(marks, line.p[line.n - 1]) != NULL;
}

struct od_view od_sentence_line_before(struct od_view *text)
{
    size_t end = text->n > 0 && text->p[text->n - 1] == '\n' ? text->n - 1 : text->n, at = end;
    while (at > 0 && text->p[at - 1] != '\n')
        at--;
    struct od_view line = od_view_head(od_view_from(*text, at), end - at);
    *text = od_view_head(*text, at);
    return line;
}

static struct neighbours look(struct od_view text, bool before)
{
    struct neighbours n = {0};
    for (size_t i = 0, seen = 0; i < NEAR && seen < LINES && text.n > 0; i++) {
        struct od_view line;
        if (before)
            line = od_sentence_line_before(&text);
        else
            (void)od_view_cut(&text, '\n', &line);
        enum sort sort = sort_of(line);
        if (i == 0)
            n.next = sort;
        n.next_leads = seen == 0 && sort != BLANK ? ends_with_any(line, ":") : n.next_leads;
        n.prose += sort == PROSE || sort == PERSON;
        n.printed = n.printed || sort == PRINTED;
        n.person = n.person || sort == PERSON;
        seen += sort != BLANK;
    }
    return n;
}

/* A row of equal signs of the same length below makes it a heading. */
static bool is_underlined(struct od_view text, struct od_view rest)
{
    struct od_view line;
    (void)od_view_cut(&rest, '\n', &line);
    line = od_view_trim(line);
    size_t n = 0;
    while (n < line.n && line.p[n] == line.p[0])
        n++;
    return n == line.n && n == text.n && strchr("-=~^", line.p[0]) != NULL;
}

enum od_document od_document_around(struct od_view log, struct od_view line)
{
    struct od_view rest = od_view_from(log, (size_t)(line.p - log.p) + line.n);
    struct od_view text = od_view_trim(line);
    struct neighbours before = look(od_view_head(log, (size_t)(line.p - log.p)), true);
    (void)od_view_cut(&rest, '\n', &line);
    struct neighbours after = look(rest, false);
    while (od_view_take(&text, OD_VIEW("> "))) /* quoted */
        text = od_view_trim(text);
    if (text.n == 0)
        return OD_DOCUMENT_NONE;
    if (is_markup(text) || before.next == MARKUP || is_heading(text) || is_underlined(text, rest))
        return OD_DOCUMENT_WITHIN;
    if (before.printed || after.printed || is_printed(text) || before.person || after.person)
        return OD_DOCUMENT_NONE;
    size_t prose = before.prose + after.prose;
    bool led = before.next_leads && !ends_with_any(text, ".");
    return prose > 2 || (prose > 1 && !led) ? OD_DOCUMENT_NEAR : OD_DOCUMENT_NONE;
}
