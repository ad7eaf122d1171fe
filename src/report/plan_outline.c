/* The plan for people: first the answer, then its grounds. */
#include "report/plan.h"

#include "plan/changes.h"
#include "plan/loading.h"
#include "report/outline.h"
#include "report/words.h"

struct outline {
    const struct od_plan_report *report;
    const struct od_plan *plan;
    bool all; /* everything, not one screen */
    bool folds;
    struct od_doc *doc;
};

static struct od_arena *arena_of(struct outline *o)
{
    return o->doc->arena;
}

/* In the unit of the peak, or in a smaller unit for much smaller sizes. */
static const char *size(struct outline *o, uint64_t bytes)
{
    char text[OD_BYTES_TEXT];
    unsigned unit = od_bytes_unit_for(o->plan->estimate.peak.n);
    if (unit > 0 && bytes >= (UINT64_C(1) << (10 * unit)) / 10)
        return od_arena_printf(arena_of(o), "%s %s", od_bytes_print_in(bytes, unit, text),
                               od_bytes_unit_name(unit));
    return od_arena_printf(arena_of(o), "%s", od_bytes_print_u64(bytes, text));
}

static const char *tried_batches(struct outline *o, uint64_t batch)
{
    return od_words_count(arena_of(o), batch);
}

/* What the batch counts: samples of a step, or sequences of a server. */
static const char *unit_words(const struct od_plan *plan)
{
    return plan->estimate.cache.paged ? "running " : "batch ";
}

/* The batch that the answer is about: "batch 32". */
static const char *step_words(struct outline *o)
{
    const struct od_workload *w = &o->plan->request.workload;
    if (w->model->traced.known)
        return "the traced run";
    return od_arena_printf(arena_of(o), "%s%s", unit_words(o->plan), tried_batches(o, w->batch));
}

/* The need after the pool has returned its cached memory. This may fit although the peak does
 * not. */
static uint64_t need_of(const struct od_plan *plan)
{
    const struct od_plan_device *device = &plan->request.device;
    return od_estimate_need(&plan->estimate, device->name ? device->usable_bytes : 0).n;
}

static void add_answer(struct outline *o, struct od_section *section)
{
    static const double hardly = 0.01; /* a smaller chance is not printed */
    const struct od_plan *plan = o->plan;
    const struct od_plan_device *device = &plan->request.device;
    const struct od_workload *w = &plan->request.workload;
    struct od_text *text = od_doc_text(section);
    const char *need = size(o, need_of(plan));
    if (!device->name) {
        od_say_as(text, OD_STRONG, "Needs %s at %s", need, step_words(o));
    } else if (plan->fits < 0) {
        od_say_as(text, OD_STRONG,
                  "Cannot tell whether it fits %s: %s needs at least %s of %s, and %s on top that "
                  "%s",
                  od_words_accelerator(arena_of(o), device->name), step_words(o), need,
                  size(o, device->usable_bytes), w->model->traced.known ? "memory" : "activations",
                  w->model->traced.known ? "it does not show" : "are not described");
    } else {
        bool fits = plan->fits >= 0.5;
        od_say_as(text, fits ? OD_GOOD : OD_BAD, "%s %s", fits ? "Fits" : "Does not fit",
                  od_words_accelerator(arena_of(o), device->name));
        if (plan->fits >= hardly)
            od_say_as(text, OD_STRONG, " (%s likely to fit)",
                      od_words_chance(arena_of(o), plan->fits));
        od_say_as(text, OD_STRONG, ": %s needs %s%s of %s", step_words(o),
                  plan->estimate.lower_limit ? "at least " : "", need,
                  size(o, device->usable_bytes));
    }
    bool none = plan->largest.known && plan->largest.expected == 0;
    if (none && w->batch > 1)
        od_say_as(text, OD_STRONG, "; not even %s1 fits", unit_words(plan));
    else if (plan->largest.known && !none)
        od_say_as(text, OD_STRONG, "; %s %s%s",
                  plan->estimate.cache.paged ? "most at once" : "largest batch",
                  plan->largest.open ? "more than " : "", tried_batches(o, plan->largest.expected));
    od_say(text, ".");
    if (w->model->transformer.block_guessed)
        od_say_as(text, OD_BAD, "%s",
                  w->model->transformer.counted.known
                      ? " What its blocks compute is a guess; the weights are counted."
                      : " This is a guess: the model's type is not known, and its blocks are taken "
                        "as standard ones.");
    else if (w->model->join_guessed)
        od_say_as(text, OD_BAD,
                  " What reads images or sound is a guess: how this type of model joins it to the "
                  "text is not known.");
}

static void say_largest(struct outline *o, struct od_text *text)
{
    const struct od_largest_batch *largest = &o->plan->largest;
    const char *what = o->plan->estimate.cache.paged ? "" : "batch ";
    if (largest->safe == 0)
        od_say(text, " No %sis safe (98 %%)", *what ? what : "number ");
    else
        od_say(text, " Safe (98 %%): %s%s", what, tried_batches(o, largest->power_of_two));
    if (largest->safe > largest->power_of_two)
        od_say(text, ", or up to %s", tried_batches(o, largest->safe));
    if (largest->safe > 8 && largest->multiple_of_8 > largest->power_of_two &&
        largest->multiple_of_8 < largest->safe)
        od_say(text, " (%s as a multiple of 8)", tried_batches(o, largest->multiple_of_8));
    od_say(text, ". The %s lies between %s and %s (90 %%).",
           o->plan->estimate.cache.paged ? "most at once" : "largest",
           tried_batches(o, largest->lo), tried_batches(o, largest->hi));
}

static void say_longest(struct outline *o, struct od_text *text)
{
    const struct od_largest_sequence *longest = &o->plan->longest;
    if (!longest->known || longest->expected == 0)
        return;
    const char *at = tried_batches(o, o->plan->request.workload.batch);
    if (o->plan->estimate.cache.paged)
        od_say(text, " With %s running,", at);
    else
        od_say(text, " At batch %s", at);
    od_say(text, " sequences of up to %s%s tokens fit", longest->limited ? "the model's " : "",
           tried_batches(o, longest->expected));
    if (longest->safe > 0 && longest->safe < longest->expected)
        od_say(text, " (%s safely)", tried_batches(o, longest->safe));
    od_say(text, ".");
}

static bool matters_at_limit(const struct od_estimate *e, uint64_t usable)
{
    return (double)e->at_limit.hi < 0.95 * (double)e->peak.hi && e->peak.hi > usable &&
           e->at_limit.lo <= usable;
}

static void add_interval(struct outline *o, struct od_section *section)
{
    const struct od_plan *plan = o->plan;
    const struct od_largest_batch *largest = &plan->largest;
    struct od_text *text = od_doc_text(section);
    if (plan->estimate.lower_limit)
        od_say(text, "What is counted lies between %s and %s (90 %%).",
               size(o, plan->estimate.peak.lo), size(o, plan->estimate.peak.hi));
    else
        od_say(text, "The need lies between %s and %s (90 %%).", size(o, plan->estimate.peak.lo),
               size(o, plan->estimate.peak.hi));
    if (plan->fits >= 0 && matters_at_limit(&plan->estimate, plan->request.device.usable_bytes))
        od_say(text,
               " When the device is full, PyTorch's pool gives back what it only holds: %s to "
               "%s are needed then.",
               size(o, plan->estimate.at_limit.lo), size(o, plan->estimate.at_limit.hi));
    if (largest->known && largest->expected > 0)
        say_largest(o, text);
    say_longest(o, text);
}

static void add_serving(struct outline *o, struct od_section *section)
{
    const struct od_plan *plan = o->plan;
    const struct od_kv_cache *cache = &plan->estimate.cache;
    const struct od_workload *w = &plan->request.workload;
    uint64_t mean = w->mean_sequence;
    if (!cache->paged || !cache->known)
        return;
    struct od_text *text = od_doc_text(section);
    od_say(text,
           "%s sequences of %s tokens%s: %s of keys and values (%s a token) in %s blocks of "
           "%" PRIu64 "; %s of it is empty.",
           tried_batches(o, w->batch), tried_batches(o, mean > 0 ? mean : cache->longest),
           mean > 0 ? " on average" : "", size(o, cache->bytes.n), size(o, cache->token_bytes),
           tried_batches(o, cache->blocks.n), w->kv_block, size(o, cache->waste.n));
    if (plan->largest_whole.known && mean > 0)
        od_say(text, " With all of them at %s tokens %s fit at once.",
               tried_batches(o, cache->longest), tried_batches(o, plan->largest_whole.expected));
    if (plan->request.device.name && !w->device_blocks.known)
        od_say(text,
               " The server takes its whole share when it starts, so nvidia-smi shows up to %s "
               "however few run.",
               size(o, plan->request.device.usable_bytes));
}

static void add_what(struct outline *o, struct od_section *section)
{
    const struct od_workload *w = &o->plan->request.workload;
    struct od_text *text = od_doc_text(section);
    od_doc_add(text, OD_STRONG, od_plan_model_name(w->model));
    od_say(text, " (%s), %s parameters", od_model_format_name(w->model->format),
           od_words_count(arena_of(o), o->plan->estimate.parameters));
    if (w->model->layers.n > 0)
        od_say(text, ", %zu layers", w->model->layers.n);
    od_say(text, "; %s, %s", od_framework_name(w->framework), od_precision_name(w->precision));
    if (w->inference)
        od_say(text, ", inference");
    else
        od_say(text, ", %s", od_optimizer_name(w->optimizer));
    if (w->lora_rank > 0)
        od_say(text, ", adapters of rank %" PRIu64, w->lora_rank);
    if (w->quantize_bits > 0)
        od_say(text, ", weights of %u bits", w->quantize_bits);
    if (w->checkpointing != OD_CKPT_NONE)
        od_say(text, ", checkpointing %s",
               od_words_checkpointing(w->checkpointing, w->checkpoint_every, arena_of(o)));
    if (w->world_size > 1)
        od_say(text, ", %" PRIu64 " devices", w->world_size);
    if (od_plan_sharding(w))
        od_say(text, ", %s", od_plan_sharding(w));
    od_say(text, ".");
}

static void add_bar(struct outline *o, struct od_table *table, const char *what, uint64_t bytes,
                    unsigned unit)
{
    uint64_t peak = o->plan->estimate.peak.n;
    struct od_row *row = od_doc_row_of(table, OD_CELLS(what));
    row->cells[1].text = od_view_of(od_words_size_in(arena_of(o), bytes, unit));
    row->cells[2].part = peak > 0 ? (double)bytes / (double)peak : 0;
}

/* For a model that serves, the KV cache is a row separate from the forward pass. */
static void add_activations(struct outline *o, struct od_table *table, unsigned unit)
{
    const struct od_kv_cache *cache = &o->plan->estimate.cache;
    uint64_t all = o->plan->estimate.breakdown.activations.bytes.n;
    uint64_t kept = cache->known && cache->bytes.n <= all ? cache->bytes.n : 0;
    if (kept > 0)
        add_bar(o, table, "KV cache", kept, unit);
    if (all > kept)
        add_bar(o, table, kept > 0 ? "forward pass" : "activations", all - kept, unit);
}

/* Suggests a recorded step: printed layers do not show what functions keep for gradients. */
static void add_recording(struct outline *o)
{
    enum od_model_format format = o->plan->request.workload.model->format;
    bool keras = format == OD_MODEL_KERAS;
    if (!keras && format != OD_MODEL_TORCHSUMMARY && format != OD_MODEL_TORCHINFO &&
        format != OD_MODEL_LIGHTNING && format != OD_MODEL_MODULE_TREE)
        return;
    struct od_section *section = od_doc_section(o->doc, "More exact");
    od_say(od_doc_text(section),
           "A printed model does not show what its functions keep; %s is near exact and needs no "
           "GPU. This prints the script that writes it:",
           keras ? "the model in JSON" : "a recorded step");
    od_say_as(od_doc_text(section), OD_CODE, "oomdoctor snippet %s", keras ? "keras" : "pytorch");
}

static void add_breakdown(struct outline *o)
{
    struct od_plan_part parts[OD_PLAN_PARTS];
    uint64_t peak = need_of(o->plan), sum = 0, given_back = o->plan->estimate.peak.n - peak;
    unsigned unit = od_bytes_unit_for(peak);
    struct od_section *section = od_doc_section(o->doc, "At the peak");
    struct od_table *table = od_doc_table(section);
    od_doc_columns(table, "what|>%s|#", od_bytes_unit_name(unit));
    od_plan_parts(&o->plan->estimate.breakdown, parts);
    for (size_t i = 0; i < OD_PLAN_PARTS; i++) {
        if (!parts[i].part->bytes.known || parts[i].part->bytes.n == 0)
            continue;
        if (parts[i].part == &o->plan->estimate.breakdown.activations)
            add_activations(o, table, unit);
        else if (parts[i].part != &o->plan->estimate.breakdown.allocator_waste)
            add_bar(o, table, parts[i].words, parts[i].part->bytes.n, unit);
        else if (parts[i].part->bytes.n > given_back)
            add_bar(o, table, parts[i].words, parts[i].part->bytes.n - given_back, unit);
        sum += parts[i].part->bytes.n;
    }
    if (sum < peak)
        add_bar(o, table, "the rest", peak - sum, unit);
    od_doc_row_of(table, OD_CELLS("peak", od_words_size_in(arena_of(o), peak, unit)))->total = true;
}

static void add_options(struct outline *o)
{
    enum { SHOWN = 6 };
    const struct od_plan *plan = o->plan;
    if (plan->noptions < 2)
        return;
    struct od_options_table table = {.options = plan->options,
                                     .n = plan->noptions,
                                     .most = o->all ? plan->noptions : SHOWN,
                                     .asked = "as asked",
                                     .device = plan->request.device.name != NULL,
                                     .serves = plan->estimate.cache.paged};
    od_doc_options(&table, o->doc, od_doc_section(o->doc, "What could be changed"));
}

/* A setting that the recommendation changes: its flag, and the words before and after its value. */
static const struct turn {
    const char *field, *flag;
    bool valued; /* false: the flag has no value */
    const char *before, *after;
} turns[] = {
#define OD_TURN(field, flag, valued, before, after) {field, flag, valued, before, after},
#include "report/words.def"
};

/* The changed settings. flags: all of them as flags; otherwise, in words, those besides batch,
 * accumulation, precision, checkpointing and quantization. */
static const char *turned(struct outline *o, bool flags)
{
    const struct od_plan_recommendation *r = &o->plan->recommendation;
    struct od_workload to = o->plan->options[r->option].workload;
    struct od_change changes[OD_CHANGES_MAX];
    struct od_buf words = {0};
    to.accumulation = r->accumulation;
    size_t n = od_plan_changes(&o->plan->request.workload, &to, arena_of(o), changes);
    for (size_t i = 0; i < n * OD_COUNT_OF(turns); i++) {
        const struct od_change *change = &changes[i / OD_COUNT_OF(turns)];
        const struct turn *turn = &turns[i % OD_COUNT_OF(turns)];
        const char *value =
            change->word ? change->word : od_arena_printf(arena_of(o), "%" PRIu64, change->number);
        if (strcmp(turn->field, change->field) != 0)
            continue;
        if (flags)
            od_buf_printf(&words, " %s%s%s", turn->flag, turn->valued ? " " : "",
                          turn->valued ? value : "");
        else if (turn->before)
            od_buf_printf(&words, "%s%s%s", turn->before, turn->valued ? value : "", turn->after);
    }
    return od_arena_take(arena_of(o), &words);
}

static void add_recommendation(struct outline *o)
{
    const struct od_plan_recommendation *r = &o->plan->recommendation;
    if (!r->known && r->nwhy == 0)
        return;
    struct od_section *section = od_doc_section(o->doc, "Recommended");
    if (r->known) {
        const struct od_workload *w = &o->plan->options[r->option].workload;
        struct od_text *text = od_doc_text(section);
        od_say_as(text, OD_STRONG, "%s %s", o->plan->estimate.cache.paged ? "Running" : "Batch",
                  tried_batches(o, r->batch));
        if (!w->inference)
            od_say_as(text, OD_STRONG, ", accumulation %" PRIu64, r->accumulation);
        od_say_as(text, OD_STRONG, ", %s", od_precision_name(w->precision));
        if (w->quantize_bits > 0)
            od_say_as(text, OD_STRONG, ", weights in %u bits", w->quantize_bits);
        if (!w->inference)
            od_say_as(text, OD_STRONG, ", checkpointing %s",
                      od_words_checkpointing(w->checkpointing, w->checkpoint_every, arena_of(o)));
        od_say_as(text, OD_STRONG, "%s", turned(o, false));
        if (r->workers.known)
            od_say_as(text, OD_STRONG, ", %" PRIu64 " workers", r->workers.n);
        od_say_as(text, OD_STRONG, ".");
        if (r->option > 0 || r->accumulation != o->plan->request.workload.accumulation)
            od_say_as(od_doc_text(section), OD_CODE, "--batch %" PRIu64 "%s", r->batch,
                      turned(o, true));
    }
    struct od_node *list = od_doc_list(section);
    for (size_t i = 0; i < r->nwhy; i++)
        od_say(od_doc_item(list), "%s.", r->why[i]);
}

static void add_devices(struct outline *o)
{
    const struct od_plan *plan = o->plan;
    if (plan->ndevices == 0 || (plan->request.device.name && plan->fits >= 0.9))
        return;
    struct od_text *text = od_doc_text(od_doc_section(o->doc, "Devices it fits, smallest first"));
    for (size_t i = 0; i < plan->ndevices; i++)
        od_say(text, "%s%s", i > 0 ? ", " : "",
               od_words_accelerator(arena_of(o), plan->devices[i].device.name));
}

static void say_shm(struct outline *o, struct od_text *text)
{
    uint64_t needed = o->plan->host.shm_needed.n;
    struct od_bytes there = o->plan->request.shm;
    od_say(text, "/dev/shm must hold %s", size(o, needed));
    if (there.known)
        od_say_as(text, needed <= there.n ? OD_PLAIN : OD_BAD, ", %s for the %s there",
                  needed <= there.n ? "fits" : "too much", size(o, there.n));
    if (there.known && needed > there.n)
        od_say(text, ": give it %" PRIu64 " GiB", od_loading_shm_gib(od_bytes_exact(needed)));
    od_say(text, ". ");
}

static void say_place(struct od_text *text, enum od_tri fits, const char *place)
{
    if (fits != OD_CANNOT_TELL)
        od_say_as(text, fits == OD_YES ? OD_PLAIN : OD_BAD, "; it %s %s",
                  fits == OD_YES ? "fits" : "does not fit", place);
}

static void say_dataset(struct outline *o, struct od_text *text)
{
    const struct od_plan_host *host = &o->plan->host;
    od_say(text, "The dataset takes %s", size(o, host->dataset.n));
    say_place(text, host->dataset_fits_ram, "host memory");
    say_place(text, host->dataset_fits_device, "the device beside training");
    od_say(text, ".");
}

static void add_host(struct outline *o)
{
    const struct od_plan_host *host = &o->plan->host;
    if (host->nworkers == 0 && !host->dataset.known && !host->offloaded.known)
        return;
    struct od_text *text = od_doc_text(od_doc_section(o->doc, "On the host"));
    bool alone = o->plan->request.workers.known && o->plan->request.workers.n == 0;
    if (host->per_worker.known && !alone)
        od_say(text, "Each data loader worker takes %s. ", size(o, host->per_worker.n));
    if (host->copied.known && host->copied.n > 0 && !alone)
        od_say(text, "%s of it is its copy of the dataset. ", size(o, host->copied.n));
    if (host->pinned.known && host->pinned.n > 0)
        od_say(text, "Pinned copies of batches take %s. ", size(o, host->pinned.n));
    if (host->offloaded.known)
        od_say(text, "Offloaded tensors take %s. ", size(o, host->offloaded.n));
    if (alone)
        od_say(text,
               "Without workers the training itself loads the batches: none lies in /dev/shm. ");
    else if (host->shm_needed.known)
        say_shm(o, text);
    if (host->dataset.known)
        say_dataset(o, text);
}

static void add_before(struct outline *o)
{
    const struct od_plan *before = o->report->before;
    if (!before)
        return;
    struct od_section *section = od_doc_section(o->doc, "Before and after");
    for (const char *const *name = o->report->changed; *name; name++) {
        const char *old = od_knob_said(&before->request, *name);
        od_say(od_doc_text(section), "%s: %s -> %s", *name, old ? old : "not given",
               od_knob_said(&o->plan->request, *name));
    }
    struct od_text *text = od_doc_text(section);
    od_say(text, "peak: %s -> %s", size(o, before->estimate.peak.n),
           size(o, o->plan->estimate.peak.n));
    if (before->largest.known && o->plan->largest.known)
        od_say(text, "; largest batch: %s -> %s", tried_batches(o, before->largest.expected),
               tried_batches(o, o->plan->largest.expected));
    if (before->fits >= 0 && o->plan->fits >= 0)
        od_say(text, "; fits: %s -> %s", od_words_chance(arena_of(o), before->fits),
               od_words_chance(arena_of(o), o->plan->fits));
}

static void add_why(struct outline *o)
{
    struct od_plan_part parts[OD_PLAN_PARTS];
    if (!o->report->why && !o->folds)
        return;
    od_plan_parts(&o->plan->estimate.breakdown, parts);
    struct od_section *section = od_doc_section(o->doc, "Where the numbers are from");
    section->folded = true;
    struct od_node *list = od_doc_list(section);
    for (size_t i = 0; i < OD_PLAN_PARTS; i++) {
        if (!parts[i].part->why)
            continue;
        struct od_text *item = od_doc_item(list);
        od_say_as(item, OD_STRONG, "%s: ", parts[i].words);
        od_say(item, "%s = %" PRIu64 " bytes", parts[i].part->why, parts[i].part->bytes.n);
    }
}

static void add_assumptions(struct outline *o)
{
    enum { SHOWN = 6 };
    const struct od_estimate *e = &o->plan->estimate;
    if (e->assumptions.n == 0 && e->unknown_layers.n == 0)
        return;
    struct od_section *section = od_doc_section(o->doc, "Assumed");
    section->folded = true;
    struct od_node *list = od_doc_list(section);
    size_t n = o->all || e->assumptions.n < SHOWN ? e->assumptions.n : SHOWN;
    for (size_t i = 0; i < n; i++)
        od_say(od_doc_item(list), "%s", e->assumptions.items[i]);
    if (n < e->assumptions.n)
        od_say_as(od_doc_item(list), OD_DIM, "%zu more with --verbose", e->assumptions.n - n);
    if (e->unknown_layers.n == 0)
        return;
    struct od_text *text = od_doc_item(list);
    od_say(text, "unknown layers, assumed to keep their output:");
    for (size_t i = 0; i < e->unknown_layers.n && i < SHOWN; i++) {
        od_say(text, "%s ", i > 0 ? "," : "");
        od_doc_add(text, OD_CODE, e->unknown_layers.items[i]);
    }
    if (e->unknown_layers.n > SHOWN)
        od_say(text, " and %zu more", e->unknown_layers.n - SHOWN);
}

struct od_doc *od_plan_outline(const struct od_plan_report *report,
                               const struct od_report_options *options)
{
    struct outline o = {.report = report,
                        .plan = report->plan,
                        .all = options->verbose || options->folds,
                        .folds = options->folds,
                        .doc = od_doc_new()};
    if (o.plan->request.device.name)
        o.doc->tone = o.plan->fits >= 0.5 ? OD_GOOD : o.plan->fits < 0 ? OD_PLAIN : OD_BAD;
    struct od_section *opening = od_doc_section(o.doc, NULL);
    add_answer(&o, opening);
    add_interval(&o, opening);
    add_serving(&o, opening);
    add_what(&o, opening);
    add_before(&o);
    od_outline_compared(o.doc, report->compared);
    add_breakdown(&o);
    add_recording(&o);
    add_options(&o);
    add_recommendation(&o);
    add_devices(&o);
    add_host(&o);
    if (o.folds)
        od_outline_pictures(o.doc, report->pictures, NULL, 1);
    add_why(&o);
    add_assumptions(&o);
    return o.doc;
}
