/*
 * The lexicon of failure sentences as data: words and phrases with what they can mean, the marks of
 * producers, samples. Made from the files of rules/words/ when the project is built; immutable.
 */
#pragma once

#include "facts/event.h"

/* What a word can mean; a bit each, as a word may mean several things. */
enum od_word_class {
    /* refusals */
    OD_WORD_CANNOT,     /* cannot, failed to */
    OD_WORD_GET,        /* allocate, reserve */
    OD_WORD_TAKE,       /* get, create, load: only of memory that is named */
    OD_WORD_ALLOCATION, /* allocation, malloc, request */
    OD_WORD_FAILED,
    OD_WORD_OUT_OF,
    OD_WORD_LACK,      /* not enough, insufficient */
    OD_WORD_NONE,      /* no: "no free memory" */
    OD_WORD_EXHAUSTED, /* exhausted, full */
    OD_WORD_EXCEED,
    OD_WORD_REFUSAL, /* says all of it: bad_alloc, ENOMEM */
    /* things */
    OD_WORD_MEMORY,
    OD_WORD_THING, /* buffer, tensor, array: memory where there is a size */
    /* spaces */
    OD_WORD_DEVICE,
    OD_WORD_HOST,
    OD_WORD_PINNED,
    OD_WORD_SHM,
    OD_WORD_UNIFIED,
    OD_WORD_CACHE,     /* KV cache */
    OD_WORD_COMPILE,   /* compilation */
    OD_WORD_ELSE,      /* disk, quota, port, on-chip memory: something else ran out */
    OD_WORD_GIVEN_OUT, /* lock, address, worker: allocated, but no memory */
    /* roles of sizes */
    OD_WORD_REQUESTED,
    OD_WORD_SIZE, /* requested, where nothing else is said */
    OD_WORD_FREE,
    OD_WORD_CAPACITY,
    OD_WORD_LIMIT,
    OD_WORD_USED,
    OD_WORD_RESERVED,
    OD_WORD_PEAK,
    OD_WORD_NEITHER, /* the number is none of them: excess, alignment, largest block */
    /* who speaks */
    OD_WORD_ERROR,    /* ERROR, fatal, exception */
    OD_WORD_MILD,     /* warning, info */
    OD_WORD_IF,       /* if, when, may: a condition */
    OD_WORD_PEOPLE,   /* I, we, anyone */
    OD_WORD_ADVICE,   /* you, please */
    OD_WORD_WITHOUT,  /* no, avoid, prevent: the opposite of a failure */
    OD_WORD_GOES_ON,  /* retrying, falling back */
    OD_WORD_REMEMBER, /* previous, yesterday: another run */
    OD_WORD_REASON,   /* permission denied, no such file: refused for another reason */
    OD_WORD_FILLER,   /* the, of, is: between others */
    OD_WORD_HAPPENED, /* thrown, has occurred: behind the name of a failure */
    OD_WORD_ARTICLE,
    OD_WORD_VERB, /* is, can, means: behind a refusal it makes it the subject of prose */
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
