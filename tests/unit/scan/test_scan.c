#include "tests/unit/scan/suites.h"
#include "tests/unit/suite.h"

int main(void)
{
    Suite *suites[] = {od_filter_suite(), od_prove_suite(), od_shapes_suite(), od_mentions_suite(),
                       NULL};
    return od_suites_run(suites);
}
