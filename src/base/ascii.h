/* Classes of ASCII characters, independent of the locale. Bytes beyond ASCII are in none. */
#pragma once

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

static inline char od_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static inline bool od_is_letter(char c)
{
    return (unsigned char)((c | 0x20) - 'a') <=
           'z' - 'a'; /* upper and lower case differ in one bit */
}

static inline bool od_is_alnum(char c)
{
    return od_is_letter(c) || od_is_digit(c);
}

/* A character of a name in C or Python. */
static inline bool od_is_word(char c)
{
    return od_is_alnum(c) || c == '_';
}

/* A blank, or the end of a line. */
static inline bool od_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
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

/* The first four of n bytes in lower case, the first in the lowest bits; missing bytes are 0. */
static inline uint32_t od_head_of(const char *p, size_t n)
{
    const uint32_t ones = 0x01010101, high = ones << 7;
    uint32_t head = 0;
    if (n >= sizeof head)
        memcpy(&head, p, sizeof head);
    else
        memcpy(&head, p, n);
    head = le32toh(head);
    uint32_t low = head & ~high, from_a = low + ones * (0x80 - 'A'),
             above_z = low + ones * (0x7f - 'Z');
    return head | ((from_a & ~above_z & ~head & high) >> 2);
}

/* Marks the digits among eight bytes: 0xff for a digit, else 0. */
static inline uint64_t od_digits_of(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
    uint64_t away = word ^ ones * '0'; /* digits become 0 to 9, other bytes larger */
    uint64_t other = (((away & ~high) + ones * (0x80 - 10)) | away) & high;
    return ((other ^ high) >> 7) * 0xff;
}

/* Replaces every digit among eight bytes with '0'. */
static inline uint64_t od_fold_digits(uint64_t word)
{
    uint64_t digit = od_digits_of(word);
    return (word & ~digit) | (UINT64_C(0x0101010101010101) * '0' & digit);
}
