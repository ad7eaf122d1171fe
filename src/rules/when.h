/*
 * Conditions (`when:`) over facts: the one language that says for which failures a remedy, a way of
 * doing it, an answer of a program or a setting is meant. Parsed and checked when the project is
 * built, into steps that are evaluated with three values.
 *
 *   condition: test | not condition | condition and condition | condition or condition |
 * (condition) test:      fact | fact == word | fact != word | fact in [word, ...] | fact not in
 * [word, ...] fact >= number (<, <=, >, ==, !=) | fact(argument, ...)
 *
 * "not" binds closest, then "and", then "or". facts.def lists the facts.
 */
#pragma once

#include "base/base.h"

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
    OD_FACT_IS_CALL,
    OD_FACT_IS_DERIVED
};

struct od_fact_row {
    const char *name;
    enum od_fact_type type;
    const char *const *words; /* of WORD and WORDS; NULL-terminated */
    const char *means;        /* of DERIVED: its condition */
    const char *doc;
};
extern const struct od_fact_row od_facts[OD_FACT_END];

/* The bit of a word fact that asks for `unknown`. */
#define OD_FACT_UNKNOWN (UINT64_C(1) << 63)

enum od_when_op {
    OD_WHEN_TRUE,    /* a TRUTH fact or a CALL */
    OD_WHEN_IN,      /* one of the words of bits */
    OD_WHEN_LESS,    /* a number or version below */
    OD_WHEN_EQUAL,   /* a number */
    OD_WHEN_UNKNOWN, /* no value is known */
    OD_WHEN_NOT,
    OD_WHEN_AND,
    OD_WHEN_OR
};

/* One step of a condition in postfix order. */
struct od_when_step {
    enum od_when_op op;
    enum od_fact fact;
    uint64_t bits;              /* words, or the number */
    const char *text;           /* a version, or the first argument of a call */
    const char *const *options; /* further arguments; NULL-terminated; NULL = none */
};

struct od_when {
    const char *text; /* as it is written; NULL = always */
    const struct od_when_step *steps;
    size_t n;
    unsigned line; /* of the file */
};

/* Answers a test: TRUE, IN, LESS, EQUAL or UNKNOWN. */
typedef enum od_tri od_when_ask(const void *with, const struct od_when_step *test);

/* Does the condition hold? An empty one does. */
enum od_tri od_when_holds(const struct od_when *when, od_when_ask *ask, const void *with);

/* Appends the tests that keep the condition from holding, each with its answer:
 * "memory == device (no), network (unknown)". Nothing where all of its tests hold. */
void od_when_misses(const struct od_when *when, od_when_ask *ask, const void *with,
                    struct od_buf *to);

/* The test of the condition that refers to that fact, from that step on; NULL = none. */
const struct od_when_step *od_when_test_of(const struct od_when *when, enum od_fact fact,
                                           const struct od_when_step *after);

/* What is known of one fact. */
struct od_fact_value {
    bool known;
    uint64_t bits;          /* of TRUTH 1 or 0, of WORD and WORDS a bit for each word */
    struct od_bytes number; /* of COUNT and BYTES */
};
enum od_tri od_fact_test(const struct od_fact_value *value, const struct od_when_step *test);

/* The bit of a word of a fact; 0 where it has none of that name. */
uint64_t od_fact_bit(enum od_fact fact, const char *word);
