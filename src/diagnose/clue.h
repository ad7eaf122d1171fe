/*
 * The signs of causes: what speaks for a cause or against it, each with one of five strengths.
 * Rows of rules/causes name their own; those that are looked for in C are in signs.def.
 */
#pragma once

#include "rules/cause_rows.h"

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
