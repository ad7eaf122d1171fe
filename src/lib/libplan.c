/*
 * The public C API for plans, include/oomdoctor.h.
 */
#include "config.h"
#include "lib/models.h"
#include "plan/plan.h"
#include "report/plan.h"
#include "report/report.h"
#include <oomdoctor.h>

#define PUBLIC __attribute__((visibility("default")))

struct planning {
    struct od_plan_request request;
    struct od_arena *arena;
    struct od_diags *diags;
};

static void complain(struct planning *p, const char *message)
{
    od_diags_add(p->diags, &(struct od_diag){.severity = OD_ERROR, .message = message});
}

/* Sets an option such as "batch=32" or "inference". */
static bool set_option(struct planning *p, const char *option)
{
    const char *sign = strchr(option, '='), *why = NULL;
    size_t n = sign ? (size_t)(sign - option) : strlen(option);
    const char *name = od_arena_str(p->arena, (struct od_view){option, n});
    const char *value = sign ? sign + 1 : NULL;
    switch (od_knob_set(&p->request, name, value, p->arena, &why)) {
    case OD_KNOB_SET:
        return true;
    case OD_KNOB_BAD:
        complain(p,
                 od_arena_printf(p->arena, "%s takes %s, not '%s'", name, why, value ? value : ""));
        return false;
    case OD_KNOB_UNKNOWN:
        break;
    }
    complain(p, od_arena_printf(p->arena, "no option '%s'", name));
    return false;
}

static char *render(struct planning *p, const struct od_model *model,
                    const struct od_format *format)
{
    const struct od_report_options options = {.unicode = true};
    struct od_plan_report report = {0};
    if (!od_plan_request_finish(&p->request, model, p->arena, p->diags))
        return NULL;
    report.plan = od_plan_make(&p->request, p->arena, p->diags);
    if (!report.plan)
        return NULL;
    struct od_buf text = {0};
    od_format_plan(format, &report, &options, &text);
    od_buf_add_char(&text, '\0');
    return text.p;
}

static char *plan(struct planning *p, const char *name, const char *format)
{
    const struct od_format *found = od_format_find(od_view_of(format));
    if (!found || !(found->plan || found->document)) {
        complain(p, "no such format of a plan");
        return NULL;
    }
    if (!name)
        return render(p, NULL, found);
    struct od_models *models = od_models_read(name, p->diags);
    const struct od_model *model = od_models_choose(models, p->diags);
    char *text = model ? render(p, model, found) : NULL;
    if (!model && !od_diags_has_error(p->diags))
        complain(p, "no model description found in it");
    od_models_free(models);
    return text;
}

struct call {
    const char *model, *format;
    const char *const *options;
    size_t noptions;
    char *text;
    struct od_buf messages;
};

static void work(void *self)
{
    struct call *call = self;
    struct planning p = {
        .request = od_plan_request_start(), .arena = od_arena_new(), .diags = od_diags_new()};
    bool ok = true;
    for (size_t i = 0; i < call->noptions && ok; i++)
        ok = set_option(&p, call->options[i]);
    if (ok)
        call->text = plan(&p, call->model, call->format);
    for (size_t i = 0; i < od_diags_count(p.diags); i++)
        od_diag_print(od_diags_at(p.diags, i), &call->messages);
    od_buf_add_char(&call->messages, '\0');
    (void)od_heap_take(call->messages.p);
    if (call->text)
        (void)od_heap_take(call->text);
}

PUBLIC char *oomdoctor_plan(const char *model, const char *const *options, size_t noptions,
                            const char *format, char **ret_messages)
{
    struct call call = {.model = model, .format = format, .options = options, .noptions = noptions};
    struct od_heap *heap = od_heap_new();
    bool done = heap && od_heap_run(heap, work, &call);
    od_heap_free(heap);
    if (ret_messages)
        *ret_messages = done ? call.messages.p : NULL;
    else if (done)
        od_mem_free(call.messages.p);
    return done ? call.text : NULL;
}
