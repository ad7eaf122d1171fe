/*
 * Rows (record.h) made from a report. JSON is written from them, and runs are compared by them.
 * Texts belong to the case and rows must not outlive it.
 */
#pragma once

#include "report/record.h"
#include "report/report.h"

/* Helpers for the values of fields.def. */
static inline struct od_count od_count_if(bool known, uint64_t n)
{
    return (struct od_count){.n = known ? n : 0, .known = known};
}

/* A count where 0 means unknown. */
static inline struct od_count od_count_unless_0(uint64_t n)
{
    return od_count_if(n > 0, n);
}

static inline struct od_count od_count_either(struct od_count a, struct od_count b)
{
    return a.known ? a : b;
}

static inline struct od_count od_count_same(struct od_count a)
{
    return a;
}

static inline struct od_count od_count_of_bytes(struct od_bytes bytes)
{
    return od_count_if(bytes.known, bytes.n);
}

static inline enum od_tri od_tri_of(bool yes)
{
    return yes ? OD_YES : OD_NO;
}

static inline enum od_tri od_tri_same(enum od_tri tri)
{
    return tri;
}

/* NaN and infinity become unknown. */
struct od_real od_real_if(bool known, double n);
struct od_real od_real_of(double n);

static inline struct od_real od_real_same(struct od_real real)
{
    return real;
}

/* Rounded to a thousandth; negative = unknown. */
struct od_real od_real_of_probability(double p);

static inline struct od_bytes od_range_of(bool known, uint64_t lo, uint64_t hi)
{
    return (struct od_bytes){.lo = lo, .hi = hi, .known = known};
}

static inline struct od_bytes od_range_around(uint64_t n, uint64_t slack)
{
    return od_range_of(true, n > slack ? n - slack : 0, n + slack);
}

static inline struct od_view od_view_same(struct od_view view)
{
    return view;
}

/* "bytes", "percent", "seconds" */
const char *od_series_unit(const struct od_series *series);

/* Used in place of the answer if a report has none. */
extern const struct od_answer od_no_answer;

static inline const struct od_answer *od_answer_or_none(const struct od_report *report)
{
    return report->answer ? report->answer : &od_no_answer;
}

/* Converts a value of fields.def to its kind. */
#define OD_AS_TEXT(x) \
    _Generic((x), const char * : od_view_of, char * : od_view_of, struct od_view : od_view_same)(x)
#define OD_AS_COUNT(x)                        \
    _Generic((x), struct od_count             \
             : od_count_same, struct od_bytes \
             : od_count_of_bytes, default     \
             : od_count_of)(x)
#define OD_AS_NUMBER(x) _Generic((x), struct od_real : od_real_same, default : od_real_of)(x)
#define OD_AS_TRI(x) _Generic((x), bool : od_tri_of, default : od_tri_same)(x)
#define OD_AS_WORD(x) (x)
#define OD_AS_NAME(x) (x)
#define OD_AS_LINE(x) OD_AS_COUNT(x)
#define OD_AS_BYTES(x) (x)
#define OD_AS_SHAPE(x) (x)

/* The row of each thing: struct od_row_incident od_row_of_incident(const struct od_incident *v) */
#define OD_RECORD(record, type)                                            \
    static inline struct od_row_##record od_row_of_##record(const type *v) \
    {                                                                      \
        return (struct od_row_##record)                                    \
        {
#define OD_FIELD(record, key, kind, schema, words, value) .key = OD_AS_##kind(value),
#define OD_RECORD_END(record) \
    }                         \
    ;                         \
    }
#include "report/fields.def"

/* The most likely role of the i-th size; empty = unknown. */
struct od_view od_role_of_size(const struct od_report *report, const struct od_allocator *allocator,
                               size_t i);

/* The i-th program of the failure; the user's own is the first. */
struct od_row_software od_software_row(const struct od_report *report, size_t i);

/* Buffers for the texts of an input's times. */
struct od_input_times {
    char first[OD_TIME_TEXT], last[OD_TIME_TEXT];
};
struct od_row_input od_input_row(const struct od_source *source, struct od_input_times *times);

/* A few points that show a series: the lowest and highest point of equal stretches, in order.
 * Returns their number. */
enum { OD_RUN_STATES_MAX = 48 };
size_t od_run_state_of(const struct od_series *series,
                       struct od_point course[static OD_RUN_STATES_MAX]);

/* The settings that every report has, named as in the JSON format. */
struct od_documented {
    enum od_setting_id id;
    struct od_view value;   /* the value as written in the log; empty = not in the log */
    struct od_count number; /* the value as a number, if it is one */
};

/* The i-th row; false after the last. */
bool od_documented_at(const struct od_case *c, size_t i, struct od_documented *ret_setting);

/* The batch that was tried: from the answer, otherwise from the log. */
struct od_count od_current_batch(const struct od_report *report);
