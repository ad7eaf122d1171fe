#include "suites.h"

#include "../suite.h"

int main(void)
{
    Suite *suites[] = {od_keras_json_suite(),
                       od_layered_suite(),
                       od_model_files_suite(),
                       od_states_suite(),
                       od_saved_suite(),
                       od_peak_suite(),
                       od_transformer_params_suite(),
                       od_transformer_suite(),
                       od_bfc_sim_suite(),
                       od_torch_sim_suite(),
                       od_trace_suite(),
                       od_traced_suite(),
                       od_replay_suite(),
                       od_cache_suite(),
                       od_directions_suite(),
                       od_public_models_suite(),
                       od_public_vision_suite(),
                       od_recorded_suite(),
                       NULL};
    return od_suites_run(suites);
}
