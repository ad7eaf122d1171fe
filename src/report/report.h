/*
 * Reports: writes a case and its diagnosis in an output format. Each format is a file with `const
 * struct od_format od_format_<name>` and one word in this folder's local.mk. Formats for people
 * render a document tree (report/doc.h); JSON is written from the case. Output is deterministic: no
 * clock, no absolute path of ours, stable order.
 */
#pragma once

#include "advise/key_lines.h"
#include "advise/own_numbers.h"
#include "advise/precision.h"
#include "advise/remedies.h"
#include "answer/answer.h"
#include "answer/phases.h"
#include "answer/workers.h"
#include "attribute/attribute.h"
#include "base/err.h"
#include "case/case.h"
#include "diagnose/decide.h"
#include "diagnose/diagnose.h"
#include "diagnose/lost.h"
#include "input/input.h"

struct od_around;
struct od_doc;
struct od_pictures;
struct od_plan_report;
struct od_redactor;
struct od_annotations;

struct od_report {
    const char *version;
    const struct od_source *const *sources;
    size_t nsources;
    const struct od_case *c;
    const struct od_diagnosis *diagnosis;
    const struct od_remedies *remedies; /* NULL = no advice */
    struct od_precision_advice precision;
    struct od_worker_advice workers;
    const struct od_key_lines *key_lines; /* other lines of the log that explain the failure */
    const struct od_mentions *mentions;   /* numbers that size the run's memory; may be NULL */
    const struct od_attribution *attribution;
    const struct od_lost *lost; /* NULL = nothing failed, or nothing is known about lost work */
    const char *resume;         /* the command that resumes from what was saved; NULL = unknown */
    const struct od_decide *decide; /* NULL = no open question */
    const struct od_phases *phases; /* NULL = no phase is known */
    const struct od_host_answer
        *host;                      /* NULL = nothing failed on the host, or no workers are known */
    const struct od_answer *answer; /* NULL = nothing is known */
    const struct od_pictures *pictures; /* drawn figures; NULL = not wanted */
    const struct od_around *around;     /* neighbors of important lines; may be NULL */
    struct od_count unknown_lines;      /* number of lines that mention memory and match no rule */
    bool complete;                      /* every source was read to its end */
};

struct od_report_options {
    bool color;
    bool unicode;
    bool links;       /* it is shown on a terminal, which makes hyperlinks of OSC 8 */
    bool chunks;      /* list every chunk */
    bool samples;     /* list the points of series */
    bool verbose;     /* everything, not one screen */
    bool of_run;      /* no file was read: `run` kept what a command printed */
    bool of_page;     /* the log was pasted into a page, so later output can be pasted there, too */
    bool why;         /* show formula, inputs and lines of each number */
    unsigned columns; /* 0 = 80 */
    unsigned rows;    /* rows of the terminal that shows the report; 0 = no limit */
    const char *workspace; /* root folder of a CI job's checkout; "" or NULL = none */
    const char *folder; /* the current folder below the workspace: "logs"; "" or NULL = the root */
    /* The address of a file on this machine, for links: file as named in that log. NULL = none. */
    const char *(*locate)(struct od_view file, const char *log, struct od_arena *arena);
    struct od_redactor *redactor; /* replaces secrets and personal data; NULL = none */
    bool folds; /* the format folds sections after the first screen; set while rendering */
    unsigned
        shrink;    /* halvings of the rows of folded tables, until a page fits; rendering sets it */
    bool one_line; /* JSON on one line; set while rendering */
};

/*
 * An output format. A format for programs has `report`, and `plan` if it can write plans, both from
 * the case. A format for people has `document`, and can write everything that has a document.
 */
struct od_format {
    const char *name; /* its name for --format */
    void (*report)(const struct od_report *report, const struct od_report_options *options,
                   struct od_buf *to);
    void (*plan)(const struct od_plan_report *report, const struct od_report_options *options,
                 struct od_buf *to);
    void (*document)(const struct od_doc *doc, const struct od_report_options *options,
                     struct od_buf *to);
    /* For a result of one command only; false if it failed and said why. */
    bool (*other)(void *self, const struct od_report_options *options, struct od_buf *to);
    /* Is the rendered document small enough? Otherwise it is rendered again with fewer rows. NULL =
     * always. */
    bool (*fits)(const struct od_report_options *options, struct od_view rendered);
    /* For a CI system: writes the annotations of the report. */
    void (*annotations)(const struct od_annotations *annotations,
                        const struct od_report_options *options, struct od_buf *to);
    bool folds, one_line;
};

/* Appends the report or the plan in that format. */
void od_format_report(const struct od_format *format, const struct od_report *report,
                      const struct od_report_options *options, struct od_buf *to);
void od_format_plan(const struct od_format *format, const struct od_plan_report *report,
                    const struct od_report_options *options, struct od_buf *to);

extern const struct od_format *const od_formats[];

/* NULL if the format is unknown. */
const struct od_format *od_format_find(struct od_view name);

/* The JSON Schema of an output ("report"); NULL if unknown. */
const char *od_schema_find(struct od_view name);

/* Appends any document as text for a terminal or a file, wrapped to the options' columns. */
void od_text_render(const struct od_doc *doc, const struct od_report_options *options,
                    struct od_buf *to);
