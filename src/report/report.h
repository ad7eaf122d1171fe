/*
 * Reports: the case, the diagnosis (and, later, the plan) -> bytes in an output format. One file a
 * format: `const struct od_format od_format_<name>`, one word in this folder's local.mk. Formats
 * for people render a document tree (report/doc.h); JSON is written from the case.
 * Output is deterministic: no clock, no absolute path of ours, stable order.
 */
#ifndef OD_REPORT_REPORT_H
#define OD_REPORT_REPORT_H

#include "attribute/attribute.h"
#include "base/buf.h"
#include "base/err.h"
#include "case/case.h"
#include "diagnose/diagnose.h"
#include "diagnose/remedies.h"
#include "input/input.h"
#include "plan/answer.h"

#include <stdbool.h>
#include <stddef.h>

struct od_pictures;

struct od_report {
    const char *version;
    const struct od_source *const *sources;
    size_t nsources;
    const struct od_case *c;
    const struct od_diagnosis *diagnosis;
    const struct od_remedies *remedies; /* NULL = nothing to advise */
    const struct od_attribution *attribution;
    const struct od_answer *answer;     /* NULL = nothing can be said */
    const struct od_pictures *pictures; /* drawn figures; NULL = none were asked for */
    struct od_count unknown_lines;      /* smell of memory and match no rule */
    bool complete;                      /* every source was read to its end */
};

struct od_report_options {
    bool color;
    bool unicode;
    bool chunks;      /* list every chunk */
    bool samples;     /* list the points of series */
    bool verbose;     /* all, not one screen */
    unsigned columns; /* 0 = 80 */
    unsigned squeeze; /* how much less is shown, to stay on one screen; the text format sets it */
};

struct od_format {
    const char *name; /* as in --format */
    void (*render)(const struct od_report *report, const struct od_report_options *options,
                   struct od_buf *to);
};

extern const struct od_format *const od_formats[];

/* NULL when there is no such format. */
const struct od_format *od_format_find(struct od_view name);

/* The JSON Schema of an output ("report"); NULL when there is no such schema. */
const char *od_schema_find(struct od_view name);

#endif
