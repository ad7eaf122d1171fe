#include "base/base.h"

#include <math.h>
#include <stdio.h>

static const char *const unit_names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

/* 2^64 as a double; the largest size that fits is below it. */
static const double too_large = 18446744073709551616.0;

struct unit {
    unsigned power;
    bool binary;
};

static bool prefix_power(char c, unsigned *ret_power)
{
    static const char prefixes[] = "KMGTPEkmgtpe";
    const char *hit = c ? strchr(prefixes, c) : NULL;
    if (!hit)
        return false;
    *ret_power = (unsigned)(hit - prefixes) % 6 + 1;
    return true;
}

static bool is_byte_word(struct od_view unit)
{
    return unit.n == 0 || od_view_eq_str(unit, "B") || od_view_eq_str(unit, "b") ||
           od_view_eq_str(unit, "bytes") || od_view_eq_str(unit, "byte") ||
           od_view_eq_str(unit, "Bytes");
}

/* Accepts the rest of a unit after its first letter. A lone lower-case letter is rejected: "m" is
 * more often a minute, or a thousandth. */
static bool is_unit_tail(struct od_view tail, bool lower)
{
    static const char *const tails[] = {"B",    "b",  "iB",  "ib",  "bytes", "Bytes",
                                        "ytes", "io", "egs", "igs", NULL};
    return od_view_eq_any(tail, tails) || (!lower && (tail.n == 0 || od_view_eq_str(tail, "i")));
}

/* Does the text name a prefix in words: "gigabytes", "Megabyte"? Sets the power of 1000 or 1024. */
static bool word_power(struct od_view text, unsigned *ret_power)
{
    static const char *const words[] = {"kilo", "mega", "giga", "tera", "peta"};
    for (unsigned i = 0; i < OD_COUNT_OF(words); i++) {
        struct od_view rest = od_view_from(text, 1);
        if ((text.p[0] | 0x20) != words[i][0] || !od_view_take(&rest, od_view_of(words[i] + 1)))
            continue;
        *ret_power = i + 1;
        return od_view_eq_str(rest, "byte") || od_view_eq_str(rest, "bytes") ||
               od_view_eq_str(rest, "Bytes");
    }
    return false;
}

static bool parse_unit(struct od_view text, enum od_unit_base base, struct unit *ret_unit)
{
    *ret_unit = (struct unit){.power = 0, .binary = true};
    bool i = text.n == 3 && text.p[1] == 'i';
    if ((i || text.n == 2) && text.p[text.n - 1] == 'B' &&
        prefix_power(text.p[0], &ret_unit->power)) { /* the most frequent case */
        ret_unit->binary = i || base == OD_UNIT_BINARY;
        return true;
    }
    if (is_byte_word(text))
        return true;
    ret_unit->binary = base == OD_UNIT_BINARY;
    if (word_power(text, &ret_unit->power))
        return true;
    if (!prefix_power(text.p[0], &ret_unit->power))
        return false;
    struct od_view tail = od_view_from(text, 1);
    ret_unit->binary = base == OD_UNIT_BINARY || od_view_starts(tail, OD_VIEW("i"));
    /* A lower-case letter alone is a unit only for "k", because "12k" can only be a thousand. */
    return is_unit_tail(tail, text.p[0] >= 'a' && text.p[0] != 'k');
}

/* The value of one unit in the last printed digit: 4.31 -> 0.01, 926. -> 1, 7.98e+03 -> 10. */
static double last_digit(struct od_view number)
{
    int decimals = 0;
    bool point = false;
    size_t i = 0;
    for (; i < number.n && number.p[i] != 'e' && number.p[i] != 'E'; i++) {
        bool separator = number.p[i] == '.' || number.p[i] == ',';
        if (point && !separator)
            decimals++;
        point = point || separator;
    }
    double digit = od_num_power_of_ten(-decimals);
    double exponent;
    struct od_view tail = od_view_from(number, i + 1);
    if (od_view_starts(tail, OD_VIEW("+")))
        tail = od_view_from(tail, 1);
    if (i < number.n && od_num_parse_double(tail, &exponent))
        digit *= pow(10, exponent);
    return digit;
}

/* Reads plain decimals such as "4310" and "4.31", which most numbers are, in a single pass. */
static bool read_decimal(struct od_view text, double *ret_value, double *ret_digit)
{
    enum { FIGURES = 15 }; /* a double represents all integers of 15 digits exactly */
    uint64_t value = 0;
    size_t point = text.n;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '.' && point == text.n)
            point = i;
        else if (od_is_digit(text.p[i]))
            value = value * 10 + (uint64_t)(text.p[i] - '0');
        else
            return false;
    }
    int decimals = (int)(text.n - point) - (point < text.n);
    if (text.n == 0 || text.n > FIGURES || (point == 0 && text.n == 1))
        return false;
    double power = od_num_power_of_ten(decimals);
    *ret_value = (double)value / power;
    *ret_digit = 1 / power;
    return true;
}

static uint64_t clamp(double value)
{
    if (value <= 0)
        return 0;
    return value >= too_large ? UINT64_MAX : (uint64_t)value;
}

bool od_bytes_parse_unit(struct od_view number, struct od_view unit_text, enum od_unit_base base,
                         struct od_bytes *ret_bytes)
{
    struct unit unit;
    uint64_t whole;
    double value, digit = 1;
    if (!parse_unit(unit_text, base, &unit))
        return false;
    if (unit.power == 0 && od_num_parse_u64(number, &whole)) {
        *ret_bytes = od_bytes_exact(whole);
        return true;
    }
    if (!read_decimal(number, &value, &digit)) {
        bool fits = od_num_parse_u64(number, &whole);
        if (!fits && !od_num_parse_double(number, &value))
            return false;
        value = fits ? (double)whole : value;
        digit = fits ? 1 : last_digit(number);
    }
    double scale = 1;
    for (unsigned i = 0; i < unit.power; i++)
        scale *= unit.binary ? 1024 : 1000;
    if (value < 0 || value * scale >= too_large)
        return false;
    digit *= scale;
    struct od_bytes b = {.n = clamp(round(value * scale)), .known = true};
    b.lo = clamp(ceil(value * scale - digit / 2));
    b.hi = clamp(floor(value * scale + digit));
    /* the rounded value may lie outside of limits that were rounded to whole bytes */
    b.lo = b.lo < b.n ? b.lo : b.n;
    b.hi = b.hi > b.n ? b.hi : b.n;
    *ret_bytes = b;
    return true;
}

bool od_bytes_parse(struct od_view text, enum od_unit_base base, struct od_bytes *ret_bytes)
{
    text = od_view_trim(text);
    size_t i = 0;
    while (i < text.n &&
           (od_is_digit(text.p[i]) || text.p[i] == '.' || text.p[i] == ',' || text.p[i] == '-'))
        i++;
    if (i + 2 < text.n && (text.p[i] == 'e' || text.p[i] == 'E') &&
        (text.p[i + 1] == '+' || text.p[i + 1] == '-' || od_is_digit(text.p[i + 1]))) {
        i += 2;
        while (i < text.n && text.p[i] >= '0' && text.p[i] <= '9')
            i++;
    }
    struct od_view unit = od_view_trim(od_view_from(text, i));
    return od_bytes_parse_unit(od_view_head(text, i), unit, base, ret_bytes);
}

bool od_bytes_parse_option(struct od_view text, struct od_view unit, struct od_bytes *ret_bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    struct od_view number = od_view_head(text, text.n - (text.n > 0));
    bool digits = number.n > 0 && od_is_digit(text.p[text.n - 1]), found = false;
    for (size_t i = 0; number.n > 0 && !digits && !found && i < OD_COUNT_OF(units); i++)
        if (od_upper(text.p[number.n]) == units[i][0] && od_is_digit(number.p[number.n - 1]))
            found = od_bytes_parse_unit(number, od_view_of(units[i]), OD_UNIT_BINARY, ret_bytes);
    found = found || (digits ? od_bytes_parse_unit(text, unit, OD_UNIT_BINARY, ret_bytes)
                             : od_bytes_parse(text, OD_UNIT_BINARY, ret_bytes));
    if (found)
        *ret_bytes = od_bytes_exact(ret_bytes->n);
    return found;
}

struct od_bytes od_bytes_add(struct od_bytes a, struct od_bytes b)
{
    struct od_bytes sum = {.known = a.known && b.known};
    if (!sum.known || ckd_add(&sum.n, a.n, b.n) || ckd_add(&sum.lo, a.lo, b.lo) ||
        ckd_add(&sum.hi, a.hi, b.hi))
        return (struct od_bytes){0};
    return sum;
}

struct od_bytes od_bytes_sub(struct od_bytes a, struct od_bytes b)
{
    if (!a.known || !b.known || a.hi < b.lo || a.n < b.n)
        return (struct od_bytes){0};
    struct od_bytes rest = {.n = a.n - b.n, .hi = a.hi - b.lo, .known = true};
    rest.lo = a.lo > b.hi ? a.lo - b.hi : 0;
    return rest;
}

enum od_tri od_bytes_same(struct od_bytes a, struct od_bytes b)
{
    if (!a.known || !b.known)
        return OD_CANNOT_TELL;
    return a.lo <= b.hi && b.lo <= a.hi ? OD_YES : OD_NO;
}

enum od_tri od_bytes_less(struct od_bytes a, struct od_bytes b)
{
    if (!a.known || !b.known)
        return OD_CANNOT_TELL;
    if (a.hi < b.lo)
        return OD_YES;
    return a.lo >= b.hi ? OD_NO : OD_CANNOT_TELL;
}

unsigned od_bytes_unit_for(uint64_t largest)
{
    unsigned unit = 0;
    while (largest >= 1024 && unit + 1 < OD_COUNT_OF(unit_names)) {
        largest /= 1024;
        unit++;
    }
    return unit;
}

const char *od_bytes_unit_name(unsigned unit)
{
    return unit_names[unit < OD_COUNT_OF(unit_names) ? unit : OD_COUNT_OF(unit_names) - 1];
}

const char *od_bytes_print_in(uint64_t n, unsigned unit, char buf[static OD_BYTES_TEXT])
{
    if (unit == 0)
        (void)snprintf(buf, OD_BYTES_TEXT, "%llu", (unsigned long long)n);
    else
        (void)snprintf(buf, OD_BYTES_TEXT, "%.2f", (double)n / pow(1024, unit));
    return buf;
}

const char *od_bytes_print_u64(uint64_t n, char buf[static OD_BYTES_TEXT])
{
    return od_bytes_print(od_bytes_exact(n), buf);
}

const char *od_bytes_text(struct od_arena *arena, struct od_bytes b)
{
    char text[OD_BYTES_TEXT];
    return od_arena_str(arena, od_view_of(od_bytes_print(b, text)));
}

const char *od_bytes_text_u64(struct od_arena *arena, uint64_t n)
{
    return od_bytes_text(arena, od_bytes_exact(n));
}

const char *od_bytes_print(struct od_bytes b, char buf[static OD_BYTES_TEXT])
{
    static const double guard = 10.01; /* ten printed steps, and a margin for rounding */
    unsigned unit = od_bytes_unit_for(b.n);
    double scale = pow(1024, unit), step = unit == 0 ? 1 : 0.01, value = (double)b.n / scale;
    double width = b.hi - b.lo < b.n ? (double)(b.hi - b.lo) / scale : 0; /* 0 = too wide */
    if (!b.known) {
        (void)snprintf(buf, OD_BYTES_TEXT, "unknown");
        return buf;
    }
    while (step * guard < width && step < value)
        step *= 10;
    if (step > 0.01)
        value = round(value / step) * step;
    int n = snprintf(buf, OD_BYTES_TEXT, unit == 0 ? "%.0f" : "%.2f", value);
    while (unit > 0 && buf[n - 1] == '0')
        n--;
    n -= unit > 0 && buf[n - 1] == '.';
    (void)snprintf(buf + n, OD_BYTES_TEXT - (size_t)n, " %s", od_bytes_unit_name(unit));
    return buf;
}
