#include "base/base.h"

#include <math.h>

bool od_num_follows(struct od_view text, size_t at)
{
    enum { NEAR = 24 };
    size_t end = text.n - at > NEAR ? at + NEAR + 1 : text.n;
    while (at < end && text.p[at] != '\n' && !od_is_word(text.p[at]))
        at++;
    return at < end && od_is_digit(text.p[at]);
}

enum { NEVER_TOO_MANY = 19 }; /* this many digits always fit into 64 bits: 10^19 - 1 */

bool od_num_has_long(struct od_view text)
{
    /* a longer run of digits has a digit at one of the tested positions */
    for (size_t at = NEVER_TOO_MANY; at < text.n; at += NEVER_TOO_MANY + 1) {
        size_t start = at + 1, end = at;
        while (start > 0 && od_is_digit(text.p[start - 1]))
            start--;
        while (start <= at && end < text.n && od_is_digit(text.p[end]))
            end++;
        if (end - start > NEVER_TOO_MANY && start <= at)
            return true;
    }
    return false;
}

size_t od_num_digits(struct od_view text)
{
    size_t n = 0;
    while (n < text.n && od_is_digit(text.p[n]))
        n++;
    return n;
}

struct od_view od_num_take_text(struct od_view *text)
{
    size_t n = od_num_digits(*text), more = n;
    while (n > 0 && n < text->n && strchr(".,", text->p[n]) &&
           (more = od_num_digits(od_view_from(*text, n + 1))) > 0)
        n += 1 + more;
    if (n > 0 && n < text->n && od_lower(text->p[n]) == 'e') {
        size_t sign = n + 1 < text->n && strchr("+-", text->p[n + 1]) ? 1 : 0;
        bool point = sign || od_view_find_char(od_view_head(*text, n), '.', 0) != OD_VIEW_NONE;
        more = point ? od_num_digits(od_view_from(*text, n + 1 + sign)) : 0;
        n += more > 0 ? 1 + sign + more : 0;
    }
    struct od_view number = od_view_head(*text, n);
    *text = od_view_from(*text, n);
    return number;
}

/* Returns digits and decimal point without trailing zeros: "42" of "42.00". */
static struct od_view plain_number(struct od_view number)
{
    while (od_view_find_char(number, '.', 0) != OD_VIEW_NONE &&
           strchr(".0", number.p[number.n - 1])) {
        bool point = number.p[--number.n] == '.';
        if (point)
            break;
    }
    return number;
}

bool od_num_is_in(struct od_view text, struct od_view number)
{
    number = plain_number(number);
    for (size_t at = 0; (at = od_view_find(text, number, at)) != OD_VIEW_NONE; at++) {
        bool begins = at == 0 || !(od_is_digit(text.p[at - 1]) || text.p[at - 1] == '.');
        struct od_view rest = od_view_from(text, at + number.n);
        struct od_view more = od_num_take_text(&rest); /* removes ".00", the rest of the number */
        bool zeros = more.n == 0 && rest.n > 1 && rest.p[0] == '.' && rest.p[1] == '0';
        if (begins && (more.n == 0 || strspn(more.p, "0") >= more.n) &&
            (zeros || rest.n < 2 || rest.p[0] != '.' || !od_is_digit(rest.p[1])))
            return true;
    }
    return false;
}

bool od_num_take_u64(struct od_view *text, uint64_t *ret_value)
{
    size_t few = text->n < NEVER_TOO_MANY ? text->n : NEVER_TOO_MANY;
    size_t i = 0;
    uint64_t value = 0;
    for (; i < few && od_is_digit(text->p[i]); i++)
        value = value * 10 + (uint64_t)(text->p[i] - '0');
    for (; i < text->n && od_is_digit(text->p[i]); i++) {
        if (ckd_mul(&value, value, 10U) || ckd_add(&value, value, (uint64_t)(text->p[i] - '0')))
            return false;
    }
    if (i == 0)
        return false;
    *ret_value = value;
    *text = od_view_from(*text, i);
    return true;
}

bool od_num_take_hex(struct od_view *text, uint64_t *ret_value)
{
    struct od_view rest = *text;
    if (rest.n > 2 && rest.p[0] == '0' && (rest.p[1] == 'x' || rest.p[1] == 'X'))
        rest = od_view_from(rest, 2);
    size_t i = 0;
    uint64_t value = 0;
    for (; i < rest.n && od_is_hex(rest.p[i]); i++) {
        if (value >> 60)
            return false;
        value = value << 4 | (uint64_t)od_hex_value(rest.p[i]);
    }
    if (i == 0)
        return false;
    *ret_value = value;
    *text = od_view_from(rest, i);
    return true;
}

bool od_num_parse_u64(struct od_view text, uint64_t *ret_value)
{
    enum { GROUP = 3 }; /* number of digits between commas */
    struct od_view rest = text;
    uint64_t value, more;
    if (!od_num_take_u64(&rest, &value) || (rest.n > 0 && text.n - rest.n > GROUP))
        return false;
    for (; rest.n > 0; rest = od_view_from(rest, GROUP + 1)) {
        struct od_view group = od_view_head(od_view_from(rest, 1), GROUP);
        if (rest.p[0] != ',' || group.n < GROUP || !od_num_take_u64(&group, &more) || group.n > 0 ||
            ckd_mul(&value, value, 1000U) || ckd_add(&value, value, more))
            return false;
    }
    *ret_value = value;
    return true;
}

/* Parses the exponent of "7.98e+03"; 0 for a number without an exponent. */
static bool parse_exponent(struct od_view text, int *ret_exponent)
{
    if (text.n == 0) {
        *ret_exponent = 0;
        return true;
    }
    if (text.p[0] != 'e' && text.p[0] != 'E')
        return false;
    text = od_view_from(text, 1);
    bool negative = text.n > 0 && text.p[0] == '-';
    if (text.n > 0 && (text.p[0] == '-' || text.p[0] == '+'))
        text = od_view_from(text, 1);
    uint64_t exponent;
    if (!od_num_take_u64(&text, &exponent) || text.n > 0 || exponent > 300)
        return false;
    *ret_exponent = negative ? -(int)exponent : (int)exponent;
    return true;
}

double od_num_power_of_ten(int n)
{
    static const double exact[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    enum { MOST = sizeof exact / sizeof *exact };
    if (n >= 0 && n < MOST)
        return exact[n];
    return n < 0 && -n < MOST ? 1 / exact[-n] : pow(10, n);
}

bool od_num_parse_double(struct od_view text, double *ret_value)
{
    bool negative = text.n > 0 && text.p[0] == '-';
    if (negative)
        text = od_view_from(text, 1);
    double value = 0;
    int digits = 0;
    int fraction = 0;
    bool point = false;
    size_t i = 0;
    for (; i < text.n; i++) {
        if (od_is_digit(text.p[i])) {
            value = value * 10 + (text.p[i] - '0');
            digits++;
            fraction += point;
        } else if ((text.p[i] == '.' || text.p[i] == ',') && !point) {
            point = true;
        } else {
            break;
        }
    }
    int exponent;
    if (digits == 0 || digits > 300 || !parse_exponent(od_view_from(text, i), &exponent))
        return false;
    value = fraction > 0 ? value / od_num_power_of_ten(fraction) : value;
    value = exponent < 0 ? value / od_num_power_of_ten(-exponent)
                         : value * od_num_power_of_ten(exponent);
    *ret_value = negative ? -value : value;
    return true;
}

const char *od_num_print_u64(uint64_t value, char buf[static 21])
{
    char *p = buf + 20;
    *p = '\0';
    do {
        *--p = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    return p;
}
