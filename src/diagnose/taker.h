/* Helpers that set the facts for the rules of causes. Internal to the files that compute them. */
#pragma once

#include "diagnose/rows.h"
#include "failure/failure.h"

#include <math.h>

struct taker {
    const struct od_diagnosis_context *context;
    const struct od_case *c;
    const struct od_failure *failure;
    const struct od_incident *incident;
    struct od_cause_facts *facts;
};

static inline void take_truth(const struct taker *t, enum od_fact fact, bool yes)
{
    t->facts->profile.values[fact] = od_fact_truth(yes);
}

/* Sets a fact that holds if the line is not NULL. */
static inline void take_line(const struct taker *t, enum od_fact fact,
                             const struct od_evidence *line)
{
    take_truth(t, fact, line != NULL);
    t->facts->said[fact] = line;
}

static inline const struct od_evidence *copy_line(const struct taker *t, struct od_evidence line)
{
    struct od_evidence *copy = OD_NEW(t->context->arena, struct od_evidence);
    *copy = line;
    return copy;
}

/* The same for a line that sets a number; NULL = none. */
static inline void take_assigned(const struct taker *t, enum od_fact fact,
                                 const struct od_assigned *set)
{
    take_line(t, fact,
              set ? copy_line(t, (struct od_evidence){.at = set->at, .text = set->line}) : NULL);
}

static inline void take_amount(const struct taker *t, enum od_fact fact, struct od_bytes number,
                               enum od_scope scope)
{
    t->facts->profile.values[fact] = od_fact_bytes(number, scope);
}

/* Sets a size relative to the memory that ran out. */
static inline void take_bytes(const struct taker *t, enum od_fact fact, struct od_bytes number)
{
    take_amount(t, fact, number, t->failure->account.scope);
}

static inline void take_count(const struct taker *t, enum od_fact fact, struct od_count number)
{
    t->facts->profile.values[fact] = od_fact_count(number);
}

/* share: 0 to 1 or more, set in whole percent; negative = not known. */
static inline void take_percent(const struct taker *t, enum od_fact fact, double share)
{
    take_count(t, fact,
               share >= 0 ? od_count_of((uint64_t)fmin(share * 100, 1e18)) : (struct od_count){0});
}

/* text: NULL or "" = not known */
static inline void take_text(const struct taker *t, enum od_fact fact, const char *text)
{
    t->facts->profile.values[fact] = (struct od_fact_value){.known = text && *text, .text = text};
}

/* Sets a fact that holds if the series is not NULL, with the last line of the series. */
static inline void take_series(const struct taker *t, enum od_fact fact, const struct od_series *s)
{
    take_line(t, fact,
              s ? copy_line(t, (struct od_evidence){.at = s->last_at, .text = s->last_said})
                : NULL);
}

/* Sets the facts of a row in diagnose/taken.def. */
#define TRUTH(fact, yes) take_truth(t, OD_FACT_##fact, yes);
#define BYTES(fact, number) take_bytes(t, OD_FACT_##fact, number);
#define COUNT(fact, number) take_count(t, OD_FACT_##fact, number);
#define TEXT(fact, text) take_text(t, OD_FACT_##fact, text);
#define LINE(fact, line) take_line(t, OD_FACT_##fact, line);

/* "once", "5 times"; NULL = never. */
static inline const char *times_words(struct od_arena *arena, uint64_t n)
{
    return n == 0   ? NULL
           : n == 1 ? "once"
                    : od_arena_printf(arena, "%llu times", (unsigned long long)n);
}

void od_take_batch(const struct taker *t);  /* in batch_facts.c */
void od_take_growth(const struct taker *t); /* in growth_facts.c */

/* Sets the facts about devices, their pools and limits (device_facts.c). */
void od_take_device(const struct taker *t);
void od_take_driver(const struct taker *t); /* works without a failure, too */

/* Sets the facts about a program's own limit (own_limit.c). */
void od_take_own_limit(const struct taker *t);

/* Sets the facts about hosts (host_facts.c). */
void od_take_host(const struct taker *t);

/* Resident memory of the process by the last line before the failure that prints it. */
struct od_bytes od_take_last_rss(const struct od_case *c, const struct od_incident *inc);
