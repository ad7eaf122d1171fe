#include "facts/segment.h"

#include "base/code_line.h"
#include "base/log_prefix.h"
#include "facts/meaning.h"
#include "facts/number.h"
#include "facts/segment_lists.inc"

const char *od_segment_name(enum od_segment segment)
{
    static const char *const names[] = {
#define OD_SEGMENT(constant, name) [OD_SEGMENT_##constant] = (name),
#include "facts/segment.def"
#undef OD_SEGMENT
    };
    return names[segment];
}

/* ---- documents ---- */

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

/* ---- programs ---- */

/* Skips a level and a day before the time, as in glog's "W0410 13:51:44.743979 ". */
static struct od_view behind_day(struct od_view line)
{
    enum { DAY_BYTES = 6 };
    size_t n = 1 + od_num_digits(od_view_from(line, 1));
    bool day = n + 1 == DAY_BYTES && n < line.n && strchr("IWEF", line.p[0]) && line.p[n] == ' ';
    return day ? od_view_from(line, DAY_BYTES) : line;
}

/* Does it begin with a program's name, "sort: ", "/usr/lib/a.py:41: ", unlike "edit: "? */
static bool begins_with_name(struct od_view line)
{
    struct od_view name = od_view_head(line, od_view_find_char(line, ' ', 0));
    return name.n > 1 && name.n < line.n && name.p[name.n - 1] == ':' && !od_is_upper(name.p[0]) &&
           (od_is_letter(name.p[0]) || name.p[0] == '/') &&
           !od_view_eq_any(od_view_head(name, name.n - 1), notes);
}

static bool begins_with_exception(struct od_view line)
{
    size_t n = 0;
    while (n < line.n && (od_is_word(line.p[n]) || line.p[n] == '.'))
        n++;
    struct od_view name = od_view_head(line, n);
    return n < line.n && line.p[n] == ':' &&
           (od_view_ends(name, OD_VIEW("Error")) || od_view_ends(name, OD_VIEW("Exception")));
}

/* Is there a level such as ERROR as a word of its own, unlike in "CUDA_ERROR_OUT_OF_MEMORY"? */
static bool has_level(struct od_view head)
{
    bool found = false;
    for (size_t i = 0; levels[i] && !found; i++) {
        size_t at = od_view_find(head, od_view_of(levels[i]), 0);
        found = at != OD_VIEW_NONE && (at == 0 || !od_is_word(head.p[at - 1]));
    }
    return found;
}

/* Does it look printed by a program: does it start with a bracket, a path, a time, a level, an
 * exception, the name of a program or a frame, or contain a bar? */
static bool is_output(struct od_view printed)
{
    enum { HEAD_BYTES = 60, TIME_BYTES = 24 };
    struct od_view line = behind_day(printed);
    bool time = od_log_begins_with_time(line) &&
                od_view_find_char(od_view_head(line, TIME_BYTES), ':', 0) != OD_VIEW_NONE;
    bool member = line.p[0] == '"' && od_view_has(line, OD_VIEW("\": ")); /* of JSON */
    return member || strchr("[{/", line.p[0]) != NULL || time || begins_with_exception(line) ||
           begins_with_name(line) || has_level(od_view_head(line, HEAD_BYTES)) ||
           od_view_starts_any(line, program_starts) || od_view_has(line, OD_VIEW("%|"));
}

/* ---- people ---- */

static bool is_one_of(struct od_view word, const char *const *words)
{
    char room[sizeof "because"];
    return word.n < sizeof room && od_view_eq_any(od_view_lowered(word, room, sizeof room), words);
}

bool od_is_small_word(struct od_view word)
{
    return is_one_of(word, small);
}

/* Has the line two different words that people use and programs seldom print? */
static bool has_words_of_prose(struct od_view line)
{
    struct od_view first = {0};
    for (size_t i = 0; i < line.n; i++) {
        struct od_view word = od_word_at(line, i);
        bool counts = word.n > 0 && (is_one_of(word, small) || is_one_of(word, joints));
        if (counts && first.n > 0 && !od_view_eq(word, first))
            return true;
        if (counts)
            first = word;
        i += word.n;
    }
    return false;
}

static bool is_prose(struct od_view line)
{
    bool heading = line.n > 2 && line.p[0] == '#' && line.p[1] == ' ';
    return (heading || has_words_of_prose(line)) && !od_log_begins_with_time(line) &&
           !od_means(od_meanings_of(OD_SUBJECT_SAID, line, (struct od_view){0}), OD_SAID_EXCEPTION);
}

enum od_segment od_segment_by_form(struct od_view text)
{
    struct od_view line = od_view_trim(text);
    if (line.n == 0)
        return OD_SEGMENT_OPEN;
    if (od_is_code_line(line))
        return od_is_command_line(line) ? OD_SEGMENT_COMMAND : OD_SEGMENT_CODE;
    if (od_view_starts_any(line, tags) || is_macro(line) || is_entry(line))
        return OD_SEGMENT_DOCUMENT;
    if (od_view_has(line, OD_VIEW(" commented on ")))
        return OD_SEGMENT_REPLY;
    return is_output(line) ? OD_SEGMENT_OUTPUT : OD_SEGMENT_OPEN;
}

enum od_segment od_segment_of(struct od_view text)
{
    struct od_view line = od_view_trim(text);
    enum od_segment segment = od_segment_by_form(line);
    return segment == OD_SEGMENT_OPEN && line.n > 0 && is_prose(line) ? OD_SEGMENT_PERSON : segment;
}

/* ---- titles ---- */

bool od_is_commented_record(struct od_view text)
{
    while (text.n > 0 && strchr("# ", text.p[0]) != NULL)
        text = od_view_from(text, 1);
    return od_log_begins_with_time(text);
}

/* "Out of memory on a small server: the database is gone": more words before the colon than the
 * prefix of a program's message has, "CUDA error: ", "cc1plus: fatal error: ". */
static bool has_colon_of_prefix(struct od_view text)
{
    enum { BLANKS_OF_PREFIX = 3 };
    size_t colon = od_view_find(text, OD_VIEW(": "), 0), blanks = 0;
    for (size_t i = 0; colon != OD_VIEW_NONE && i < colon; i++)
        blanks += text.p[i] == ' ';
    return colon != OD_VIEW_NONE && blanks <= BLANKS_OF_PREFIX;
}

enum { TITLE_BYTES = 160 };

bool od_is_title_line(struct od_view text)
{
    enum { WORDS = 3 };
    return text.n > 0 && text.n <= TITLE_BYTES && od_view_count(text, ' ') + 1 >= WORDS &&
           !od_is_commented_record(text) && strchr("[$>|", text.p[0]) == NULL &&
           !od_is_code_line(text);
}

bool od_is_title_words(struct od_view text)
{
    return od_is_title_line(text) && strchr(",;:{.", text.p[text.n - 1]) == NULL &&
           od_view_find_char(text, '=', 0) == OD_VIEW_NONE && !has_colon_of_prefix(text);
}

/* In scripts without blanks three letters count as a word. */
bool od_is_title_phrase(struct od_view text)
{
    enum { WORDS = 4, BYTES_OF_WORD = 9 };
    static const char *const marks[] = {"  ", "()", NULL};
    size_t blanks = 0, letters = 0, foreign = 0;
    for (size_t i = 0; i < text.n; i++) {
        bool far = (text.p[i] & 0x80) != 0;
        foreign += far;
        blanks += text.p[i] == ' ';
        letters += far || od_is_letter(text.p[i]) || text.p[i] == ' ';
        if (strchr("=|%\t", text.p[i]))
            return false;
    }
    bool begins =
        text.n > 0 && (od_is_upper(text.p[0]) || text.p[0] == '"' || (text.p[0] & 0x80) != 0);
    return text.n <= TITLE_BYTES && blanks + 1 + foreign / BYTES_OF_WORD >= WORDS && begins &&
           10 * letters >= 8 * text.n && strchr(".,;:{!)", text.p[text.n - 1]) == NULL &&
           !od_view_has_any(text, marks) && !has_colon_of_prefix(text) && !od_is_code_line(text);
}

/* ---- the lines around ---- */

enum { LINE_BYTES = 400, NEAR = 8, LINES = 4 };

struct neighbours {
    enum od_segment next; /* segment of the adjacent line */
    bool next_leads;      /* the nearest line that is not blank ends with a colon */
    size_t prose, seen;   /* lines of prose, and lines that are not blank */
    bool printed, person;
};

static bool ends_with_any(struct od_view line, const char *marks)
{
    line = od_view_trim(line);
    return line.n > 0 && strchr(marks, line.p[line.n - 1]) != NULL;
}

struct od_view od_line_before(struct od_view *text)
{
    size_t end = text->n > 0 && text->p[text->n - 1] == '\n' ? text->n - 1 : text->n, at = end;
    while (at > 0 && text->p[at - 1] != '\n')
        at--;
    struct od_view line = od_view_head(od_view_from(*text, at), end - at);
    *text = od_view_head(*text, at);
    return line;
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
    bool small_letters = true, odd = false;
    for (size_t i = 0; i < word.n; i++) {
        small_letters = small_letters && !od_is_upper(word.p[i]);
        odd = odd || od_is_digit(word.p[i]) || strchr("=/\\<>{}[]|", word.p[i]) != NULL;
    }
    c->words++;
    c->odd += odd;
    c->small += small_letters && !odd;
    c->links += od_view_eq_any(word, links);
    c->person = c->person || od_view_eq_any(word, people);
}

/* Is it a line of a paragraph, which is nearly all small words? */
static bool is_of_paragraph(struct od_view line, bool *ret_person)
{
    enum { WORDS = 5, LINKS = 2 };
    struct counts c = {0};
    struct od_view word;
    while (line.n > 0) {
        if (!od_view_cut(&line, ' ', &word))
            word = line, line.n = 0;
        count_word(word, &c);
    }
    *ret_person = c.person;
    return c.words >= WORDS && c.links >= LINKS && 10 * c.small >= 6 * c.words &&
           c.odd <= 1 + c.words / 8;
}

static void add(struct neighbours *n, struct od_view line, bool first)
{
    line = od_view_trim(od_view_head(line, LINE_BYTES));
    enum od_segment segment = od_segment_by_form(line);
    bool leads = ends_with_any(line, ":"), bullet = false, person = false;
    while (segment != OD_SEGMENT_DOCUMENT && line.n > 1 && strchr("-*>#+", line.p[0]) != NULL &&
           line.p[1] == ' ') {
        bullet = bullet || strchr("-*+", line.p[0]) != NULL;
        line = od_view_trim(od_view_from(line, 2));
        segment = OD_SEGMENT_OPEN;
    }
    if (segment == OD_SEGMENT_OPEN && !bullet)
        segment = od_segment_by_form(line);
    bool prose = segment == OD_SEGMENT_OPEN && line.n > 0 && is_of_paragraph(line, &person);
    if (first)
        n->next = segment;
    if (n->seen == 0 && line.n > 0)
        n->next_leads = leads;
    n->prose += prose;
    n->printed = n->printed || segment == OD_SEGMENT_OUTPUT;
    n->person = n->person || (prose && person);
    n->seen += line.n > 0;
}

static struct neighbours look(struct od_view text, bool before)
{
    struct neighbours n = {0};
    for (size_t i = 0; i < NEAR && n.seen < LINES && text.n > 0; i++) {
        struct od_view line;
        if (before)
            line = od_line_before(&text);
        else
            (void)od_view_cut(&text, '\n', &line);
        add(&n, line, i == 0);
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

/* "**Cause**: ", "OOM:" above a log */
static bool is_heading(struct od_view line)
{
    struct od_view rest = line;
    return od_view_eq_str(line, "OOM:") ||
           (od_view_take(&rest, OD_VIEW("**")) && rest.n > 1 && od_is_letter(rest.p[0]) &&
            !od_is_upper(rest.p[1]) && od_view_has(rest, OD_VIEW("**")));
}

/* Are there only blanks between the two places? */
static bool is_empty_at(struct od_view log, size_t start, size_t end)
{
    return od_view_trim(od_view_head(od_view_from(log, start), end - start)).n == 0;
}

bool od_segment_is_apart(struct od_view log, struct od_view raw)
{
    if (!log.p || raw.p < log.p || raw.p + raw.n > log.p + log.n)
        return false;
    size_t start = (size_t)(raw.p - log.p), end = start + raw.n;
    const char *before = start > 1 ? od_find_last(log.p, '\n', start - 1) : NULL;
    size_t above = before ? (size_t)(before - log.p) + 1 : 0;
    size_t below = od_view_find_char(log, '\n', end + 1);
    return is_empty_at(log, above, start) &&
           (end >= log.n || is_empty_at(log, end, below == OD_VIEW_NONE ? log.n : below));
}

/* The nearest line above that is not empty. */
static struct od_view line_above(struct od_view before)
{
    struct od_view line = {0};
    while (before.n > 0 && od_view_trim(line).n == 0)
        line = od_line_before(&before);
    return line;
}

bool od_segment_is_title_below(struct od_view log, struct od_view raw, struct od_view text)
{
    return od_is_title_words(od_view_trim(text)) && od_segment_is_apart(log, raw) &&
           od_segment_of(line_above(od_view_head(log, (size_t)(raw.p - log.p)))) ==
               OD_SEGMENT_PERSON;
}

enum od_segment od_segment_around(struct od_view log, struct od_view raw)
{
    struct od_view head = od_view_head(log, (size_t)(raw.p - log.p));
    struct od_view rest = od_view_from(log, head.n + raw.n), text = od_view_trim(raw), line;
    struct neighbours before = look(head, true);
    (void)od_view_cut(&rest, '\n', &line);
    struct neighbours after = look(rest, false);
    while (od_view_take(&text, OD_VIEW("> "))) /* quoted */
        text = od_view_trim(text);
    if (text.n == 0)
        return OD_SEGMENT_OPEN;
    enum od_segment own = od_segment_by_form(text);
    if (own == OD_SEGMENT_DOCUMENT || before.next == OD_SEGMENT_DOCUMENT || is_heading(text) ||
        is_underlined(text, rest))
        return OD_SEGMENT_DOCUMENT;
    if (before.printed || after.printed || own == OD_SEGMENT_OUTPUT || before.person ||
        after.person)
        return OD_SEGMENT_OPEN;
    size_t prose = before.prose + after.prose;
    bool led = before.next_leads && !ends_with_any(text, ".");
    return prose > 2 || (prose > 1 && !led) ? OD_SEGMENT_PERSON : OD_SEGMENT_OPEN;
}

/* ---- settings ---- */

static bool is_of_setting(char c)
{
    return od_is_word(c) || c == '.' || c == '-';
}

/* The name in a line of a configuration file, with the sign after it: "#work_mem = 64MB",
 * "\"driver.memory\": \"2g\",", "- limits:". The value has no blanks. Empty for other lines. */
static struct od_view setting_name(struct od_view line)
{
    line = od_view_trim(od_view_from(line, od_past_any(line, 0, "#- \t\"")));
    size_t n = od_past(line, 0, is_of_setting), sign = od_past_any(line, n, "\" ");
    if (n < 2 || !od_is_letter(line.p[0]) || sign == line.n || !strchr("=:", line.p[sign]))
        return (struct od_view){0};
    struct od_view value = od_view_trim(od_view_from(line, sign + 1));
    value = od_view_head(value, od_view_find(value, OD_VIEW(" #"), 0));
    bool one = od_until_any(value, 0, " \t") == value.n;
    return one && (value.n > 0 || line.p[sign] == ':') ? od_view_head(line, sign + 1)
                                                       : (struct od_view){0};
}

/* Counts the settings next to a line with other names; SIZE_MAX if the name comes again nearby. */
static size_t settings_next_to(struct od_view text, struct od_view name, bool before)
{
    enum { LINES_LOOKED = 24 };
    size_t n = 0;
    bool next = true;
    for (size_t i = 0; i < LINES_LOOKED && text.n > 0; i++) {
        struct od_view line;
        if (before)
            line = od_line_before(&text);
        else
            (void)od_view_cut(&text, '\n', &line);
        struct od_view other = setting_name(od_view_head(line, LINE_BYTES));
        if (od_view_eq(other, name))
            return SIZE_MAX;
        next = next && other.n > 0;
        n += next;
    }
    return n;
}

/* Is the line below "limits:" or "requests:" of a container? prefix: bytes that a launcher adds to
 * each line. */
static bool is_below_limits(struct od_view head, size_t prefix)
{
    struct od_view above = {0};
    for (size_t i = 0; i < 3 && !od_view_ends(above, OD_VIEW(":")); i++)
        above = od_view_trim(od_view_from(od_line_before(&head), prefix));
    return od_view_eq_any(above, allowances);
}

bool od_segment_is_config(struct od_view log, struct od_view raw, struct od_view text)
{
    enum { LEAST = 2 };
    struct od_view name = setting_name(text);
    if (name.n == 0 || !log.p || raw.p < log.p || raw.p + raw.n > log.p + log.n)
        return false;
    struct od_view head = od_view_head(log, (size_t)(raw.p - log.p));
    struct od_view rest = od_view_from(log, head.n + raw.n), line;
    (void)od_view_cut(&rest, '\n', &line);
    bool within = text.p > raw.p && text.p < raw.p + raw.n;
    if (is_below_limits(head, within ? (size_t)(text.p - raw.p) : 0))
        return true;
    size_t above = settings_next_to(head, name, true), below = settings_next_to(rest, name, false);
    return above != SIZE_MAX && below != SIZE_MAX && above + below >= LEAST;
}
