/*
 * How sure a conclusion is. certain: proved by arithmetic on the printed numbers. likely, possible:
 * judged.
 */
#pragma once

enum od_certainty { OD_POSSIBLE, OD_LIKELY, OD_CERTAIN };

/* The name in the JSON contract. */
const char *od_certainty_name(enum od_certainty certainty);
