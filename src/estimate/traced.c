#include "estimate/traced.h"

#include "estimate/peak.h"
#include "estimate/range.h"
#include "estimate/torch_sim.h"
#include "estimate/transformer.h"

/* Larger than any device, because a full device is not simulated. */
static const uint64_t no_limit = UINT64_C(1) << 50;

/* Range for differences between a GPU's and a CPU's kernels, and for the pool's slack: about the
 * 5th and 95th percentile of 20 runs, traced on a CPU and measured on an H100
 * (tests/accuracy/cpu_runs.py). */
static const double other_kernels_lo = 0.8, other_kernels_hi = 1.12;
static const double slack_hi = 4;

struct job {
    const struct od_traced *traced;
    struct od_arena *arena;
    struct od_estimate *e;
    uint64_t parameters; /* bytes */
    uint64_t earlier;    /* bytes of parameters and states that were allocated before the trace */
    uint64_t states;     /* bytes */
};

static void assume(struct job *job, const char *what)
{
    od_estimate_assume(job->e, job->arena, what);
}

/* ---- memory from before the trace ---- */

/* Finds the model's parameters. If it was built within the trace, these are blocks that remain from
 * before the first step. If it was built before the trace, only its gradients are in the trace,
 * which are equally large. */
static void find_model(struct job *job)
{
    const struct od_traced *t = job->traced;
    bool built = t->stays >= t->gradients;
    job->parameters = built ? t->stays : t->gradients;
    job->earlier = built ? 0 : job->parameters;
    if (t->gradients == 0) {
        job->e->lower_limit = true;
        assume(job, "the trace does not show zero_grad() clear gradients: what the model itself "
                    "takes is counted only where it was built in the trace. Trace two steps or "
                    "more, with zero_grad()");
    } else if (!built) {
        assume(job, "the model was built before the trace: its weights are taken to be as large "
                    "as the gradients that zero_grad() cleared; frozen ones are not counted");
    }
}

/* Adds states that exist from the start, because the trace does not create them. */
static void find_states(struct job *job, const struct od_workload *w)
{
    const struct od_traced *t = job->traced;
    uint64_t numbers = t->gradients / sizeof(float);
    struct od_workload own = *w;
    struct od_states states;
    bool sgd = od_view_eq_str(t->optimizer, "SGD");
    job->states = t->states;
    if (t->states > 0 || t->gradients == 0 || sgd)
        return;
    if (!od_states_of(&own, numbers, numbers, &states) || states.optimizer.n == 0)
        return;
    job->states = states.optimizer.n;
    job->earlier += job->states;
    assume(job, od_arena_printf(job->arena,
                                "the optimizer had its states before the trace: those of %s are "
                                "counted",
                                od_optimizer_name(w->optimizer)));
}

static struct od_torch_stats replay(const struct job *job)
{
    const struct od_traced *t = job->traced;
    struct od_torch *torch = od_torch_new(no_limit);
    uint32_t *handles = od_mem_alloc(t->nrequests + 1, sizeof *handles), own;
    bool *taken = od_mem_alloc(t->nrequests + 1, sizeof *taken);
    if (job->earlier > 0)
        (void)od_torch_take(torch, job->earlier, &own);
    for (size_t i = 0; i < t->nrequests; i++) {
        const struct od_traced_request *r = &t->requests[i];
        if (!r->release) {
            taken[i] = od_torch_take(torch, r->bytes, &handles[i]);
        } else if (taken[r->of]) {
            od_torch_release(torch, handles[r->of]);
            taken[r->of] = false;
        }
    }
    struct od_torch_stats stats = od_torch_stats(torch);
    od_mem_free(taken);
    od_mem_free(handles);
    od_torch_free(torch);
    return stats;
}

static uint64_t part(uint64_t *left, uint64_t bytes)
{
    uint64_t taken = bytes < *left ? bytes : *left;
    *left -= taken;
    return taken;
}

static bool fill(struct job *job, const struct od_workload *w, const struct od_torch_stats *stats)
{
    uint64_t left = stats->max_allocated;
    struct od_saved none = {0};
    struct od_workload pool = *w;
    struct od_breakdown *b = &job->e->breakdown, beside;
    pool.metric = OD_METRIC_ALLOCATED;
    *b = (struct od_breakdown){
        .parameters = {od_bytes_exact(part(&left, job->parameters)),
                       job->earlier > 0 ? "as large as the gradients" : "what the trace keeps"},
        .optimizer = {od_bytes_exact(part(&left, job->states)),
                      "what the optimizer's step asked for and left"},
        .gradients = {od_bytes_exact(part(&left, job->traced->gradients)),
                      "what zero_grad() released"},
        .buffers = {od_bytes_exact(0), "among the parameters"},
        .inputs = {od_bytes_exact(0), "among the activations"}};
    b->activations =
        (struct od_part){od_bytes_about((double)left, (double)left * other_kernels_lo,
                                        (double)left * other_kernels_hi),
                         od_arena_printf(job->arena,
                                         "the rest at the largest moment of %zu requests and "
                                         "releases",
                                         job->traced->nrequests)};
    beside = *b;
    if (!od_peak_add_overhead(&pool, &none, b) || !od_peak_add_overhead(w, &none, &beside))
        return false;
    if (w->metric == OD_METRIC_DEVICE)
        b->framework = beside.framework;
    double slack = (double)(stats->max_reserved - stats->max_allocated);
    if (w->metric != OD_METRIC_ALLOCATED)
        b->allocator_waste =
            (struct od_part){od_bytes_about(slack, 0, slack * slack_hi),
                             "segments beyond the blocks in use, by replay through the caching "
                             "allocator"};
    return od_estimate_close(job->e);
}

bool od_estimate_traced(const struct od_workload *workload, struct od_arena *arena,
                        struct od_diags *diags, struct od_estimate *ret_estimate)
{
    struct od_estimate e = {.model = workload->model};
    struct job job = {.traced = &workload->model->traced, .arena = arena, .e = &e};
    if (!workload->model->complete) {
        e.lower_limit = true;
        assume(&job, "the trace breaks off: what came behind is not counted");
    }
    find_model(&job);
    find_states(&job, workload);
    struct od_torch_stats stats = replay(&job);
    e.parameters = job.parameters / sizeof(float);
    e.trainable = job.traced->gradients / sizeof(float);
    e.parameter_bytes = od_bytes_exact(job.parameters);
    if (!fill(&job, workload, &stats)) {
        od_diags_say(diags, OD_ERROR, "the sizes described exceed 64 bits");
        return false;
    }
    *ret_estimate = e;
    return true;
}
