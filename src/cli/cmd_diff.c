#include "answer/phases.h"
#include "cli/command.h"
#include "cli/gate.h"
#include "cli/shown.h"
#include "lib/planned.h"
#include "lib/runs.h"
#include "redact/redact.h"
#include "report/json_write.h"
#include "report/plan.h"
#include "runs/diff.h"

static int run(int argc, char **argv);

static const struct od_option options[] = {
    OD_SHOWN_OPTIONS("text (default), html, markdown or json"),
    OD_GATE_FAIL_ON,
    {"phase", 0, "NAME=OLD:NEW",
     "Memory of one phase in both runs (total: the peak); may be repeated"},
    {"rules", 0, "DIR", "Add rule packs: a file or a folder of *.yaml"},
    {"quiet", 'q', NULL, "Print no report, only set the exit status"},
    {0}};

const struct od_command od_command_diff = {
    .name = "diff",
    .use = OD_USE_AFTER,
    .arguments = "[OPTION...] OLD NEW",
    .summary = "Compare two runs: what changed, what was saved",
    .details = "OLD and NEW are logs, or reports written by analyze --format json. Or OLD is a "
               "plan written by plan --format json: NEW is compared with what it predicted.\n"
               "\n" OD_GATE_TERMS "\n"
               "Exit status: 0 compared, 1 --fail-on was met, 2 usage error, 3 a log or "
               "report cannot be read, 5 internal error.\n",
    .examples = "oomdoctor diff before.log after.log\n"
                "oomdoctor diff plan.json train.log\n"
                "oomdoctor diff --phase validation=40GiB:2GiB before.log after.log\n"
                "oomdoctor diff --fail-on \"leak|regression\" good.json train.log",
    .options = options,
    .run = run,
};

struct comparison {
    struct od_arena *arena;
    struct od_diags *diags;
    struct od_session_options session;
    OD_VEC(const char *) rules;
    OD_VEC(struct od_phase_given) old_phases, new_phases;
    struct od_gate gate;
    struct od_shown shown;
    bool quiet;
};

/* "NAME=OLD:NEW"; an empty side is unknown. */
static int take_phase(struct comparison *c, const char *value)
{
    size_t equals = od_view_find_char(od_view_of(value), '=', 0);
    size_t colon = od_view_find_char(od_view_of(value), ':', equals == OD_VIEW_NONE ? 0 : equals);
    struct od_phase_given phase;
    if (equals == OD_VIEW_NONE || colon == OD_VIEW_NONE)
        return od_usage_error(&od_command_diff, "--phase takes NAME=OLD:NEW, not '%s'", value);
    const char *sides[] = {
        od_arena_str(c->arena, od_view_head(od_view_of(value), colon)),
        od_arena_printf(c->arena, "%.*s=%s", (int)equals, value, value + colon + 1)};
    for (size_t i = 0; i < OD_COUNT_OF(sides); i++) {
        if (od_view_ends(od_view_of(sides[i]), OD_VIEW("=")))
            continue;
        if (!od_phase_parse(od_view_of(sides[i]), &phase))
            return od_usage_error(&od_command_diff, "--phase takes NAME=OLD:NEW, not '%s'", value);
        if (i == 0)
            od_vec_push(&c->old_phases, phase);
        else
            od_vec_push(&c->new_phases, phase);
    }
    return OD_EXIT_OK;
}

static int take_option(void *self, const struct od_args *args, int option)
{
    struct comparison *c = self;
    int status;
    if (od_gate_take(&c->gate, args, option, c->arena, &status) ||
        od_shown_take(&c->shown, args, option, &status))
        return status;
    if (od_args_is(args, option, "quiet"))
        c->quiet = true;
    if (od_args_is(args, option, "rules"))
        od_vec_push(&c->rules, args->value);
    if (od_args_is(args, option, "phase"))
        return take_phase(c, args->value);
    return OD_EXIT_OK;
}

static struct od_doc *outline(void *self, const struct od_report_options *look,
                              const struct od_pictures *pictures)
{
    return od_diff_outline(self, look, pictures);
}

static void json(void *self, struct od_json *to)
{
    od_diff_json(self, to);
}

static const struct od_figures *figures(void *self, struct od_arena *arena)
{
    return od_diff_figures(self, arena);
}

/* ---- a plan, and what its run took ---- */

struct planned {
    const char *plan, *run;
    struct od_plan_compared compared;
};

static struct od_doc *outline_planned(void *self, const struct od_report_options *look,
                                      const struct od_pictures *pictures)
{
    const struct planned *p = self;
    struct od_doc *doc = od_doc_new();
    struct od_text *text = od_doc_text(od_doc_section(doc, NULL));
    bool within = od_plan_holds(&p->compared);
    (void)look, (void)pictures;
    od_say_as(text, within ? OD_GOOD : OD_BAD, "%s", within ? "As planned" : "Not as planned");
    od_say(text, ": the plan %s, the run %s.", p->plan, p->run);
    od_outline_compared(doc, &p->compared);
    return doc;
}

static const struct od_figures *no_figures(void *self, struct od_arena *arena)
{
    (void)self;
    return OD_NEW(arena, struct od_figures);
}

static void json_planned(void *self, struct od_json *to)
{
    const struct planned *p = self;
    od_json_object(to, NULL);
    od_json_str(to, "schema", "oomdoctor.diff/1");
    od_json_str(to, "plan", p->plan);
    od_json_str(to, "run", p->run);
    od_json_compared(to, &p->compared);
    od_json_end(to);
    od_buf_add_char(to->to, '\n');
}

static int compare_planned(const struct comparison *c, struct planned *p)
{
    struct od_run *run = od_run_of_file(p->run, &c->session, c->arena, c->diags);
    const struct od_other other = {
        .outline = outline_planned, .json = json_planned, .figures = no_figures, .self = p};
    int status = OD_EXIT_UNREADABLE;
    if (run && od_planned_measure(&p->compared, run, c->diags))
        status = od_shown_write(&c->shown, &other, c->session.redactor)
                     ? od_gate_judge(&c->gate, run, NULL, c->arena)
                     : OD_EXIT_INTERNAL;
    od_run_done(run);
    return status;
}

static struct od_run *run_with(const struct comparison *c, const char *name,
                               const struct od_phase_given *phases, size_t n)
{
    struct od_session_options session = c->session;
    session.phases = phases;
    session.nphases = n;
    return od_run_of_file(name, &session, c->arena, c->diags);
}

static int compare(const struct comparison *c, char **names)
{
    struct planned planned = {.plan = names[0], .run = names[1]};
    if (od_planned_read(names[0], &planned.compared))
        return compare_planned(c, &planned);

    struct od_run *old = run_with(c, names[0], c->old_phases.items, c->old_phases.n);
    struct od_run *new = run_with(c, names[1], c->new_phases.items, c->new_phases.n);
    int status = OD_EXIT_UNREADABLE;
    if (old && new) {
        struct od_diff *diff = od_diff_make(old, new, c->arena);
        const struct od_other other = {
            .outline = outline, .json = json, .figures = figures, .self = diff};
        status = od_shown_write(&c->shown, &other, c->session.redactor)
                     ? od_gate_judge(&c->gate, new, diff, c->arena)
                     : OD_EXIT_INTERNAL;
        od_diff_done(diff);
    }
    od_run_done(old);
    od_run_done(new);
    return status;
}

static int with_options(struct comparison *c, struct od_args *args)
{
    int status = od_args_take(args, take_option, c);
    if (status != OD_EXIT_OK)
        return status;
    if (args->argc - args->at != 2)
        return od_usage_error(&od_command_diff, "name two runs to compare: OLD and NEW");
    if (!c->quiet)
        od_outputs_default(&c->shown.outputs);
    status = od_outputs_may_write_all(&c->shown.outputs, args);
    if (status != OD_EXIT_OK)
        return status;
    c->session.rule_files = c->rules.items;
    c->session.nrule_files = c->rules.n;
    c->session.redactor = od_share_start(c->shown.share);
    status = compare(c, args->argv + args->at);
    od_diags_flush(c->diags);
    return status;
}

static int run(int argc, char **argv)
{
    struct comparison c = {
        .arena = od_arena_new(), .diags = od_diags_new(), .shown.outputs.kind = OD_OUTPUTS_OTHER};
    struct od_args args = od_args_start(&od_command_diff, argc, argv);
    int status = with_options(&c, &args);
    od_redactor_free(c.session.redactor);
    od_vec_done(&c.rules);
    od_vec_done(&c.old_phases);
    od_vec_done(&c.new_phases);
    od_diags_free(c.diags);
    od_arena_free(c.arena);
    return status;
}
