/*
 * What is kept of a line of the log as evidence. A long line keeps its beginning and its end, which
 * tell more than its middle, with "…" between them. Readers and rules do not cut: they say which
 * text they recognized, and it is cut where it is stored.
 */
#pragma once

#include "base/base.h"

/* Bytes, the mark included: all numbers of PyTorch's refusal with the memory of eight processes. */
enum { OD_EXCERPT = 840 };

/* The trimmed line. If it is too long to show the part, the text from the part on. A part outside
 * of the line is ignored. */
struct od_view od_excerpt_of(struct od_view line, struct od_view part);

/*
 * The text, in at most `most` bytes (OD_EXCERPT_LEAST at least). A text that fits is returned as it
 * is; a longer one is cut at blanks, or at least not within a character, and written to `room`,
 * which has `most` bytes.
 */
enum { OD_EXCERPT_LEAST = 100, OD_EXCERPT_END = 60 /* most bytes after the mark */ };
struct od_view od_excerpt_cut(struct od_view text, size_t most, char *room);

/* Like od_excerpt_cut, but always writes the text to `room`; returns its length. */
size_t od_excerpt_keep(struct od_view text, size_t most, char *room);

struct od_lexicon;

/* The part of a text to quote: whole words, at most that many bytes, with the most words about
 * memory and the most numbers. It begins with a sentence if possible and ends with the sentence of
 * its last number. */
struct od_view od_excerpt_key_part(const struct od_lexicon *lexicon, struct od_view text,
                                   size_t most);
