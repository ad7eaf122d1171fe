/*
 * Numbers in free text: "1_000", "3.5 GB", "512k", "-Xmx6g". A number within a name, a time, a date
 * or a version is not one.
 */
#pragma once

#include "base/base.h"

struct od_number {
    size_t start, digits_end, end; /* positions of its first digit, after its last digit, and
                                      after its unit */
    struct od_bytes bytes;         /* unknown if no unit of bytes follows */
    bool glued;                    /* the unit follows without a blank */
    bool share;                    /* a percentage */
};

/* Can a number start at that byte? */
bool od_number_begins(struct od_view text, size_t at);

/* End of the digits that start there, including points and commas between them. */
size_t od_number_digits_end(struct od_view text, size_t at);

/* Reads the number whose first digit is at that byte. False if the digits belong to a name, a time,
 * a date or a percentage. */
bool od_number_take(struct od_view text, size_t at, struct od_number *ret_number);

/* Can that byte be part of a name such as "max_batch-size.2"? */
static inline bool od_is_name(char c)
{
    return od_is_alnum(c) || c == '_' || c == '-' || c == '.';
}

/* The name that ends directly before `end`, and its start; empty if there is none. */
struct od_view od_joined_before(struct od_view text, size_t end, size_t *ret_start);

/* The amount in that unit of two letters or more; unknown if it is none. */
struct od_bytes od_number_in_unit(struct od_view digits, struct od_view unit);

/* The unit of bare numbers, derived from the total memory of a machine, which has between some GiB
 * and some TiB if it trains. NULL if several units are plausible. */
const char *od_number_unit_of_machine(double whole);

/* The unit at the end of a name: "cache_mb", "cacheSizeGB". */
struct od_view od_unit_in(struct od_view name);

/* Returns the unit in brackets that ends at *end, "Memory (MiB)", and moves *end before it. */
struct od_view od_unit_in_brackets(struct od_view text, size_t *end);

/* Takes the next number from *at on, also of a flag ("-Xmx6g"); the second function also takes
 * percentages. False = none is left. */
bool od_number_next(struct od_view text, size_t *at, struct od_number *ret_number);
bool od_number_or_share_next(struct od_view text, size_t *at, struct od_number *ret_number);

/* Takes the whole of "60 of the 64 GB", whose unit also counts for the part. False = no whole. */
bool od_number_take_whole(struct od_view text, struct od_number *number, struct od_bytes *ret_of);

/* Finds the name of the number that starts at that byte: "name=1000", "name: 1000", "--name 1000",
 * "-Xmx6g". False = no name. */
struct od_number_name {
    struct od_view name, unit; /* unit: "MiB" of "Memory (MiB): " */
    size_t start;              /* position of the name */
    bool sign, flag;           /* "=" or ":" follows the name; the name is a flag */
    bool link;                 /* a word such as "takes" follows the name */
};
bool od_number_name(struct od_view text, size_t number, struct od_number_name *ret_name);

/* The name of a setting without the signs around it: "MaxFoo" of "-XX:MaxFoo=". */
struct od_view od_name_bare(struct od_view name);

/* The word of letters and hyphens that starts at `start`. */
struct od_view od_word_at(struct od_view text, size_t start);

/* Does it end in a word that a point shortens: "max. memory", "Mem. used"? */
bool od_is_shortened(struct od_view front);

/* Rewrites a table row as "name = number": the last word of "pga_limit   big integer 6G", the
 * second cell of "| max_len | 512 |", the only cell "| 64 |" below "| current_setting('threads')
 * |". Returns any other line unchanged. *head: the name above, initially empty. */
struct od_view od_number_row(struct od_view line, struct od_view *head, struct od_arena *arena);
