#include "models/files/hf_family.h"

enum {
    ENCODER = OD_TR_NORM_BIAS | OD_TR_EMBED_NORM | OD_TR_NO_FINAL_NORM | OD_TR_OUT_BIAS,
    GPT = OD_TR_CAUSAL | OD_TR_NORM_BIAS | OD_TR_OUT_BIAS,
    GPT_J = OD_TR_CAUSAL | OD_TR_NORM_BIAS | OD_TR_PARALLEL | OD_TR_ONE_NORM,
    VISION = OD_TR_NORM_BIAS | OD_TR_OUT_BIAS | OD_TR_VISION,
    SEQ2SEQ = OD_TR_NORM_BIAS | OD_TR_OUT_BIAS,
    LLAMA = OD_TR_CAUSAL
};

#define LIKE_BERT .tied = true, .learned_positions = true, .attention_bias = true, .mlp_bias = true
#define LIKE_GPT2 .tied = true, .learned_positions = true, .attention_bias = true, .mlp_bias = true
#define LIKE_LLAMA .gated = true, .rms_norm = true

static const struct od_hf_family families[] = {
#include "models/files/hf_families.def"
};

const struct od_hf_family *od_hf_family_find(struct od_view type)
{
    for (size_t i = 0; i < OD_COUNT_OF(families); i++) {
        if (od_view_eq_str(type, families[i].type))
            return &families[i];
    }
    return NULL;
}

/* Does the name start with the type's letters and digits, ignoring case, and another word? */
static bool begins_with(struct od_view name, const char *type)
{
    size_t n = 0;
    for (; *type; type++) {
        if (*type == '-' || *type == '_')
            continue;
        if (n == name.n || od_lower(name.p[n++]) != *type)
            return false;
    }
    return n < name.n && name.p[n] >= 'A' && name.p[n] <= 'Z';
}

const struct od_hf_family *od_hf_family_of_class(struct od_view name)
{
    const struct od_hf_family *best = NULL;
    for (size_t i = 0; i < OD_COUNT_OF(families); i++)
        if (begins_with(name, families[i].type) &&
            (!best || strlen(families[i].type) > strlen(best->type)))
            best = &families[i];
    return best;
}
