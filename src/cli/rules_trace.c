#include "cli/rules_trace.h"

#include "cli/command.h"
#include "lib/oomdoctor.h"
#include "lib/trace_writer.h"
#include "report/report.h"

#include <unistd.h>

struct wanted {
    char *log;
    uint64_t line; /* 0 = every line */
    bool counted;  /* a line number was given */
};

/* "train.log:12"; a file whose own name ends with a number is used as it is. */
static struct wanted wanted_of(const char *argument)
{
    struct wanted wanted = {.log = strdup(argument)};
    char *colon = wanted.log ? strrchr(wanted.log, ':') : NULL;
    struct od_view digits = od_view_of(colon ? colon + 1 : NULL);
    bool number = digits.n > 0;
    for (size_t i = 0; i < digits.n; i++)
        number = number && od_is_digit(digits.p[i]);
    if (!number || access(argument, F_OK) == 0)
        return wanted;
    *colon = '\0';
    wanted.counted = true;
    wanted.line = strtoull(digits.p, NULL, 10);
    return wanted;
}

/* Says why no line was traced. */
static int complain(const struct wanted *wanted, const struct od_report *report)
{
    const struct od_source *source = report->nsources > 0 ? report->sources[0] : NULL;
    if (!source || source->lines + source->bytes == 0)
        od_complain("%s:1: error: the log is empty", wanted->log);
    else if (source->binary)
        od_complain("%s:1: error: binary data, not a log", wanted->log);
    else if (source->lines == 0)
        od_complain("%s:1: error: read as one file (%s), which has no lines to trace", wanted->log,
                    source->format);
    else if (wanted->line > source->lines)
        od_complain("%s:%" PRIu64 ": error: no such line; the log has %" PRIu64, wanted->log,
                    wanted->line, source->lines);
    else
        od_complain("%s:%" PRIu64 ": error: no text of its own; it is empty or part of another "
                    "line",
                    wanted->log, wanted->line);
    return OD_EXIT_UNREADABLE;
}

/* Writes the trace of the log if the log is valid and has the line. */
static int finish(const struct wanted *wanted, const struct od_report *report,
                  const struct od_trace_writer *writer, struct od_view text)
{
    const struct od_source *source = report->nsources > 0 ? report->sources[0] : NULL;
    if (od_trace_writer_lines(writer) == 0 || (source && source->binary))
        return complain(wanted, report);
    return od_write_all(text.p, text.n) ? OD_EXIT_OK : OD_EXIT_INTERNAL;
}

static int trace(const struct wanted *wanted, struct od_session_options *options,
                 struct od_diags *diags)
{
    struct od_view text = {0};
    char *bytes = NULL;
    FILE *to = open_memstream(&bytes, &text.n);
    int status = OD_EXIT_UNREADABLE;
    if (!to)
        return OD_EXIT_INTERNAL;
    struct od_trace_writer *writer = od_trace_writer_new(to, true);
    od_trace_writer_only(writer, wanted->line);
    options->trace = od_trace_writer_trace(writer);
    struct od_session *session = od_session_new(options, diags);
    if (session && od_session_add(session, wanted->log)) {
        const struct od_report *report = od_session_analyze(session);
        (void)fflush(to);
        text.p = bytes;
        status = finish(wanted, report, writer, text);
    } else {
        od_diags_flush(diags);
    }
    od_session_free(session);
    od_trace_writer_free(writer);
    (void)fclose(to);
    free(bytes);
    return status;
}

int od_rules_trace(const char *log, const char *const *rule_files, size_t nrule_files)
{
    struct wanted wanted = wanted_of(log);
    struct od_session_options options = {
        .rule_files = rule_files, .nrule_files = nrule_files, .no_prefilter = true};
    struct od_diags *diags = od_diags_new();
    int status = OD_EXIT_USAGE;
    if (wanted.counted && wanted.line == 0)
        od_complain("%s:0: error: lines are counted from 1", wanted.log);
    else
        status = trace(&wanted, &options, diags);
    od_diags_free(diags);
    free(wanted.log);
    return status;
}
