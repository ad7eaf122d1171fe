/* The closed lists of the contract in words for people, and small phrases. */
#pragma once

#include "estimate/estimate.h"
#include "report/report.h"

/* "TensorFlow"; the word itself, copied into arena, where we have no better one. */
const char *od_words_producer(struct od_arena *arena, struct od_view producer);

/* "device allocation failed": for a table. */
const char *od_words_incident_short(enum od_incident_kind kind);

/* "Device memory in use": of a series. */
const char *od_words_metric(enum od_series_metric metric);

/* "4.09 GiB", "217.94 MiB", "888 MiB": two decimals, as programs print them, so that the number is
 * found again in the log; zeros at the end are left out. */
const char *od_words_short(struct od_arena *arena, uint64_t bytes);

/* "GPU:0" -> "GPU 0" */
const char *od_words_device(struct od_arena *arena, struct od_view device);

/* "12,034" */
const char *od_words_count(struct od_arena *arena, uint64_t n);

/* A probability as "93 %". A prediction is never sure, so the ends are "<1 %" and ">99 %". */
const char *od_words_chance(struct od_arena *arena, double probability);

/* "0.73", ">0.99"; "?" where it is not known (negative). */
const char *od_words_probability(struct od_arena *arena, double probability);

/* "1.50": bytes in that unit. What rounds to nothing is not nothing: "<0.01". */
const char *od_words_size_in(struct od_arena *arena, uint64_t bytes, unsigned unit);

/* "1.50" of 150 hundredths; "<0.01" where there is something that rounds to nothing. */
const char *od_words_hundredths(struct od_arena *arena, long long shown, bool any);

/* "1 chunk", "12,034 chunks" */
const char *od_words_counted(struct od_arena *arena, uint64_t n, const char *one, const char *many);

/* "[180,64,?]", with that between the dimensions */
const char *od_words_shape(struct od_arena *arena, const struct od_shape *shape,
                           const char *between);

/* "once", "twice", "12 times" */
const char *od_words_times(struct od_arena *arena, uint64_t n);

/* "train.log:123", "line 123" where there is but one source; the name alone without a line. */
const char *od_words_line(struct od_arena *arena, const struct od_report *report,
                          struct od_prov at);

/* A redactor of reports. */
struct od_redactor *od_words_redactor(void);

/* The text as the redactor leaves it, in arena; the text itself when there is no redactor. */
const char *od_words_shared(struct od_arena *arena, struct od_redactor *redactor, const char *text);

/* The name of the source a line is in; "input" when it has none. */
const char *od_words_source(const struct od_report *report, uint32_t source);

/* "RTX 3090" of "rtx3090", "A100 80 GB" of "a100-80gb"; what begins with a digit is no name. */
const char *od_words_accelerator(struct od_arena *arena, const char *name);

/* "full", "every layer", "every 4 layers" */
const char *od_words_checkpointing(enum od_checkpointing checkpointing, uint64_t every,
                                   struct od_arena *arena);

/*
 * A course as a line of small bars, one character each: for a look, not for a number.
 */
/* The values of the lowest and the highest bar, so that two courses can share one scale. */
struct od_spark_frame {
    double lo, hi;
    size_t cells; /* at most so many bars */
    bool unicode; /* else ASCII */
};

/* The highest of each stretch of n values; in arena. */
const char *od_spark(struct od_arena *arena, const double *values, size_t n,
                     const struct od_spark_frame *frame);
