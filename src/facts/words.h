/*
 * The lexicon of failure sentences as data: words and phrases with their possible meanings, marks
 * of producers, samples. Generated from the files of rules/words/ during the build; immutable.
 */
#pragma once

#include "facts/event.h"

/* A possible meaning of a word; the classes of a word are bits, because it may have several. */
enum od_word_class {
#define OD_WORD_CLASS(constant, name) OD_WORD_##constant,
#include "facts/words.def"
#undef OD_WORD_CLASS
    OD_WORD_END
};

#define OD_WORD_BIT(class) (UINT64_C(1) << (class))

/* In lower case, with blanks between words. */
struct od_word {
    const char *text;
    uint64_t classes;
};

/* A text that identifies its producer. */
struct od_producer_mark {
    const char *text;
    const char *producer;
};

struct od_sentence_sample {
    const char *line;        /* several lines if it contains line breaks */
    enum od_event_kind kind; /* OD_EV_NONE: not a failure */
    const struct od_sentence_fact *facts;
    size_t nfacts;
    unsigned at; /* line number in the file */
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
    const char *const *literals; /* a line without any of them is not a sentence of this kind */
    size_t nliterals;
    const struct od_sentence_sample *samples;
    size_t nsamples;
};

/* od_word_class_name: NULL, od_word_class_find: OD_WORD_END if there is none. */
const char *od_word_class_name(enum od_word_class class);
enum od_word_class od_word_class_find(struct od_view name);

/* Classes of a text; 0 = not in the lexicon. */
uint64_t od_lexicon_classes(const struct od_lexicon *lexicon, struct od_view text);

/* Like od_lexicon_classes. *ret_begins: do longer entries start with the text and a blank? */
uint64_t od_lexicon_look(const struct od_lexicon *lexicon, struct od_view text, bool *ret_begins);
