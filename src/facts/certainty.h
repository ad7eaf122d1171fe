/*
 * How sure a conclusion is. certain: follows from the printed numbers by arithmetic. likely,
 * possible: judgement.
 */
#ifndef OD_FACTS_CERTAINTY_H
#define OD_FACTS_CERTAINTY_H

enum od_certainty { OD_POSSIBLE, OD_LIKELY, OD_CERTAIN };

/* The contract's word. */
const char *od_certainty_name(enum od_certainty certainty);

#endif
