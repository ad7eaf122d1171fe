/*
 * The lexicon of failure sentences as data: words and phrases with what they can mean, the marks of
 * producers, samples. Made from the files of rules/words/ when the project is built; immutable.
 */
#pragma once

#include "facts/event.h"

/* What a word can mean; a bit each, as a word may mean several things. */
enum od_word_class {
#define OD_WORD_CLASS(constant, name) OD_WORD_##constant,
#include "facts/words.def"
#undef OD_WORD_CLASS
    OD_WORD_END
};

#define OD_WORD_BIT(class) (UINT64_C(1) << (class))

/* In small letters, blanks between words. */
struct od_word {
    const char *text;
    uint64_t classes;
};

/* Who prints a text with that mark in it. */
struct od_producer_mark {
    const char *text;
    const char *producer;
};

struct od_sentence_sample {
    const char *line;        /* of several lines where it has a line break */
    enum od_event_kind kind; /* OD_EV_NONE: it is no failure */
    const struct od_sentence_fact *facts;
    size_t nfacts;
    unsigned at; /* line in the file */
};

/* A field as written. */
struct od_sentence_fact {
    enum od_field field;
    const char *text;
};

struct od_lexicon {
    const char *file;
    const struct od_word *words; /* sorted by text */
    size_t nwords;
    const struct od_producer_mark *marks;
    size_t nmarks;
    const char *const *literals; /* a line without any of them is no such sentence */
    size_t nliterals;
    const struct od_sentence_sample *samples;
    size_t nsamples;
};

/* NULL, OD_WORD_END: there is no such class. */
const char *od_word_class_name(enum od_word_class class);
enum od_word_class od_word_class_find(struct od_view name);

/* What a text means; 0 = not in the lexicon. */
uint64_t od_lexicon_classes(const struct od_lexicon *lexicon, struct od_view text);

/* The same, and whether longer ones begin with it and a blank. */
uint64_t od_lexicon_look(const struct od_lexicon *lexicon, struct od_view text, bool *ret_begins);
