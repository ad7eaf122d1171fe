/*
 * A view: bytes owned by another object, without a final NUL. Valid as long as their owner. An
 * empty view may have p == NULL; no function here uses p if n == 0.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct od_view {
    const char *p;
    size_t n;
};

/* A string literal as a view. */
#define OD_VIEW(literal) ((struct od_view){.p = (literal), .n = sizeof(literal) - 1})

/* A NUL-terminated string as a view; NULL gives an empty one. */
static inline struct od_view od_view_of(const char *text)
{
    return (struct od_view){.p = text, .n = text ? strlen(text) : 0};
}

/* Is the name in the list, which ends with NULL? */
bool od_is_among(const char *name, const char *const *list);

static inline struct od_view od_view_from(struct od_view v, size_t start)
{
    return start >= v.n ? (struct od_view){.p = v.p ? v.p + v.n : v.p, .n = 0}
                        : (struct od_view){.p = v.p + start, .n = v.n - start};
}

static inline struct od_view od_view_head(struct od_view v, size_t n)
{
    return (struct od_view){.p = v.p, .n = n < v.n ? n : v.n};
}

static inline bool od_view_eq(struct od_view a, struct od_view b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

bool od_view_eq_str(struct od_view a, const char *b);
static inline bool od_view_starts(struct od_view v, struct od_view prefix)
{
    return v.n >= prefix.n && (prefix.n == 0 || memcmp(v.p, prefix.p, prefix.n) == 0);
}

static inline bool od_view_ends(struct od_view v, struct od_view suffix)
{
    return v.n >= suffix.n &&
           (suffix.n == 0 || memcmp(v.p + (v.n - suffix.n), suffix.p, suffix.n) == 0);
}

/* Negative, 0, positive if a sorts before, equals, sorts after b (bytes, then length). */
int od_view_cmp(struct od_view a, struct od_view b);

/* Offset of the first needle at or after start; OD_VIEW_NONE if absent. */
#define OD_VIEW_NONE ((size_t)-1)
size_t od_view_find(struct od_view v, struct od_view needle, size_t start);
size_t od_view_find_char(struct od_view v, char c, size_t start);
size_t od_view_count(struct od_view v, char c);
/* The first and last byte of a needle of n bytes (n > 0), whose other bytes are not compared. */
struct od_ends {
    char first, last;
    size_t n;
};
size_t od_view_find_ends(struct od_view v, struct od_ends ends, size_t start);
/* Pointer to the last c among n bytes; NULL = none. */
const char *od_find_last(const char *p, char c, size_t n);
bool od_view_has(struct od_view v, struct od_view needle);

/* Does v contain, equal, start with one of the texts? The list ends with NULL. Texts for
 * od_view_has_any must have two bytes or more. */
bool od_view_has_any(struct od_view v, const char *const *texts);
bool od_view_eq_any(struct od_view v, const char *const *texts);
bool od_view_starts_any(struct od_view v, const char *const *texts);
bool od_view_ends_any(struct od_view v, const char *const *texts);

/* v in lower case (ASCII), cut to room bytes; valid as long as to is. */
struct od_view od_view_lowered(struct od_view v, char *to, size_t room);

/* The view without leading and trailing spaces, tabs, CR, LF. */
struct od_view od_view_trim_spaces(struct od_view v);
static inline struct od_view od_view_trim(struct od_view v)
{
    bool bare = v.n == 0 || ((unsigned char)v.p[0] > ' ' && (unsigned char)v.p[v.n - 1] > ' ');
    return bare ? v : od_view_trim_spaces(v);
}

/* If *v starts with prefix, drops it and returns true. */
static inline bool od_view_take(struct od_view *v, struct od_view prefix)
{
    if (!od_view_starts(*v, prefix))
        return false;
    *v = od_view_from(*v, prefix.n);
    return true;
}

/* If *v starts with one of the texts, drops the first one that matches and returns true. */
bool od_view_take_any(struct od_view *v, const char *const *texts);

/* Drops leading spaces and tabs. */
void od_view_skip_blanks(struct od_view *v);

/* The text after the last space; all of it if there is no space. */
struct od_view od_view_last_word(struct od_view v);

/* Removes ASCII letters from the start and returns them; may be empty. */
struct od_view od_view_take_letters(struct od_view *v);

/*
 * Sets *ret_head to the text before the first c (or all of it) and *v to the text after it (or
 * empty). Returns false, with *ret_head empty, if v was empty.
 */
bool od_view_cut(struct od_view *v, char c, struct od_view *ret_head);

/* A hash of the bytes (FNV-1a). Different texts may have equal hashes. */
uint64_t od_view_hash(struct od_view view);
