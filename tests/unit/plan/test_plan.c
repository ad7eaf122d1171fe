#include "tests/unit/plan/suites.h"
#include "tests/unit/suite.h"

int main(void)
{
    Suite *suites[] = {od_answer_suite(),
                       od_answer_transformer_suite(),
                       od_answer_estimate_suite(),
                       od_compare_suite(),
                       od_host_suite(),
                       od_knobs_suite(),
                       od_recipe_suite(),
                       od_options_suite(),
                       od_rebuild_suite(),
                       od_search_suite(),
                       od_tensor_suite(),
                       od_phases_suite(),
                       od_answer_named_suite(),
                       NULL};
    return od_suites_run(suites);
}
