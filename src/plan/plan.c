#include "plan/plan.h"

#include "estimate/transformer.h"
#include "plan/host.h"
#include "plan/options_estimate.h"
#include "plan/recommend.h"

/* Chooses a batch if none is given: the largest safe power of two, otherwise one sample. */
static void choose_batch(struct od_plan *plan)
{
    struct od_workload *w = &plan->request.workload;
    if (w->batch > 0)
        return;
    w->batch = plan->largest.power_of_two > 0 ? plan->largest.power_of_two : 1;
    plan->batch_chosen = true;
}

/* Adds the largest batch of a server if all sequences have the maximum length. */
static void add_whole(struct od_plan *plan)
{
    struct od_workload w = plan->request.workload;
    const struct od_plan_device *device = &plan->request.device;
    if (!device->name || !plan->estimate.cache.paged)
        return;
    w.mean_sequence = 0;
    plan->largest_whole = od_largest_batch(&w, device->usable_bytes);
}

static void assume(struct od_plan *plan, const char *what, struct od_arena *arena)
{
    struct od_estimate *e = &plan->estimate;
    od_estimate_assume(e, arena, what);
    memmove(e->assumptions.items + 1, e->assumptions.items, (e->assumptions.n - 1) * sizeof what);
    e->assumptions.items[0] = what;
}

/* Reports which missing fact would narrow the range most. */
static void tell_narrowest(struct od_plan *plan, struct od_arena *arena, struct od_diags *diags)
{
    const struct od_workload *w = &plan->request.workload;
    bool bare = w->model->format == OD_MODEL_BARE;
    bool known = (w->model->transformer.known || bare) && w->framework == OD_FW_PYTORCH;
    const char *most = w->inference || bare ? NULL : "a recorded step (oomdoctor snippet pytorch)";
    double ratio = 0.8 * (double)plan->estimate.peak.hi / (double)plan->estimate.peak.lo;
#define OD_OPEN_FACT(open, say, words)                                                          \
    if (known && (open)) {                                                                      \
        struct od_workload s = *w;                                                              \
        struct od_estimate e;                                                                   \
        say;                                                                                    \
        if (od_estimate(&s, arena, diags, &e) && ratio * (double)e.peak.lo > (double)e.peak.hi) \
            most = words, ratio = (double)e.peak.hi / (double)e.peak.lo;                        \
    }
#include "plan/open_facts.def"
#undef OD_OPEN_FACT
    if (known && most)
        assume(plan, od_arena_printf(arena, "%s would narrow the range most", most), arena);
}

static void add_options(struct od_plan *plan)
{
    const struct od_plan_device *device = &plan->request.device;
    uint64_t usable = device->name ? device->usable_bytes : 0;
    plan->options[0] = (struct od_plan_option){.workload = plan->request.workload,
                                               .peak = od_estimate_need(&plan->estimate, usable),
                                               .largest = plan->largest,
                                               .fits = plan->fits};
    plan->noptions = od_options_estimate(usable, plan->options);
}

struct od_plan *od_plan_make(const struct od_plan_request *request, struct od_arena *arena,
                             struct od_diags *diags)
{
    struct od_plan *plan = OD_NEW(arena, struct od_plan);
    plan->request = *request;
    const struct od_plan_device *device = &plan->request.device;
    plan->fits = -1;
    if (device->name)
        plan->largest = od_largest_batch(&plan->request.workload, device->usable_bytes);
    choose_batch(plan);
    if (device->name)
        plan->longest = od_largest_sequence(&plan->request.workload, device->usable_bytes);
    if (!od_estimate(&plan->request.workload, arena, diags, &plan->estimate))
        return NULL;
    if (request->precision_assumed)
        assume(plan,
               request->workload.inference
                   ? "the type of the stored weights is not known: 16 bits are assumed; "
                     "--precision changes it"
                   : "no precision was given: bf16 is assumed, 16-bit weights with float32 master "
                     "copies; --precision changes it",
               arena);
    for (size_t i = request->nnotes; i > 0; i--)
        assume(plan, request->notes[i - 1], arena);
    if (request->correction)
        assume(plan, request->correction, arena);
    tell_narrowest(plan, arena, diags);
    add_whole(plan);
    if (device->name)
        plan->fits = od_estimate_fits(&plan->estimate, device->usable_bytes);
    od_plan_add_host(plan, arena);
    if (request->workload.model->traced.known)
        return plan; /* a traced run cannot be changed */
    add_options(plan);
    od_plan_recommend(plan, arena);
    return plan;
}
