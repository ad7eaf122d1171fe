#include "tests/unit/lib/suites.h"

int main(void)
{
    Suite *const suites[] = {calibration_suite(), keep_suite(), models_named_suite(),
                             watched_suite(), NULL};
    return od_suites_run(suites);
}
