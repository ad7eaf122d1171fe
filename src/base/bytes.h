/*
 * A printed quantity of bytes, as an interval. "4.31GiB" may be any value that is printed as
 * "4.31GiB"; a printed integer is exact (lo == hi). A zeroed quantity is unknown, never 0.
 *
 * Limits are inclusive: lo <= true value <= hi; n is the nearest integer to the printed text.
 * TensorFlow and XLA divide by 1024 in integers until the last step (numbers.cc,
 * HumanReadableNumBytes) and so print low by up to one unit of the next smaller prefix; other
 * programs round. The interval covers both: [x - half a last digit, x + a last digit].
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct od_bytes {
    uint64_t n;
    uint64_t lo;
    uint64_t hi;
    bool known;
};

enum od_tri { OD_NO, OD_YES, OD_CANNOT_TELL };

/* The meaning of KB, MB, GB, K, M, G in the printing program. KiB, MiB, ... are always binary. */
enum od_unit_base {
    OD_UNIT_BINARY, /* 1024: TensorFlow, PyTorch <= 1.x, kernel kB, nvidia-smi, most of the field */
    OD_UNIT_DECIMAL /* 1000 */
};

static inline struct od_bytes od_bytes_exact(uint64_t n)
{
    return (struct od_bytes){.n = n, .lo = n, .hi = n, .known = true};
}

static inline bool od_bytes_is_exact(struct od_bytes b)
{
    return b.known && b.lo == b.hi;
}

/*
 * Parses the whole text as a size: "3533848576", "4.31GiB", "2,50 MiB", "926. GiB", "49.34G",
 * "7.98e+03 MiB", "0 bytes", "1,594,928". A number without a unit is in bytes (exact if it is an
 * integer). False if it is not a size or does not fit 64 bits.
 */
bool od_bytes_parse(struct od_view text, enum od_unit_base base, struct od_bytes *ret_bytes);

/* Like od_bytes_parse, with the unit given separately ("MiB", "kB", "GB"; empty is bytes). */
bool od_bytes_parse_unit(struct od_view number, struct od_view unit, enum od_unit_base base,
                         struct od_bytes *ret_bytes);

/*
 * Parses the whole text as the size of an option: "512m", "2g", "16G", "3Gi", "536870912". Letters
 * are binary units; a number without a letter is in the given unit. The result is exact. False if
 * the text is not a size.
 */
bool od_bytes_parse_option(struct od_view text, struct od_view unit, struct od_bytes *ret_bytes);

/* Sum; unknown if a summand is unknown, or on overflow. */
struct od_bytes od_bytes_add(struct od_bytes a, struct od_bytes b);

/* a - b; unknown if an operand is unknown, or if the result may be negative (lo is at least 0). */
struct od_bytes od_bytes_sub(struct od_bytes a, struct od_bytes b);

/* Can a and b be the same number? OD_CANNOT_TELL only if one is unknown. */
enum od_tri od_bytes_same(struct od_bytes a, struct od_bytes b);

/* Is a < b? OD_CANNOT_TELL if that holds for some values of the intervals only. */
enum od_tri od_bytes_less(struct od_bytes a, struct od_bytes b);

enum { OD_BYTES_TEXT = 32 };

/* "4.09 GiB", "217.94 MiB", "888 MiB", "512 B": binary prefix, two decimals at most, and no more
 * precisely than the interval allows; "unknown". buf has OD_BYTES_TEXT bytes; returns buf. */
const char *od_bytes_print(struct od_bytes b, char buf[static OD_BYTES_TEXT]);
const char *od_bytes_print_u64(uint64_t n, char buf[static OD_BYTES_TEXT]);

/* Prints a quantity like od_bytes_print, into the arena. */
const char *od_bytes_text(struct od_arena *arena, struct od_bytes b);
const char *od_bytes_text_u64(struct od_arena *arena, uint64_t n);

/*
 * One unit for a column of sizes: the prefix (0 B, 1 KiB, 2 MiB, 3 GiB, 4 TiB) that suits the
 * largest value. The second function prints only the number, with two decimals, in that prefix.
 */
unsigned od_bytes_unit_for(uint64_t largest);
const char *od_bytes_unit_name(unsigned unit);
const char *od_bytes_print_in(uint64_t n, unsigned unit, char buf[static OD_BYTES_TEXT]);
