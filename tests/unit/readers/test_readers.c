#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

int main(void)
{
    Suite *suites[] = {
        od_tried_fixes_suite(),     od_settings_suite(),
        od_bfc_dump_suite(),        od_bfc_line_suite(),
        od_bfc_mixed_suite(),       od_tables_of_tools_suite(),
        od_keras_summary_suite(),   od_kernel_oom_suite(),
        od_lightning_table_suite(), od_marks_suite(),
        od_megatron_args_suite(),   od_tables_suite(),
        od_repeated_suite(),        od_module_tree_suite(),
        od_pickle_suite(),          od_printed_config_suite(),
        od_reading_suite(),         od_torchinfo_suite(),
        od_torchsummary_suite(),    NULL,
    };
    return od_suites_run(suites);
}
