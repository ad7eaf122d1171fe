#include "lib/oomdoctor.h"

#include "advise/key_lines.h"
#include "advise/resume_command.h"
#include "config.h"
#include "lib/models.h"
#include "lib/tools.h"
#include "lib/trace_report.h"
#include "redact/redact.h"
#include "report/report.h"
#include "rules/advice.h"
#include "scan/scan.h"

struct od_session {
    struct od_session_options options;
    struct od_diags *diags;
    struct od_arena *arena;
    struct od_tools *tools; /* tools of the options, or our own */
    struct od_input *input;
    const struct od_case *c;
    struct od_models *models;     /* models of --model, or those that the log names; NULL = none */
    const struct od_model *model; /* the chosen model of --model */
    const struct od_model *named; /* public model that the log names without describing it */
    const struct od_attribution *attribution;
    const struct od_fit *fit;
    const struct od_diagnosis *diagnosis;
    struct od_around *around;
    struct od_report report;
    struct od_scan_stats stats;
    struct od_evidence unread[OD_UNREAD_MOST]; /* the first unused lines that mention memory */
    size_t nunread;
    bool unreadable; /* a log given by name could not be opened */
};

static bool read_model(struct od_session *s)
{
    if (!s->options.model)
        return true;
    s->models = od_models_read(s->options.model, s->diags);
    s->model = od_models_choose(s->models, s->diags);
    if (!s->model && od_models_status(s->models) != OD_EINPUT && !od_diags_has_error(s->diags))
        od_diags_add(s->diags,
                     &(struct od_diag){.severity = OD_ERROR,
                                       .file = s->options.model,
                                       .message = "no model description found in it",
                                       .help = "'oomdoctor plan --help' lists the formats"});
    return s->model != NULL;
}

/* Frees the session's own tools; shared tools belong to the caller. */
static void free_tools(struct od_session *s)
{
    if (!s->options.tools)
        od_tools_free(s->tools);
}

static void learn(void *self, struct od_view text)
{
    od_redact_learn(self, text);
}

struct od_session *od_session_new(const struct od_session_options *options, struct od_diags *diags)
{
    struct od_session *s = od_mem_alloc(1, sizeof *s);
    if (options)
        s->options = *options;
    s->diags = diags;
    s->tools = s->options.tools ? s->options.tools : od_tools_new(&s->options, diags);
    if (!s->tools || !read_model(s)) {
        od_models_free(s->models);
        free_tools(s);
        od_mem_free(s);
        return NULL;
    }
    s->arena = od_arena_new();
    s->around = od_around_new();
    struct od_input_limits limits = {.unpacked_bytes = s->options.unpacked_most};
    s->input = od_input_new(&limits, diags);
    if (s->options.redactor)
        od_input_set_watcher(s->input, (struct od_text_watcher){learn, s->options.redactor});
    return s;
}

void od_session_free(struct od_session *s)
{
    if (!s)
        return;
    if (s->diagnosis)
        od_diagnosis_free(s->diagnosis);
    if (s->c)
        od_case_free(s->c);
    od_input_free(s->input);
    free_tools(s);
    od_models_free(s->models);
    od_arena_free(s->arena);
    od_around_free(s->around);
    od_mem_free(s);
}

bool od_session_add(struct od_session *s, const char *name)
{
    bool ok = od_input_add(s->input, name) == OD_OK;
    s->unreadable = s->unreadable || !ok;
    return ok;
}

bool od_session_add_bytes(struct od_session *s, const char *name, const char *bytes, size_t n)
{
    return od_input_add_bytes(s->input, name, (struct od_view){bytes, n}) == OD_OK;
}

/* Prefers the layers that the log prints to the user's model by name: those layers ran. */
static void heed_layers(struct od_session *s)
{
    if (!s->model || s->model->layers.n > 0 || !s->model->measured.known)
        return;
    OD_FOR_EACH (const struct od_model, printed, s->c->models)
        if (printed->layers.n > 0)
            s->named = s->model;
    s->model = s->named ? NULL : s->model;
}

static void find_named(struct od_session *s)
{
    if (s->model || s->named)
        return;
    s->models = od_models_named(s->c, s->diags);
    s->named = s->models ? od_models_choose(s->models, s->diags) : NULL;
}

static bool is_wholly_read(const struct od_session *s)
{
    bool complete =
        !s->unreadable && !s->options.is_partial && od_input_status(s->input) < OD_ELIMIT;
    for (size_t i = 0; i < od_input_count(s->input); i++)
        complete = complete && od_input_source(s->input, i)->complete;
    return complete;
}

static void fill_report(struct od_session *s)
{
    size_t n = od_input_count(s->input);
    const struct od_source **sources = OD_NEW_N(s->arena, n + 1, const struct od_source *);
    for (size_t i = 0; i < n; i++)
        sources[i] = od_input_source(s->input, i);
    s->report.complete = is_wholly_read(s);
    s->report.version = PACKAGE_VERSION;
    s->report.sources = sources;
    s->report.nsources = n;
    s->report.c = s->c;
    s->report.unknown_lines = od_count_of(s->stats.unknown);
    s->report.diagnosis = s->diagnosis;
    s->report.attribution = s->attribution;
    s->report.around = s->around;
    s->report.lost = od_lost_of(s->c, s->diagnosis, s->arena);
    s->report.decide = od_decide_of(s->c, s->diagnosis, s->arena);
    struct od_answer_question question = {.diagnosis = s->diagnosis, .fit = s->fit};
    struct od_phases_question phases = {.c = s->c,
                                        .diagnosis = s->diagnosis,
                                        .attribution = s->attribution,
                                        .given = s->options.phases,
                                        .ngiven = s->options.nphases};
    s->report.phases = od_phases_of(&phases, s->arena);
    s->report.host = od_host_answer_of(s->c, s->diagnosis, s->options.request, s->arena);
    s->report.workers = od_worker_advice_of(s->c, s->diagnosis->failure, s->report.host,
                                            s->options.request, s->arena);
    s->report.answer = od_answer_of(&question, s->arena);
    s->report.mentions = od_mentions_of(s->around, s->c, s->diagnosis, s->arena);
    struct od_advise_question advise = {.c = s->c,
                                        .diagnosis = s->diagnosis,
                                        .answer = s->report.answer,
                                        .host = s->report.host,
                                        .around = s->around,
                                        .advice = od_shipped_advice};
    s->report.remedies = od_remedies_select(&advise, s->arena);
    s->report.precision = od_precision_advise(&advise, s->report.remedies, s->arena);
    struct od_resume_question again = {.c = s->c,
                                       .diagnosis = s->diagnosis,
                                       .answer = s->report.answer,
                                       .remedies = s->report.remedies,
                                       .lost = s->report.lost};
    s->report.resume = od_resume_command_line(&again, s->arena);
    struct od_key_lines_question key_lines = {.c = s->c,
                                              .diagnosis = s->diagnosis,
                                              .remedies = s->report.remedies,
                                              .around = s->around,
                                              .unread = s->unread,
                                              .nunread = s->nunread};
    s->report.key_lines = od_key_lines_of(&key_lines, s->arena);
    if (!s->report.answer && s->diagnosis->failure->run.outcome == OD_OUTCOME_MEMORY_FAILURE)
        s->report.answer = od_answer_batch_stays(s->diagnosis, s->arena);
    /* a thread may have bounds for the batch without a failure */
    if (s->report.answer && !s->report.remedies)
        s->report.remedies = OD_NEW(s->arena, struct od_remedies);
}

static void note_unknown(void *self, const struct od_line *line)
{
    struct od_session *s = self;
    char room[OD_EXCERPT];
    struct od_view text = od_excerpt_cut(line->text, OD_EXCERPT, room);
    if (s->nunread < OD_UNREAD_MOST)
        s->unread[s->nunread++] =
            (struct od_evidence){.at = line->at, .text = od_arena_view(s->arena, text)};
}

/* Writes a line as "source:line: text", safe to print. */
static void write_unused(void *self, const struct od_line *line)
{
    struct od_session *s = self;
    struct od_buf text = {0};
    const char *name = line->at.source < od_input_count(s->input)
                           ? od_input_source(s->input, line->at.source)->name
                           : "input";
    od_text_visible(od_view_of(name), &text);
    od_buf_printf(&text, ":%" PRIu64 ": ", line->at.line);
    od_text_visible(line->text, &text);
    od_buf_add_char(&text, '\n');
    (void)fwrite(text.p, 1, text.n, s->options.unknowns);
    od_buf_done(&text);
}

/* Was nothing read? The file does not exist, or is cut or damaged near its start. */
static bool nothing_was_read(const struct od_session *s)
{
    enum od_err err = od_input_status(s->input);
    bool empty = s->stats.lines == 0 && s->c->incidents.n == 0 && s->c->allocators.n == 0;
    return empty && (err == OD_EINPUT || err == OD_LOST);
}

/* Passes the devices and the memory of the options to the case. */
static void give_limits(const struct od_session *s, struct od_case_builder *builder)
{
    const struct od_plan_request *request = s->options.request;
    struct od_given given = {.capacity = s->options.capacity};
    if (request && request->device.name)
        given.device = od_bytes_exact(request->device.usable_bytes);
    if (request)
        given.machine = request->ram;
    od_case_builder_given(builder, &given);
}

/* Finds what failed, what fits and why, in this order. No step changes an earlier result. */
static void judge(struct od_session *s)
{
    bool unread = nothing_was_read(s);
    struct od_fit_question asked = {.c = s->c,
                                    .failure = unread ? od_failure_unread()
                                                      : od_failure_of(s->c, s->arena),
                                    .attribution = s->attribution,
                                    .request = s->options.request,
                                    .model = s->model};
    if (!is_wholly_read(s)) {
        struct od_failure *partly = OD_NEW(s->arena, struct od_failure);
        *partly = *asked.failure;
        partly->run.partly_read = true;
        asked.failure = partly;
    }
    find_named(s);
    asked.named = s->named;
    s->fit = od_fit_of(&asked, s->arena);
    s->diagnosis = unread ? od_diagnose_unread() : od_diagnose(s->fit);
}

static void say_limits(const struct od_session *s)
{
    struct od_ruleset *rules = od_tools_rules(s->tools);
    for (size_t i = 0; i < od_ruleset_count(rules); i++) {
        uint64_t hits = od_ruleset_limit_hits(rules, i);
        if (hits > 0)
            od_diags_say(s->diags, OD_WARNING,
                         "rule %s took too long on %" PRIu64 " line%s, which it did not read",
                         od_ruleset_rule(rules, i)->id, hits, hits == 1 ? "" : "s");
    }
}

const struct od_report *od_session_analyze(struct od_session *s)
{
    struct od_case_builder *builder = od_case_builder_new();
    give_limits(s, builder);
    od_case_builder_observe(builder, s->options.trace);
    od_case_builder_text(builder, s->around);
    struct od_sink sink = od_case_builder_sink(builder);
    struct od_scan_options scan = {.no_prefilter = s->options.no_prefilter,
                                   .no_shapes = s->options.no_shapes,
                                   .candidates = od_tools_candidates(s->tools),
                                   .shapes = od_tools_shapes(s->tools),
                                   .arena = s->arena,
                                   .diags = s->diags,
                                   .around = s->around,
                                   .progress = s->options.progress,
                                   .progress_self = s->options.progress_self,
                                   .trace = s->options.trace,
                                   .unknown = note_unknown,
                                   .unknown_self = s,
                                   .unused = s->options.unknowns ? write_unused : NULL};
    s->stats = od_scan(s->input, od_tools_rules(s->tools), &scan, &sink);
    s->c = od_case_freeze(builder);
    heed_layers(s);
    struct od_attribute_options attribute = {.model = s->model};
    if (s->options.request && s->options.request->workload.batch > 0)
        attribute.batch = od_count_of(s->options.request->workload.batch);
    s->attribution = od_attribute(s->c, &attribute, s->arena);
    judge(s);
    say_limits(s);
    if (s->stats.crowded > 0)
        od_diags_say(
            s->diags, OD_WARNING,
            "%" PRIu64
            " lines come from more processes than can be separated; they were read as one stream",
            s->stats.crowded);
    od_trace_causes(s->c, s->diagnosis);
    fill_report(s);
    od_trace_remedies(&s->report);
    return &s->report;
}

/* Is the input no text: a program, a picture, random bytes? */
static bool is_no_text(const struct od_session *s)
{
    for (size_t i = 0; i < s->report.nsources; i++)
        if (!s->report.sources[i]->binary)
            return false;
    return s->report.nsources > 0;
}

int od_session_status(const struct od_session *s)
{
    if (s->diagnosis->failure->run.outcome == OD_OUTCOME_MEMORY_FAILURE)
        return 1;
    if (s->c->incidents.n > 0 || s->c->allocators.n > 0)
        return 0;
    enum od_err err = od_input_status(s->input);
    if (err == OD_EINPUT || nothing_was_read(s))
        return 3;
    return !is_wholly_read(s) ? 4 : is_no_text(s) ? 3 : 0;
}

/* Counts stored chunks and the bytes of their tables. Adds other memory of the dumps to
 * *dump_bytes. */
static uint64_t count_chunks(const struct od_case *c, uint64_t *ret_bytes, size_t *dump_bytes)
{
    uint64_t chunks = 0;
    *ret_bytes = 0;
    for (size_t i = 0; i < c->allocators.n; i++) {
        const struct od_dump *dump = &c->allocators.items[i]->dump;
        chunks += dump->chunks.n;
        *dump_bytes += od_arena_used(c->allocators.items[i]->arena);
        *ret_bytes += dump->chunks.room * sizeof *dump->chunks.items +
                      dump->details.room * sizeof *dump->details.items;
    }
    return chunks;
}

void od_session_print_stats(const struct od_session *s, FILE *to)
{
    uint64_t chunk_bytes;
    const struct od_drops *drops = s->diagnosis ? s->diagnosis->failure->drops : NULL;
    size_t case_bytes = od_arena_used(s->c->arena);
    uint64_t chunks = count_chunks(s->c, &chunk_bytes, &case_bytes);
    (void)fprintf(to,
                  "lines %" PRIu64 "\ncandidates %" PRIu64 "\nevents %" PRIu64 "\nchunks %" PRIu64
                  "\nchunk_bytes %" PRIu64
                  "\nscan_bytes %zu\ncase_bytes %zu\nclaims_dropped %zu\nquotes_dropped %zu\n",
                  s->stats.lines, s->stats.candidates, s->stats.events, chunks, chunk_bytes,
                  od_arena_used(s->arena), case_bytes, drops ? drops->n : 0,
                  s->report.mentions ? s->report.mentions->dropped : 0);
}
