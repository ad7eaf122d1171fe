/*
 * Words become enums: what a text of a log means, by tables made of rules/words/<subject>s.yaml.
 * The case asks once for each text that it keeps; rooms above it ask for meanings, never for words.
 *
 * A table has rows in order. A row gives its meaning where one field of the text fits one of its
 * globs (if it has any), all meanings of `with` were given by rows above it, and none of `except`.
 * A glob is a whole text, or one with '*' at its start, its end or both; a '?' in front is a
 * letter.
 */
#pragma once

#include "base/base.h"

/* What a text is about; it has a second text where it says so. */
enum od_subject {
    OD_SUBJECT_FRAME, /* a file, and the function */
    OD_SUBJECT_SAID,  /* the excerpt of a line */
    OD_SUBJECT_OP,    /* the name of an operation */
    OD_SUBJECT_LABEL, /* what a program calls a measurement or a moment */
    OD_SUBJECT_VALUE, /* the value of a setting */
    OD_SUBJECT_SIZE,  /* the name of a setting, or the word beside a number */
    OD_SUBJECT_CLAIM, /* a part of a person's sentence */
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

/* What a glob is held against. */
enum od_meaning_field {
    OD_MF_TEXT, /* all of it */
    OD_MF_LAST, /* behind the last '/' */
    OD_MF_NAME, /* of the second text, what stands behind its last '.' */
    OD_MF_BARE, /* that, without underscores in front */
    OD_MF_END
};

/* One as it is compared. */
struct od_meaning_glob {
    const char *text; /* without the '*' at its ends */
    unsigned n;       /* its bytes */
    unsigned pair;    /* a number of two of its bytes (od_meaning_glob_of) */
    bool before, behind;
};

struct od_meaning_row {
    unsigned meaning;
    enum od_meaning_field field;
    uint64_t with, except;
    const struct od_meaning_glob *globs; /* NULL = none */
    size_t nglobs;
};

struct od_meanings {
    bool fold; /* globs are of small letters, and mean capitals too */
    bool path; /* a '/' of a glob means '\' too */
    const struct od_meaning_row *rows;
    size_t nrows;
};

/* By subject; the words we ship. */
extern const struct od_meanings od_shipped_meanings[OD_SUBJECT_END];

/* Of a glob as it is written; its bytes stay where they are. */
struct od_meaning_glob od_meaning_glob_of(const char *text);

/* "frame"; OD_SUBJECT_END when there is none of that name. */
enum od_subject od_subject_find(struct od_view name);
/* Its meanings by number; NULL-terminated. */
const char *const *od_subject_meanings(enum od_subject subject);

/* What the text means: a bit each. more is its second text, or empty. */
uint64_t od_meanings_read(const struct od_meanings *meanings, struct od_view text,
                          struct od_view more);

static inline uint64_t od_meanings_of(enum od_subject subject, struct od_view text,
                                      struct od_view more)
{
    return od_meanings_read(&od_shipped_meanings[subject], text, more);
}

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

static inline uint64_t od_size_means(struct od_view word)
{
    return od_meanings_of(OD_SUBJECT_SIZE, word, (struct od_view){0});
}

static inline bool od_means(uint64_t meanings, unsigned meaning)
{
    return meanings >> meaning & 1;
}
