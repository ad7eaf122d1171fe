#include "tests/unit/advise/suites.h"
#include "tests/unit/suite.h"

int main(void)
{
    Suite *suites[] = {od_remedy_suite(), od_version_suite(), od_unless_suite(), NULL};
    return od_suites_run(suites);
}
