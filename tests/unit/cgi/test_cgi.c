#include "config.h"
#include "tests/unit/cgi/suites.h"
#include "tests/unit/suite.h"

int main(void)
{
    Suite *suites[] = {
        od_form_suite(),
        od_wire_suite(),
#ifndef OD_SANITIZED /* whose own calls the lock refuses, too */
        od_outside_suite(),
#endif
        NULL,
    };
    return od_suites_run(suites);
}
