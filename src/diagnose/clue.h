/*
 * The signs of causes: what speaks for a cause or against it, each with one of five strengths.
 * Rows of rules/causes name their own; those that are looked for in C are in signs.def.
 */
#pragma once

#include "facts/cause.h"

/* How much a sign says. odds.c has the number of each. */
enum od_strength {
    OD_STRENGTH_PROOF,  /* little room is left for another cause: alone 98 % */
    OD_STRENGTH_STRONG, /* alone 90 % */
    OD_STRENGTH_SOME,   /* alone 69 % */
    OD_STRENGTH_WEAK,   /* alone 40 %: the cause is possible, and not named */
    OD_STRENGTH_AGAINST /* another cause is more probable */
};

/* "strong" */
const char *od_strength_name(enum od_strength strength);

/* OD_CLUE(BATCH_TOO_LARGE, stated) */
#define OD_CLUE(cause, name) OD_CLUE_##cause##_##name

enum od_clue {
    OD_CLUE_NONE,
#define OD_SIGN(cause, name, strength) OD_CLUE(cause, name),
#include "diagnose/signs.def"
#undef OD_SIGN
    OD_CLUE_END
};

const char *od_clue_name(enum od_clue sign);
enum od_cause od_clue_cause(enum od_clue sign);
enum od_strength od_clue_strength(enum od_clue sign);
