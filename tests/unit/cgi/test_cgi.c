#include "tests/unit/cgi/suites.h"
#include "tests/unit/suite.h"

int main(void)
{
    Suite *suites[] = {
        od_form_suite(),
        od_wire_suite(),
        od_outside_suite(),
        NULL,
    };
    return od_suites_run(suites);
}
