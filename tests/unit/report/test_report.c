#include "tests/unit/report/fixture.h"
#include "tests/unit/report/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>

static int write_file(const char *folder, const char *name, const char *text)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file)
        return EXIT_FAILURE;
    int status = fputs(text, file) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
    return fclose(file) == 0 ? status : EXIT_FAILURE;
}

/* Every fixture as <name>.json, <name>.txt, and the schema, for check_schema.sh and for eyes. */
static int write_all(const char *folder)
{
    int status = write_file(folder, "schema", od_schema_find(OD_VIEW("report")));
    for (unsigned kind = 0; kind < OD_FIXTURES; kind++) {
        struct od_report_options options = {.unicode = true, .chunks = true};
        char name[64];
        struct od_buf json = od_fixture_render((enum od_fixture_kind)kind, "json", &options);
        (void)snprintf(name, sizeof name, "%s.json", od_fixture_name((enum od_fixture_kind)kind));
        status |= write_file(folder, name, od_buf_str(&json));
        struct od_buf text = od_fixture_render((enum od_fixture_kind)kind, "text", &options);
        (void)snprintf(name, sizeof name, "%s.txt", od_fixture_name((enum od_fixture_kind)kind));
        status |= write_file(folder, name, od_buf_str(&text));
        od_buf_done(&json);
        od_buf_done(&text);
    }
    return status;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--write") == 0)
        return write_all(argv[2]);
    Suite *suites[] = {od_figures_suite(),
                       od_github_suite(),
                       od_json_suite(),
                       od_pages_suite(),
                       od_picture_suite(),
                       od_text_suite(),
                       NULL};
    return od_suites_run(suites);
}
