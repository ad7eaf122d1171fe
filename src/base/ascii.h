/* Classes of ASCII characters, whatever the locale. A byte beyond ASCII is in none. */
#ifndef OD_BASE_ASCII_H
#define OD_BASE_ASCII_H

#include <stdbool.h>

static inline bool od_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool od_is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static inline char od_lower(char c)
{
    return od_is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

static inline bool od_is_letter(char c)
{
    return od_lower(c) >= 'a' && od_lower(c) <= 'z';
}

static inline bool od_is_alnum(char c)
{
    return od_is_digit(c) || od_is_letter(c);
}

/* A character of a name in C or Python. */
static inline bool od_is_word(char c)
{
    return od_is_alnum(c) || c == '_';
}

static inline bool od_is_hex(char c)
{
    return od_is_digit(c) || (od_lower(c) >= 'a' && od_lower(c) <= 'f');
}

/* 0..15; -1 = not a hexadecimal digit. */
static inline int od_hex_value(char c)
{
    if (od_is_digit(c))
        return c - '0';
    return od_is_hex(c) ? od_lower(c) - 'a' + 10 : -1;
}

#endif
