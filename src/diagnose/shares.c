#include "diagnose/shares.h"

#include "estimate/parameters.h"

static const struct od_holding *holding_of(const struct od_diagnosis_context *context)
{
    return context->attribution && context->failure->dump
               ? od_holding_of(context->attribution, context->failure->dump)
               : NULL;
}

double od_fixed_share(const struct od_diagnosis_context *context)
{
    const struct od_holding *holding = holding_of(context);
    if (!holding || !holding->fixed.known || context->failure->limit.n == 0)
        return -1;
    return (double)holding->fixed.lo / (double)context->failure->limit.n;
}

/* Is the model packed or spread over devices? Its weights then take less memory than their number
 * suggests. */
static bool is_spread(const struct od_case *c)
{
    static const enum od_setting_id names[] = {
        OD_SETTING_SHARDING,      OD_SETTING_ZERO_STAGE,     OD_SETTING_TENSOR_PARALLEL_SIZE,
        OD_SETTING_QUANTIZE_BITS, OD_SETTING_WEIGHTS_FORMAT, OD_SETTING_OFFLOAD_PARAM,
        OD_SETTING_NONE};
    return od_case_sets_any(c, names);
}

/* Weights are about a quarter of what training keeps. If less is in use, they are packed, or only
 * added weights are trained. */
bool od_shares_exceed(const struct od_diagnosis_context *context)
{
    static const double no_doubt = 1.2,
                        /* fixed memory as a share of the limit, and memory in use as a share of
                         * the fixed memory */
        weights = 0.3;
    const struct od_fit *fit = context->fit;
    const struct od_incident *incident = context->failure->incident;
    bool known = fit->known && fit->n > 0 && incident->in_use.known && !is_spread(context->c);
    return known && fit->fixed_share >= no_doubt &&
           (double)incident->in_use.lo >=
               weights * fit->fixed_share * (double)fit->facts.limit_then;
}

/* The share of the weights alone, by a layer table in the log and the smallest type in use. */
static double described_share(const struct od_diagnosis_context *context)
{
    const struct od_model *model = context->attribution ? context->attribution->model : NULL;
    uint64_t room =
        context->failure->limit.known ? context->failure->limit.n : context->failure->capacity.hi;
    struct od_parameters parameters;
    if (!model || room == 0 || is_spread(context->c) || !od_parameters_of(model, &parameters))
        return -1;
    double width = od_view_eq_str(model->framework, "tensorflow") ? 4 : 2;
    double weights = width * (double)parameters.all;
    const struct od_failure *failure = context->failure;
    /* a step ran with some of the weights on the device */
    bool part = failure->in_use.known && (double)failure->in_use.n < weights &&
                failure->phase != OD_PHASE_LOAD && failure->incident->nframes > 0;
    return part ? -1 : weights / (double)room;
}

double od_model_share(const struct od_diagnosis_context *context)
{
    if (context->fit->facts.serves && context->fit->n > 0)
        return context->fit->fixed_share;
    struct od_named_weights named; /* a lower limit can only show that memory is too small */
    double share = holding_of(context) ? -1 : described_share(context);
    bool full = share < 0 && od_named_weights_of(context, &named) && named.share >= OD_NEARLY_ALL &&
                !od_shares_cache_made(context);
    return full ? named.share : share;
}

bool od_shares_leave_no_cache(const struct od_diagnosis_context *context)
{
    return context->failure->incident->kind == OD_INC_KV_CACHE_TOO_SMALL &&
           od_model_share(context) >= 1;
}

static bool is_cache(struct od_view name)
{
    return od_view_eq_str(name, "KV cache") || od_view_eq_str(name, "K cache") ||
           od_view_eq_str(name, "KV cache tokens") || od_view_eq_str(name, "KV cache blocks");
}

const struct od_evidence *od_shares_cache_made(const struct od_diagnosis_context *context)
{
    const struct od_case *c = context->c;
    const struct od_failure *failure = context->failure;
    if (!od_failure_is_server(failure) || failure->progress > 0)
        return NULL;
    for (size_t i = c->states.n; i-- > 0;) {
        const struct od_memory_state *state = &c->states.items[i];
        if (is_cache(state->name) && state->said.at.source == failure->incident->at.source &&
            od_prov_cmp(&state->said.at, &failure->incident->at) < 0)
            return &state->said;
    }
    return NULL;
}
