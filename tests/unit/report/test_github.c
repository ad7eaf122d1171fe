/* What the runner of GitHub Actions would take for a command's end is escaped. */
#include "base/num.h"
#include "report/annotation.h"
#include "tests/unit/report/suites.h"
#include "tests/unit/suite.h"

static const struct {
    const char *text, *data, *property;
} rows[] = {
    {"", "", ""},
    {"plain text of 3 words", "plain text of 3 words", "plain text of 3 words"},
    {"12% free", "12%25 free", "12%25 free"},
    {"one\n::error::two", "one%0A::error::two", "one%0A%3A%3Aerror%3A%3Atwo"},
    {"one\r\n::add-mask::x", "one%0D%0A::add-mask::x", "one%0D%0A%3A%3Aadd-mask%3A%3Ax"},
    {"a,line=7::b", "a,line=7::b", "a%2Cline=7%3A%3Ab"},
    {"%0A %25", "%250A %2525", "%250A %2525"},
};

START_TEST(test_text)
{
    struct od_buf data = {0}, property = {0};
    od_github_text(&data, rows[_i].text, false);
    od_github_text(&property, rows[_i].text, true);
    ck_assert_str_eq(od_buf_str(&data), rows[_i].data);
    ck_assert_str_eq(od_buf_str(&property), rows[_i].property);
    od_buf_done(&data);
    od_buf_done(&property);
}
END_TEST

Suite *od_github_suite(void)
{
    return od_suite_loop("github", test_text, OD_COUNT_OF(rows));
}
