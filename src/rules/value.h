/*
 * Converts text to the typed value of an event's field. Captures, `set:` constants and values of
 * samples all use it, so that they agree.
 */
#pragma once

#include "facts/event.h"

/* Reads the whole text as a value of that field. unit (may be empty) is a separate text with the
 * unit of a size, a duration or a share. A text value points into text, or at one of the field's
 * words. False if the text is empty, not of the field's type, or not one of the field's words.
 *
 * Durations are read by od_seconds_parse. A share is "77.3%" or a number from 0 to 1. A phase may
 * be spelled as programs do ("val", "Evaluating"). */
struct od_value_text {
    enum od_field field;
    struct od_view text;
    struct od_view unit;
    struct od_view bare; /* unit of a size without one; empty = bytes */
    enum od_unit_base base;
    struct od_shape *room; /* storage for a shape */
};
bool od_value_parse(const struct od_value_text *from, struct od_field_value *ret_value);

/* Can the unit of that field be in a separate group? */
bool od_value_has_unit(enum od_field field);

/* Are both of the same field, with equal values? */
bool od_value_same(const struct od_field_value *a, const struct od_field_value *b);

/* Adds "[2,3]", "float32", "17", or a size in bytes with the least and most that it may be. */
void od_value_print(const struct od_field_value *value, struct od_buf *to);

/* The closed list of words for a field (producers, spaces, element types), NULL-terminated; NULL
 * for a field that accepts anything of its type. Element types are the names in the JSON contract;
 * more spellings are accepted. */
const char *const *od_value_words(enum od_field field);

/* "a size such as 4.31GiB", "a shape such as [2,3]", ... for messages. */
const char *od_value_type_name(enum od_field field);
