#include "diagnose/clue.h"

#include <assert.h>

static const struct {
    const char *name;
    enum od_cause cause;
    enum od_strength strength;
} signs[] = {
    {"none", OD_CAUSE_END, OD_STRENGTH_AGAINST},
#define OD_SIGN(of, word, how) {#word, OD_CAUSE_##of, OD_STRENGTH_##how},
#include "diagnose/signs.def"
#undef OD_SIGN
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

enum od_strength od_clue_strength(enum od_clue sign)
{
    assert(sign < OD_CLUE_END);
    return signs[sign].strength;
}
