#include "readers/logs/setting_value.h"

#include "readers/logs/setting_value_words.inc"

static bool has_digit(struct od_view text, size_t at)
{
    return at < text.n && od_is_digit(text.p[at]);
}

static struct od_setting_value value(struct od_view text, size_t from, size_t to, size_t end)
{
    return (struct od_setting_value){{text.p + from, to - from}, end};
}

static const struct od_setting_value none = {{NULL, 0}, 0};

/* Has the number a unit: "8 GB" is memory, "12 ms" is time? */
static bool has_unit(struct od_view text, size_t at)
{
    static const char *const units[] = {"B",  "KB", "MB",  "GB", "TB",  "KiB", "MiB", "GiB",
                                        "ms", "s",  "sec", "it", "MHz", "%",   NULL};
    size_t from = od_past_any(text, at, " \t"), end = od_until_any(text, from, " \t,;|)]/.");
    return from - at == 1 && od_view_eq_any(od_view_part(text, from, end), units);
}

/* Is the number a whole one by itself, not part of a size, a date, a product or a list? */
static bool stands_alone(struct od_view text, size_t end)
{
    size_t next = od_past_any(text, end, " \t");
    if (end < text.n && (od_is_word(text.p[end]) || text.p[end] == '%'))
        return false;
    if (has_unit(text, end) || (od_view_at_any(text, end, "-:/.") && has_digit(text, end + 1)))
        return false;
    bool spaced = od_view_at_any(text, next + 1, " ");
    if (od_view_at_any(text, next, "+*/%") && (next == end || spaced))
        return false;
    return true;
}

static struct od_setting_value count_at(struct od_view text, size_t at, bool zero, size_t least)
{
    enum { MOST = 7 };
    bool bracket = at > 0 && (text.p[at - 1] == '[' || text.p[at - 1] == '(');
    size_t to = od_past(text, at, od_is_digit), end = to;
    if (od_view_at_any(text, to, ".") && od_view_at_any(text, to + 1, "0") &&
        !has_digit(text, to + 2))
        end = to + 2;
    bool number = to - at >= least && to - at <= MOST && (zero || text.p[at] != '0');
    if (!number || !stands_alone(text, end) || (bracket && !od_view_at_any(text, end, "])")))
        return none;
    return value(text, at, to, end);
}

/* "1216, 736", "640x480"; of three numbers the channels are dropped. */
static struct od_setting_value pixels_at(struct od_view text, size_t at)
{
    enum { MOST = 5, AXES = 2 };
    if (od_view_at_any(text, at, "13") && od_view_at_any(text, at + 1, ",") &&
        has_digit(text, at + 3))
        at += 3;
    size_t end = od_past(text, at, od_is_digit);
    if (end - at < 2 || end - at > MOST || text.p[at] == '0')
        return none;
    for (unsigned i = 0; i < AXES; i++) {
        size_t next = od_past_any(text, end, " \t");
        next = od_view_at_any(text, next, ",x*") ? od_past_any(text, next + 1, " \t") : text.n;
        size_t to = od_past(text, next, od_is_digit);
        if (to - next < 2 || to - next > MOST || (to < text.n && od_is_word(text.p[to])))
            break;
        end = to;
    }
    return stands_alone(text, end) ? value(text, at, end, end) : none;
}

static struct od_setting_value share_at(struct od_view text, size_t at)
{
    size_t whole = od_past(text, at, od_is_digit), end = whole;
    if (od_view_at_any(text, whole, "."))
        end = od_past(text, whole + 1, od_is_digit);
    bool one = whole - at == 1 && text.p[at] == '1';
    bool zero = whole == at || (whole - at == 1 && text.p[at] == '0' && end > whole + 1);
    if (end == at || !(one || zero) || !stands_alone(text, end))
        return none;
    return value(text, at, end, end);
}

static struct od_setting_value scientific_at(struct od_view text, size_t at)
{
    size_t end = od_past(text, at, od_is_digit);
    if (end == at)
        return none;
    if (od_view_at_any(text, end, "."))
        end = od_past(text, end + 1, od_is_digit);
    if (od_view_at_any(text, end, "e")) {
        size_t exponent = end + 1 + od_view_at_any(text, end + 1, "+-");
        end = od_past(text, exponent, od_is_digit);
    }
    return end < text.n && od_is_word(text.p[end]) ? none : value(text, at, end, end);
}

static size_t word_end(struct od_view text, size_t at)
{
    while (at < text.n && (od_is_word(text.p[at]) ||
                           (text.p[at] == '-' && at + 1 < text.n && od_is_letter(text.p[at + 1]))))
        at++;
    return at;
}

/* The last of "torch.optim.adamw.AdamW", "OptimizerNames.ADAMW_TORCH". */
static size_t last_part(struct od_view text, size_t at)
{
    for (;;) {
        size_t end = word_end(text, at);
        if (end == at || !od_view_at_any(text, end, ".") || end + 1 >= text.n ||
            !od_is_letter(text.p[end + 1]))
            return at;
        at = end + 1;
    }
}

static struct od_setting_value word_of(struct od_view text, size_t at, const char *const *words)
{
    char lower[24];
    size_t end = word_end(text, at);
    struct od_view word = od_view_lowered(od_view_part(text, at, end), lower, sizeof lower);
    bool number = od_view_at(text, end) == '.' && has_digit(text, end + 1);
    return end - at <= sizeof lower && !number && od_view_eq_any(word, words)
               ? value(text, at, end, end)
               : none;
}

static struct od_setting_value precision_at(struct od_view text, size_t at)
{
    return word_of(text, at, precisions);
}

static struct od_setting_value dtype_at(struct od_view text, size_t at)
{
    return word_of(text, last_part(text, at), dtypes);
}

static struct od_setting_value optimizer_at(struct od_view text, size_t at)
{
    static const char *const leads[] = {"<class '", "dict(", "type='", "type=\""};
    for (size_t i = 0; i < OD_COUNT_OF(leads); i++)
        if (od_view_starts(od_view_from(text, at), od_view_of(leads[i])))
            at += strlen(leads[i]);
    at = last_part(text, at);
    char lower[48];
    size_t end = od_past(text, at, od_is_word);
    struct od_view word = od_view_lowered(od_view_part(text, at, end), lower, sizeof lower);
    bool goes_on = od_view_at(text, end) == '.' && od_is_word(od_view_at(text, end + 1));
    return end - at < sizeof lower && !goes_on && od_view_has_any(word, optimizers)
               ? value(text, at, end, end)
               : none;
}

bool od_setting_is_off(struct od_view text, size_t at)
{
    return word_of(text, at, off_words).text.n > 0;
}

struct od_view od_setting_switched_on(enum od_setting_type type)
{
    static const char *const said[OD_SET_IS_SHARDED + 1] = {
        [OD_SET_MODE] = "true",
        [OD_SET_IS_FP16] = "fp16",
        [OD_SET_IS_BF16] = "bf16",
        [OD_SET_IS_AMP] = "amp",
        [OD_SET_IS_SHARDED] = "distributed_optimizer",
    };
    return said[type] ? od_view_of(said[type]) : (struct od_view){0};
}

static struct od_setting_value switched_at(struct od_view text, size_t at,
                                           enum od_setting_type type)
{
    struct od_setting_value on = word_of(text, at, type == OD_SET_IS_BF16 ? auto_words : on_words);
    if (on.text.n > 0)
        on.text = od_setting_switched_on(type);
    return on;
}

/* Position after opening quotes and brackets, and in the default of a shell variable:
 * "${BATCH_SIZE:-16}". */
static size_t value_start(struct od_view text, size_t at)
{
    enum { OPENING = 3, NAME_MOST = 64 };
    size_t from = at, name = od_past(od_view_head(text, at + NAME_MOST), at + 2, od_is_word);
    if (od_view_starts(od_view_from(text, at), OD_VIEW("${")) && name > at + 2 && name < text.n &&
        od_view_starts(od_view_from(text, name), OD_VIEW(":-")))
        at = from = name + 2;
    return od_past_any(od_view_head(text, from + OPENING), at, "'\"[(`");
}

bool od_setting_value_may_be_at(struct od_view text, size_t at, enum od_setting_type type)
{
    size_t start = value_start(text, at), end = start;
    if (type <= OD_SET_SCIENTIFIC)
        return od_view_at_any(text, start, ".") || has_digit(text, start);
    while (end < text.n && !od_view_at_any(text, end, " \t<") && !has_digit(text, end))
        end++;
    return od_view_at_any(text, end, "<") || has_digit(text, end) ||
           od_setting_value_at(text, at, type).text.n > 0;
}

struct od_setting_value od_setting_value_at(struct od_view text, size_t at,
                                            enum od_setting_type type)
{
    enum { LENGTH_DIGITS = 3 };
    at = value_start(text, at);
    switch (type) {
    case OD_SET_COUNT:
        return count_at(text, at, false, 1);
    case OD_SET_WHOLE:
        return count_at(text, at, true, 1);
    case OD_SET_LENGTH:
        return count_at(text, at, false, LENGTH_DIGITS);
    case OD_SET_PIXELS:
        return pixels_at(text, at);
    case OD_SET_SHARE:
        return share_at(text, at);
    case OD_SET_SCIENTIFIC:
        return scientific_at(text, at);
    case OD_SET_SWITCH:
        return word_of(text, at, switch_words);
    case OD_SET_MODE:
    case OD_SET_USED_MODE:
        return word_of(text, at, mode_words);
    case OD_SET_PRECISION:
        return precision_at(text, at);
    case OD_SET_DTYPE:
        return dtype_at(text, at);
    case OD_SET_OPTIMIZER:
        return optimizer_at(text, at);
    case OD_SET_IS_FP16:
    case OD_SET_IS_BF16:
    case OD_SET_IS_AMP:
    case OD_SET_IS_SHARDED:
        return switched_at(text, at, type);
    }
    return none;
}
