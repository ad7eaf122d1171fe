/*
 * Texts become enums: what a text of a log means, by tables generated from
 * rules/words/<subject>s.yaml. The case evaluates each stored text once; later stages ask for
 * meanings, never for words.
 *
 * A table has rows in order. A row gives its meaning if one field of the text matches one of its
 * globs (or it has none), all meanings in `with` were given by earlier rows, and none in `except`
 * was. A glob is a whole text, or a text with '*' at its start, its end or both; a '?' at its start
 * is a letter.
 */
#pragma once

#include "base/base.h"

/* The subject of a text; some subjects have a second text. */
enum od_subject {
    OD_SUBJECT_FRAME,  /* a file, and the function as second text */
    OD_SUBJECT_SAID,   /* the excerpt of a line */
    OD_SUBJECT_OP,     /* the name of an operation */
    OD_SUBJECT_LABEL,  /* a program's name for a measurement or a moment */
    OD_SUBJECT_VALUE,  /* the value of a setting */
    OD_SUBJECT_SIZE,   /* the name of a setting, or the word beside a number */
    OD_SUBJECT_CLAIM,  /* a part of a person's sentence */
    OD_SUBJECT_NUMBER, /* what is known of a number, in words such as "near" */
    OD_SUBJECT_OBJECT, /* a line near the failure */
    OD_SUBJECT_END
};

enum od_frame_meaning {
#define OD_FRAME_MEANING(constant, name) OD_FRAME_##constant,
#include "facts/meanings.def"
    OD_FRAME_END
};
enum od_said_meaning {
#define OD_SAID_MEANING(constant, name) OD_SAID_##constant,
#include "facts/meanings.def"
    OD_SAID_END
};
enum od_op_meaning {
#define OD_OP_MEANING(constant, name) OD_OP_##constant,
#include "facts/meanings.def"
    OD_OP_END
};
enum od_label_meaning {
#define OD_LABEL_MEANING(constant, name) OD_LABEL_##constant,
#include "facts/meanings.def"
    OD_LABEL_END
};
enum od_value_meaning {
#define OD_VALUE_MEANING(constant, name) OD_VALUE_##constant,
#include "facts/meanings.def"
    OD_VALUE_END
};
enum od_size_meaning {
#define OD_SIZE_MEANING(constant, name) OD_SIZE_##constant,
#include "facts/meanings.def"
    OD_SIZE_END
};
enum od_claim_meaning {
#define OD_CLAIM_MEANING(constant, name) OD_CLAIM_##constant,
#include "facts/meanings.def"
    OD_CLAIM_END
};
enum od_number_meaning {
#define OD_NUMBER_MEANING(constant, name) OD_NUMBER_##constant,
#include "facts/meanings.def"
    OD_NUMBER_END
};

/* The part of a text that a glob is compared with. */
enum od_meaning_field {
    OD_MF_TEXT, /* the whole text */
    OD_MF_LAST, /* the part after the last '/' */
    OD_MF_NAME, /* the part of the second text after its last '.' */
    OD_MF_BARE, /* the name without leading underscores */
    OD_MF_END
};

/* A glob, prepared for comparison. */
struct od_meaning_glob {
    const char *text; /* without the '*' at its ends */
    unsigned n;       /* length in bytes */
    unsigned pair;    /* its first two bytes as one number, for a fast test; 0 = none */
    unsigned last;    /* its last two bytes */
    bool before, after;
};

struct od_meaning_row {
    unsigned meaning;
    enum od_meaning_field field;
    uint64_t with, except;
    const struct od_meaning_glob *globs; /* NULL = none */
    size_t nglobs;
};

struct od_meanings {
    bool fold; /* globs are in lower case and also match capitals */
    bool path; /* a '/' in a glob also matches '\' */
    const struct od_meaning_row *rows;
    size_t nrows;
};

/* The shipped tables, by subject. */
extern const struct od_meanings od_shipped_meanings[OD_SUBJECT_END];

/* Prepares a glob; text must outlive it. */
struct od_meaning_glob od_meaning_glob_of(const char *text);

/* "frame"; OD_SUBJECT_END if there is none of that name. */
enum od_subject od_subject_find(struct od_view name);
/* Names of the subject's meanings, by number; NULL-terminated. */
const char *const *od_subject_meanings(enum od_subject subject);

/* The meanings of a text as bits. more: the subject's second text, or empty. */
uint64_t od_meanings_read(const struct od_meanings *meanings, struct od_view text,
                          struct od_view more);

static inline uint64_t od_meanings_of(enum od_subject subject, struct od_view text,
                                      struct od_view more)
{
    return od_meanings_read(&od_shipped_meanings[subject], text, more);
}

/* The meanings of a text's words. Globs are compared with the words in lower case, one blank around
 * each: "The script's killed!" is " the script s killed ". humps: "maxSize" is two words, and
 * non-ASCII is ignored. */
uint64_t od_words_mean(const struct od_meanings *meanings, struct od_view text, bool humps);

static inline uint64_t od_op_means(struct od_view op)
{
    return od_meanings_of(OD_SUBJECT_OP, op, (struct od_view){0});
}

static inline uint64_t od_label_means(struct od_view label)
{
    return od_meanings_of(OD_SUBJECT_LABEL, label, (struct od_view){0});
}

static inline uint64_t od_value_means(struct od_view value)
{
    return od_meanings_of(OD_SUBJECT_VALUE, value, (struct od_view){0});
}

static inline bool od_means(uint64_t meanings, unsigned meaning)
{
    return meanings >> meaning & 1;
}
