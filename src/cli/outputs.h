/*
 * Where the results of a command go: one run, many outputs (--format, -o FORMAT:FILE). A file is
 * written beside its name and renamed, so that no half of it is left when writing fails.
 */
#pragma once

#include "cli/command.h"
#include "report/other.h"
#include "report/plan.h"
#include "report/report.h"

enum { OD_OUTPUTS_MAX = 32 };

struct od_output {
    const struct od_format *format;
    const char *file; /* NULL = standard output */
};

/* What a command writes. */
enum od_outputs_kind { OD_OUTPUTS_REPORT, OD_OUTPUTS_PLAN, OD_OUTPUTS_OTHER };

struct od_outputs {
    struct od_output list[OD_OUTPUTS_MAX];
    size_t n;
    enum od_outputs_kind kind;   /* only formats that it can be written in are taken */
    const struct od_format *own; /* formats of this command alone; one without a name ends them;
                                    NULL = none */
    const char *color;           /* color of --color; NULL = auto */
    bool on_stderr;              /* what goes to no file goes to standard error */
};

/* Rows of a command's table that od_outputs_take understands. */
#define OD_OUTPUT_OPTIONS(formats) OD_OUTPUT_OPTIONS_ON(formats, "standard output")
#define OD_OUTPUT_OPTIONS_ON(formats, where)                                       \
    {"format", 'f', "FORMAT", formats ", on " where},                              \
        {"output", 'o', "FORMAT:FILE", "Write to FILE; may be repeated"},          \
    {                                                                              \
        "color", 0, "WHEN", "auto (default), always or never; NO_COLOR is honored" \
    }

/* Takes one of these options; false when it is none of them. *ret_status is OD_EXIT_OK or
 * OD_EXIT_USAGE (already said on stderr). */
bool od_outputs_take(struct od_outputs *outputs, const struct od_args *args, int option,
                     int *ret_status);

/* Text on standard output, where nothing else was asked for. */
void od_outputs_default(struct od_outputs *outputs);

/* Colour, width and alphabet of standard output as it is. */
void od_outputs_look(const struct od_outputs *outputs, struct od_report_options *options);

/* What is written: one of them. */
struct od_outputs_of {
    const struct od_report *report;
    const struct od_plan_report *plan;
    const struct od_other *other;
};

/* Does one of them show the figures drawn (report->pictures)? */
bool od_outputs_show_pictures(const struct od_outputs *outputs);

/*
 * Renders and writes all. With format github also the step's summary, where the environment names
 * a file for it ($GITHUB_STEP_SUMMARY: Markdown, appended). False, with a message on stderr, when
 * one could not be written.
 */
bool od_outputs_write(const struct od_outputs *outputs, const struct od_outputs_of *what,
                      const struct od_report_options *options);

/*
 * May a command that reads the logs of args write to the file? Not where it is one of them, under
 * whatever name. With a heading, also not where the file holds text that does not begin with it:
 * then it is somebody's log or notes. OD_EXIT_OK, or OD_EXIT_USAGE, already said.
 */
int od_outputs_may_write(const struct od_args *args, const char *file, const char *heading);

/* The same of all outputs; a report may take the place of any file that is not read. */
int od_outputs_may_write_all(const struct od_outputs *outputs, const struct od_args *args);

/* Writes a file as a report is written; false, with a message on stderr, when it cannot. */
bool od_outputs_write_file(const char *file, struct od_view text);
