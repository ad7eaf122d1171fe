#include "lib/models.h"

#include "base/arena.h"
#include "base/mem.h"
#include "base/vec.h"
#include "facts/event.h"
#include "input/input.h"
#include "rules/ruleset.h"
#include "scan/scan.h"

#include <inttypes.h>

/* A run that prints its model at every step does not need them all. */
enum { MODELS_MOST = 1024, LAYERS_MOST = 1 << 20 };

struct od_models {
    struct od_arena *arena;
    char *name; /* of the file */
    OD_VEC(struct od_model) list;
    size_t layers;
    bool dropped;
    enum od_err status;
};

static void take_model(void *self, const struct od_event *event)
{
    struct od_models *models = self;
    struct od_model *model = event->model;
    if (event->kind != OD_EV_MODEL || !model)
        return;
    if (models->list.n >= MODELS_MOST || models->layers + model->layers.n > LAYERS_MOST) {
        models->dropped = true;
        return;
    }
    models->layers += model->layers.n;
    od_vec_push(&models->list, *model);
    model->layers.items = NULL;
    model->layers.n = model->layers.room = 0;
    model->inputs.items = NULL;
    model->inputs.n = model->inputs.room = 0;
}

static struct od_models *start(const char *name)
{
    struct od_models *models = od_mem_alloc(1, sizeof *models);
    models->arena = od_arena_new();
    models->name = od_arena_str(models->arena, od_view_of(name));
    return models;
}

/* Reads what was added to the input, where that went well, and frees it. */
static struct od_models *read_input(struct od_models *models, struct od_input *input,
                                    struct od_diags *diags)
{
    if (models->status == OD_OK) {
        struct od_ruleset *rules = od_ruleset_new(NULL, 0);
        struct od_scan_options options = {.arena = models->arena, .diags = diags};
        struct od_sink sink = {.event = take_model, .self = models};
        (void)od_scan(input, rules, &options, &sink);
        models->status = od_input_status(input);
        od_ruleset_free(rules);
    }
    if (models->dropped)
        od_diags_say(diags, OD_WARNING, "%s: more than %d models; the rest was not read",
                     models->name, MODELS_MOST);
    od_input_free(input);
    return models;
}

struct od_models *od_models_read(const char *name, struct od_diags *diags)
{
    struct od_models *models = start(name);
    struct od_input *input = od_input_new(NULL, diags);
    models->status = od_input_add(input, name);
    return read_input(models, input, diags);
}

struct od_models *od_models_read_bytes(const char *name, struct od_view bytes,
                                       struct od_diags *diags)
{
    struct od_models *models = start(name);
    struct od_input *input = od_input_new(NULL, diags);
    models->status = od_input_add_bytes(input, models->name, bytes);
    return read_input(models, input, diags);
}

void od_models_free(struct od_models *models)
{
    if (!models)
        return;
    for (size_t i = 0; i < models->list.n; i++)
        od_model_done(&models->list.items[i]);
    od_vec_done(&models->list);
    od_arena_free(models->arena);
    od_mem_free(models);
}

enum od_err od_models_status(const struct od_models *models)
{
    return models->status;
}

/* Layers count where no total was printed. */
static bool is_better(const struct od_model *a, const struct od_model *b)
{
    if (a->complete != b->complete)
        return a->complete;
    if (a->parameters.known != b->parameters.known)
        return a->parameters.known;
    if (a->parameters.n != b->parameters.n)
        return a->parameters.n > b->parameters.n;
    return a->layers.n >= b->layers.n;
}

const struct od_model *od_models_choose(const struct od_models *models, struct od_diags *diags)
{
    const struct od_model *best = NULL;
    for (size_t i = 0; i < models->list.n; i++) {
        const struct od_model *model = &models->list.items[i];
        if (!best || is_better(model, best))
            best = model;
    }
    if (best && models->list.n > 1)
        od_diags_say(diags, OD_NOTE, "%s: %zu models; planning for the one of line %" PRIu64,
                     models->name, models->list.n, best->at.line);
    return best;
}
