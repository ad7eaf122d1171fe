#include "diagnose/clue.h"

#include <assert.h>

static const struct {
    const char *name;
    enum od_cause cause;
    double weight;
} signs[] = {
    {"none", OD_CAUSE_END, 0},
#define OD_WEIGHT(of, word, odds) {#word, OD_CAUSE_##of, odds},
#include "diagnose/clues.inc"
#undef OD_WEIGHT
};

const char *od_clue_name(enum od_clue sign)
{
    assert(sign < OD_CLUE_END);
    return signs[sign].name;
}

enum od_cause od_clue_cause(enum od_clue sign)
{
    assert(sign < OD_CLUE_END);
    return signs[sign].cause;
}

double od_clue_weight(enum od_clue sign)
{
    assert(sign < OD_CLUE_END);
    return signs[sign].weight;
}
