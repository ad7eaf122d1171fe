#include "tests/unit/attribute/suites.h"
#include "tests/unit/suite.h"

int main(void)
{
    Suite *suites[] = {od_sequence_suite(), od_setup_suite(), od_weights_suite(), od_batch_suite(),
                       od_known_suite(),    od_near_suite(),  od_holding_suite(), NULL};
    return od_suites_run(suites);
}
