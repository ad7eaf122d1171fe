/*
 * Splits a text into the words of the lexicon. Names are split at their inner words (cudaMalloc,
 * OUT_OF_MEMORY, std::bad_alloc); several words that form one entry ("out of") are one token; in
 * scripts without blanks the longest entry is taken. Numbers are read with their unit. Internal to
 * the reader of sentences.
 */
#pragma once

#include "facts/words.h"

enum { OD_TOKENS_MAX = 400, OD_SENTENCE_BYTES = 4096 };

struct od_token {
    uint32_t at, end; /* range in the text, in bytes */
    uint64_t classes; /* 0: not in the lexicon */
    struct od_bytes size;
    bool number;
    bool hex;     /* the number is hexadecimal */
    bool unit;    /* the number has a unit */
    bool bracket; /* a bracket or quote opens between the previous token and this one */
    bool colon;   /* a colon is between the previous token and this one */
    bool joined;  /* joined to the previous token in a name */
    char mark;    /* the strongest mark between the previous token and this one: . ; ? ) , : = /
                     > or 0 */
};

struct od_tokens {
    struct od_view text;
    struct od_token list[OD_TOKENS_MAX];
    size_t n;
};

/* Reads the tokens of a text, at most 4096 bytes and 400 tokens. */
void od_tokens_read(struct od_tokens *tokens, const struct od_lexicon *lexicon,
                    struct od_view text);

static inline bool od_token_is(const struct od_token *token, enum od_word_class class)
{
    return (token->classes & OD_WORD_BIT(class)) != 0;
}

static inline struct od_view od_token_text(const struct od_tokens *tokens,
                                           const struct od_token *token)
{
    return od_view_part(tokens->text, token->at, token->end);
}

/* The text from token i to its end. */
static inline struct od_view od_token_on(const struct od_tokens *tokens, size_t i)
{
    return od_view_from(tokens->text, tokens->list[i].at);
}

/* Is one of those tokens in one of the classes? */
bool od_tokens_have(const struct od_tokens *tokens, size_t from, size_t upto, uint64_t classes);

/* Is it a size: a number with a unit, or a whole number that counts bytes where a size is
 * expected? */
static inline bool od_token_is_size(const struct od_token *token)
{
    return token->number && token->unit && token->size.known;
}
