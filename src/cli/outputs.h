/*
 * The outputs of a command: one run, many formats (--format, -o FORMAT:FILE). A file is written
 * under a temporary name and renamed, so that failed writing leaves no half file.
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

/* The kinds of results. */
enum od_outputs_kind { OD_OUTPUTS_REPORT, OD_OUTPUTS_PLAN, OD_OUTPUTS_OTHER };

struct od_outputs {
    struct od_output list[OD_OUTPUTS_MAX];
    size_t n;
    enum od_outputs_kind kind; /* only formats for this kind of result are accepted */
    const struct od_format
        *own; /* formats of this command only, terminated by one without a name; NULL = none */
    const char *color; /* argument of --color; NULL = auto */
    bool on_stderr;    /* output without a file goes to standard error */
};

/* Table rows for the options that od_outputs_take accepts. */
#define OD_OUTPUT_OPTIONS(formats) OD_OUTPUT_OPTIONS_ON(formats, "standard output")
#define OD_OUTPUT_OPTIONS_ON(formats, where)                                       \
    {"format", 'f', "FORMAT", formats ", on " where},                              \
        {"output", 'o', "FORMAT:FILE", "Write to FILE; may be repeated"},          \
    {                                                                              \
        "color", 0, "WHEN", "auto (default), always or never; NO_COLOR is honored" \
    }

/* Takes one of these options; false for others. *ret_status is OD_EXIT_OK or OD_EXIT_USAGE (an
 * error was printed to stderr). */
bool od_outputs_take(struct od_outputs *outputs, const struct od_args *args, int option,
                     int *ret_status);

/* Adds text on standard output if no output was requested. */
void od_outputs_default(struct od_outputs *outputs);

/* Sets color, width and alphabet for standard output. */
void od_outputs_look(const struct od_outputs *outputs, struct od_report_options *options);

/* The result to write: one of the members. */
struct od_outputs_of {
    const struct od_report *report;
    const struct od_plan_report *plan;
    const struct od_other *other;
};

/* Does one of the formats show the figures of report->pictures? */
bool od_outputs_show_pictures(const struct od_outputs *outputs);

/*
 * Renders and writes all outputs. With format github, also appends Markdown to the step summary if
 * the environment names its file ($GITHUB_STEP_SUMMARY). False, with a message on stderr, if one
 * could not be written.
 */
bool od_outputs_write(const struct od_outputs *outputs, const struct od_outputs_of *what,
                      const struct od_report_options *options);

/*
 * May a command that reads the logs in args write to the file? Not if it is one of these logs under
 * any name. With a heading, also not if the file has text that does not begin with it: that may be
 * the user's log or notes. OD_EXIT_OK, or OD_EXIT_USAGE after an error message.
 */
int od_outputs_may_write(const struct od_args *args, const char *file, const char *heading);

/* Like od_outputs_may_write, for all outputs. A report may replace any file that is not read. */
int od_outputs_may_write_all(const struct od_outputs *outputs, const struct od_args *args);

/* Writes a file like a report; false, with a message on stderr, if that fails. */
bool od_outputs_write_file(const char *file, struct od_view text);
