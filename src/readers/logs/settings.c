/*
 * Settings of a run: what setting_line.h finds in a line, one event each. The vocabulary is
 * setting_keys.def; a new name of a setting is a row there, a literal here where none of these
 * stands in it, and its lines in tests/unit/readers/test_settings.c.
 */
#include "readers/logs/setting_line.h"
#include "readers/reader.h"

/* Parts of names, as rarely as they stand in other lines. */
static const char *const openers[] = {
    /* batches */
    "batch_size", "batch-size", "batch size", "Batch size", "Batch Size", "Batch_size",
    "BATCH_SIZE", "batchsize", "BatchSize", "batchSize", "minibatch", "samples_per", "imgs_per",
    "micro_batch", "per_gpu", "per_device", "ims_per", "IMS_PER_BATCH", "max sentences per",
    "batch per", "probe batch", "lobal batch", "--batch", "--bs", " -b ",
    " bs=", "(bs=", "bs: ", "'bs'", "\"bs\"", "bsz", "batch=", "batch: ", "'batch'", "\"batch\"",
    "triplet_batch", "triplet batch", "riplet batch",
    /* accumulation */
    "accum", "Accum", "ACCUM", "update_freq", "update-freq", "UPDATE_FREQ", "iter_size",
    "iter-size", "cumulative_iters",
    /* precision and types */
    "precision", "PRECISION", "ixed precision", "fp16", "bf16", "bfloat16", "amp=", "amp: ", "amp ",
    "amp'", "amp\"", "amp_enabled", "use_amp", "--amp", "use-amp", "native-amp", "dtype", "DTYPE",
    /* optimizers */
    "optim", "OPTIM", "Optim", "--opt", "opt=", "opt: ", "distributed_optimizer",
    /* workers */
    "workers", "WORKERS", "umWorkers", "worker_num", "worker-num", "pin_memory", "prefetch",
    "--jobs", "n_jobs", "n-jobs",
    /* pieces and caches */
    "chunk_size", "chunk-size", "chunksize", "rows_per_chunk", "rows-per-chunk", "cache_size",
    "cache-size",
    /* devices */
    "world_size", "world-size", "WORLD_SIZE", "world size", "World size", "World Size", "num_gpus",
    "num-gpus", "NUM_GPUS", "num_processes", "num-processes", "Num processes", "num_devices",
    "umber of GPUs", "umber of devices", "umber of processes", "umber of replicas",
    "replicas_in_sync", "nproc", "-np ", "--gpus", "--devices", "--n_gpu", "--n-gpu",
    "Strategy with devices (",
    /* lengths and sizes */
    "seq_len", "seq-len", "seq len", "seqlen", "SEQ_LEN", "max_seq", "max-seq", "MAX_SEQ",
    "equence_len", "equence-len", "equence len", "SEQUENCE_LEN", "model_len", "model-len",
    "cutoff_len", "cutoff-len", "context_len", "context-len", "ctx-size", "ctx_size", "n_ctx",
    "max_length", "max-length", "max_source_length", "block_size", "block-size", "mage size",
    "mage Size", "imgsz", "img_size", "img-size", "img_sz", "img_scale", "--img", "image_size",
    "image-size", "imageSize", "input_size", "input-size", "crop_size", "crop-size", "INPUT_SIZE",
    "IMAGE_SIZE", "IMG_SIZE", "CROP_SIZE", "resolution",
    /* other work at once */
    "num_envs", "num-envs", "n_envs", "n-envs", "number_of_envs", "num_environments", "num_frames",
    "num-frames", "n_frames", "n-frames", "max_frames", "max-frames", "video_length",
    "video-length", "clip_len", "clip-len", "num_points", "num-points", "n_points", "max_points",
    "num_rays", "n_rays", "rays_per_batch", "tile_size", "tile-size", "buffer_size", "buffer-size",
    "replay_size", "num_threads", "num-threads", "n_threads", "--thread", "-threads", "--cpu",
    "--cores", " -t ", " -j ", "max_new_tokens", "max-new-tokens",
    /* memory for work */
    "checkpointing", "_checkpoint", "-checkpoint", "checkpoint_activations",
    "checkpoint-activations", "recompute", "remat", "with_cp", "--zero", "tensor_parallel",
    "tensor-parallel", "tensor_model", "tensor-model", "--tp", "pipeline_", "pipeline-",
    "memory_utilization", "memory-utilization", "mem-fraction-static", "mem_fraction_static",
    "bucket_size", "distributed-optimizer",
    /* episodes */
    "episodes", "n_way", "n-way", "n_query", "n-query", NULL};

/* The line, or of a long one what begins with the setting: how an optimizer is set up stands
 * behind its name. */
static struct od_view excerpt_of(struct od_view text, const struct od_line_setting *setting)
{
    enum { LONGEST = 300 };
    struct od_view line = od_view_trim(text);
    return line.n <= LONGEST ? line : od_view_from(text, (size_t)(setting->said.p - text.p));
}

/* "Using MirroredStrategy with devices ('/device:GPU:0', '/device:GPU:1')": as many replicas of one
 * process share each batch. */
static uint64_t replicas_of(struct od_view text)
{
    static const struct od_view lead = {"Strategy with devices (", 23}, each = {"device:GPU:", 11};
    uint64_t n = 0;
    size_t at = od_view_find(text, lead, 0);
    while (at != OD_VIEW_NONE && (at = od_view_find(text, each, at + 1)) != OD_VIEW_NONE)
        n++;
    return n;
}

static bool states_none(struct od_view text)
{
    return od_settings_never_of(text) && replicas_of(text) <= 1;
}

static void put(const struct od_line *line, const struct od_line_setting *setting,
                const struct od_sink *sink)
{
    struct od_event event;
    od_event_begin(&event, OD_EV_SETTING, line, "settings");
    event.excerpt = excerpt_of(line->text, setting);
    od_event_set_text(&event, OD_F_NAME, od_view_of(od_setting_name(setting->id)));
    od_event_set_text(&event, OD_F_VALUE, setting->value);
    od_sink_put(sink, &event);
}

static enum od_take read_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct od_line_setting found[OD_SETTINGS_OF_LINE];
    (void)state;
    size_t n = od_settings_of_line(line->text, found);
    for (size_t i = 0; i < n; i++)
        put(line, &found[i], sink);
    uint64_t replicas = replicas_of(line->text);
    char digits[21];
    if (replicas > 1)
        put(line,
            &(struct od_line_setting){OD_SETTING_REPLICAS,
                                      od_view_of(od_num_print_u64(replicas, digits)), line->text},
            sink);
    return n > 0 || replicas > 1 ? OD_TAKE_SHARE : OD_TAKE_NONE;
}

const struct od_reader od_reader_settings = {
    .name = "settings",
    .literals = openers,
    .state_size = 1, /* none is kept */
    .silent = states_none,
    .line = read_line,
};
