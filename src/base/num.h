/*
 * Checked arithmetic, and parsing of numbers. ckd_* return true on overflow, like C23's
 * <stdckdint.h>. Parsers do not depend on the locale; on success they consume a prefix of *text, on
 * failure they change nothing.
 */
#pragma once

#include "base/view.h"

#include <stdbool.h>
#include <stdint.h>

#define ckd_add(ret, a, b) __builtin_add_overflow((a), (b), (ret))
#define ckd_sub(ret, a, b) __builtin_sub_overflow((a), (b), (ret))
#define ckd_mul(ret, a, b) __builtin_mul_overflow((a), (b), (ret))

#define OD_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* A count that may be unknown. A zeroed count is unknown, not 0. */
struct od_count {
    uint64_t n;
    bool known;
};

static inline struct od_count od_count_of(uint64_t n)
{
    return (struct od_count){.n = n, .known = true};
}

/* Does the text have a run of digits that may not fit into 64 bits? If so, the value of the digits
 * decides whether they are a number. */
bool od_num_has_long(struct od_view text);

/*
 * Does a number follow offset `at` in the same line, within 24 bytes, after only blanks and
 * punctuation? True for "Epoch 3" and "step: [12/", false for "epoch_3" and "epoch of 3".
 */
bool od_num_follows(struct od_view text, size_t at);

/* Reads decimal digits. False if there are none or the value exceeds 64 bits. */
bool od_num_take_u64(struct od_view *text, uint64_t *ret_value);

/* Number of decimal digits at the start of the text. */
size_t od_num_digits(struct od_view text);

/* Removes a printed number from the front of the text and returns it: "12", "1,594,928", "4.31",
 * "7.98e+03", without a final "." or ",". Empty if the text does not begin with a number. */
struct od_view od_num_take_text(struct od_view *text);

/* Does the text have the whole number? Trailing zeros are ignored: "42.00" equals "42". */
bool od_num_is_in(struct od_view text, struct od_view number);

/* Reads hexadecimal digits with or without 0x. */
bool od_num_take_hex(struct od_view *text, uint64_t *ret_value);

/* Parses the whole text as a decimal number; thousands separators (1,594,928) are accepted. */
bool od_num_parse_u64(struct od_view text, uint64_t *ret_value);

/*
 * Parses the whole text as a decimal fraction: 12, 12.5, .5, 926., 7.98e+03, or with a decimal
 * comma (2,50) if it has no point.
 */
bool od_num_parse_double(struct od_view text, double *ret_value);

/* 10 to the power n, correctly rounded if |n| is at most 22. */
double od_num_power_of_ten(int n);

/* Writes value in decimal into buf; returns the start of the digits within buf. */
const char *od_num_print_u64(uint64_t value, char buf[static 21]);
