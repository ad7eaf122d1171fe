/* The suites of this room. */
#ifndef OD_TESTS_UNIT_READERS_SUITES_H
#define OD_TESTS_UNIT_READERS_SUITES_H

#include <check.h>

Suite *od_tried_fixes_suite(void);
Suite *od_settings_suite(void);
Suite *od_bfc_dump_suite(void);
Suite *od_bfc_line_suite(void);
Suite *od_bfc_mixed_suite(void);
Suite *od_pickle_suite(void);
Suite *od_tables_of_tools_suite(void);
Suite *od_keras_summary_suite(void);
Suite *od_kernel_oom_suite(void);
Suite *od_lightning_table_suite(void);
Suite *od_marks_suite(void);
Suite *od_megatron_args_suite(void);
Suite *od_tables_suite(void);
Suite *od_repeated_suite(void);
Suite *od_module_tree_suite(void);
Suite *od_printed_config_suite(void);
Suite *od_reading_suite(void);
Suite *od_torchinfo_suite(void);
Suite *od_torchsummary_suite(void);

#endif
