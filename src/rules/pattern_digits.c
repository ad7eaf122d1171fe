/*
 * Reads a pattern for what can tell digits apart. It knows the syntax of PCRE2 only as far as it
 * must: whatever it does not know counts as telling.
 */
#include "rules/match.h"

#include "base/ascii.h"

#include <string.h>

/* Escapes for classes of bytes and for places, none of which knows one digit from another. */
static const char alike_escapes[] = "dDwWsShHvVRbBAzZGKntrfea";

/* An escape behind its backslash: its byte, or -1 for a class or a place; false when it may tell.
 */
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

/* "[:alpha:]" and its like, behind the bracket that opens it. */
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

/* An item of a class: a byte, or -1 for one that stands for many. */
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

/* Of a range: all of the digits or none? */
static bool digits_alike(int low, int high)
{
    bool all = low <= '0' && high >= '9';
    return all || high < '0' || low > '9';
}

/* A class behind its bracket; false when it may tell. */
static bool take_class(const char **p)
{
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
        if ((low < 0) != (high < 0) || (low >= 0 && !digits_alike(low, high)))
            return false;
    }
    (*p)++;
    return true;
}

/* What stands behind a bracket that opens a group; false when it may tell. */
static bool take_group(const char **p)
{
    if (**p == '*')
        return false;
    if (**p != '?')
        return true;
    (*p)++;
    bool named = (*p)[0] == '<' && (*p)[1] != '=' && (*p)[1] != '!';
    if (named) {
        *p += strcspn(*p, ">");
        return true;
    }
    *p += strspn(*p, "ims-");
    return **p != '\0' && strchr(":=!><|)", **p) != NULL;
}

/* "{3}", "{3,}" or "{3,7}" behind its bracket; else nothing is taken. */
static void take_count(const char **p)
{
    const char *at = *p;
    while (od_is_digit(*at))
        at++;
    if (at == *p)
        return;
    at += *at == ',';
    while (od_is_digit(*at))
        at++;
    if (*at == '}')
        *p = at;
}

bool od_pattern_tells_digits(const char *pattern)
{
    const char *p = pattern;
    while (*p) {
        char c = *p++;
        int byte = (unsigned char)c;
        bool alike = true;
        if (c == '\\')
            alike = take_escape(&p, &byte);
        else if (c == '[')
            alike = take_class(&p);
        else if (c == '(')
            alike = take_group(&p);
        else if (c == '{')
            take_count(&p);
        if (!alike || (byte >= 0 && od_is_digit((char)byte)))
            return true;
    }
    return false;
}
