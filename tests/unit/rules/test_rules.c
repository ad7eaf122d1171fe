#include "tests/unit/rules/suites.h"
#include "tests/unit/suite.h"

int main(void)
{
    Suite *suites[] = {od_load_suite(),     od_ruleset_suite(), od_emit_suite(),
                       od_match_suite(),    od_advice_suite(),  od_advice_error_suite(),
                       od_software_suite(), od_when_suite(),    NULL};
    return od_suites_run(suites);
}
