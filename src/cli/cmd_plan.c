#include "cli/command.h"
#include "cli/outputs.h"
#include "cli/plots.h"
#include "lib/calibration.h"
#include "lib/models.h"
#include "lib/pictures.h"
#include "lib/planned.h"
#include "lib/recipes.h"
#include "lib/runs.h"
#include "plan/plan.h"

static int run(int argc, char **argv);

#define ROW(name, argument, help) {name, 0, argument, help},
static const struct od_option options[] = {
    OD_KNOBS(ROW){"dim", 0, "NAME=N,...", "Sizes of an ONNX file's open dimensions"},
    {"set", 0, "OPTION=VALUE", "Change one option, show before and after"},
    {"why", 0, NULL, "Show the formula behind each number"},
    {"measured", 0, "LOG", "Compare with what the log of the run measured"},
    {"calibration", 0, "FILE",
     "Correct by earlier runs of this machine; with --measured, add this run"},
    {"check", 0, NULL, "Exit with 1 if it does not fit the device"},
    {"models", 0, NULL, "List the public models known by name"},
    OD_OUTPUT_OPTIONS("text (default), html, markdown, json or jsonl"),
    OD_PLOT_OPTIONS,
    {"verbose", 'v', NULL, "Show all details"},
    {"quiet", 'q', NULL, "Print no notes on standard error"},
    {0}};

static const struct od_option_group groups[] = {
    {"framework", "Training"},    {"world-size", "Parallelism"},
    {"offload", "Saving memory"}, {"inference", "Serving"},
    {"device", "Device"},         {"params", "Without a model"},
    {"workers", "Data loading"},  {"dim", "Answer"},
    {"format", "Output"},         {0}};

const struct od_command od_command_plan = {
    .name = "plan",
    .use = OD_USE_BEFORE,
    .arguments = "[OPTION...] [MODEL | SETTINGS... | -]",
    .summary = "Estimate the memory of a model: what fits, what to change",
    .details = OD_HELP_plan,
    .examples = "oomdoctor plan resnet50 --device \"RTX 3090\" --precision amp_fp16\n"
                "oomdoctor plan llama-2-7b --device \"A100 80GB\" --lora 16 --seq 2048\n"
                "oomdoctor plan llama-2-7b --inference --device L4 --quantize 4\n"
                "oomdoctor plan summary.txt --batch 64 --device 24GB --check\n"
                "oomdoctor plan axolotl.yml deepspeed.json --device h100\n"
                "oomdoctor plan --device L4 -- vllm serve Qwen/Qwen3-4B --max-model-len 8192",
    .options = options,
    .groups = groups,
    .run = run,
};

enum { SETS_MOST = 32 };

struct planning {
    struct od_plan_request request;
    struct od_arena *arena;
    struct od_diags *diags;
    struct {
        const char *names[SETS_MOST + 1]; /* NULL-terminated */
        const char *values[SETS_MOST];
        size_t n;
    } set;
    struct od_outputs outputs;
    struct od_plots plots;
    struct od_report_options page;
    const char *log; /* log of the planned run; NULL = none */
    const char *calibration;
    const char *dims;
    const char *config; /* file like config.json that contains the dimensions; NULL = none */
    const char *stored; /* format of the stored weights, "Q4_K_M"; NULL = the model's */
    bool why, check, quiet, models;
};

/* The words of --lengths for a file with the tokens of a sample on each line. */
static const char *lengths_of(const char *value, struct od_arena *arena)
{
    FILE *file = fopen(value, "re");
    struct od_buf text = {0};
    char part[4096];
    size_t n;
    while (file && (n = fread(part, 1, sizeof part, file)) > 0)
        od_buf_add(&text, (struct od_view){part, n});
    if (file)
        (void)fclose(file);
    const char *words = od_lengths_words(od_buf_view(&text), arena);
    od_buf_done(&text);
    return words ? words : value;
}

static int set_knob(struct planning *p, struct od_plan_request *request, const char *name,
                    const char *value)
{
    const struct od_command *self = &od_command_plan;
    const char *why = NULL, *near_;
    if (value && strcmp(name, "lengths") == 0)
        value = lengths_of(value, p->arena);
    switch (od_knob_set(request, name, value, p->arena, &why)) {
    case OD_KNOB_SET:
        return OD_EXIT_OK;
    case OD_KNOB_BAD:
        return od_usage_error(self, "--%s takes %s, not '%s'", name, why, value ? value : "");
    case OD_KNOB_UNKNOWN:
        break;
    }
    near_ = od_knob_suggest(name);
    return od_usage_error(self, "--set: no option '%s'%s%s%s", name,
                          near_ ? "; did you mean '" : "", near_ ? near_ : "", near_ ? "'?" : "");
}

/* Stored until all options are read, because a set changes their meaning. */
static int take_set(struct planning *p, const char *spec)
{
    const char *equals = strchr(spec, '=');
    if (!equals || equals == spec)
        return od_usage_error(&od_command_plan, "--set takes OPTION=VALUE, not '%s'", spec);
    if (p->set.n == SETS_MOST)
        return od_usage_error(&od_command_plan, "--set was given too often");
    p->set.names[p->set.n] =
        od_arena_str(p->arena, (struct od_view){spec, (size_t)(equals - spec)});
    p->set.values[p->set.n++] = equals + 1;
    return OD_EXIT_OK;
}

/* The first dimension with that name is the batch. */
static int take_dims(struct planning *p, const char *spec)
{
    struct od_view rest = od_view_of(spec), one, name;
    int status = OD_EXIT_OK;
    p->dims = spec;
    while (rest.n > 0) {
        uint64_t n;
        if (!od_view_cut(&rest, ',', &one)) {
            one = rest;
            rest.n = 0;
        }
        if (!od_view_cut(&one, '=', &name) || !od_num_parse_u64(one, &n) || n == 0)
            return od_usage_error(&od_command_plan, "--dim takes NAME=N,..., not '%s'", spec);
        if (od_view_starts(name, OD_VIEW("batch")) && p->request.workload.batch == 0)
            status = set_knob(p, &p->request, "batch", od_arena_str(p->arena, one));
    }
    return status;
}

static int take_option(void *self, const struct od_args *args, int option)
{
    struct planning *p = self;
    const char *why = NULL;
    int status = OD_EXIT_OK;
    if (od_args_is(args, option, "set"))
        return take_set(p, args->value);
    if (od_outputs_take(&p->outputs, args, option, &status) ||
        od_plots_take(&p->plots, args, option, &status))
        return status;
    if (od_args_is(args, option, "measured")) {
        p->log = args->value;
    } else if (od_args_is(args, option, "dim")) {
        return take_dims(p, args->value);
    } else if (od_args_is(args, option, "calibration")) {
        p->calibration = args->value;
    } else if (od_args_is(args, option, "why")) {
        p->why = true;
    } else if (od_args_is(args, option, "check")) {
        p->check = true;
    } else if (od_args_is(args, option, "models")) {
        p->models = true;
    } else if (od_args_is(args, option, "verbose")) {
        p->page.verbose = true;
    } else if (od_args_is(args, option, "quiet")) {
        p->quiet = true;
    } else if (od_args_is(args, option, "quantize") && od_models_stored(args->value) &&
               od_knob_set(&p->request, "quantize", args->value, p->arena, &why) != OD_KNOB_SET) {
        p->stored = args->value;
    } else {
        return set_knob(p, &p->request, options[option].name, args->value);
    }
    return OD_EXIT_OK;
}

static int print(const struct planning *p, const struct od_plan_report *report)
{
    struct od_report_options page = p->page;
    struct od_plan_report shown = *report;
    bool inline_ = od_outputs_show_pictures(&p->outputs);
    const struct od_figures *figures =
        inline_ || p->plots.folder ? od_plan_figures(report, p->arena) : NULL;
    if (inline_)
        shown.pictures = od_pictures_draw(figures, p->arena);
    od_outputs_look(&p->outputs, &page);
    bool ok = od_outputs_write(&p->outputs, &(struct od_outputs_of){.plan = &shown}, &page);
    if (p->plots.folder)
        ok = od_plots_write(&p->plots, figures) && ok;
    return ok ? OD_EXIT_OK : OD_EXIT_INTERNAL;
}

static const struct od_plan *make(struct planning *p, struct od_plan_request request,
                                  const struct od_model *model)
{
    if (!od_plan_request_finish(&request, model, p->arena, p->diags))
        return NULL;
    if (p->calibration && !p->log &&
        !od_calibration_read(p->calibration, &request, p->arena, p->diags))
        return NULL;
    return od_plan_make(&request, p->arena, p->diags);
}

static int plan_for(struct planning *p, const struct od_model *model)
{
    struct od_plan_request changed = p->request;
    struct od_plan_report report = {.why = p->why};
    for (size_t i = 0; i < p->set.n; i++) {
        int status = set_knob(p, &changed, p->set.names[i], p->set.values[i]);
        if (status != OD_EXIT_OK)
            return status;
    }
    struct od_run *run = p->log ? od_run_of_file(p->log, NULL, p->arena, p->diags) : NULL;
    if (p->log && !run)
        return OD_EXIT_UNREADABLE;
    const char *batch = run ? od_run_setting(run, "batch_size") : NULL, *why;
    if (batch && changed.workload.batch == 0) {
        (void)od_knob_set(&p->request, "batch", batch, p->arena, &why);
        (void)od_knob_set(&changed, "batch", batch, p->arena, &why);
    }
    report.plan = make(p, changed, model);
    if (report.plan && p->set.n > 0) {
        report.before = make(p, p->request, model);
        report.changed = p->set.names;
    }
    struct od_plan_compared beside;
    bool compared = !run;
    if (report.plan && run) {
        od_plan_expect(report.plan, p->arena, &beside);
        report.compared = &beside;
        compared = od_planned_measure(&beside, run, p->diags);
    }
    od_run_done(run);
    if (!report.plan || (p->set.n > 0 && !report.before) || !compared)
        return OD_EXIT_UNREADABLE;
    if (p->log && p->calibration &&
        !od_calibration_add(p->calibration, report.plan, report.compared, p->diags))
        return OD_EXIT_UNREADABLE;
    int status = print(p, &report);
    bool fits = report.plan->fits >= 0.5;
    return status == OD_EXIT_OK && p->check && !fits ? OD_EXIT_FAILURE_FOUND : status;
}

/* Says that a table row lacks its heading. */
static void say_no_model(struct planning *p, const char *name)
{
    uint64_t row = od_models_row(name);
    od_diags_add(p->diags, &(struct od_diag){
                               .severity = OD_ERROR,
                               .file = name,
                               .line = row,
                               .message = row > 0 ? "this is a row of a table without its heading"
                                                  : "no model description found in it",
                               .help = row > 0 ? "paste the whole table, with its heading"
                                               : "'oomdoctor plan --help' lists the formats"});
}

static int plan_for_read(struct planning *p, const char *name, struct od_models *models)
{
    const struct od_model *model = od_models_choose(models, p->diags);
    int status = OD_EXIT_UNREADABLE;
    if (model)
        status = plan_for(p, model);
    else if (od_models_status(models) != OD_EINPUT && !od_diags_has_error(p->diags))
        say_no_model(p, name);
    od_models_free(models);
    return status;
}

static int plan_for_file(struct planning *p, const char *name)
{
    return plan_for_read(p, name, od_models_read_sized(name, p->dims, p->diags));
}

static bool is_set(const struct planning *p, const char *name)
{
    for (size_t i = 0; i < p->set.n; i++)
        if (strcmp(p->set.names[i], name) == 0)
            return true;
    return false;
}

/* Plans for numbers without layers; if they are those of a public model, uses its layers. */
static int plan_for_counts(struct planning *p)
{
    struct od_plan_request *r = &p->request;
    uint64_t side = 0;
    struct od_models *models = NULL;
    if (r->activations.known && r->workload.image_h == 0 && !is_set(p, "params") &&
        !is_set(p, "activations"))
        models = od_models_counted(r->params.n, r->activations.n, &side);
    if (!models)
        return plan_for(p, NULL);
    r->params = r->activations = (struct od_count){0};
    r->workload.image_h = r->workload.image_w = side;
    int status = plan_for(p, od_models_choose(models, p->diags));
    od_models_free(models);
    return status;
}

static int list_models(void)
{
    struct od_buf list = {0};
    od_models_list(&list);
    bool ok = od_write_all(od_buf_str(&list), list.n);
    od_buf_done(&list);
    return ok ? OD_EXIT_OK : OD_EXIT_INTERNAL;
}

/* Applies operands that are settings of a program. *ret_model is the remaining operand, or the
 * model named in the settings. */
static int take_settings(struct planning *p, char **words, int n, const char **ret_model)
{
    struct od_recipes *recipes =
        od_recipes_read((const char *const *)words, (size_t)n, p->arena, p->diags);
    od_recipes_apply(recipes, &p->request, p->arena, p->diags);
    *ret_model = recipes->model;
    p->config = recipes->config;
    if (recipes->bad)
        return OD_EXIT_UNREADABLE;
    if (recipes->models > 1)
        return od_usage_error(&od_command_plan, "plan one model at a time");
    return OD_EXIT_OK;
}

static int with_operands(struct planning *p, char **words, int n)
{
    const char *model = NULL;
    if (p->models)
        return list_models();
    int status = take_settings(p, words, n, &model);
    if (status != OD_EXIT_OK)
        return status;
    if (p->check && !p->request.device.name)
        return od_usage_error(&od_command_plan, "--check needs --device NAME");
    if (model && p->request.params.known)
        return od_usage_error(&od_command_plan, "give a model or --params N, not both");
    if (model && p->stored)
        model = od_arena_printf(p->arena, "%s-%s", model, p->stored);
    if (model)
        return plan_for_file(p, model);
    if (p->config && !p->request.params.known)
        return plan_for_read(p, "settings",
                             od_models_read_bytes("settings", od_view_of(p->config), p->diags));
    if (!p->request.params.known)
        return od_usage_error(&od_command_plan,
                              "name a model: a file, a public name, or --params N");
    return plan_for_counts(p);
}

static int run(int argc, char **argv)
{
    struct planning p = {.request = od_plan_request_start(),
                         .arena = od_arena_new(),
                         .diags = od_diags_new(),
                         .outputs.kind = OD_OUTPUTS_PLAN};
    struct od_args args = od_args_start(&od_command_plan, argc, argv);
    int status = od_args_take(&args, take_option, &p);
    od_outputs_default(&p.outputs);
    if (status == OD_EXIT_OK)
        status = od_outputs_may_write_all(&p.outputs, &args);
    if (status == OD_EXIT_OK)
        status = with_operands(&p, argv + args.at, argc - args.at);
    if (!p.quiet || status != OD_EXIT_OK)
        od_diags_flush(p.diags);
    od_diags_free(p.diags);
    od_arena_free(p.arena);
    return status;
}
