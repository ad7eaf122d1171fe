#include "scan/title.h"

#include "base/code_line.h"
#include "base/log_prefix.h"
#include "facts/prose.h"

bool od_event_says_why(const struct od_event *event)
{
    bool cut = od_view_eq_str(od_event_text(event, OD_F_NAME), "Traceback");
    bool aborted = event->kind == OD_EV_CRASH &&
                   od_view_eq_str(od_event_text(event, OD_F_NAME), "SIGABRT") &&
                   od_event_text(event, OD_F_MESSAGE).n == 0;
    return !cut && !aborted && event->kind != OD_EV_RUN_ENDED;
}

bool od_title_asks(struct od_view title)
{
    title = od_view_trim(title);
    return od_view_ends(title, OD_VIEW("?")) || od_view_ends(title, OD_VIEW("？"));
}

bool od_title_is_row(struct od_view first, struct od_view second)
{
    size_t n = 0;
    while (n < first.n && !od_is_digit(first.p[n]))
        n++;
    return n < first.n && od_view_starts(second, od_view_head(first, n));
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

/* "Evaluation runs out of CUDA memory", '"System is out of GPU memory" in the viewport'. In scripts
 * without blanks three letters count as a word. */
bool od_title_is_phrase(struct od_view text)
{
    enum { WORDS = 4, LONGEST = 160, BYTES_OF_WORD = 9 };
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
    return text.n <= LONGEST && blanks + 1 + foreign / BYTES_OF_WORD >= WORDS && begins &&
           10 * letters >= 8 * text.n && strchr(".,;:{!)", text.p[text.n - 1]) == NULL &&
           !od_view_has_any(text, marks) && !has_colon_of_prefix(text) && !od_is_code_line(text);
}

/* "# 2026-01-02 08:07:56.468609: W ...": a log line after a comment sign. */
static bool is_record(struct od_view text)
{
    while (text.n > 0 && strchr("# ", text.p[0]) != NULL)
        text = od_view_from(text, 1);
    return od_log_begins_with_time(text);
}

/* "redis: OOM command not allowed": one line of words, which may be a program's. */
static bool is_line(struct od_view text)
{
    enum { WORDS = 3, LONGEST = 160 };
    return text.n <= LONGEST && od_view_count(text, ' ') + 1 >= WORDS && !is_record(text) &&
           strchr("[$>|", text.p[0]) == NULL && !od_is_code_line(text) && !od_is_command_line(text);
}

/* "ng build gets killed after 3 minutes", "`MemoryError` in fit()" */
bool od_title_is_words(struct od_view text)
{
    return is_line(text) && strchr(",;:{.", text.p[text.n - 1]) == NULL &&
           od_view_find_char(text, '=', 0) == OD_VIEW_NONE && !has_colon_of_prefix(text);
}

bool od_title_is(struct od_view first, struct od_view second, struct od_view below, bool page)
{
    first = od_view_trim(first);
    below = od_view_trim(below);
    if (od_view_starts(first, OD_VIEW("#")))
        return !od_title_is_row(first, second) && !is_record(first);
    if (first.n == 0 || below.n == 0 || od_view_trim(second).n > 0)
        return false;
    return od_title_is_phrase(first) || (page && is_line(first)) ||
           (od_is_prose(below) && od_title_is_words(first));
}
