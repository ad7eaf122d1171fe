#include "base/log_prefix.h"

enum { FIELDS = 14, FIELD_BYTES = 200, BRACKET_BYTES = 80, WORDS_AFTER_LEVEL = 2 };

static const char *const severe[] = {"E",    "F",      "ERROR", "ERR",      "CRITICAL", "FATAL",
                                     "CRIT", "SEVERE", "error", "critical", NULL};
static const char *const mild[] = {"WARN", "WARNING", "Warning", "INFO",  "DEBUG",   "TRACE",
                                   "info", "warn",    "debug",   "trace", "warning", NULL};

struct head {
    struct od_view rest;  /* the rest of the text, not yet read */
    struct od_view found; /* starts with the name of an exception; empty = none found yet */
    char mark;            /* last character of the previous field: ']', ':', '-', '|' */
    unsigned nwords;      /* plain words after the level */
    bool level, quiet, time;
};

static size_t word_bytes(struct od_view text)
{
    size_t n = 0;
    while (n < text.n && text.p[n] != ' ' && text.p[n] != '\t')
        n++;
    return n;
}

static bool consists_of(struct od_view text, const char *others)
{
    for (size_t i = 0; i < text.n; i++) {
        if (!od_is_word(text.p[i]) && strchr(others, text.p[i]) == NULL)
            return false;
    }
    return text.n > 0;
}

static bool is_digits(struct od_view text)
{
    for (size_t i = 0; i < text.n; i++) {
        if (!od_is_digit(text.p[i]))
            return false;
    }
    return text.n > 0;
}

/* Is the word an exception: "ValueError", "torch.cuda.OutOfMemoryError",
 * "RayTaskError(KeyError)"? */
static bool is_exception(struct od_view word)
{
    static const char *const ends[] = {"Error", "Exception", "Interrupt", "Exit", "Expired", NULL};
    if (word.n > 0 && word.p[word.n - 1] == ':')
        word.n--;
    size_t bracket = od_view_find_char(word, '(', 0);
    if (bracket != OD_VIEW_NONE && word.p[word.n - 1] == ')')
        word.n = bracket;
    size_t last = 0;
    for (size_t i = 0; i < word.n; i++)
        last = word.p[i] == '.' ? i + 1 : last;
    struct od_view name = od_view_from(word, last);
    (void)od_view_take(&name, OD_VIEW("_"));
    if (name.n == 0 || !od_is_upper(name.p[0]) || !consists_of(word, "."))
        return false;
    for (size_t i = 0; ends[i]; i++) {
        if (od_view_ends(name, od_view_of(ends[i])))
            return name.n > strlen(ends[i]) || i == 1;
    }
    return od_view_eq_str(name, "StopIteration");
}

/* Removes the brackets and punctuation around a word. */
static struct od_view bare(struct od_view word)
{
    while (word.n > 0 && strchr("[(<|", word.p[0]))
        word = od_view_from(word, 1);
    while (word.n > 0 && strchr("])>|:", word.p[word.n - 1]))
        word.n--;
    return word;
}

/* Is the word glog's level and day: "E0101", "I20240101"? */
static bool is_glog(struct od_view word)
{
    return word.n >= 5 && word.n <= 9 && strchr("EFIW", word.p[0]) &&
           is_digits(od_view_from(word, 1));
}

static void note_level(struct head *head, struct od_view word)
{
    struct od_view level = is_glog(word) ? od_view_head(word, 1) : bare(word);
    bool glog = level.n == 1;
    head->level = head->level || od_view_eq_any(level, severe);
    if (!head->level && head->found.n == 0 &&
        (od_view_eq_any(level, mild) || (glog && strchr("IW", level.p[0]))))
        head->quiet = true;
    head->time = head->time || is_glog(word);
}

/* Is the word a time or a date: "2024-01-01", "12:00:00,123", "(1718200000.1)", "[01/Jun"? */
static bool is_time(struct od_view word)
{
    word = bare(word);
    bool days = od_is_digit(word.n > 0 ? word.p[0] : 'x') && consists_of(word, ":.,/+-");
    for (size_t i = 0; days && i < word.n; i++)
        days = !od_is_letter(word.p[i]) || strchr("TZ", word.p[i]);
    return days && word.n >= 4;
}

/* Is the next word the level, as after a host name: "node7 ERROR "? */
static bool precedes_level(struct od_view after)
{
    od_view_skip_blanks(&after);
    return od_view_eq_any(od_view_head(after, word_bytes(after)), severe);
}

static bool precedes_bar(struct od_view after)
{
    od_view_skip_blanks(&after);
    return after.n > 1 && strchr("-|", after.p[0]) && after.p[1] == ' ';
}

/* Length of brackets that contain blanks: "[ERROR 12]", "(pid 7)". */
static size_t bracket_bytes(struct od_view text)
{
    if (text.n == 0 || (text.p[0] != '[' && text.p[0] != '('))
        return 0;
    char closing = text.p[0] == '[' ? ']' : ')';
    size_t end = od_view_find_char(od_view_head(text, BRACKET_BYTES), closing, 1);
    return end != OD_VIEW_NONE && (end + 1 == text.n || text.p[end + 1] == ' ') ? end + 1 : 0;
}

static bool is_field(struct head *head, struct od_view word, struct od_view after)
{
    char last = word.p[word.n - 1];
    bool name = consists_of(word, ".:<>/-[]()#") && !od_view_eq_any(word, mild);
    if (word.n > FIELD_BYTES)
        return false;
    if (strchr("]:|>", last) || (word.n == 1 && last == '-' && head->mark != 0) || is_time(word) ||
        is_glog(word) || od_view_eq_any(bare(word), severe))
        return true;
    if (name && (precedes_level(after) ||
                 (head->mark != 0 && strchr("-|", head->mark) && precedes_bar(after))))
        return true;
    if (head->time && is_digits(word)) /* an identifier of a process or thread */
        return true;
    return head->level && name && consists_of(word, ".-") && head->nwords++ < WORDS_AFTER_LEVEL;
}

/* Removes the prefix of Python's default format, "ERROR:root:", which no blank follows. */
static bool take_python(struct head *head)
{
    size_t colon = od_view_find_char(od_view_head(head->rest, 9), ':', 0);
    if (colon == OD_VIEW_NONE || colon + 1 >= head->rest.n || head->rest.p[colon + 1] == ' ')
        return false;
    note_level(head, od_view_head(head->rest, colon));
    if (!od_view_eq_any(od_view_head(head->rest, colon), severe))
        return head->quiet;
    size_t end = od_view_find_char(od_view_head(head->rest, BRACKET_BYTES), ':', colon + 1);
    if (end == OD_VIEW_NONE ||
        is_exception(od_view_head(od_view_from(head->rest, colon + 1), end - colon - 1)))
        return false;
    head->mark = ':';
    head->rest = od_view_from(head->rest, end + 1);
    return true;
}

/* Removes a pair of logfmt: "level=error msg=\"...\"". The value of msg is the message. */
static bool take_pair(struct head *head)
{
    static const char *const said[] = {"msg", "message", "err", "error", "exception", NULL};
    struct od_view text = head->rest;
    size_t equal = od_view_find_char(od_view_head(text, word_bytes(text)), '=', 0);
    if (equal == OD_VIEW_NONE || !consists_of(od_view_head(text, equal), "."))
        return false;
    struct od_view key = od_view_head(text, equal), value = od_view_from(text, equal + 1);
    bool quoted = od_view_take(&value, OD_VIEW("\""));
    size_t end = quoted ? od_view_find_char(value, '"', 0) : word_bytes(value);
    if (od_view_eq_any(key, said)) {
        head->rest = quoted ? od_view_head(value, end) : value;
        return true;
    }
    value = od_view_head(value, end);
    if (od_view_eq_str(key, "level") || od_view_eq_str(key, "lvl"))
        note_level(head, value);
    head->rest = od_view_from(text, (size_t)(value.p - text.p) + value.n + quoted);
    return true;
}

static bool take_field(struct head *head)
{
    struct od_view text = head->rest;
    size_t n = word_bytes(text);
    if (is_exception(od_view_head(text, n)))
        head->found = text;
    if (take_python(head) || take_pair(head))
        return true;
    size_t bracket = bracket_bytes(text);
    n = bracket > n ? bracket : n;
    struct od_view word = od_view_head(text, n);
    note_level(head, word);
    if (bracket == 0 && !is_field(head, word, od_view_from(text, n)))
        return head->quiet;
    head->time = head->time || is_time(word);
    head->mark = word.p[n - 1];
    head->rest = od_view_from(text, n);
    return true;
}

struct od_view od_log_message(struct od_view text)
{
    struct head head = {.rest = text};
    for (unsigned n = 0; n < FIELDS && !head.quiet; n++) {
        od_view_skip_blanks(&head.rest);
        if (head.rest.n == 0 || !take_field(&head))
            break;
    }
    if (head.quiet)
        return od_view_head(text, 0);
    return head.found.n > 0 ? head.found : text;
}

struct od_view od_log_after_place(struct od_view text)
{
    enum { HEAD_MOST = 200 };
    struct od_view head = od_view_head(text, HEAD_MOST);
    size_t file = od_view_find(head, OD_VIEW(".cc:"), 0);
    if (file == OD_VIEW_NONE)
        file = od_view_find(head, OD_VIEW(".h:"), 0);
    size_t end = file == OD_VIEW_NONE ? file : od_view_find(head, OD_VIEW("] "), file);
    return end == OD_VIEW_NONE ? text : od_view_from(text, end + 2);
}

bool od_log_begins_with_time(struct od_view text)
{
    size_t n = od_num_digits(text);
    return n >= 2 && n <= 4 && n + 1 < text.n && strchr("-/:", text.p[n]) &&
           od_is_digit(text.p[n + 1]);
}
