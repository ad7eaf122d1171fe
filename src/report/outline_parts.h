/* The parts of the outline; each adds its sections, or none when it has nothing to say. */
#ifndef OD_REPORT_OUTLINE_PARTS_H
#define OD_REPORT_OUTLINE_PARTS_H

#include "report/doc.h"
#include "report/report.h"

/* Rows of one table in a verbose report; what is beyond is counted. */
enum { OD_OUTLINE_ROWS = 1000 };

struct od_outline {
    struct od_doc *doc;
    struct od_arena *arena; /* of doc */
    const struct od_report *report;
    const struct od_case *c;
    const struct od_diagnosis *diagnosis;
    const struct od_incident *incident;   /* the decisive one; NULL = none */
    const struct od_allocator *allocator; /* the decisive one; NULL = none */
    bool verbose;
};

/* The name of an allocator, or "the allocator". */
const char *od_outline_name(const struct od_outline *outline, const struct od_allocator *a);

/* Where the memory went: a table that closes with the allocator's limit, or what was printed. */
void od_outline_memory(struct od_outline *outline, const struct od_allocator *a);
void od_outline_incident_memory(struct od_outline *outline);

/* The address space of an allocator and the request beside its largest hole. */
void od_outline_strip(struct od_outline *outline, const struct od_allocator *a);

/* Verbose: the bins. */
void od_outline_bins(struct od_outline *outline, const struct od_allocator *a);

/* Other incidents and allocator dumps. */
void od_outline_others(struct od_outline *outline);

/* How far to trust it (checks, contradictions, what could not be read) and what to type next. */
void od_outline_trust(struct od_outline *outline);

#endif
