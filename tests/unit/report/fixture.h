/*
 * Reports made by hand, without a log, a case builder or a diagnosis: fully known, fully unknown,
 * hostile, with several sources. The caller frees with od_fixture_free.
 */
#ifndef OD_TESTS_UNIT_REPORT_FIXTURE_H
#define OD_TESTS_UNIT_REPORT_FIXTURE_H

#include "report/report.h"

enum od_fixture_kind {
    OD_FIX_FRAGMENTED, /* one whole dump with several regions, everything said */
    OD_FIX_EXHAUSTED,  /* nothing free, rounded sizes, a failing check, a conflict */
    OD_FIX_UNKNOWN,    /* nothing is known about anything */
    OD_FIX_HOSTILE,    /* ESC, NUL, bad UTF-8, absurd numbers, endless words */
    OD_FIX_SOURCES,    /* three sources, many incidents and dumps */
    OD_FIX_CUT,        /* a dump that lacks its head and its tail */
    OD_FIX_SURVIVED,
    OD_FIX_OTHER,
    OD_FIX_EMPTY,
    OD_FIXTURES
};

struct od_fixture {
    struct od_report report;
    struct od_arena *arena;
    struct od_case c;
    struct od_failure failure;
    struct od_profile profile;
    struct od_diagnosis diagnosis;
    struct od_source sources[3];
    const struct od_source *source_list[3];
};

const char *od_fixture_name(enum od_fixture_kind kind);
struct od_fixture *od_fixture_new(enum od_fixture_kind kind);
void od_fixture_free(struct od_fixture *fixture);

/* The report in a format; the caller calls od_buf_done. */
struct od_buf od_fixture_render(enum od_fixture_kind kind, const char *format,
                                const struct od_report_options *options);

#endif
