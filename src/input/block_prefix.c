#include "input/block_prefix.h"

#include "base/mask_digits.h"

enum { NUMBER_DIGITS = 6, POLL_LINES = 4, FIRST_SPACES = 6, HEAD_BYTES = 100 };

static bool take_number(struct od_view *text, uint64_t *ret_number)
{
    struct od_view v = *text;
    if (!od_num_take_u64(&v, ret_number) || text->n - v.n > NUMBER_DIGITS)
        return false;
    *text = v;
    return true;
}

/* Takes "3: " of "3: text". srun pads labels to the width of the largest one. */
static bool take_plain(struct od_view *text, struct od_block_prefix *ret_label)
{
    struct od_view v = *text;
    size_t spaces = 0;
    while (spaces < FIRST_SPACES && spaces < v.n && v.p[spaces] == ' ')
        spaces++;
    v = od_view_from(v, spaces);
    struct od_block_prefix label = {0};
    if (!take_number(&v, &label.number) || v.n < 1 || v.p[0] != ':')
        return false;
    v = od_view_from(v, 1);
    if (v.n > 0 && !od_view_take(&v, OD_VIEW(" ")))
        return false;
    *text = v;
    *ret_label = label;
    return true;
}

/* gpustat starts rows with the number of a device: "[0] Tesla T4 | 31'C,  0 % | 3 / 15360 MB |". */
static bool is_device_row(struct od_view rest)
{
    return od_view_has(rest, OD_VIEW(" | ")) && od_view_has(rest, OD_VIEW(" MB |")) &&
           !od_view_starts(rest, OD_VIEW("|"));
}

static bool take_bracket(struct od_view *text, struct od_block_prefix *ret_label)
{
    struct od_view v = *text;
    struct od_block_prefix label = {0};
    /* "[07]" is a count, because no launcher pads ranks with zeros */
    bool padded = v.n > 2 && v.p[1] == '0' && od_is_digit(v.p[2]);
    if (padded || !od_view_take(&v, OD_VIEW("[")) || !take_number(&v, &label.number) ||
        !od_view_take(&v, OD_VIEW("]")))
        return false;
    bool colon = od_view_take(&v, OD_VIEW(":"));
    bool space = od_view_take(&v, OD_VIEW(" "));
    if ((!colon && !space && v.n > 0) || is_device_row(v))
        return false;
    *text = v;
    *ret_label = label;
    return true;
}

/* ---- collectors that add a time to each line of a program ---- */

/* Length of a prefix up to and including its level: "2026-01-02 03:04:05,678 INFO ", "[2026-01-02,
 * 03:04:05 UTC] {runner.py:93} INFO - "; 0 = none. */
static size_t collected_head(struct od_view line)
{
    struct od_view head = od_view_head(line, HEAD_BYTES);
    size_t level = od_view_find(head, OD_VIEW(" INFO"), 0);
    size_t first = head.n > 0 && head.p[0] == '[';
    if (level == OD_VIEW_NONE || !od_is_digit(first < head.n ? head.p[first] : 'x') ||
        od_view_find_char(od_view_head(head, level), ':', 0) == OD_VIEW_NONE)
        return 0;
    struct od_view rest = od_view_from(line, level + sizeof " INFO" - 1);
    (void)(od_view_take(&rest, OD_VIEW(":")) || od_view_take(&rest, OD_VIEW(" -")));
    return rest.n == 0 || od_view_take(&rest, OD_VIEW(" ")) ? line.n - rest.n : 0;
}

bool od_block_prefix_all_collected(struct od_view lines)
{
    struct od_view line, first = {0};
    while (od_view_cut(&lines, '\n', &line)) {
        struct od_view head = od_view_head(line, collected_head(line));
        if (line.n == 0 || od_view_eq_str(line, "\r"))
            continue;
        if (head.n == 0 || (first.n > 0 && line.n >= first.n && !od_same_but_digits(first, head)))
            return false;
        first = first.n > 0 ? first : head;
    }
    return first.n > 0;
}

/* Removes the label and keeps only its time. */
static bool take_collected(struct od_view *text, struct od_block_prefix *ret_label)
{
    size_t n = collected_head(*text);
    struct od_view head = od_view_head(*text, n);
    if (n == 0)
        return false;
    (void)od_view_take(&head, OD_VIEW("["));
    size_t end = od_past_any(head, 0, "0123456789-:.,/TZ ");
    ret_label->stamp = od_view_trim(od_view_head(head, end));
    *text = od_view_from(*text, n);
    return true;
}

bool od_block_prefix_take(struct od_view *text, enum od_block_prefixes kind,
                          struct od_block_prefix *ret_label)
{
    if (text->n == 0)
        return false;
    switch (kind) {
    case OD_BLOCK_PREFIX_NONE:
        return false;
    case OD_BLOCK_PREFIX_NUMBER:
        return take_plain(text, ret_label);
    case OD_BLOCK_PREFIX_BRACKET:
        return take_bracket(text, ret_label);
    case OD_BLOCK_PREFIX_COLLECTED:
        return take_collected(text, ret_label);
    }
    return false;
}

void od_block_prefix_poll_line(struct od_block_prefix_poll *poll, struct od_view line)
{
    if (line.n == 0)
        return;
    poll->lines++;
    struct od_view text = line;
    if (text.p[0] == '\x1b' || (!od_is_alnum(text.p[0]) && text.p[0] != ' ' && text.p[0] != '['))
        return;
    for (enum od_block_prefixes kind = OD_BLOCK_PREFIX_NUMBER; kind <= OD_BLOCK_PREFIX_BRACKET;
         kind++) {
        struct od_block_prefix label;
        if (!od_block_prefix_take(&text, kind, &label))
            continue;
        poll->votes[kind]++;
        poll->rises[kind] += label.number > poll->last[kind];
        poll->last[kind] = label.number;
        poll->most[kind] = label.number > poll->most[kind] ? label.number : poll->most[kind];
        poll->zero[kind] |= label.number == 0;
        return;
    }
}

/* Are the labels steps? Steps rise from line to line and seldom start again; ranks repeat. */
static bool are_steps(const struct od_block_prefix_poll *poll, enum od_block_prefixes kind)
{
    return poll->rises[kind] * 4 >= poll->votes[kind] * 3 && poll->most[kind] >= poll->votes[kind];
}

enum od_block_prefixes od_block_prefix_poll_end(const struct od_block_prefix_poll *poll,
                                                bool *seen_zero)
{
    for (enum od_block_prefixes kind = OD_BLOCK_PREFIX_NUMBER; kind <= OD_BLOCK_PREFIX_BRACKET;
         kind++) {
        if (poll->votes[kind] < POLL_LINES || poll->votes[kind] * 2 <= poll->lines)
            continue;
        if (are_steps(poll, kind))
            return OD_BLOCK_PREFIX_NONE;
        *seen_zero |= poll->zero[kind];
        return *seen_zero ? kind : OD_BLOCK_PREFIX_NONE;
    }
    return OD_BLOCK_PREFIX_NONE;
}
