/*
 * Many logs through one process, for tests that read thousands of short ones: starting the program
 * takes several times as long as reading such a log. Each line of standard input names a log of
 * this folder, then options of `analyze`, parted by blanks. The log becomes input.log, its report
 * as JSON is written to NAME.json, and what was written to standard error, if anything was, to
 * NAME.errors; the exit status that analyze would have is printed, a line each. After a crash
 * `errors` has what was written last.
 */
#include "base/diag.h"
#include "lib/oomdoctor.h"
#include "lib/tools.h"
#include "plan/request.h"
#include "report/report.h"

#include <fcntl.h>
#include <unistd.h>

/* The file takes the place of a standard stream. */
static void stand_in(const char *file, int stream)
{
    int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || dup2(fd, stream) < 0 || close(fd) != 0)
        abort();
}

/* What was written to standard error belongs to this log. */
static void keep_errors(const char *name)
{
    if (lseek(STDERR_FILENO, 0, SEEK_END) == 0)
        return;
    char *file = NULL;
    if (asprintf(&file, "%s.errors", name) < 0 || rename("errors", file) != 0)
        abort();
    free(file);
    stand_in("errors", STDERR_FILENO);
}

static void write_report(const struct od_report *report, const char *name)
{
    char *file = NULL;
    if (asprintf(&file, "%s.json", name) < 0)
        abort();
    const struct od_report_options options = {0};
    struct od_buf text = {0};
    od_format_report(od_format_find(OD_VIEW("json")), report, &options, &text);
    FILE *to = fopen(file, "w");
    if (!to || fwrite(text.p, 1, text.n, to) != text.n || fclose(to) != 0)
        abort();
    od_buf_done(&text);
    free(file);
}

static int analyze(const struct od_session_options *options, const char *name)
{
    struct od_diags *diags = od_diags_new();
    struct od_session *session = od_session_new(options, diags);
    int status = 3;
    if (session && od_session_add(session, "input.log")) {
        write_report(od_session_analyze(session), name);
        status = od_session_status(session);
    }
    od_session_free(session);
    od_diags_free(diags);
    return status;
}

static int run(char *line, struct od_tools *tools)
{
    struct od_plan_request request = od_plan_request_start();
    struct od_session_options options = {.request = &request, .tools = tools};
    char *rest = NULL;
    const char *name = strtok_r(line, " \n", &rest), *word;
    if (!name || rename(name, "input.log") != 0)
        abort();
    while ((word = strtok_r(NULL, " \n", &rest)) != NULL) {
        options.no_prefilter = options.no_prefilter || strcmp(word, "--no-prefilter") == 0;
        options.no_shapes = options.no_shapes || strcmp(word, "--no-shapes") == 0;
        options.tools = NULL; /* they are made by the same options */
    }
    int status = analyze(&options, name);
    keep_errors(name);
    return status;
}

int main(void)
{
    struct od_diags *diags = od_diags_new();
    struct od_tools *tools = od_tools_new(NULL, diags);
    char *line = NULL;
    size_t room = 0;
    stand_in("errors", STDERR_FILENO);
    while (getline(&line, &room, stdin) > 0) {
        printf("%d\n", run(line, tools));
        (void)fflush(stdout);
    }
    free(line);
    od_tools_free(tools);
    od_diags_free(diags);
    return 0;
}
