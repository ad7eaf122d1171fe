#include "failure/phase.h"

static bool starts_with_any(struct od_view text, const char *const *words)
{
    while (od_view_take(&text, OD_VIEW("_"))) {
    }
    return od_view_starts_any(text, words);
}

static bool is_library(struct od_view file)
{
    static const char *const homes[] = {"site-packages", "dist-packages", "/lib/python", NULL};
    return od_view_has_any(file, homes);
}

/* "Trainer.evaluate" -> "evaluate" */
static struct od_view last_name(struct od_view function)
{
    size_t at = function.n;
    while (at > 0 && function.p[at - 1] != '.')
        at--;
    return od_view_from(function, at);
}

/* Outputs of the steps of an evaluation are put together. */
static bool keeps_outputs(struct od_view name)
{
    static const char *const names[] = {"nested_concat",
                                        "torch_pad_and_concatenate",
                                        "numpy_pad_and_concatenate",
                                        "nested_new_like",
                                        "nested_gather",
                                        "_nested_gather",
                                        "_gather_and_numpify",
                                        "gather_for_metrics",
                                        "pad_across_processes",
                                        "_pad_across_processes",
                                        "add_arrays",
                                        "_get_arrays",
                                        "collect_results",
                                        "collect_results_cpu",
                                        "collect_results_gpu",
                                        NULL};
    return od_view_eq_any(name, names);
}

/* A program's part that is called so does nothing else: val.py, engine/validator.py. Not the script
 * that was started, which may train with it. */
static bool is_file_of_evaluation(const struct od_frame *frame)
{
    static const char *const names[] = {"val.py",        "valid.py",      "validate.py",
                                        "validator.py",  "evaluate.py",   "evaluator.py",
                                        "evaluation.py", "validation.py", NULL};
    size_t at = frame->file.n;
    while (at > 0 && frame->file.p[at - 1] != '/' && frame->file.p[at - 1] != '\\')
        at--;
    return od_view_eq_any(od_view_from(frame->file, at), names) &&
           !od_view_eq_str(frame->function, "<module>") && !od_view_eq_str(frame->function, "main");
}

static bool is_evaluation(const struct od_frame *frame)
{
    static const char *const library[] = {
        "evaluate",         "evaluation_loop", "prediction_loop", "predict",
        "predict_on_batch", "validate",        "validation_step", "test_step",
        "predict_step",     "prediction_step", "run_evaluation",  "inference_test_function",
        "_run_eval_epoch",  "_run_evaluation", "_evaluate",       NULL};
    static const char *const people[] = {
        "eval_",   "evaluate", "evaluation", "validate", "validation", "predict", "test_",
        "do_eval", "run_eval", "run_valid",  "val_",     "valid_",     NULL};
    static const char *const whole[] = {"eval", "test", "valid", "val", "inference", NULL};
    struct od_view name = last_name(frame->function);
    if (is_file_of_evaluation(frame))
        return true;
    if (is_library(frame->file))
        return od_view_eq_any(name, library) || keeps_outputs(name);
    return od_view_eq_any(name, library) || od_view_eq_any(name, whole) ||
           starts_with_any(name, people);
}

static bool is_load(const struct od_frame *frame)
{
    static const char *const names[] = {
        "from_pretrained", "load_state_dict", "_load_from_state_dict", "_load_pretrained_model",
        "load_checkpoint", "_apply", "convert", "_cuda_deserialize", "load_weights", "load_model",
        "_load_state_dict_into_model", "restore_location", "_load_state_dict_into_meta_model",
        "set_module_tensor_to_device", "setup_model_and_optimizer", "get_megatron_optimizer",
        "initialize_optimizer_states", "_configure_zero_optimizer", "dispatch_model",
        /* wrapping for several devices: buckets, flat copies */
        "_sync_module_states", "_sync_params_and_buffers", "_ddp_init_helper",
        "_configure_distributed_model", "_broadcast_model", "_init_param_handle_from_module",
        "_move_states_to_device", "_materialize_with_param_init_fn", "_create_fp32_partitions",
        "flatten_dense_tensors_aligned", NULL};
    return od_view_eq_any(last_name(frame->function), names);
}

static bool is_optimizer(const struct od_frame *frame)
{
    static const char *const homes[] = {"/torch/optim/",   "\\torch\\optim\\", "bitsandbytes/optim",
                                        "apex/optimizers", "/ops/adam/",       NULL};
    return od_view_has_any(frame->file, homes);
}

static bool is_gather(const struct od_frame *frame)
{
    static const char *const names[] = {"all_gather_coalesced",
                                        "fetch_sub_module",
                                        "_all_gather_params",
                                        "all_gather_params",
                                        "_unshard",
                                        "unshard",
                                        "allgather_params",
                                        "__all_gather_params_",
                                        NULL};
    return od_view_eq_any(last_name(frame->function), names);
}

static bool is_input(const struct od_frame *frame)
{
    static const char *const names[] = {"__getitem__", "load_dataset", "load_data", "read_csv",
                                        "load_images", "_worker_loop", NULL};
    return od_view_eq_any(last_name(frame->function), names);
}

static bool is_replay(const struct od_frame *frame)
{
    static const char *const files[] = {"replay_memory",
                                        "replay_buffer",
                                        "rollout_buffer",
                                        "ReplayBuffer",
                                        "common/buffers.py",
                                        "common\\buffers.py",
                                        NULL};
    static const char *const functions[] = {"ReplayBuffer", "ReplayMemory", "RolloutBuffer",
                                            "RolloutStorage", NULL};
    return od_view_has_any(frame->file, files) || od_view_has_any(frame->function, functions);
}

enum od_phase od_phase_of(const struct od_incident *incident, const struct od_frame **ret_frame)
{
    static const struct {
        enum od_phase phase;
        bool (*is)(const struct od_frame *frame);
    } phases[] = {
        {OD_PHASE_EVALUATION, is_evaluation}, {OD_PHASE_GATHER, is_gather},
        {OD_PHASE_OPTIMIZER, is_optimizer},   {OD_PHASE_LOAD, is_load},
        {OD_PHASE_INPUT, is_input},           {OD_PHASE_REPLAY, is_replay},
    };
    *ret_frame = NULL;
    for (size_t p = 0; p < OD_COUNT_OF(phases); p++)
        for (size_t i = incident->nframes; i-- > 0;)
            if (phases[p].is(&incident->frames[i])) {
                *ret_frame = &incident->frames[i];
                return phases[p].phase;
            }
    return OD_PHASE_UNKNOWN;
}

struct od_evaluation od_evaluation_of(const struct od_incident *incident)
{
    static const char *const trains[] = {"train",
                                         "fit",
                                         "training",
                                         "_inner_training_loop",
                                         "run_train",
                                         "do_train",
                                         "inner_training_loop",
                                         "main_train",
                                         NULL};
    static const char *const validates[] = {
        "valid", "val_", "eval", "run_eval", "do_eval", "run_valid", "evaluation_loop", NULL};
    struct od_evaluation how = {0};
    bool checks_first = false;
    for (size_t i = 0; i < incident->nframes; i++) {
        struct od_view name = last_name(incident->frames[i].function);
        how.keeps |= keeps_outputs(name);
        how.trained |= starts_with_any(name, trains);
        how.validates |= starts_with_any(name, validates);
        checks_first |= od_view_has(name, OD_VIEW("sanity"));
    }
    how.trained &= !checks_first;
    return how;
}
