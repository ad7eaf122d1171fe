/*
 * Sentences over several lines: one that is not finished at the end of a line is stored and
 * continues with the next lines of its lane as long as they add to it. A continuation means nothing
 * by itself, because a status report prints the same.
 */
#pragma once

#include "facts/event.h"
#include "facts/line.h"
#include "readers/logs/sentence.h"

struct od_sentences;

/* The lexicon must outlive it. */
struct od_sentences *od_sentences_new(const struct od_lexicon *lexicon);
void od_sentences_free(struct od_sentences *sentences);

/* Is an unfinished sentence stored? Then every line has to be offered. */
bool od_sentences_is_open(const struct od_sentences *sentences);

/* Sets the position of the next line in the log: lines before it may show which memory it concerns,
 * or that it belongs to a manual. Both views are valid until the next call. */
void od_sentences_stand(struct od_sentences *sentences, struct od_view log, struct od_view line);

/* Is the current line a paragraph of its own, between empty lines? */
bool od_sentences_are_apart(const struct od_sentences *sentences);

/* Is it one of a list of settings? text: the line without its wrapping. */
bool od_sentences_are_config(const struct od_sentences *sentences, struct od_view text);

/* Who speaks in the current line, by the lines around it (od_segment_around). */
enum od_segment od_sentences_around(struct od_sentences *sentences);

/* Is the line at that place a title among the paragraphs of a person? */
bool od_sentences_are_titled(const struct od_sentences *sentences, const struct od_line *line);

/* Is a sentence of the current line part of a document about errors rather than a statement about
 * this run? */
bool od_sentences_are_of_document(struct od_sentences *sentences,
                                  const struct od_sentence *sentence);

/* Stores the program of an exception or traceback line, which may also print the next lines. */
void od_sentences_note(struct od_sentences *sentences, const struct od_line *line);

/* Call before other readers get the line: true if it continues the stored sentence and is consumed.
 * A sentence that does not continue is emitted. */
bool od_sentences_goes_on(struct od_sentences *sentences, const struct od_line *line,
                          const struct od_sink *sink);

/* Takes a line without an error known to a rule: true if it is a sentence, which is emitted or
 * stored. */
bool od_sentences_line(struct od_sentences *sentences, const struct od_line *line,
                       const struct od_sink *sink);

/* At the end of a source: emits the stored sentence. */
void od_sentences_end(struct od_sentences *sentences, const struct od_sink *sink);
