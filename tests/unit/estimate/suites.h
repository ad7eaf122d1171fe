/* The suites of this room. */
#ifndef OD_TESTS_UNIT_ESTIMATE_SUITES_H
#define OD_TESTS_UNIT_ESTIMATE_SUITES_H

#include <check.h>

Suite *od_bfc_sim_suite(void);
Suite *od_cache_suite(void);
Suite *od_directions_suite(void);
Suite *od_keras_json_suite(void);
Suite *od_layered_suite(void);
Suite *od_model_files_suite(void);
Suite *od_peak_suite(void);
Suite *od_public_models_suite(void);
Suite *od_public_vision_suite(void);
Suite *od_recorded_suite(void);
Suite *od_replay_suite(void);
Suite *od_saved_suite(void);
Suite *od_states_suite(void);
Suite *od_torch_sim_suite(void);
Suite *od_trace_suite(void);
Suite *od_traced_suite(void);
Suite *od_transformer_params_suite(void);
Suite *od_transformer_suite(void);

#endif
