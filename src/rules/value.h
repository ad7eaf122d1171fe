/*
 * Converts text to the typed value of an event's field. Captures, `set:` constants and values of
 * samples share it, so that they agree.
 */
#pragma once

#include "facts/event.h"

/* The text of a value, read as a whole. unit (may be empty) is a separate text with the unit of a
 * size, a duration or a share. A text value points into text, or at one of the field's words.
 * Reading fails if the text is empty, does not have the field's type, or is not one of the field's
 * words. Durations are read by od_seconds_parse. A share is "77.3%" or a number from 0 to 1. A
 * phase may have a program's spelling ("val", "Evaluating"). */
struct od_value_text {
    enum od_field field;
    struct od_view text;
    struct od_view unit;
    struct od_view bare; /* unit of a size without one; empty = bytes */
    enum od_unit_base base;
    struct od_shape *room; /* memory for a shape */
};
bool od_value_parse(const struct od_value_text *from, struct od_field_value *ret_value);

/* Can a separate group have the unit of the field? */
bool od_value_has_unit(enum od_field field);

bool od_value_same(const struct od_field_value *a, const struct od_field_value *b);

/* Appends "[2,3]", "float32", "17", or a size in bytes with its lowest and highest value. */
void od_value_print(const struct od_field_value *value, struct od_buf *to);

/* The words allowed for a field (producers, spaces, element types), ending with NULL; NULL if all
 * values of its type are allowed. Element types are the names of the JSON contract; other spellings
 * are accepted, too. */
const char *const *od_value_words(enum od_field field);

/* Describes the field's type for messages: "a size such as 4.31GiB", "a shape such as [2,3]". */
const char *od_value_type_name(enum od_field field);
