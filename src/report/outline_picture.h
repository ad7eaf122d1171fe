/*
 * The one picture below the answer: what shows best why memory ran out. A bar of who holds what,
 * the address space where it is in pieces, or the course of the run where memory grows.
 */
#pragma once

#include "report/outline_parts.h"

/* Adds the picture, or none; what it shows is not shown a second time (outline->picture). */
void od_outline_picture(struct od_outline *outline);

/* "51 × php-cgi", "files in memory": a part of the account. */
const char *od_outline_held_words(const struct od_outline *outline, const struct od_held *held);

/* Each adds a section, and says whether there was something to draw. */
bool od_outline_bar(struct od_outline *outline);
bool od_outline_course(struct od_outline *outline);

/* What the allocator recorded of itself; first: as the picture beside the answer. */
bool od_outline_history(struct od_outline *outline, const struct od_allocator *a, bool first);
