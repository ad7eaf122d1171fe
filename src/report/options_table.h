/* The options table (plan/options.h) as both a plan and a report show it. */
#pragma once

#include "plan/options.h"
#include "report/doc.h"

struct od_options_table {
    const struct od_plan_option *options; /* the first is the workload as it is */
    size_t n, most;                       /* rows; as many of them are shown */
    const char *asked;                    /* words for the first */
    bool device;                          /* one was given: what fits is known */
    bool serves;                          /* the batch is of sequences running at once */
};

/* The changes of an option: "batch 4 x 8 steps, amp_bf16, checkpointing full"; NULL = none. */
const char *od_words_option(const struct od_plan_option *asked, const struct od_plan_option *option,
                            struct od_arena *arena);

void od_doc_options(const struct od_options_table *table, struct od_doc *doc,
                    struct od_section *section);
