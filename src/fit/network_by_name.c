/*
 * Handles a PyTorch log that names a public convolutional network (estimate/known_nets.h) but
 * prints no table of it. A name proves little, because programs change the networks they name. But
 * if the failed request is the output of one of its layers, for the batch and for images of the
 * usual or printed size, that network made the request.
 */
#include "fit/facts.h"

#include "estimate/known_nets.h"

/* Do both names mean the same network? "resnet50" matches "ResNet-50", "mobilenet_v2" matches
 * "MobileNet v2". */
static bool is_called(struct od_view name, const char *ours)
{
    size_t at = 0;
    for (; *ours; ours++) {
        if (!od_is_alnum(*ours))
            continue;
        while (at < name.n && !od_is_alnum(name.p[at]))
            at++;
        if (at >= name.n || od_lower(name.p[at]) != od_lower(*ours))
            return false;
        at++;
    }
    return at == name.n;
}

/* Index of the only network named in the log; the number of networks if none or several are
 * named. */
static size_t named_network(const struct od_case *c)
{
    size_t n = od_net_count(), found = n;
    OD_FOR_EACH (const struct od_setting, setting, c->settings) {
        for (size_t k = 0; setting->id == OD_SETTING_NETWORK && k < n; k++) {
            if (!is_called(setting->value, od_net_about(k)->name))
                continue;
            if (found < n && strcmp(od_net_about(k)->name, od_net_about(found)->name) != 0)
                return n;
            found = found < n ? found : k; /* of several layouts the usual one is first */
        }
    }
    return found;
}

static bool is_output(const struct od_model *model, const struct od_fit_facts *facts)
{
    struct od_request_span asked;
    double width = facts->sixteen_bit ? 2 : 4;
    if (!od_fit_request(facts, &asked))
        return false;
    for (size_t i = 0; i < model->layers.n; i++) {
        const struct od_shape *out = &model->layers.items[i].output;
        double bytes = (double)facts->batch.n * width;
        for (uint32_t k = 1; out->known && k < out->n; k++)
            bytes *= (double)out->dims[k];
        if (out->known && out->n == 4 && bytes > asked.lo && bytes <= asked.hi)
            return true;
    }
    return false;
}

/* In torchvision, activations overwrite their input. */
static void as_torch(struct od_model *model)
{
    model->format = OD_MODEL_TORCHINFO;
    model->framework = OD_VIEW("pytorch");
    OD_FOR_EACH (struct od_layer, layer, model->layers)
        if (layer->kind == OD_LAYER_RELU || layer->kind == OD_LAYER_RELU6)
            layer->inplace = true;
}

void od_fit_network_by_name(struct od_fit_facts *facts)
{
    const uint64_t classes = 1000; /* a smaller number of classes does not matter */
    size_t which = named_network(facts->q->c);
    struct od_count side =
        od_failure_setting(facts->q->c, OD_SETTING_IMAGE_SIZE, &facts->failure->incident->at);
    if (facts->model || facts->failure->dump || which == od_net_count() ||
        facts->framework != OD_FW_PYTORCH)
        return;
    uint64_t pixels = side.known ? side.n : od_net_about(which)->side;
    enum { SIDE_LEAST = 96, SIDE_MOST = 1024 }; /* programs change the stem for smaller images */
    if (pixels < SIDE_LEAST || pixels > SIDE_MOST)
        return;
    const struct od_model *printed = od_net_model(which, pixels, classes, facts->arena);
    if (!is_output(printed, facts))
        return;
    struct od_model *model = OD_NEW(facts->arena, struct od_model);
    *model = *printed;
    as_torch(model);
    facts->model = model;
    facts->network = od_net_about(which)->name;
    facts->parameters = model->parameters;
}
