/*
 * Finds out whether a pattern distinguishes digits. Only knows the parts of PCRE2's syntax that our
 * rules use. Any other syntax counts as distinguishing digits.
 */
#include "rules/match.h"

/* Escapes for classes and positions that treat all digits alike. */
static const char alike_escapes[] = "dDwWsShHvVRbBAzZGKntrfea";

/* Reads an escape after its backslash. *ret_byte: its byte, or -1 for a class or position. False if
 * it is unknown. */
static bool take_escape(const char **p, int *ret_byte)
{
    char c = *(*p)++;
    *ret_byte = (unsigned char)c;
    if (c == '\0')
        return false;
    if (c == 'x') {
        int value = 0, n = 0;
        for (; n < 2 && od_hex_value((*p)[0]) >= 0; n++)
            value = value * 16 + od_hex_value(*(*p)++);
        *ret_byte = value;
        return n == 2;
    }
    if (!od_is_letter(c))
        return !od_is_digit(c);
    *ret_byte = -1;
    return strchr(alike_escapes, c) != NULL;
}

/* Reads "[:alpha:]" and similar classes after the opening bracket. */
static bool take_posix(const char **p)
{
    if (**p != ':')
        return false;
    const char *end = strstr(*p + 1, ":]");
    if (!end || strcspn(*p, "]") < (size_t)(end - *p))
        return false;
    *p = end + 2;
    return true;
}

/* Reads an item of a class. *ret_byte: its byte, or -1 for several bytes. */
static bool take_item(const char **p, int *ret_byte)
{
    char c = *(*p)++;
    *ret_byte = (unsigned char)c;
    if (c == '\\')
        return take_escape(p, ret_byte);
    if (c == '[' && take_posix(p))
        *ret_byte = -1;
    return c != '\0';
}

/* Does the range contain all digits or none? */
static bool digits_alike(int low, int high)
{
    bool all = low <= '0' && high >= '9';
    return all || high < '0' || low > '9';
}

/* Reads a class after its opening bracket. False if unknown, or with only some digits. */
static bool take_class(const char **p)
{
    bool alike = true;
    *p += **p == '^';
    for (bool first = true; first || **p != ']'; first = false) {
        int low, high;
        if (!take_item(p, &low))
            return false;
        high = low;
        if ((*p)[0] == '-' && (*p)[1] != ']') {
            (*p)++;
            if (!take_item(p, &high))
                return false;
        }
        if ((low < 0) != (high < 0))
            return false;
        alike = alike && (low < 0 || digits_alike(low, high));
    }
    (*p)++;
    return alike;
}

/* Reads the syntax after the bracket of a group. False if it is unknown. */
static bool take_group(const char **p)
{
    if (**p == '*')
        return false;
    if (**p != '?')
        return true;
    (*p)++;
    if ((*p)[0] == '<' && (*p)[1] != '=' && (*p)[1] != '!') {
        *p += strcspn(*p, ">");
        return true;
    }
    *p += strspn(*p, "imsx-");
    return **p != '\0' && strchr(":=!><|)", **p) != NULL;
}

/* Length of "{3}", "{3,}" or "{3,7}"; 0 = not a quantifier. */
static size_t count_length(const char *p)
{
    size_t n = 1;
    if (p[0] != '{')
        return 0;
    while (od_is_digit(p[n]))
        n++;
    if (n == 1)
        return 0;
    n += p[n] == ',';
    while (od_is_digit(p[n]))
        n++;
    return p[n] == '}' ? n + 1 : 0;
}

bool od_pattern_tells_digits(const char *pattern)
{
    size_t depth = 0;
    int byte;
    for (const char *p = pattern; *p;) {
        char c = *p++;
        size_t count = count_length(p - 1);
        if (c == '\\' && (!take_escape(&p, &byte) || (byte >= 0 && od_is_digit((char)byte))))
            return true;
        if ((c == '[' && !take_class(&p)) || (c == '(' && !take_group(&p)) ||
            (c == ')' && depth == 0) || od_is_digit(c))
            return true;
        depth += c == '(';
        depth -= c == ')';
        p += count > 0 ? count - 1 : 0;
    }
    return depth > 0;
}
