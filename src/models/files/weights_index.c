/*
 * The index of a model whose weights are in several files ("model.safetensors.index.json",
 * "pytorch_model.bin.index.json"): their total size, and the file of each tensor. Newer ones have
 * the number of parameters; none has the type of the weights.
 */
#include "models/file_reader.h"
#include "models/json_load.h"

static const char *bids(struct od_view head)
{
    bool ours = head.n > 0 && head.p[0] == '{' && od_view_has(head, OD_VIEW("\"total_size\"")) &&
                od_view_has(head, OD_VIEW("\"weight_map\""));
    return ours ? "an index of weights" : NULL;
}

/* Reads a number. Older releases write the size as a floating-point number. */
static struct od_count number_of(json_t *metadata, const char *key)
{
    static const double most = 0x1p53;
    double n = json_number_value(json_object_get(metadata, key));
    return n >= 1 && n <= most ? od_count_of((uint64_t)n) : (struct od_count){0};
}

static enum od_err read(const struct od_file *file)
{
    json_error_t fault;
    struct od_foreign held;
    json_t *top = od_json_load(file->bytes, 0, &fault, &held);
    json_t *metadata = json_object_get(top, "metadata");
    struct od_count bytes = number_of(metadata, "total_size");
    struct od_count parameters = number_of(metadata, "total_parameters");
    od_foreign_release(&held);
    if (!bytes.known) {
        od_file_say(file, OD_ERROR, NULL, "the index does not say the size of the weights: %s",
                    top ? "metadata.total_size is no number" : fault.text);
        return OD_LOST;
    }
    struct od_model model = {.format = OD_MODEL_SAFETENSORS,
                             .framework = OD_VIEW("pytorch"),
                             .at = {.source = file->source},
                             .parameters = parameters,
                             .weight_bytes = od_bytes_exact(bytes.n),
                             .complete = parameters.known};
    if (!parameters.known) {
        enum { USUAL = 2 }; /* usual bytes of a weight */
        model.parameters = od_count_of(bytes.n / USUAL);
        model.dtype = OD_BFLOAT16;
        od_file_say(file, OD_WARNING, NULL,
                    "the index does not count the parameters: weights of 16 bits are assumed");
    }
    od_file_put_model(file, &model, "weights_index", "index of weights");
    od_model_done(&model);
    return OD_OK;
}

const struct od_file_reader od_file_reader_weights_index = {
    .name = "weights_index", .bids = bids, .read = read};
