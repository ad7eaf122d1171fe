#include "base/hypothetical.h"

enum {
    LEVEL_BYTES = 120, /* a log level is searched in this many bytes of a line */
    NEAR_BYTES = 80,   /* maximum distance in bytes from "if", "may", ... to the failure */
    NAMED_BYTES = 24   /* maximum distance in bytes from an article to "error" */
};

static const char *const levels[] = {"WARN",  "WARNING", "Warning", "warning", "INFO", "info",
                                     "DEBUG", "debug",   "TRACE",   "notice",  NULL};
static const char *const suppositions[] = {"If",       "if",       "When",   "when",     "Why",
                                           "why",      "may",      "might",  "normally", "usually",
                                           "Normally", "Usually",  "avoid",  "maybe",    "Maybe",
                                           "perhaps",  "possibly", "handle", "handles",  NULL};
static const char *const articles[] = {"a",       "an",     "the",   "this",   "these", "following",
                                       "message", "common", "known", "issues", NULL};
static const char *const people[] = {"I get ", "I got ",   "I am ", "I have ",
                                     "I see ", "I think ", NULL};
static const char *const statements[] = {"#",      "//",     "/*",      "* ", "case ",
                                         "if (",   "if(",    "return ", "{ ", "except",
                                         "raise ", "throw ", NULL};

/* Is the word in the list, which is in lower case? Case is ignored. */
static bool is_one_of(struct od_view word, const char *const *list)
{
    char lower[16];
    if (word.n > sizeof lower)
        return false;
    for (size_t i = 0; i < word.n; i++)
        lower[i] = od_lower(word.p[i]);
    return od_view_eq_any((struct od_view){lower, word.n}, list);
}

/* Does the text continue an article: "the following error", "an error"? */
static bool names_error(struct od_view rest)
{
    static const char *const errors[] = {" error", " Error", " ERROR", NULL};
    return od_view_has_any(od_view_head(rest, NAMED_BYTES + sizeof "error"), errors);
}

bool od_is_log_level(struct od_view text, size_t at, size_t end)
{
    return at == 0 || od_is_upper(text.p[at]) || !strchr(" \t", text.p[at - 1]) ||
           (end < text.n && strchr(" \t", text.p[end]) == NULL);
}

static bool is_supposed(struct od_view word, struct od_view rest)
{
    return od_view_eq_any(word, suppositions) ||
           (od_view_eq_str(word, "could") && !od_view_starts(rest, OD_VIEW(" not")));
}

/* Does the line begin with an exception: "numpy.core._ArrayMemoryError: Unable to allocate ..."? */
static bool begins_with_exception(struct od_view text)
{
    static const char *const ends[] = {"Error", "Exception"};
    size_t n = 0;
    while (n < text.n && (od_is_word(text.p[n]) || text.p[n] == '.'))
        n++;
    struct od_view name = od_view_head(text, n);
    bool closed = n == text.n || text.p[n] == ':';
    for (size_t i = 0; closed && i < sizeof ends / sizeof ends[0]; i++) {
        struct od_view end = od_view_of(ends[i]);
        if (name.n > end.n && od_view_ends(name, end))
            return true;
    }
    return false;
}

/* Is the level only that of the program that collects output? It logs every line at one level:
 * "INFO MemoryError: ...". */
static bool is_collected(struct od_view text)
{
    size_t found = od_view_find(od_view_head(text, LEVEL_BYTES), OD_VIEW("INFO "), 0);
    return found != OD_VIEW_NONE && (found == 0 || !od_is_word(text.p[found - 1])) &&
           begins_with_exception(od_view_trim(od_view_from(text, found + sizeof "INFO")));
}

/* Matches "INFO:root:Error processing a.wav: ". Programs log caught errors at any level. */
bool od_is_logged_error(struct od_view text, size_t at)
{
    static const char *const errors[] = {"Error ",     "error ",  "ERROR ",
                                         "Exception ", "Failed ", NULL};
    struct od_view front = od_view_head(text, at);
    if (is_collected(text))
        return true;
    for (size_t i = 0; errors[i]; i++) {
        size_t found = od_view_find(front, od_view_of(errors[i]), 0);
        bool begins = found != OD_VIEW_NONE && found > 1 && found < LEVEL_BYTES &&
                      (front.p[found - 1] == ':' || strchr(":-]|", front.p[found - 2]) != NULL);
        if (begins && od_view_has(od_view_from(front, found), OD_VIEW(": ")))
            return true;
    }
    return false;
}

/* Is the line a message inside a frame: "### ERROR: no memory", "* no memory *"? */
static bool is_banner(struct od_view line)
{
    static const char *const errors[] = {"## ERROR", "## FATAL", "## Error", NULL};
    char first = line.p[0];
    bool framed = line.n > 4 && line.p[line.n - 1] == first && line.p[line.n - 2] != first;
    return (first == '*' && framed) || (first == '#' && od_view_has_any(line, errors));
}

bool od_is_hypothetical(struct od_view text, size_t at)
{
    return od_is_supposition(text, at, !od_is_logged_error(text, at));
}

bool od_is_supposition(struct od_view text, size_t at, bool levels_count)
{
    struct od_view line = od_view_trim(text);
    if ((od_view_starts_any(line, statements) && !is_banner(line)) ||
        od_view_ends(line, OD_VIEW("?")) || od_view_has_any(line, people) ||
        od_view_has(od_view_head(text, at), OD_VIEW(" := ")))
        return true;
    for (size_t i = 0; i < at && i < text.n;) {
        size_t end = i;
        while (end < text.n && od_is_word(text.p[end]))
            end++;
        struct od_view word = od_view_head(od_view_from(text, i), end - i);
        struct od_view rest = od_view_from(text, end);
        if ((levels_count && i < LEVEL_BYTES && od_view_eq_any(word, levels) &&
             od_is_log_level(text, i, end)) ||
            (end + NEAR_BYTES >= at && is_supposed(word, rest)) ||
            (is_one_of(word, articles) && names_error(rest)))
            return true;
        i = end > i ? end : i + 1;
    }
    return false;
}
