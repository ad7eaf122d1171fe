#include "input/flow.h"

#include "facts/number.h"
#include "facts/segment.h"

enum { WIDTH_LEAST = 70 }; /* columns of a text without frame; few texts are narrower */

/* A line between bars, or an indented line. */
struct flow {
    struct od_view bar, text; /* bar empty = the line is indented */
    size_t left, end, right;  /* columns from the bar on: before the text, to its end, in all */
};

static size_t columns(const char *from, const char *to)
{
    size_t n = 0;
    for (; from < to; from++)
        n += (*from & 0xC0) != 0x80; /* skips the other bytes of a UTF-8 character */
    return n;
}

/* Parses a line. False if it is empty or has several cells. */
static bool take(struct od_view line, struct flow *ret_flow)
{
    static const struct od_view bars[] = {
        {"|", 1}, {"\xe2\x94\x82", 3}, {"\xe2\x94\x83", 3}, {"\xe2\x95\x91", 3}};
    struct flow flow = {.text = od_view_trim(line)};
    const char *from = line.p, *to = flow.text.p + flow.text.n;
    for (size_t i = 0; i < OD_COUNT_OF(bars); i++)
        if (flow.text.n > 2 * bars[i].n && od_view_starts(flow.text, bars[i]) &&
            od_view_ends(flow.text, bars[i]))
            flow.bar = bars[i];
    if (flow.bar.n > 0) {
        from = flow.text.p + flow.bar.n;
        to -= flow.bar.n;
        flow.text = od_view_trim((struct od_view){from, (size_t)(to - from)});
        if (od_view_has(flow.text, flow.bar))
            return false;
    }
    flow.left = columns(from, flow.text.p);
    flow.end = columns(from, flow.text.p + flow.text.n);
    flow.right = columns(from, to);
    *ret_flow = flow;
    return flow.text.n > 0;
}

static bool has_small_word(struct od_view text)
{
    for (struct od_view word; od_view_cut(&text, ' ', &word);)
        if (od_is_small_word(word))
            return true;
    return false;
}

/* The width of the lines of dashes around a framed text; 0 = no frame. */
static size_t ruled_by(struct od_view line, size_t ruled)
{
    struct od_view text = od_view_trim(line);
    size_t i = 0;
    while (i < text.n && (strchr(">-=_* \xe2", text.p[i]) || (text.p[i] & 0xC0) == 0x80))
        i++;
    if (i == text.n && columns(line.p, text.p + i) > WIDTH_LEAST / 2)
        return columns(line.p, text.p + i);
    return line.n > 0 && line.p[0] != ' ' ? 0 : ruled;
}

/* Was a sentence broken between the two lines? goes_on: the line above continues a sentence. ruled:
 * the width of the lines of dashes around them, 0 = none. */
static bool flows(const struct flow *above, const struct flow *below, bool goes_on, size_t ruled)
{
    struct od_view text = above->text, next = below->text, word;
    char last = text.p[text.n - 1];
    (void)od_view_cut(&next, ' ', &word);
    size_t end = above->end + 1 + columns(word.p, word.p + word.n);
    if (above->bar.n != below->bar.n || strchr(".!?:;", last))
        return false;
    if (above->bar.n > 0)
        return od_view_count(text, ' ') > 1 && above->left == below->left &&
               above->right == below->right && end > above->right - above->left &&
               !od_view_has(text, OD_VIEW("  ")); /* not a row of a table */
    word.n -= word.p[word.n - 1] == ',' || (word.p[word.n - 1] == '.' && next.n == 0);
    bool plain = od_word_at(word, 0).n == word.n && !od_is_upper(word.p[0]) &&
                 (next.n == 0 || od_is_letter(next.p[0]) || next.p[0] == '(');
    if (ruled > 0)
        return above->left > 0 && below->left == above->left && end > ruled && plain &&
               !od_view_has(below->text, OD_VIEW("  "));
    bool hangs = goes_on ? below->left == above->left : below->left > above->left;
    return hangs && end > WIDTH_LEAST && end > below->right && plain && od_is_letter(text.p[0]) &&
           has_small_word(text) && (od_is_alnum(last) || last == ',');
}

/* Label at the start of both lines: a launcher's name in brackets ("[1,0]<stderr>:"), or ">" of a
 * quote. */
static struct od_view label_of(struct od_view above, struct od_view below)
{
    size_t end = 0;
    bool begins = above.n > 0 && (above.p[0] == '[' || above.p[0] == '>');
    for (size_t i = 0; begins && i < above.n && i < below.n && above.p[i] == below.p[i]; i++)
        end = strchr("]:>", above.p[i]) ? i + 1 : end;
    return od_view_head(above, end);
}

uint64_t od_flow_join(char *bytes, size_t n)
{
    struct od_view line, before = {0}, label = {0};
    struct flow above, below;
    /* current sentence: its end, number of joined lines, width of the frame */
    size_t end = 0, joined = 0, ruled = 0;
    uint64_t all = 0;
    for (struct od_view rest = {bytes, n}; od_view_cut(&rest, '\n', &line); before = line) {
        label = joined > 0 ? label : label_of(before, line);
        struct od_view next = line;
        bool same = od_view_take(&next, label) && before.n > label.n;
        ruled = ruled_by(next, ruled);
        bool edge = same && next.n > 0 && memchr(" \t|\xe2", next.p[0], 4);
        if (!edge || (joined == 0 && !take(od_view_from(before, label.n), &above)) ||
            !take(next, &below) || !flows(&above, &below, joined > 0, ruled)) {
            joined = 0;
            continue;
        }
        end = joined++ > 0 ? end : (size_t)(above.text.p + above.text.n - bytes);
        bytes[end++] = ' ';
        memmove(bytes + end, below.text.p, below.text.n);
        below.text.p = bytes + end;
        end += below.text.n;
        memset(bytes + end, '\n', joined);
        memset(bytes + end + joined, ' ', (size_t)(line.p + line.n - bytes) - end - joined);
        above = below;
        all++;
    }
    return all;
}
