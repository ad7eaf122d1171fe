/*
 * Text -> the typed value of an event's field. One place for captures, `set:` constants and the
 * values that samples state, so that they cannot disagree.
 */
#pragma once

#include "facts/event.h"

/*
 * The whole of text as a value of that field; unit (may be empty) stands elsewhere and belongs to
 * a byte quantity, a duration or a share. A text value points into text, or at one of the field's
 * words. False when it is not of the field's type, when it is empty, or not one of the field's
 * words.
 *
 * Durations are read by od_seconds_parse. A share is "77.3%" or a number from 0 to 1. A phase may
 * be spelled as programs do ("val", "Evaluating").
 */
struct od_value_text {
    enum od_field field;
    struct od_view text;
    struct od_view unit;
    struct od_view bare; /* unit of a size that is a number alone; empty = bytes */
    enum od_unit_base base;
    struct od_shape *room; /* where a shape is put */
};
bool od_value_parse(const struct od_value_text *from, struct od_field_value *ret_value);

/* May the unit of that field stand in a group of its own? */
bool od_value_has_unit(enum od_field field);

/* Same field and the same value in every part. */
bool od_value_same(const struct od_field_value *a, const struct od_field_value *b);

/*
 * The closed list of words that a field may hold (producers, spaces, element types),
 * NULL-terminated; NULL for a field that takes anything of its type. Element types: the contract's
 * names; more spellings are understood.
 */
const char *const *od_value_words(enum od_field field);

/* "a size such as 4.31GiB", "a shape such as [2,3]", ... for messages. */
const char *od_value_type_name(enum od_field field);
