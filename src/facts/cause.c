#include "facts/cause.h"

#include <assert.h>

static const struct {
    const char *name, *code, *words, *clause;
} rows[OD_CAUSE_END] = {
#define OD_CAUSE(name, constant, code, words, clause) \
    [OD_CAUSE_##constant] = {#name, code, words, clause},
#include "facts/causes.def"
#undef OD_CAUSE
};

const char *od_cause_name(enum od_cause cause)
{
    assert(cause < OD_CAUSE_END);
    return rows[cause].name;
}

enum od_cause od_cause_named(const char *name)
{
    unsigned i = 0;
    while (i < OD_CAUSE_END && !(name && strcmp(rows[i].name, name) == 0))
        i++;
    return (enum od_cause)i;
}

const char *od_cause_code(enum od_cause cause)
{
    assert(cause < OD_CAUSE_END);
    return rows[cause].code;
}

bool od_cause_is_of_host(enum od_cause cause)
{
    return od_cause_code(cause)[2] == '2';
}

const char *od_cause_words(enum od_cause cause)
{
    return cause < OD_CAUSE_END ? rows[cause].words : "unknown";
}

const char *od_cause_clause(enum od_cause cause)
{
    return cause < OD_CAUSE_END ? rows[cause].clause : NULL;
}
