/*
 * The steps by which a sentence is understood. Private to the reader of sentences.
 */
#pragma once

#include "facts/trace.h"
#include "readers/logs/sentence.h"
#include "readers/logs/sentence_tokens.h"

/* Tokens from one up to another: "cannot allocate 3 GiB of memory". */
struct od_refusal {
    size_t from, upto;
    bool vague; /* says no word of memory: only with a size that it asks for, or of a known space */
    char form;  /* which of the forms it has */
};

/* The next one, n being 0 at first: those whose form is clear, then those that say all in a word,
 * as MemoryError does, then those that only fail to allocate something. False: there is no more. */
bool od_refusal_next(const struct od_tokens *tokens, size_t *n, struct od_refusal *ret_refusal);

/* A number that systems give lack of memory: 0x8007000e. */
bool od_is_code(const struct od_tokens *tokens, size_t i);

/* Where the sentence of that token begins, and the token behind its end. */
size_t od_sentence_from(const struct od_tokens *tokens, size_t i);
size_t od_sentence_upto(const struct od_tokens *tokens, size_t i);

/* Can it be stated of this run, and how: with what is done instead, in plain words, or with a mark
 * of an error? */
enum od_statement { OD_STATED_NOT, OD_STATED_HANDLED, OD_STATED_PLAINLY, OD_STATED_AS_ERROR };
enum od_statement od_refusal_stated(const struct od_tokens *tokens,
                                    const struct od_refusal *refusal);

/* As commands of Unix say what failed: "sort: memory exhausted". */
bool od_is_said_by_command(const struct od_tokens *tokens, const struct od_refusal *refusal);

/* What kind of failure the words are of. */
enum od_event_kind od_sentence_kind(const struct od_tokens *tokens);

/* Finds the sizes of the sentence, whose kind is set, and of those that go on with it. */
void od_sentence_sizes(const struct od_tokens *tokens, const struct od_refusal *refusal,
                       struct od_sentence *sentence);

/* Sets space, device and producer. */
void od_sentence_place(const struct od_tokens *tokens, const struct od_refusal *refusal,
                       const struct od_lexicon *lexicon, struct od_sentence *sentence);

/* Tells what may speak for or against that refusal's being stated. */
struct od_sign_sink {
    void (*tell)(void *self, struct od_view sign);
    void *self;
};
void od_sentence_signs(const struct od_tokens *tokens, const struct od_refusal *refusal,
                       const struct od_sentence *sentence, const struct od_sign_sink *sink);

/* A refusal is believed above the first, which finds most of the held-out sources at the rate of
 * false ones that rules of thumb had. What is said in two ways weighs more. In hundredths. */
enum { OD_SENTENCE_LEAST = -150, OD_SENTENCE_SAID_TWICE = 60 };

/* The sum of their weights: the log of how much likelier it is than not, in hundredths. The trace
 * is given each sign; it may be NULL. */
int od_sentence_weight(const struct od_tokens *tokens, const struct od_refusal *refusal,
                       const struct od_sentence *sentence, const struct od_trace *trace);

/* As much of a long text as holds its first literal, and some text before it. */
struct od_view od_sentence_window(const struct od_lexicon *lexicon, struct od_view text);

/* What the refusal says; the reason why it is no failure of this run, or OD_NOT_END. */
enum od_trace_reason od_refusal_read(const struct od_tokens *tokens,
                                     const struct od_lexicon *lexicon,
                                     const struct od_refusal *refusal,
                                     struct od_sentence *ret_sentence);

/* Takes the last line off a text. */
struct od_view od_sentence_line_before(struct od_view *text);

/* Of that line of a log. */
enum od_document od_document_around(struct od_view log, struct od_view line);
