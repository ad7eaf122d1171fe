/*
 * Annotations: a report as a few messages that a CI system shows for a job. Each has a level, a
 * place in the program or in the log, and a fingerprint that stays the same as long as the cause
 * does. The formats for CI systems (github, gitlab, junit, sarif) write these.
 */
#pragma once

#include "report/report.h"

enum { OD_ANNOTATIONS_MAX = 10, OD_FINGERPRINT_TEXT = 17 };

enum od_annotation_level { OD_ANNOTATION_NOTE, OD_ANNOTATION_WARNING, OD_ANNOTATION_ERROR };

struct od_annotation {
    enum od_annotation_level level;
    enum od_cause cause; /* OD_CAUSE_END = the log does not show the cause */
    enum od_certainty certainty;
    double probability;
    const char *code;    /* "OD101"; "OD000" without a cause */
    const char *name;    /* "batch_too_large"; "unknown" without a cause */
    const char *title;   /* "batch too large (likely, OD101)" */
    const char *message; /* what happened, and the first remedy */
    const char *words;   /* "title: message", for formats with one text for each annotation */
    const char
        *file; /* the program's file if a traceback names it, otherwise the log's name; relative to
                  the CI system's workspace; "" = output of `run`, which is no file */
    uint64_t line;                         /* 0 = unknown */
    char fingerprint[OD_FINGERPRINT_TEXT]; /* fingerprint of cause, kind, producer, device and
                                              tensor, without the line */
};

struct od_annotations {
    const struct od_report *report;
    struct od_arena *arena;
    struct od_annotation list[OD_ANNOTATIONS_MAX];
    size_t n;
};

/* Most useful first; in arena. A failure without a known cause has one annotation, and so has a run
 * that did not fail if memory grows. */
const struct od_annotations *od_annotations_of(const struct od_report *report,
                                               const struct od_report_options *options,
                                               struct od_arena *arena);

/* A file's name as a CI system knows it: "train.py" for "./train.py", or for
 * "/builds/team/project/train.py" if that folder is the workspace; in arena. */
const char *od_annotation_file(struct od_view file, const struct od_report_options *options,
                               struct od_arena *arena);

/*
 * Appends text of a GitHub Actions command (`::error file=F,line=N,title=T::MESSAGE`), escaped as
 * the runner expects: '%' and line ends, which would end the command and could start another; in a
 * property (file, title) also ':' and ','.
 */
void od_github_text(struct od_buf *to, const char *text, bool property);
