#include "readers/measures/memory_prefix.h"

#include "readers/measures/memory_words.h"

enum { HEAD_MOST = 80, MESSAGE_WORDS = 2 };

/* "12.3", "0:00:12.345" */
static struct od_view take_digits(struct od_view *text)
{
    size_t n = 0;
    while (n < text->n &&
           (od_is_digit(text->p[n]) || (n > 0 && n + 1 < text->n && memchr(":.", text->p[n], 2) &&
                                        od_is_digit(text->p[n + 1]))))
        n++;
    struct od_view number = od_view_head(*text, n);
    *text = od_view_from(*text, n);
    return number;
}

/* What has been found between the start of a line and its message. */
struct head {
    struct od_view digits, unit;
    bool timed, whole; /* The values found between the start of a line and its message. */
};

/* A clock with a fraction, "0.12s", or in a bracket a number with a fraction and no unit. */
static bool is_passed(struct od_view number, struct od_view word, bool bracket)
{
    bool point = od_view_find_char(number, '.', 0) != OD_VIEW_NONE;
    return point && (od_view_eq_str(word, "s") || (word.n == 0 && bracket) ||
                     (word.n == 0 && od_view_find_char(number, ':', 0) != OD_VIEW_NONE));
}

static void take_number(struct head *head, struct od_view *rest, bool bracket)
{
    struct od_view number = take_digits(rest), after = *rest;
    od_view_skip_blanks(&after);
    bool joined = after.n == rest->n;
    struct od_view word = od_view_take_letters(&after);
    bool clock = od_view_find_char(number, ':', 0) != OD_VIEW_NONE;
    bool unit = !clock && od_memory_is_unit_at(word, joined);
    bool rate = unit && od_view_starts(after, OD_VIEW("/s"));
    if (unit && !rate) {
        head->whole = head->whole || head->digits.n > 0;
        head->digits = head->digits.n > 0 ? head->digits : number;
        head->unit = head->unit.n > 0 ? head->unit : word;
    } else {
        word = joined ? word : (struct od_view){0};
        head->timed = head->timed || is_passed(number, word, bracket);
    }
    if (unit || (joined && od_view_eq_str(word, "s")))
        *rest = after;
}

/* Does it have words of letters between blanks, like a sentence and unlike a file name? */
static bool is_message(struct od_view text)
{
    size_t words = 0, letters = 0;
    bool path = false;
    for (size_t i = 0; i <= text.n; i++) {
        bool end = i == text.n || text.p[i] == ' ';
        letters = end || !od_is_letter(text.p[i]) ? 0 : letters + 1;
        words += letters == 3;
        path = path || (!end && text.p[i] == '/');
    }
    return words >= MESSAGE_WORDS && !path;
}

/* The size may be that of transferred or stored data. */
static bool is_of_other(struct od_view message)
{
    static const char *const moves[] = {"ownload", "pload",  "ransfer", "opied", "opying", "etch",
                                        "Sent",    "Receiv", "rchive",  "ackup", "xtract", NULL};
    struct od_view word;
    if (od_view_has_any(message, moves))
        return true;
    while (od_memory_next_word(&message, &word))
        if (od_memory_word(word) & OD_MW_FOREIGN)
            return true;
    return false;
}

static struct od_view take_bracket(struct od_view *rest)
{
    size_t end = od_view_find_char(od_view_head(*rest, HEAD_MOST), ']', 0);
    struct od_view inside = od_view_head(*rest, end == OD_VIEW_NONE ? 0 : end);
    *rest = od_view_from(*rest, end == OD_VIEW_NONE ? 0 : end + 1);
    return inside;
}

bool od_memory_prefix(struct od_view text, struct od_view *ret_digits, struct od_view *ret_unit,
                      struct od_view *ret_message)
{
    struct head head = {0};
    struct od_view rest = text;
    od_view_skip_blanks(&rest);
    bool bracket = od_view_take(&rest, OD_VIEW("["));
    struct od_view in = bracket ? take_bracket(&rest) : od_view_head(rest, HEAD_MOST);
    const char *start = in.p;
    while (in.n > 0 && (bracket || !od_is_letter(in.p[0]))) {
        bool apart = in.p == start || !(od_is_letter(in.p[-1]) || in.p[-1] == '_');
        if (od_is_digit(in.p[0]) && apart)
            take_number(&head, &in, bracket);
        else
            in = od_view_from(in, 1);
    }
    if (!bracket)
        rest = od_view_from(rest, (size_t)(in.p - rest.p));
    od_view_skip_blanks(&rest);
    *ret_digits = head.digits;
    *ret_unit = head.unit;
    *ret_message = rest;
    /* "[12 MB / 45 MB 0:12.3]": the finished part of a total */
    return head.digits.n > 0 && head.timed && !(bracket && head.whole) && is_message(rest) &&
           !is_of_other(rest);
}
