/* The words for closed lists of the JSON format, and small phrases. */
#pragma once

#include "estimate/estimate.h"
#include "report/report.h"

/* "TensorFlow"; for an unknown producer the word itself, copied into arena. */
const char *od_words_producer(struct od_arena *arena, struct od_view producer);

/* "device allocation failed": for a table. */
const char *od_words_incident_short(enum od_incident_kind kind);

/* "Device memory in use": of a series. */
const char *od_words_metric(enum od_series_metric metric);

/* "58 MiB": bytes that were read from a number of that rounding; 0 = exact. */
const char *od_words_read(struct od_arena *arena, double bytes, double rounding);

/* "GPU:0" -> "GPU 0" */
const char *od_words_device(struct od_arena *arena, struct od_view device);

/* "12,034" */
const char *od_words_count(struct od_arena *arena, uint64_t n);

/* A probability as "93 %". A forecast is never certain, so the ends are "<1 %" and ">99 %"; "?" if
 * unknown (negative). */
const char *od_words_chance(struct od_arena *arena, double probability);

/* "1.50": bytes in that unit. A value that would round to 0 is "<0.01". */
const char *od_words_size_in(struct od_arena *arena, uint64_t bytes, unsigned unit);

/* "1.50" for 150 hundredths; "<0.01" for a positive amount that rounds to 0. */
const char *od_words_hundredths(struct od_arena *arena, long long shown, bool any);

/* "1 chunk", "12,034 chunks" */
const char *od_words_counted(struct od_arena *arena, uint64_t n, const char *one, const char *many);

/* "[180,64,?]"; the given text separates the dimensions. */
const char *od_words_shape(struct od_arena *arena, const struct od_shape *shape,
                           const char *between);

/* "once", "twice", "12 times" */
const char *od_words_times(struct od_arena *arena, uint64_t n);

/* "train.log:123", or "line 123" if there is only one source; only the name if no line is known. */
const char *od_words_line(struct od_arena *arena, const struct od_report *report,
                          struct od_prov at);

/* A redactor of reports. */
struct od_redactor *od_words_redactor(void);

/* The text after redaction, in arena; the text itself without a redactor. */
const char *od_words_shared(struct od_arena *arena, struct od_redactor *redactor, const char *text);

/* The name of the line's source; "input" if it has none. */
const char *od_words_source(const struct od_report *report, uint32_t source);

/* "RTX 3090" for "rtx3090", "A100 80 GB" for "a100-80gb"; a text that begins with a digit is no
 * name. */
const char *od_words_accelerator(struct od_arena *arena, const char *name);

/* "full", "every layer", "every 4 layers" */
const char *od_words_checkpointing(enum od_checkpointing checkpointing, uint64_t every,
                                   struct od_arena *arena);

/*
 * A curve as a line of small bars, one character each: an impression, not exact numbers.
 */
/* The values of the lowest and the highest bar, so that two curves can share one scale. */
struct od_spark_frame {
    double lo, hi;
    size_t cells; /* maximum number of bars */
    bool unicode; /* else ASCII */
};

/* The highest value of each stretch; in arena. */
const char *od_spark(struct od_arena *arena, const double *values, size_t n,
                     const struct od_spark_frame *frame);
