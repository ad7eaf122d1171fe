/*
 * Causes, one a row: each one fires in a case, with its certainty, and has a near miss in which it
 * must not be the first, nor certain.
 */
#ifndef OD_TESTS_UNIT_DIAGNOSE_CAUSE_ROW_H
#define OD_TESTS_UNIT_DIAGNOSE_CAUSE_ROW_H

#include "diagnose/diagnose.h"
#include "tests/unit/diagnose/case_maker.h"

#define GIB UINT64_C(1073741824)
#define MIB UINT64_C(1048576)
#define LIBRARY "/venv/lib/python3.11/site-packages/"

struct cause_row {
    const char *name;
    void (*make)(struct case_maker *maker);
    enum od_cause cause;
    bool first;
    enum od_certainty certainty;
};

/* Diagnoses the row's case, and fails where the row does not hold. */
void cause_row_check(const struct cause_row *row);

#endif
