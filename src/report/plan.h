/*
 * A plan, and the bytes of a tensor, as text and as JSON. Text is a document rendered for a
 * terminal; JSON is oomdoctor.plan/1 and oomdoctor.tensor/1.
 */
#pragma once

#include "plan/compare.h"
#include "plan/options.h"
#include "plan/plan.h"
#include "plan/tensor.h"
#include "report/doc.h"
#include "report/figure.h"
#include "report/report.h"

struct od_json;

/* A plan, and with --set the plan before it. */
struct od_plan_report {
    const struct od_plan *plan;
    const struct od_plan *before; /* NULL without --set */
    const char *const *changed;   /* names of knobs, NULL-terminated; NULL without --set */
    const struct od_plan_compared *compared; /* with a log of the planned run; NULL = none */
    const struct od_diags *notes;            /* diagnostics from reading the input; may be NULL */
    bool why;                                /* show the formulas of the numbers */
    const struct od_pictures *pictures;      /* drawn figures; NULL = not wanted */
};

/* The document of a plan. The caller calls od_doc_free. */
struct od_doc *od_plan_outline(const struct od_plan_report *report,
                               const struct od_report_options *options);

/* The figures of a plan, the most informative first; in arena. */
const struct od_figures *od_plan_figures(const struct od_plan_report *report,
                                         struct od_arena *arena);

/* Writes into an empty writer. */
void od_plan_json(const struct od_plan_report *report, struct od_json *json);

/* Adds measured next to predicted memory, as a section or a JSON member; nothing if NULL. */
void od_outline_compared(struct od_doc *doc, const struct od_plan_compared *compared);
void od_json_compared(struct od_json *json, const struct od_plan_compared *compared);

struct od_doc *od_tensor_outline(const struct od_tensor_answer *answer);
void od_tensor_json(const struct od_tensor_answer *answer, bool pretty, struct od_buf *to);

enum { OD_PLAN_PARTS = 9 };

struct od_plan_part {
    const char *words;
    const struct od_part *part;
};

/* The parts of a breakdown in the order of the JSON format. */
void od_plan_parts(const struct od_breakdown *breakdown,
                   struct od_plan_part ret_parts[static OD_PLAN_PARTS]);

/* "fsdp", "zero2"; NULL = none. */
const char *od_plan_sharding(const struct od_workload *workload);

/* The model's name, otherwise the format in which it is printed. */
struct od_view od_plan_model_name(const struct od_model *model);

struct od_options_table {
    const struct od_plan_option *options; /* the first is the workload as it is */
    size_t n, most;                       /* number of rows; number of rows to show */
    const char *asked;                    /* label of the first row */
    bool device;                          /* a device is given, so it is known what fits */
    bool serves;                          /* the batch counts sequences that run at once */
};

/* The changes of an option: "batch 4 x 8 steps, amp_bf16, checkpointing full"; NULL = none. */
const char *od_words_option(const struct od_plan_option *asked, const struct od_plan_option *option,
                            struct od_arena *arena);

void od_doc_options(const struct od_options_table *table, struct od_doc *doc,
                    struct od_section *section);
