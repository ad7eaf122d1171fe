/*
 * Sentences of failures over lines: one that a line ends in the middle of is kept, and goes on with
 * the next lines of its lane as long as these add to it. What goes on with it means nothing by
 * itself: a status report prints the same.
 */
#pragma once

#include "facts/event.h"
#include "facts/line.h"
#include "readers/logs/sentence.h"

struct od_sentences;

/* The lexicon outlives it. */
struct od_sentences *od_sentences_new(const struct od_lexicon *lexicon);
void od_sentences_free(struct od_sentences *sentences);

/* Is a sentence kept that may go on? Then every line is to be offered. */
bool od_sentences_is_open(const struct od_sentences *sentences);

/* The next line stands there in the log: what stands before it may tell whose memory it speaks of,
 * or that it is a manual's. Both views are valid until the next one. */
void od_sentences_stand(struct od_sentences *sentences, struct od_view log, struct od_view line);

/* Is that line a paragraph of its own, between empty lines? */
bool od_sentences_are_apart(const struct od_sentences *sentences);

/* Is that line the text of a document, and not printed by a run? */
enum od_document od_sentences_document(struct od_sentences *sentences);

/* Is a sentence of that line no statement of this run, but one of a document about errors? */
bool od_sentences_are_of_document(struct od_sentences *sentences,
                                  const struct od_sentence *sentence);

/* A line of an exception or of its traceback: whose it is tells who speaks in the next lines. */
void od_sentences_note(struct od_sentences *sentences, const struct od_line *line);

/* Before anybody else has the line: true when it goes on with the sentence kept, and is wholly
 * taken. A sentence that does not go on is told first. */
bool od_sentences_goes_on(struct od_sentences *sentences, const struct od_line *line,
                          const struct od_sink *sink);

/* A line of which no rule knows the trouble: true when it is a sentence, told or kept. */
bool od_sentences_line(struct od_sentences *sentences, const struct od_line *line,
                       const struct od_sink *sink);

/* A source ended: tells what is kept. */
void od_sentences_end(struct od_sentences *sentences, const struct od_sink *sink);
