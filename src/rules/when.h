/*
 * Conditions (`when:`) over facts: the only language that decides to which failures a remedy, one
 * of its steps, a program's answer or a setting applies. The build parses and checks them. They
 * become steps that are evaluated with three truth values.
 *
 * condition: test | not condition | condition and condition | condition or condition | (condition)
 * test:      fact | fact == word | fact != word | fact in [word, ...] | fact not in [word, ...] |
 *            fact >= number (<, <=, >, ==, !=) | fact(argument, ...) |
 *            fact < fact | fact < 80% of fact (<=, >, >=)
 *
 * "not" binds most tightly, then "and", then "or". "unless" is "not", but true if the condition is
 * unknown. facts.def lists the facts.
 */
#pragma once

#include "facts/amount.h"

enum od_fact {
#define OD_FACT(name, constant, ...) OD_FACT_##constant,
#define OD_DERIVED(name, constant, ...) OD_FACT_##constant,
#include "rules/facts.def"
#undef OD_FACT
#undef OD_DERIVED
    OD_FACT_END
};

enum od_fact_type {
    OD_FACT_IS_TRUTH,
    OD_FACT_IS_WORD,
    OD_FACT_IS_WORDS,
    OD_FACT_IS_COUNT,
    OD_FACT_IS_BYTES,
    OD_FACT_IS_VERSION,
    OD_FACT_IS_TEXT,
    OD_FACT_IS_SERIES,
    OD_FACT_IS_CALL,
    OD_FACT_IS_DERIVED
};

struct od_fact_row {
    const char *name;
    enum od_fact_type type;
    const char *const *words; /* words of a WORD or WORDS fact; ends with NULL */
    const char *means;        /* condition that a DERIVED fact abbreviates */
    const char *doc;
};
extern const struct od_fact_row od_facts[OD_FACT_END];

/* Subjects of remedies (rules/advice.h); the list ends with NULL. */
extern const char *const od_subject_words[];

/* The bit for `unknown` in tests of word facts. */
#define OD_FACT_UNKNOWN (UINT64_C(1) << 63)

enum od_when_op {
    OD_WHEN_TRUE,    /* a TRUTH, SERIES or CALL fact is true */
    OD_WHEN_IN,      /* the fact is one of the words in bits */
    OD_WHEN_LESS,    /* a number or version below the value */
    OD_WHEN_EQUAL,   /* equal to a number */
    OD_WHEN_BELOW,   /* less than another fact (its index is in bits), each times its share */
    OD_WHEN_UNKNOWN, /* the fact has no known value */
    OD_WHEN_NOT,
    OD_WHEN_UNLESS, /* like "not", but true if unknown */
    OD_WHEN_AND,
    OD_WHEN_OR
};

/* One step of a condition in postfix order. */
struct od_when_step {
    enum od_when_op op;
    enum od_fact fact;
    uint64_t bits;               /* bit set of words, or the number */
    const char *text;            /* a version, or the first argument of a call */
    const char *const *options;  /* further arguments; ends with NULL; NULL = none */
    unsigned share, other_share; /* for BELOW: percentages of the fact and of the other fact */
};

struct od_when {
    const char *text; /* text of the condition; NULL = always true */
    const struct od_when_step *steps;
    size_t n;
    unsigned line; /* line number in the file */
};

/* Callback that evaluates a test: TRUE, IN, LESS, EQUAL or UNKNOWN. */
typedef enum od_tri od_when_ask(const void *with, const struct od_when_step *test);

/* Does the condition hold? True for an empty condition. */
enum od_tri od_when_holds(const struct od_when *when, od_when_ask *ask, const void *with);

/* Appends the tests that make the condition fail, with their results: "memory == device (no),
 * network (unknown)". Appends nothing if all tests hold. */
void od_when_misses(const struct od_when *when, od_when_ask *ask, const void *with,
                    struct od_buf *to);

/* The first test of that fact after the given step (NULL = the first of all); NULL = none. */
const struct od_when_step *od_when_test_of(const struct od_when *when, enum od_fact fact,
                                           const struct od_when_step *after);

/* The value of a fact. */
struct od_fact_value {
    bool known;
    uint64_t bits;          /* TRUTH and SERIES: 1 or 0; WORD and WORDS: a bit for each word */
    struct od_bytes number; /* value of COUNT and BYTES */
    enum od_scope scope;    /* BYTES: the memory of which they are a part, if known */
    const char *text;       /* value of TEXT; the growth of a SERIES in words */
};
/* Evaluates a BELOW test. values: of all facts. Sizes of different memories are not compared unless
 * one contains the other. */
enum od_tri od_fact_below(const struct od_fact_value *values, const struct od_when_step *test);

/* Evaluates a test about one fact: all except BELOW. */
enum od_tri od_fact_test(const struct od_fact_value *value, const struct od_when_step *test);

/* Finds a fact by name; OD_FACT_END = none. */
enum od_fact od_fact_named(struct od_view name);

/* The bit of a fact's word; 0 if the fact does not have the word. */
uint64_t od_fact_bit(enum od_fact fact, const char *word);
