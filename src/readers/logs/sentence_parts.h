/*
 * The steps of understanding a sentence. Internal to the reader of sentences.
 */
#pragma once

#include "facts/trace.h"
#include "readers/logs/sentence.h"
#include "readers/logs/sentence_tokens.h"

/* The tokens of a refusal: "cannot allocate 3 GiB of memory". */
struct od_refusal {
    size_t from, upto;
    bool vague; /* no word for memory, so it needs a requested size or a known memory */
    char form;  /* letter of its form */
};

/* The next refusal (n starts with 0): clear forms first, then single words such as MemoryError,
 * then failures to allocate something. False if there are no more. */
bool od_refusal_next(const struct od_tokens *tokens, size_t *n, struct od_refusal *ret_refusal);

/* Is it a system's error number for lack of memory: 0x8007000e? */
bool od_is_code(const struct od_tokens *tokens, size_t i);

/* Start of the sentence that contains the token, and the token after its end. */
size_t od_sentence_from(const struct od_tokens *tokens, size_t i);
size_t od_sentence_upto(const struct od_tokens *tokens, size_t i);

/* Whether it is stated about this run, and how: with a fallback, in plain words, or marked as an
 * error. */
enum od_statement { OD_STATED_NOT, OD_STATED_HANDLED, OD_STATED_PLAINLY, OD_STATED_AS_ERROR };
enum od_statement od_refusal_stated(const struct od_tokens *tokens,
                                    const struct od_refusal *refusal);

/* Is it the error message of a Unix command: "sort: memory exhausted"? */
bool od_is_said_by_command(const struct od_tokens *tokens, const struct od_refusal *refusal);

/* The kind of failure that the words describe. */
enum od_event_kind od_sentence_kind(const struct od_tokens *tokens);

/* Finds the sizes of the sentence (whose kind must be set) and of its continuations. */
void od_sentence_sizes(const struct od_tokens *tokens, const struct od_refusal *refusal,
                       struct od_sentence *sentence);

/* Sets space, device and producer. */
void od_sentence_place(const struct od_tokens *tokens, const struct od_refusal *refusal,
                       const struct od_lexicon *lexicon, struct od_sentence *sentence);

/* Receives signs for or against the refusal being a statement about this run. */
struct od_sign_sink {
    void (*tell)(void *self, struct od_view sign);
    void *self;
};
void od_sentence_signs(const struct od_tokens *tokens, const struct od_refusal *refusal,
                       const struct od_sentence *sentence, const struct od_sign_sink *sink);

/* A refusal is accepted above the first weight, which finds most of the held-out sources with as
 * many false ones as hand-written rules had. A repeated refusal gets a bonus. In hundredths. */
enum { OD_SENTENCE_LEAST = -150, OD_SENTENCE_SAID_TWICE = 60 };

/* The sum of the weights of its signs: log odds in hundredths. trace gets each sign; it may be
 * NULL. */
int od_sentence_weight(const struct od_tokens *tokens, const struct od_refusal *refusal,
                       const struct od_sentence *sentence, const struct od_trace *trace);

/* The part of a long text with its first literal and some text before it. */
struct od_view od_sentence_window(const struct od_lexicon *lexicon, struct od_view text);

/* Reads the refusal. Returns why it is not a failure of this run, or OD_NOT_END. */
enum od_trace_reason od_refusal_read(const struct od_tokens *tokens,
                                     const struct od_lexicon *lexicon,
                                     const struct od_refusal *refusal,
                                     struct od_sentence *ret_sentence);
