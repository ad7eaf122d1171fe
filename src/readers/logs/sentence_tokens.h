/*
 * A text cut into the words of the lexicon. Names are cut where their words are joined (cudaMalloc,
 * OUT_OF_MEMORY, std::bad_alloc); several words that are one entry ("out of") are one token;
 * letters of a script without blanks are taken as far as an entry goes. Numbers are read with their
 * unit. Private to the reader of sentences.
 */
#pragma once

#include "facts/words.h"

enum { OD_TOKENS_MAX = 400, OD_SENTENCE_BYTES = 4096 };

struct od_token {
    uint32_t at, end; /* bytes of the text */
    uint64_t classes; /* 0: a word that the lexicon does not know */
    struct od_bytes size;
    bool number;
    bool hex;     /* the number */
    bool unit;    /* of the number, is said */
    bool bracket; /* a bracket or quote opens between the token before and this */
    bool colon;   /* stands between the token before and this, whatever else does */
    bool joined;  /* to the one before, in a name */
    char mark;    /* the strongest mark between the token before and this: . ; ? ) , : = / > or 0 */
};

struct od_tokens {
    struct od_view text;
    struct od_token list[OD_TOKENS_MAX];
    size_t n;
};

/* The tokens of a text, of 4096 bytes and 400 tokens at most. */
void od_tokens_read(struct od_tokens *tokens, const struct od_lexicon *lexicon,
                    struct od_view text);

static inline bool od_token_is(const struct od_token *token, enum od_word_class class)
{
    return (token->classes & OD_WORD_BIT(class)) != 0;
}

/* Is it a size: with a unit, or a whole number that counts bytes where a size is said? */
static inline bool od_token_is_size(const struct od_token *token)
{
    return token->number && token->unit && token->size.known;
}
