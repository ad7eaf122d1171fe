/* Sections of one table or text, each for some kinds of failures only. */
#include "report/outline_parts.h"

#include "diagnose/kept.h"
#include "report/figure.h"
#include "report/outline.h"
#include "report/words.h"

/* Memory of the data loading on the host, and what fewer workers would save. */
void od_outline_host(struct od_outline *outline)
{
    const struct od_host_answer *host = outline->report->host;
    if (!host || host->why[0] == '\0')
        return;
    bool loads = host->name.n == 0 && host->sample.known;
    const char *title = loads ? "Loading data" : "Worker processes";
    od_say(od_doc_text(od_doc_section(outline->doc, title)), "%s", host->why);
}

/* Memory that stayed reserved after a release, and a model that was loaded at the same time. */
void od_outline_kept(struct od_outline *outline)
{
    struct od_kept kept;
    if (!od_kept_of(outline->c, &outline->diagnosis->failure->stack, &kept))
        return;
    struct od_section *section = od_doc_section(outline->doc, "What stays");
    struct od_text *text = od_doc_text(section);
    od_say_as(text, OD_STRONG, "%s", od_bytes_text_u64(outline->arena, (uint64_t)kept.bytes));
    od_say(text, ", as much as before, ");
    for (size_t i = 0; i < kept.nreleases; i++) {
        od_say(text, i == 0                    ? (kept.called ? "after " : "")
                     : i + 1 == kept.nreleases ? " and "
                                               : ", ");
        od_doc_add(text, OD_CODE, kept.releases[i]);
    }
    od_say(text, " (");
    od_outline_refer(outline, text, kept.at, (struct od_view){0});
    od_say(text, "). %s", kept.why);
    OD_FOR_EACH (const struct od_series, s, outline->c->series) {
        if (s->loaded > 0 && !od_series_metric_is_host(s->metric)) {
            od_say(text, " A load then added %s to the %s in use: a second copy beside the first.",
                   od_bytes_text_u64(outline->arena, (uint64_t)s->loaded),
                   od_bytes_text_u64(outline->arena, (uint64_t)s->before_load));
            break;
        }
    }
}

/* The largest blocks with the calls that allocated them. */
static void add_block(struct od_outline *outline, struct od_section *section,
                      const struct od_dump *dump, const struct od_large_block *block)
{
    struct od_text *words = od_doc_text(section);
    od_say_as(words, OD_STRONG, "%s", od_bytes_text_u64(outline->arena, block->bytes));
    od_say_as(words, OD_DIM, " at 0x%" PRIx64 "%s", block->address,
              block->ncalls > 0 ? ", allocated in" : ", its stack was not recorded");
    struct od_node *list = block->ncalls > 0 ? od_doc_list(section) : NULL;
    for (size_t i = 0; i < block->ncalls; i++) {
        const struct od_call *call = &dump->calls.items[block->first_call + i];
        od_say_as(od_doc_item(list), OD_CODE, "%.*s (%.*s:%" PRIu64 ")", (int)call->function.n,
                  call->function.p, (int)call->file.n, call->file.p, call->line.n);
    }
}

void od_outline_blocks(struct od_outline *outline, const struct od_allocator *a)
{
    if (a->dump.blocks.n == 0)
        return;
    struct od_section *section =
        od_doc_section(outline->doc, od_arena_printf(outline->arena, "Largest blocks of %s",
                                                     od_outline_name(outline, a)));
    section->folded = true;
    for (size_t i = 0; i < a->dump.blocks.n; i++)
        add_block(outline, section, &a->dump, &a->dump.blocks.items[i]);
}

/* The largest buffers of a program that a compiler planned, as it printed them. */
enum { ROWS_FOLDED = 5, GIBIBYTES = 3 };

/* "bfloat16[64,2048,24576]" */
static const char *shape_of(struct od_outline *outline, const struct od_memory_state *state)
{
    const char *dtype = od_dtype_name(state->dtype);
    return !state->shape.known
               ? ""
               : od_arena_printf(outline->arena, "%s%s", dtype ? dtype : "",
                                 od_words_shape(outline->arena, &state->shape, ","));
}

/* The bytes that padding adds; empty if the compiler does not print them. */
static const char *padding_of(struct od_outline *outline, const struct od_memory_state *state)
{
    uint64_t more;
    bool padded = state->requested.known && !ckd_sub(&more, state->in_use.n, state->requested.n) &&
                  more > state->in_use.n / 100;
    return padded ? od_words_size_in(outline->arena, more, GIBIBYTES) : "";
}

static void add_buffer(struct od_outline *outline, struct od_table *table,
                       const struct od_memory_state *state)
{
    struct od_row *row =
        od_doc_row_of(table, OD_CELLS(od_words_size_in(outline->arena, state->in_use.n, GIBIBYTES),
                                      padding_of(outline, state), shape_of(outline, state)));
    row->cells[3].text = state->op;
}

void od_outline_plan_buffers(struct od_outline *outline)
{
    size_t most = outline->all ? outline->rows : ROWS_FOLDED, n = 0;
    struct od_table *table = NULL;
    for (size_t i = 0; i < outline->c->states.n && n < most; i++) {
        const struct od_memory_state *state = &outline->c->states.items[i];
        if (!od_view_eq_str(state->name, "buffer") || !state->in_use.known || !state->count.known)
            continue;
        if (!table) {
            struct od_section *section =
                od_doc_section(outline->doc, "Largest buffers of the compiled program");
            table = od_doc_table(section);
            od_doc_columns(table, ">GiB|>of it padding|tensor|operation");
        }
        add_buffer(outline, table, state);
        n++;
    }
}

/* Adds a row to the table of phases. The rows and the remainder sum to the peak. */
static void add_phase(struct od_outline *outline, struct od_table *table,
                      const struct od_phase_row *row, unsigned unit)
{
    struct od_row *cells = od_doc_row(table);
    cells->cells[0].text = row->name;
    cells->cells[1].text =
        od_view_of(row->bytes.known ? od_words_size_in(outline->arena, row->bytes.n, unit) : "?");
    cells->cells[2].text = od_view_of(row->basis);
    cells->cells[2].tone = OD_DIM;
}

/* Shown if there is growth in several phases, or if the user asked for phases. A first level alone
 * is no table. */
void od_outline_phases(struct od_outline *outline)
{
    const struct od_phases *phases = outline->report->phases;
    if (!phases || phases->unmarked || phases->n < 2 ||
        !(outline->all || phases->given || phases->tells))
        return;
    uint64_t largest = phases->total.known ? phases->total.n : 0;
    for (size_t i = 0; i < phases->n; i++)
        if (phases->rows[i].bytes.known && phases->rows[i].bytes.n > largest)
            largest = phases->rows[i].bytes.n;
    unsigned unit = od_bytes_unit_for(largest);
    struct od_section *section = od_doc_section(outline->doc, "By phase");
    struct od_table *table = od_doc_table(section);
    od_doc_columns(table, "|>%s|", od_bytes_unit_name(unit));
    for (size_t i = 0; i < phases->n; i++)
        add_phase(outline, table, &phases->rows[i], unit);
    if (!phases->total.known)
        return;
    struct od_phase_row total = {
        .name = OD_VIEW("peak"), .bytes = phases->total, .basis = phases->total_basis};
    add_phase(outline, table, &total, unit);
    table->last->total = true;
}

/* Shows the drawn figures. */
enum { PICTURE_BYTES_MOST = 260000 };

void od_outline_pictures(struct od_doc *doc, const struct od_pictures *pictures,
                         const struct od_series *drawn, double part)
{
    if (!pictures || (pictures->n == 0 && !pictures->missing))
        return;
    struct od_section *section = NULL;
    double left = PICTURE_BYTES_MOST * part;
    size_t out = 0;
    OD_FOR_EACH_OF (const struct od_picture, picture, pictures->list, pictures->n) {
        double bytes = (double)picture->svg.n;
        if (drawn && picture->figure->series == drawn)
            continue;
        section = section ? section : od_doc_section(doc, "Figures");
        if (bytes > 0 && bytes <= left)
            od_doc_figure(section, picture);
        else
            out += bytes > 0;
        left -= bytes <= left ? bytes : 0;
    }
    if (out > 0)
        od_say_as(od_doc_text(section), OD_DIM,
                  "%zu more figures would make this page too large; --plots DIR writes them.", out);
    if (pictures->missing && !section)
        section = od_doc_section(doc, "Figures");
    if (pictures->missing)
        od_say_as(od_doc_text(section), OD_DIM, "No %sfigures: %s. The tables show the same data.",
                  pictures->n > 0 ? "more " : "", pictures->missing);
}

/* Adds a fact about the log: its name, time, program or device. */

static void say_fact(struct od_outline *outline, const char *words)
{
    od_say(od_doc_fact(outline->doc), "%s", words);
}

static void say_source(struct od_outline *outline)
{
    const struct od_report *report = outline->report;
    if (report->nsources == 0)
        return;
    const char *name = report->sources[0]->name, *slash = strrchr(name, '/');
    name = strcmp(name, "-") == 0 ? "standard input" : slash ? slash + 1 : name;
    od_say_as(od_doc_fact(outline->doc), OD_STRONG, "%s%s", name,
              report->nsources == 1
                  ? ""
                  : od_arena_printf(outline->arena, " and %zu more", report->nsources - 1));
}

static void say_program(struct od_outline *outline)
{
    const struct od_software_used *stack = &outline->diagnosis->failure->stack;
    const char *driver = stack->driver ? stack->driver->title : NULL;
    bool named = outline->incident && outline->incident->producer.n > 0 &&
                 !od_view_eq_str(outline->incident->producer, "other");
    if (named) {
        const char *producer = od_words_producer(outline->arena, outline->incident->producer);
        say_fact(outline, driver && strcmp(driver, producer) != 0
                              ? od_arena_printf(outline->arena, "%s, %s", driver, producer)
                              : producer);
    } else if (driver) {
        say_fact(outline, driver);
    }
}

static void say_device(struct od_outline *outline)
{
    const struct od_failure *failure = outline->diagnosis->failure;
    const struct od_case *c = outline->c;
    if (outline->incident && outline->incident->device.n > 0)
        say_fact(outline,
                 failure->capacity.known
                     ? od_arena_printf(outline->arena, "%s, %s",
                                       od_words_device(outline->arena, outline->incident->device),
                                       od_bytes_text(outline->arena, failure->capacity))
                     : od_words_device(outline->arena, outline->incident->device));
    if (c->devices.n > 0 && c->devices.items[0].name.n > 0)
        say_fact(outline, od_arena_str(outline->arena, c->devices.items[0].name));
}

void od_outline_facts(struct od_outline *outline)
{
    const struct od_answer *answer = outline->report->answer;
    say_source(outline);
    /* seconds since the machine started are not a time of day */
    if (outline->incident && od_view_find_char(outline->incident->stamp, ':', 0) != OD_VIEW_NONE)
        say_fact(outline, od_arena_str(outline->arena, outline->incident->stamp));
    say_program(outline);
    say_device(outline);
    if (answer && answer->batch.known)
        say_fact(outline, od_arena_printf(outline->arena, "batch size %s",
                                          od_words_count(outline->arena, answer->batch.n)));
}

/* Commands that decide between causes, and the work that was lost. */

enum { STEPS_WORTH = 100 }; /* losing fewer steps is not worth a note */

static void say_then(struct od_outline *outline, struct od_text *text)
{
    if (outline->of_page) {
        od_say(text, "; then paste its output below the log.");
        return;
    }
    od_say(text, "; then ");
    od_say_as(text, OD_CODE, "oomdoctor analyze %s answer.txt",
              od_outline_operand(outline->report));
}

const char *od_outline_decide_in_block(struct od_outline *outline)
{
    const struct od_decide *decide = outline->report->decide;
    const struct od_remedies *remedies = outline->report->remedies;
    const char *code = remedies && remedies->n > 0 ? remedies->list[0].how->code : NULL;
    if (!decide || !code || outline->all || outline->of_page || outline->of_run ||
        strncmp(decide->list[0].command, code, strcspn(code, " ")) != 0)
        return NULL;
    return od_arena_printf(outline->arena, "%s > answer.txt\noomdoctor analyze %s answer.txt",
                           decide->list[0].command, od_outline_operand(outline->report));
}

void od_outline_decide(struct od_outline *outline)
{
    const struct od_decide *decide = outline->report->decide;
    if (!decide || od_outline_decide_in_block(outline))
        return;
    struct od_section *section = od_doc_section(outline->doc, NULL);
    size_t n = outline->all ? decide->n : 1;
    for (size_t i = 0; i < n; i++) {
        struct od_text *text = od_doc_text(section);
        od_say(text, i == 0 ? "To decide it: " : "Or: ");
        od_say_as(text, OD_CODE, "%s%s", decide->list[i].command,
                  outline->of_page || outline->of_run ? "" : " > answer.txt");
        if (outline->all)
            od_say(text, " (%s)", decide->list[i].why);
        if (i == 0 && !outline->of_run)
            say_then(outline, text);
    }
}

/* "38 min", "2 h 5 min", "12 s" */
static const char *duration(struct od_arena *arena, uint64_t seconds)
{
    unsigned long long minutes = (seconds + 30) / 60;
    if (seconds < 60)
        return od_arena_printf(arena, "%llu s", (unsigned long long)seconds);
    if (minutes < 60)
        return od_arena_printf(arena, "%llu min", minutes);
    return od_arena_printf(arena, "%llu h %llu min", minutes / 60, minutes % 60);
}

static void say_lost(struct od_outline *outline, struct od_text *text, const struct od_lost *lost)
{
    const char *about = lost->seconds_estimated ? "about " : "";
    if (lost->seconds.known)
        od_say(text, " (%s%s lost)", about, duration(outline->arena, lost->seconds.n));
    else if (lost->steps.known)
        od_say(text, " (%s lost)",
               od_words_counted(outline->arena, lost->steps.n, "step", "steps"));
}

static void say_saved(struct od_outline *outline, struct od_text *text, const struct od_lost *lost)
{
    const struct od_checkpoint *saved = lost->saved;
    bool died = lost->died_at_step.known || lost->died_in_epoch.known;
    od_say(text, died ? "; last checkpoint" : "Last checkpoint");
    if (lost->saved_step.known)
        od_say(text, " step %s", od_words_count(outline->arena, lost->saved_step.n));
    else if (saved->epoch.known)
        od_say(text, " epoch %s", od_words_count(outline->arena, saved->epoch.n));
    say_lost(outline, text, lost);
    if (saved->path.n > 0) {
        od_say(text, ": ");
        od_doc_add(text, OD_CODE, (struct od_view){saved->path.p, saved->path.n});
    }
    od_say(text, saved->done ? "." : ", which may be incomplete.");
}

static bool is_worth_a_line(const struct od_lost *lost)
{
    bool went_far = lost->died_at_step.known
                        ? lost->died_at_step.n >= STEPS_WORTH
                        : lost->died_in_epoch.known && lost->died_in_epoch.n > 1;
    return lost->saved || went_far;
}

void od_outline_lost(struct od_outline *outline)
{
    const struct od_lost *lost = outline->report->lost;
    if (!lost || !is_worth_a_line(lost))
        return;
    struct od_text *text = od_doc_text(od_doc_section(outline->doc, NULL));
    if (lost->died_at_step.known)
        od_say(text, "Died at step %s", od_words_count(outline->arena, lost->died_at_step.n));
    if (lost->died_in_epoch.known)
        od_say(text, "%s epoch %s", lost->died_at_step.known ? " of" : "Died in",
               od_words_count(outline->arena, lost->died_in_epoch.n));
    if (lost->saved)
        say_saved(outline, text, lost);
    else
        od_say(text, "; the log names no checkpoint.");
    if (outline->report->resume) {
        od_say(text, " Resume: ");
        od_say_as(text, OD_CODE, "%s", outline->report->resume);
    }
}
