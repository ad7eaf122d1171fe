#include "facts/segment.h"
#include "tests/unit/facts/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *line, *segment;
} lines[] = {
    {"", "a program or a person"},
    {"out of memory", "a program or a person"},
    {"2026-03-02 10:11:12 step 4 of the run is done", "a program"},
    {"W0410 13:51:44.743979 the pool is full", "a program"},
    {"mesher: the file is too large for this machine", "a program"},
    {"/opt/mesher/grid.py:41: the grid is too large for this machine", "a program"},
    {"GridError: the grid is too large for this machine", "a program"},
    {"[grid] the grid is too large for this machine", "a program"},
    {"{\"grid\": \"the grid is too large for this machine\"}", "a program"},
    {" 40%|####      | 4/10", "a program"},
    {"I run the mesher on a machine with 64 GB", "a person"},
    {"edit: the mesher is fine with the smaller grid", "a person"},
    {"$ mesher --grid 40 | tee mesher.log", "a command"},
    {"raise GridError(\"the grid is too large\")", "source code"},
    {"ana-k commented on Jun 3, 2021", "the head of an answer"},
    {".It Er ENOMEM", "a document"},
    {"ENOMEM The grid is too large.", "a document"},
};

START_TEST(a_line_tells_who_speaks)
{
    enum od_segment segment = od_segment_of(od_view_of(lines[_i].line));
    ck_assert_msg(strcmp(od_segment_name(segment), lines[_i].segment) == 0, "%s: %s",
                  lines[_i].line, od_segment_name(segment));
}
END_TEST

static const struct {
    const char *before, *line, *after, *segment;
} places[] = {
    {"step 1\n", "out of memory", "\nstep 2\n", "a program or a person"},
    {".Sh ERRORS\n", "out of memory", "\n", "a document"},
    {"", "out of memory", "\n-------------\n", "a document"},
    {"The grid is made in the first step of the run.\n"
     "It is kept until the end, which is of no use to you.\n",
     "out of memory", "\nThis is shown when the grid is larger than that.\n", "a person"},
    {"The grid is made in the first step of the run.\n"
     "It is kept until the end, which is of no use to me.\n",
     "out of memory", "\nThis is shown when the grid is larger than that.\n",
     "a program or a person"},
};

static const struct {
    const char *above, *line, *below;
    bool config;
} lists[] = {
    {"max_sessions = 40\n", "sort_mem = 32MB", "\nwal_mem = 2GB\n", true},
    {"  limits:\n", "    memory: 2Gi", "\n", true},
    {"\"name\": \"feed\",\n\"port\": 80,\n", "\"max_mem\": \"3g\"", "\n}\n", true},
    {"sort_mem = 30MB\nrows = 4\n", "sort_mem = 32MB", "\nrows = 5\n", false},
    {"rows = 4\n", "sort mem is 32MB", "\nport = 5\n", false},
    {"", "sort_mem = 32MB", "\nthe sorter is done\n", false},
};

START_TEST(a_list_of_settings_has_each_name_once)
{
    char room[200];
    int n = snprintf(room, sizeof room, "%s%s%s", lists[_i].above, lists[_i].line, lists[_i].below);
    struct od_view log = od_view_head(od_view_of(room), (size_t)n);
    struct od_view line = od_view_from(log, strlen(lists[_i].above));
    line = od_view_head(line, strlen(lists[_i].line));
    ck_assert_int_eq(od_segment_is_config(log, line, line), lists[_i].config);
}
END_TEST

START_TEST(the_lines_around_tell_a_document)
{
    char log[400];
    size_t at = strlen(places[_i].before);
    (void)snprintf(log, sizeof log, "%s%s%s", places[_i].before, places[_i].line, places[_i].after);
    enum od_segment segment =
        od_segment_around(od_view_of(log), (struct od_view){log + at, strlen(places[_i].line)});
    ck_assert_str_eq(od_segment_name(segment), places[_i].segment);
}
END_TEST

Suite *od_segment_suite(void)
{
    Suite *suite = suite_create("segment");
    TCase *tcase = tcase_create("segment");
    tcase_add_loop_test(tcase, a_line_tells_who_speaks, 0, (int)OD_COUNT_OF(lines));
    tcase_add_loop_test(tcase, the_lines_around_tell_a_document, 0, (int)OD_COUNT_OF(places));
    tcase_add_loop_test(tcase, a_list_of_settings_has_each_name_once, 0, (int)OD_COUNT_OF(lists));
    suite_add_tcase(suite, tcase);
    return suite;
}
