/*
 * The last line of a log, if it says in any wording that the program failed and only explanations
 * follow. An error after which the program continued did not end it, and neither did one of many
 * errors; different adjacent lines are one error.
 */
#include "base/code_line.h"
#include "readers/reader.h"

#include "readers/logs/last_words_lists.inc"

enum { OFTEN = 4 };

struct last_words {
    bool open;
    unsigned complaints;
    struct od_kept_line said;
};

/* Is it about memory, does it say that nothing is wrong, or is it a text for people? */
static bool is_else(struct od_view text)
{
    bool shared =
        od_view_has(text, OD_VIEW("shared memory")); /* a table of locks, a kernel's tile */
    return od_view_find_char(text, '?', 0) != OD_VIEW_NONE ||
           (!shared && od_view_has_any(text, other)) || od_is_code_line(text) ||
           od_view_starts(text, OD_VIEW("+ ")) || od_view_starts(text, OD_VIEW("$ "));
}

/* Is the word about the program itself? "test failed" and "failed to open" are, numbers of failures
 * are not; "Error 41 running" has its number after it. */
static bool is_of_program(struct od_view text, struct od_view word)
{
    struct od_view rest = text;
    if (od_view_eq_str(word, "Error "))
        return od_view_take(&rest, word) && rest.n > 0 && od_is_digit(rest.p[0]);
    if (!od_view_eq_str(word, " failed"))
        return true;
    while (rest.n > word.n && !od_view_starts(rest, word))
        rest = od_view_from(rest, 1);
    rest = od_view_from(rest, word.n);
    return rest.n < 2 || strchr(":;", rest.p[0]) || od_view_starts(rest, OD_VIEW(" to ")) ||
           od_view_starts(rest, OD_VIEW(" with "));
}

static bool says_failure(struct od_view text)
{
    for (const char *const *word = literals; *word; word++)
        if (od_view_has(text, od_view_of(*word)) && is_of_program(text, od_view_of(*word)))
            return !is_else(text);
    return false;
}

static bool begins_alike(struct od_view a, struct od_view b)
{
    enum { HEAD = 8 };
    return od_view_eq(od_view_head(a, HEAD), od_view_head(b, HEAD));
}

static void end(void *state, const struct od_sink *sink)
{
    struct last_words *s = state;
    if (s->open && s->complaints < OFTEN) {
        struct od_event event = {.kind = OD_EV_EXCEPTION,
                                 .at = s->said.line.at,
                                 .line = &s->said.line,
                                 .excerpt = s->said.line.text,
                                 .rule = "last_words"};
        od_event_set_text(&event, OD_F_PRODUCER, OD_VIEW("other"));
        od_event_set_text(&event, OD_F_NAME, OD_VIEW("LastWords"));
        od_event_set_text(&event, OD_F_MESSAGE, s->said.line.text);
        od_sink_put(sink, &event);
    }
    s->open = false;
}

/* Does the line explain the previous one: an indented line, a marked position, a labelled
 * detail? */
static bool explains(struct od_view line, struct od_view text)
{
    static const struct od_view words[] = {{"HINT:", 5},       {"DETAIL:", 7}, {"CONTEXT:", 8},
                                           {"STATEMENT:", 10}, {"help:", 5},   {"note:", 5}};
    size_t digits = od_num_digits(text);
    bool part = line.p[0] == ' ' || line.p[0] == '\t' || text.p[0] == '^' ||
                od_view_starts(od_view_trim(od_view_from(text, digits)), OD_VIEW("|"));
    for (size_t i = 0; i < OD_COUNT_OF(words); i++)
        part = part || od_view_starts(text, words[i]);
    return part;
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct last_words *s = state;
    struct od_view text = od_view_trim(line->text);
    (void)sink;
    if (text.n == 0)
        return OD_TAKE_NONE;
    if (s->open && explains(line->text, text))
        return OD_TAKE_NONE;
    bool failed = says_failure(text);
    if (failed && !s->open)
        od_line_keep(&s->said, line);
    s->complaints += failed && (!s->open || begins_alike(text, s->said.line.text));
    s->open = failed;
    return failed ? OD_TAKE_SHARE : OD_TAKE_NONE;
}

const struct od_reader od_reader_last_words = {
    .name = "last_words",
    .literals = literals,
    .state_size = sizeof(struct last_words),
    .line = take_line,
    .is_open = od_reader_state_is_open,
    .end = end,
};
