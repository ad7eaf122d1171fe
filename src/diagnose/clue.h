/*
 * The signs of causes: what a diagnoser sees that speaks for its cause or against it. Naming one
 * declares it (clues.awk lists them). What it weighs stands in weights.def and nowhere in the code,
 * and is 0 until `make calibrate` has fitted it.
 */
#pragma once

#include "facts/cause.h"

/* OD_CLUE(BATCH_TOO_LARGE, stated) */
#define OD_CLUE(cause, name) OD_CLUE_##cause##_##name

enum od_clue {
    OD_CLUE_NONE,
#define OD_WEIGHT(cause, name, weight) OD_CLUE(cause, name),
#include "diagnose/clues.inc"
#undef OD_WEIGHT
    OD_CLUE_END
};

const char *od_clue_name(enum od_clue sign);
enum od_cause od_clue_cause(enum od_clue sign);
double od_clue_weight(enum od_clue sign);
