/*
 * How sure a conclusion is. certain: follows from the printed numbers by arithmetic. likely,
 * possible: judgement.
 */
#pragma once

enum od_certainty { OD_POSSIBLE, OD_LIKELY, OD_CERTAIN };

/* The contract's word. */
const char *od_certainty_name(enum od_certainty certainty);
