#include "tests/unit/input/helper.h"
#include "tests/unit/input/suites.h"

Suite *od_unwrap_suite(void)
{
    return suite_create("unwrap");
}
