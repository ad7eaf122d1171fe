#include "cgi/work.h"

#include "cgi/form.h"
#include "cgi/page.h"
#include "cgi/wire.h"
#include "lib/models.h"
#include "lib/oomdoctor.h"
#include "lib/tools.h"
#include "plan/plan.h"
#include "redact/redact.h"
#include "report/plan.h"
#include "report/report.h"
#include "report/words.h"

#include <errno.h>
#include <unistd.h>

struct work {
    const struct od_cgi_request *request;
    const struct od_cgi_settings *settings;
    int in, out;
    struct od_tools *tools; /* NULL = the session makes its own tools */
    struct od_arena *arena;
    struct od_diags *diags;
    struct od_form form;
    enum od_wire_type type; /* type of the answer */
    struct od_buf answer;
    unsigned status;
    const char *cause;            /* a word for the server's log */
    struct od_redactor *redactor; /* NULL = do not redact */
};

static void fail(struct work *w, unsigned status, const char *why, const char *help)
{
    struct od_page_problem problem = {.status = status, .why = why, .help = help};
    bool json = w->type == OD_WIRE_JSON;
    w->answer.n = 0;
    w->status = status;
    w->type = json ? OD_WIRE_JSON : OD_WIRE_HTML;
    od_page_problem(&problem, json, &w->answer);
}

/* Joins and escapes the messages of the diagnostics. */
static const char *said(struct work *w)
{
    struct od_buf words = {0};
    for (size_t i = 0; i < od_diags_count(w->diags); i++) {
        const struct od_diag *diag = od_diags_at(w->diags, i);
        od_buf_printf(&words, "%s%s%s%s.", i > 0 ? " " : "", diag->file ? diag->file : "",
                      diag->file ? ": " : "", diag->message);
    }
    const char *copy = words.n > 0 ? od_arena_str(w->arena, od_buf_view(&words)) : NULL;
    od_buf_done(&words);
    return copy;
}

/*
 * Reads the body into *ret_body, which the caller frees: Content-Length bytes, or everything. Tries
 * to read one byte more than allowed, to detect a body that is too long.
 */
static bool read_body(struct work *w, struct od_buf *ret_body)
{
    uint64_t most = w->settings->body_most;
    const struct od_cgi_request *r = w->request;
    uint64_t wanted = r->has_length ? r->length : most + 1;
    enum { PIECE = 1 << 16 };
    if (r->has_length)
        (void)od_buf_reserve(ret_body, (size_t)wanted);
    while (ret_body->n < wanted) {
        uint64_t left = wanted - ret_body->n;
        size_t room = left < PIECE ? (size_t)left : PIECE;
        ssize_t n = read(w->in, od_buf_reserve(ret_body, room), room);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        ret_body->n += (size_t)n;
    }
    if (r->has_length && ret_body->n < wanted)
        fail(w, 400, "the request is incomplete: the upload was cut off",
             "Try again. If it fails again, the connection or a proxy cuts long uploads.");
    else if (ret_body->n > most)
        fail(w, 413, "the log is larger than this page accepts",
             "Send the end of the log, compressed (gzip, xz, zstd), or run oomdoctor on your "
             "machine.");
    return w->status == 0;
}

/* Sends the figures in separate frames. The page has placeholder images with their numbers. */
static const struct od_pictures *send_figures(struct work *w, const struct od_figures *figures)
{
    struct od_pictures *pictures = OD_NEW(w->arena, struct od_pictures);
    for (size_t i = 0; i < figures->n; i++) {
        const struct od_figure *figure = &figures->list[i];
        (void)od_wire_send(w->out, OD_WIRE_DATA, figure->height, figure->data);
        (void)od_wire_send(w->out, OD_WIRE_SCRIPT, 0, figure->script);
        pictures->list[pictures->n++] = (struct od_picture){
            .figure = figure, .svg = od_view_of(od_arena_printf(w->arena, "%03zu", i))};
    }
    return pictures;
}

static void render_page(const struct od_doc *doc, const struct od_report_options *options,
                        struct od_buf *to)
{
    (void)options;
    od_page_document(doc, to);
}

static bool page_fits(const struct od_report_options *options, struct od_view rendered)
{
    enum { MOST = 450000 };
    (void)options;
    return rendered.n <= MOST;
}

/* The result to render: a report or a plan. */
struct asked {
    struct od_report *report;
    struct od_plan_report *plan;
};

static void render(const struct work *w, const struct asked *asked, const struct od_format *format,
                   struct od_buf *to)
{
    const struct od_report_options options = {
        .unicode = true, .of_page = true, .redactor = w->redactor};
    if (asked->report)
        od_format_report(format, asked->report, &options, to);
    else
        od_format_plan(format, asked->plan, &options, to);
}

/* Renders the HTML page, with the other two formats for saving, up to a size. */
static void render_html(struct work *w, const struct asked *asked)
{
    enum { KEPT_MOST = 4 << 20 };
    static const struct od_format page = {
        .name = "page", .document = render_page, .fits = page_fits, .folds = true};
    struct od_buf markdown = {0}, json = {0};
    const struct od_figures *figures = asked->report ? od_figures_of(asked->report, w->arena)
                                                     : od_plan_figures(asked->plan, w->arena);
    const struct od_pictures *pictures = w->settings->no_figures ? NULL : send_figures(w, figures);
    if (asked->report)
        asked->report->pictures = pictures;
    else
        asked->plan->pictures = pictures;
    render(w, asked, &page, &w->answer);
    render(w, asked, od_format_find(OD_VIEW("markdown")), &markdown);
    render(w, asked, od_format_find(OD_VIEW("json")), &json);
    if (json.n > KEPT_MOST)
        json.n = 0;
    od_page_end(od_buf_view(&markdown), od_buf_view(&json), &w->answer);
    od_buf_done(&markdown);
    od_buf_done(&json);
}

static void respond(struct work *w, const struct asked *asked)
{
    w->status = 200;
    if (w->type == OD_WIRE_HTML)
        render_html(w, asked);
    else
        render(w, asked,
               od_format_find(w->type == OD_WIRE_JSON ? OD_VIEW("json") : OD_VIEW("markdown")),
               &w->answer);
}

static bool set_knobs(struct work *w, struct od_plan_request *request, const char *const *names)
{
    for (; *names; names++) {
        struct od_view value = od_form_value(&w->form, *names);
        const char *why = NULL;
        if (value.n == 0)
            continue;
        const char *text = od_arena_str(w->arena, value);
        if (od_knob_set(request, *names, text, w->arena, &why) != OD_KNOB_SET) {
            fail(w, 400, od_arena_printf(w->arena, "%s is %s", *names, why),
                 od_arena_printf(w->arena, "It was \"%.80s\".", text));
            return false;
        }
    }
    return true;
}

static const char *name_of(struct work *w, const struct od_form_field *field, const char *pasted)
{
    struct od_view name = field->file;
    return name.n > 0 ? od_arena_str(w->arena, name) : pasted;
}

/* Does the field contain the log or the model? Handwritten requests may send a file under the name
 * of the text box, or under "file". */
static bool is_input(const struct od_form_field *field, const char *pasted)
{
    bool any = strcmp(pasted, "answer") != 0 && od_view_eq_str(field->name, "file");
    if (field->is_file)
        return field->value.n > 0 && (any || od_view_eq_str(field->name, pasted));
    return od_view_eq_str(field->name, pasted) && od_view_trim(field->value).n > 0;
}

/* Did the user choose an empty file? */
static bool chose_empty(const struct od_form *form)
{
    for (size_t i = 0; i < form->n; i++)
        if (form->fields[i].file.n > 0 && form->fields[i].value.n == 0)
            return true;
    return false;
}

static void fail_empty(struct work *w, const char *what, const char *help)
{
    if (chose_empty(&w->form))
        fail(w, 400, "the file is empty",
             "Check that it was written completely, or choose another one.");
    else
        fail(w, 400, what, help);
}

static size_t add_inputs(struct work *w, struct od_session *session, const char *box,
                         const char *name)
{
    size_t n = 0;
    OD_FOR_EACH_OF (const struct od_form_field, field, w->form.fields, w->form.n)
        if (is_input(field, box))
            n += od_session_add_bytes(session, name_of(w, field, name), field->value.p,
                                      field->value.n);
    return n;
}

static void analyze(struct work *w, const struct od_page_example *example)
{
    static const char *const knobs[] = {"batch", "device", "ram", "cpus", NULL};
    struct od_plan_request request = od_plan_request_start();
    if (!set_knobs(w, &request, knobs))
        return;
    if (od_form_value(&w->form, "share").n > 0)
        w->redactor = od_words_redactor();
    const struct od_session_options options = {.redactor = w->redactor,
                                               .no_jit =
                                                   true, /* the lock forbids executable memory */
                                               .tools = w->tools,
                                               .request = &request,
                                               .unpacked_most = 16 * w->settings->body_most};
    struct od_session *session = od_session_new(&options, w->diags);
    size_t n = 0;
    if (example)
        n += session &&
             od_session_add_bytes(session, example->file, example->bytes.p, example->bytes.n);
    if (session && !example) {
        n += add_inputs(w, session, "log", "pasted.log");
        n += add_inputs(w, session, "answer", "answer.txt");
    }
    if (n == 0) {
        fail_empty(w, "no log was sent",
                   "Paste one into the box, choose a file, or try an example.");
    } else {
        struct od_report report = *od_session_analyze(session);
        w->cause = report.diagnosis->findings.n > 0
                       ? od_cause_name(report.diagnosis->findings.items[0].cause)
                       : od_outcome_name(od_outcome_shown(&report.diagnosis->failure->run));
        if (od_session_status(session) >= 3)
            fail(w, od_session_status(session) == 4 ? 413 : 400, "the log could not be read",
                 said(w));
        else
            respond(w, &(struct asked){.report = &report});
    }
    od_session_free(session);
    od_redactor_free(w->redactor);
}

/* Returns the first model that was sent. A plan has one model. */
static struct od_view find_model(struct work *w, const struct od_page_example *example,
                                 const char **ret_name)
{
    if (example) {
        *ret_name = example->file;
        return example->bytes;
    }
    OD_FOR_EACH_OF (const struct od_form_field, field, w->form.fields, w->form.n) {
        if (is_input(field, "model")) {
            *ret_name = name_of(w, field, "pasted model");
            return field->value;
        }
    }
    return (struct od_view){0};
}

static void plan_for(struct work *w, struct od_plan_request *request, const struct od_model *model)
{
    const struct od_plan *made = NULL;
    if (od_plan_request_finish(request, model, w->arena, w->diags))
        made = od_plan_make(request, w->arena, w->diags);
    if (!made) {
        fail(w, 400, "no plan could be made for this model", said(w));
        return;
    }
    w->cause = "plan";
    struct od_plan_report report = {.plan = made};
    respond(w, &(struct asked){.plan = &report});
}

static void plan(struct work *w, const struct od_page_example *example)
{
    static const char *const knobs[] = {"batch",     "device",        "precision",  "optimizer",
                                        "framework", "checkpointing", "accumulate", "seq",
                                        "image",     "ram",           "cpus",       "workers",
                                        NULL};
    struct od_plan_request request = od_plan_request_start();
    const char *name = NULL, *why;
    struct od_view bytes = find_model(w, example, &name);
    if (!set_knobs(w, &request, knobs))
        return;
    if (example) {
        (void)od_knob_set(&request, "device", "rtx3090", w->arena, &why);
        (void)od_knob_set(&request, "batch", "64", w->arena, &why);
    }
    if (bytes.n == 0) {
        fail_empty(w, "no model was sent",
                   "Paste a printed summary of it into the box, or choose a file.");
        return;
    }
    struct od_models *models = od_models_read_bytes(name, bytes, w->diags);
    const struct od_model *model = od_models_choose(models, w->diags);
    if (model)
        plan_for(w, &request, model);
    else
        fail(w, 400, "no model description was found in it",
             "Printed summaries of Keras, torchsummary, torchinfo and Lightning are read, module "
             "trees, Hugging Face's config.json, and oomdoctor's own YAML.");
    od_models_free(models);
}

static bool find_example(struct od_view name, struct od_page_example *ret_example)
{
    for (size_t i = 0; od_page_example_at(i, ret_example); i++)
        if (od_view_eq_str(name, ret_example->name))
            return true;
    return false;
}

static void choose_type(struct work *w, struct od_view word)
{
    if (od_view_eq_str(word, "json"))
        w->type = OD_WIRE_JSON;
    else if (od_view_eq_str(word, "markdown"))
        w->type = OD_WIRE_MARKDOWN;
    else if (od_view_eq_str(word, "html"))
        w->type = OD_WIRE_HTML;
}

static void answer_form(struct work *w)
{
    struct od_page_example example;
    struct od_view name = od_form_value(&w->form, "example");
    bool has_example = name.n > 0;
    choose_type(w, od_form_value(&w->form, "format"));
    if (has_example && !find_example(name, &example))
        fail(w, 404, "no example has that name", NULL);
    else if (has_example ? example.is_model
                         : od_view_eq_str(od_form_value(&w->form, "ask"), "plan"))
        plan(w, has_example ? &example : NULL);
    else
        analyze(w, has_example ? &example : NULL);
}

/* Reads format and example from the query, whatever the body contains. */
static bool read_query(struct work *w)
{
    char *query = od_arena_str(w->arena, od_view_of(w->request->query));
    const char *why = od_form_parse_query(query, strlen(query), &w->form);
    if (why)
        fail(w, 400, why, NULL);
    choose_type(w, od_form_value(&w->form, "format"));
    return !why;
}

/* Loads libraries for packed logs while loading is allowed. Compiles patterns to machine code for a
 * long log; a short log is read faster without. Never freed, because the lock makes the code
 * read-only. */
static void *prepare(const struct od_cgi_request *request)
{
    enum { LONG = 128 << 10 };
    if (request->method != OD_CGI_POST)
        return NULL;
    od_tools_prepare_for_packed();
    if (request->has_length && request->length < LONG)
        return NULL;
    struct od_diags *diags = od_diags_new();
    struct od_tools *tools = od_tools_new(NULL, diags);
    od_diags_free(diags);
    if (tools)
        od_ruleset_compile(od_tools_rules(tools));
    return tools;
}

static int work(const struct od_cgi_request *request, const struct od_cgi_settings *settings,
                int in, int out, void *prepared)
{
    struct work w = {.request = request,
                     .settings = settings,
                     .in = in,
                     .out = out,
                     .tools = prepared,
                     .arena = od_arena_new(),
                     .diags = od_diags_new(),
                     .type = request->wants_json ? OD_WIRE_JSON : OD_WIRE_HTML,
                     .cause = "none"};
    struct od_buf body = {0};
    bool ok = read_query(&w);
    if (ok && request->method == OD_CGI_POST) {
        ok = read_body(&w, &body);
        const char *why = ok ? od_form_parse(request->type, body.p, body.n, &w.form) : NULL;
        if (why)
            fail(&w, 400, why, NULL);
        ok = ok && !why;
    }
    if (ok)
        answer_form(&w);
    ok = od_wire_send(out, OD_WIRE_CAUSE, 0, od_view_of(w.cause)) &&
         od_wire_send(out, OD_WIRE_ANSWER, (uint32_t)w.type << 16 | w.status,
                      od_buf_view(&w.answer));
    od_buf_done(&w.answer);
    od_buf_done(&body);
    od_diags_free(w.diags);
    od_arena_free(w.arena);
    return ok ? 0 : 1;
}

const struct od_inside od_cgi_work = {.prepare = prepare, .work = work};
