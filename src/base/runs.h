/*
 * Characters of a view by position, and the start and end of runs of one kind of character.
 */
#pragma once

#include "base/ascii.h"
#include "base/view.h"

typedef bool od_char_fn(char c);

/* The character at that position; NUL outside of the view. */
static inline char od_view_at(struct od_view v, size_t at)
{
    return at < v.n ? v.p[at] : '\0';
}

static inline bool od_is_any(char c, const char *chars)
{
    while (*chars && *chars != c)
        chars++;
    return *chars != '\0';
}

static inline bool od_view_at_any(struct od_view v, size_t at, const char *chars)
{
    return at < v.n && od_is_any(v.p[at], chars);
}

/* The text between two positions. */
static inline struct od_view od_view_part(struct od_view v, size_t from, size_t to)
{
    return od_view_from(od_view_head(v, to), from);
}

/* The position after the run of characters of that kind at `at`; `at` if there are none. */
static inline size_t od_past(struct od_view v, size_t at, od_char_fn *is)
{
    while (at < v.n && is(v.p[at]))
        at++;
    return at;
}

static inline size_t od_past_any(struct od_view v, size_t at, const char *chars)
{
    while (od_view_at_any(v, at, chars))
        at++;
    return at;
}

/* The first position from `at` on with one of these characters; the end if there is none. */
static inline size_t od_until_any(struct od_view v, size_t at, const char *chars)
{
    while (at < v.n && !od_is_any(v.p[at], chars))
        at++;
    return at;
}

/* The start of the run of that kind directly before `at`; `at` if there are none. */
static inline size_t od_back(struct od_view v, size_t at, od_char_fn *is)
{
    while (at > 0 && is(v.p[at - 1]))
        at--;
    return at;
}

static inline size_t od_back_any(struct od_view v, size_t at, const char *chars)
{
    while (at > 0 && od_is_any(v.p[at - 1], chars))
        at--;
    return at;
}

/* The first position from `at` on with that kind; the end if there is none. */
static inline size_t od_until(struct od_view v, size_t at, od_char_fn *is)
{
    while (at < v.n && !is(v.p[at]))
        at++;
    return at;
}
