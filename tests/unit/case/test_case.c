#include "tests/unit/case/suites.h"
#include "tests/unit/suite.h"

int main(void)
{
    Suite *suites[] = {od_tables_suite(),
                       od_checks_suite(),
                       od_verdict_suite(),
                       od_builder_suite(),
                       od_folding_suite(),
                       od_links_suite(),
                       od_conflicts_suite(),
                       od_echoes_suite(),
                       od_frames_suite(),
                       od_states_suite(),
                       od_series_suite(),
                       od_trend_suite(),
                       NULL};
    return od_suites_run(suites);
}
