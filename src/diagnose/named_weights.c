/*
 * The weights of a model that the text names with its number of parameters ("some-org/some-40B"),
 * as a lower limit: in the bits that the name or a setting says, else in 16. Settings that keep
 * some of them elsewhere, or spread them over an unknown number of devices, leave them unknown.
 */
#include "diagnose/shares.h"
#include "rules/software.h"

/* The model, if all names in the text have the same number of parameters. */
static double named_parameters(const struct od_case *c, struct od_view *ret_name)
{
    double all = 0;
    OD_FOR_EACH (const struct od_setting, setting, c->settings) {
        struct od_view part;
        double count =
            setting->id == OD_SETTING_MODEL ? od_model_name_parameters(setting->value, &part) : 0;
        if (count > 0 && all > 0 && (count > all || count < all))
            return 0;
        if (count > 0)
            *ret_name = part;
        all = count > 0 ? count : all;
    }
    return all;
}

/* Bits of a weight. 0 = unknown: programs other than PyTorch read files of any width. */
static double bits_of(const struct od_diagnosis_context *context, struct od_view name)
{
    enum { FOUR = 4, EIGHT = 8, HALF = 16 };
    const struct od_case *c = context->c;
    const struct od_software_used *stack = &context->failure->stack;
    const struct od_software *pytorch = od_software_find(OD_VIEW("pytorch"));
    uint64_t packed =
        od_value_means(name) | od_value_means(od_case_setting(c, OD_SETTING_QUANTIZATION));
    uint64_t bits;
    if (od_num_parse_u64(od_case_setting(c, OD_SETTING_QUANTIZE_BITS), &bits))
        return (double)bits;
    if (od_means(packed, OD_VALUE_EIGHT_BITS))
        return EIGHT;
    if (od_means(packed, OD_VALUE_FOUR_BITS) || od_case_setting(c, OD_SETTING_WEIGHTS_FORMAT).n > 0)
        return FOUR;
    bool loads = od_software_used_has(stack, pytorch) ||
                 (stack->driver && od_software_stands_on(stack->driver, pytorch));
    return loads ? HALF : 0;
}

static uint64_t set_to(const struct od_diagnosis_context *context, enum od_setting_id id)
{
    const struct od_prov *at = &context->failure->incident->at;
    return od_failure_setting(context->c, id, at).n;
}

/* Number of devices that share the weights. 0 = unknown, or some weights are not on devices. */
static uint64_t devices_of(const struct od_diagnosis_context *context)
{
    enum { MOST = 1 << 16 };
    static const enum od_setting_id elsewhere[] = {OD_SETTING_OFFLOAD_PARAM,
                                                   OD_SETTING_CPU_OFFLOAD_GB, OD_SETTING_DEVICE_MAP,
                                                   OD_SETTING_NONE},
                                    sharding[] = {OD_SETTING_SHARDING, OD_SETTING_ZERO_STAGE,
                                                  OD_SETTING_NONE};
    const struct od_incident *incident = context->failure->incident;
    uint64_t tensor = set_to(context, OD_SETTING_TENSOR_PARALLEL_SIZE),
             pipeline = set_to(context, OD_SETTING_PIPELINE_PARALLEL_SIZE);
    if (od_case_sets_any(context->c, elsewhere) || tensor > MOST || pipeline > MOST)
        return 0;
    if (od_case_sets_any(context->c, sharding))
        return context->failure->devices.n;
    if (tensor > 0 || pipeline > 0)
        return (tensor > 0 ? tensor : 1) * (pipeline > 0 ? pipeline : 1);
    bool first = incident->device.n == 0 || od_view_eq_str(incident->device, "GPU:0");
    return first && context->c->devices.n <= 1 && incident->rank.n == 0 ? 1 : 0;
}

bool od_named_weights_of(const struct od_diagnosis_context *context, struct od_named_weights *ret)
{
    enum { MANY = 64 }; /* devices, where their number is unknown */
    static const double bits_of_byte = 8;
    const struct od_failure *failure = context->failure;
    struct od_bytes device = failure->capacity.known ? failure->capacity : failure->usable;
    *ret = (struct od_named_weights){.devices = devices_of(context)};
    double weights = named_parameters(context->c, &ret->model);
    double in_use = (double)failure->in_use.n * (double)(ret->devices > 0 ? ret->devices : MANY);
    if (!failure->in_use.known || failure->phase == OD_PHASE_LOAD ||
        in_use >= 2 * weights) /* else they are packed, or elsewhere */
        ret->billions = weights / 1e9;
    ret->bits = weights > 0 ? bits_of(context, ret->model) : 0;
    weights *= ret->bits / bits_of_byte;
    ret->each = failure->limit.known ? od_bytes_exact(failure->limit.n) : device;
    if (!(weights > 0) || ret->devices == 0 || ret->each.n == 0 ||
        od_case_find_state(context->c, "model"))
        return false;
    double part = weights / (double)ret->devices;
    ret->share = part / (double)ret->each.n;
    ret->bytes = od_bytes_exact((uint64_t)weights);
    /* a step ran with some of the weights on the device */
    return !(failure->in_use.known && (double)failure->in_use.n < part &&
             failure->phase != OD_PHASE_LOAD && failure->incident->nframes > 0);
}
