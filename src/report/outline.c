#include "report/outline.h"

#include "report/figure.h"
#include "report/outline_parts.h"
#include "report/words.h"

/* The quoted line of the failure; if none is quoted, the line that decided the outcome. */
static struct od_prov place_of(const struct od_outline *outline)
{
    const struct od_failure *failure = outline->diagnosis->failure;
    const struct od_incident *incident = outline->incident;
    bool quoted = failure->run.outcome == OD_OUTCOME_MEMORY_FAILURE && incident &&
                  incident == failure->incident && failure->run.at.line > 0;
    return !quoted                    ? failure->run.at
           : incident->evidence.n > 0 ? incident->evidence.items[0].at
                                      : incident->at;
}

/* Adds the line that decided the outcome, and its reason if the headline does not have it. */
static void add_outcome(struct od_outline *outline, struct od_text *text)
{
    const struct od_diagnosis *diagnosis = outline->diagnosis;
    bool told = diagnosis->failure->run.outcome == OD_OUTCOME_MEMORY_FAILURE ||
                diagnosis->failure->run.outcome == OD_OUTCOME_SURVIVED ||
                diagnosis->failure->run.reported || od_headline_error(diagnosis).n > 0;
    if (!told)
        od_say(text, " %s", diagnosis->failure->run.why);
    struct od_prov place = place_of(outline);
    if (place.line > 0) {
        od_say_as(text, OD_DIM, " (");
        od_outline_refer(outline, text, place, (struct od_view){0});
        od_say_as(text, OD_DIM, ")");
    }
}

/* Does the file lie below that path? Either separator is used. */
static bool is_below(struct od_view file, const char *path)
{
    size_t n = strlen(path);
    for (size_t i = 0; i + n <= file.n; i++) {
        size_t k = 0;
        while (k < n && (file.p[i + k] == path[k] || (file.p[i + k] == '\\' && path[k] == '/')))
            k++;
        if (k == n)
            return true;
    }
    return false;
}

/* Is it a file of the user's own, and not of a program that takes part in the failure? */
static bool is_own(const struct od_outline *outline, const struct od_frame *frame)
{
    const struct od_software_used *stack = &outline->diagnosis->failure->stack;
    if (frame->file.n == 0 || od_means(frame->means, OD_FRAME_FOREIGN))
        return false;
    OD_FOR_EACH_OF (const struct od_software_part, part, stack->parts, stack->n)
        OD_FOR_EACH_OF (const struct od_software_mark, mark, part->software->marks,
                        part->software->nmarks)
            if (mark->kind == OD_MARK_PATH && part->software->sort < OD_SORT_RUNTIME &&
                is_below(frame->file, mark->text))
                return false;
    return true;
}

/* The innermost of the incident's calls in the user's own files; NULL = none. */
static const struct od_frame *own_frame(const struct od_outline *outline,
                                        const struct od_incident *incident)
{
    if (incident->frame && is_own(outline, incident->frame))
        return incident->frame;
    for (size_t i = incident->nframes; i-- > 0;)
        if (is_own(outline, &incident->frames[i]))
            return &incident->frames[i];
    return NULL;
}

/* Is a later attempt in the log between the failure and that line? */
static bool is_of_later_attempt(const struct od_outline *outline, struct od_prov at)
{
    const struct od_incident *failed = outline->incident;
    OD_FOR_EACH (const struct od_incident, incident, outline->c->incidents)
        if (incident->attempt > failed->attempt && incident->at.source == at.source &&
            incident->at.line <= at.line)
            return true;
    return false;
}

/* The innermost call in the user's own files. Taken from the traceback of the error that ended the
 * run if that is not about memory, otherwise from the first traceback after the memory failure. */
static const struct od_frame *frame_of_error(const struct od_outline *outline)
{
    const struct od_verdict_of_run *run = &outline->diagnosis->failure->run;
    const struct od_incident *failed = outline->incident;
    bool memory = run->outcome == OD_OUTCOME_MEMORY_FAILURE && failed && !failed->titled;
    const struct od_frame *last = NULL;
    if (run->outcome != OD_OUTCOME_OTHER_FAILURE && run->outcome != OD_OUTCOME_UNKNOWN &&
        !run->reported && !memory)
        return NULL;
    OD_FOR_EACH (const struct od_incident, incident, outline->c->incidents)
        if (od_prov_cmp(&incident->at, &run->at) == 0)
            last = own_frame(outline, incident);
    OD_FOR_EACH (const struct od_run_event, moment, outline->c->run_events) {
        bool ended_run = moment->first.source == run->at.source &&
                         moment->first.line <= run->at.line && run->at.line <= moment->last.line;
        bool follows = memory && !last && moment->first.source == failed->at.source &&
                       moment->first.line >= failed->at.line &&
                       !is_of_later_attempt(outline, moment->first);
        if (moment->frame && is_own(outline, moment->frame) &&
            (memory ? follows : ended_run || run->reported))
            last = moment->frame;
    }
    return last;
}

/* The innermost call in the user's own files: of the failure, or of an error of the same attempt
 * that followed. */
static const struct od_frame *frame_of(const struct od_outline *outline)
{
    const struct od_incident *failed = outline->incident;
    const struct od_frame *found = failed ? own_frame(outline, failed) : NULL;
    for (size_t i = 0; failed && !found && i < outline->c->incidents.n; i++) {
        const struct od_incident *incident = &outline->c->incidents.items[i];
        if (incident->echo_of == failed->id ||
            (incident->at.source == failed->at.source && incident->at.line > failed->at.line &&
             incident->attempt == failed->attempt))
            found = own_frame(outline, incident);
    }
    return found ? found : frame_of_error(outline);
}

/* "train.py:171 in train_step" */
static void add_frame(struct od_outline *outline, struct od_section *section)
{
    const struct od_frame *frame = frame_of(outline);
    if (!frame)
        return;
    struct od_prov at =
        outline->incident ? outline->incident->at : outline->diagnosis->failure->run.at;
    const char *address = od_outline_locate(outline, frame->file, at.source);
    struct od_text *text = od_doc_text(section);
    od_doc_add(text, OD_CODE, frame->file);
    if (frame->line.known)
        od_say_as(text, OD_CODE, ":%llu", (unsigned long long)frame->line.n);
    for (struct od_span *span = text->first; span; span = span->next)
        span->address = address;
    if (frame->function.n > 0)
        od_say(text, " in ");
    od_doc_add(text, OD_CODE, frame->function);
}

static void add_answer(struct od_outline *outline)
{
    struct od_section *section = od_doc_section(outline->doc, NULL);
    struct od_text *text = od_doc_text(section);
    od_headline_add(outline, text);
    if (outline->diagnosis->failure->run.outcome != OD_OUTCOME_NO_FAILURE)
        add_outcome(outline, text);
    add_frame(outline, section);
}

static void say_shape(struct od_outline *outline, struct od_text *text,
                      const struct od_shape *shape)
{
    od_say_as(text, OD_CODE, "%s", od_words_shape(outline->arena, shape, ", "));
}

/* "Tensor float32[180, 64, 224, 224] = 2.15 GiB, of conv1/Conv2D; printed 3 times" */
static void say_tensor(struct od_outline *outline, struct od_text *text)
{
    const struct od_incident *incident = outline->incident;
    const struct od_tensor *tensor = &incident->tensor;
    if (tensor->shape.known) {
        bool signless = tensor->dtype >= OD_INT64 && tensor->dtype <= OD_INT16; /* uint64, too */
        const char *dtype = signless ? NULL : od_dtype_name(tensor->dtype);
        struct od_bytes in_float32 = od_shape_bytes(&tensor->shape, OD_FLOAT32);
        od_say(text, od_view_eq_str(incident->producer, "python") ? "Array " : "Tensor ");
        od_say_as(text, OD_CODE, "%s", dtype ? dtype : "");
        say_shape(outline, text, &tensor->shape);
        if (tensor->bytes.known)
            od_say(text, " = %s", od_bytes_text(outline->arena, tensor->bytes));
        else if (tensor->dtype == OD_DTYPE_UNKNOWN && in_float32.known &&
                 !incident->requested.known)
            od_say(text, ": %s in float32; the type is not printed",
                   od_bytes_text(outline->arena, in_float32));
        od_say(text, tensor->op.n > 0 ? ", requested by " : "");
    } else if (tensor->op.n > 0) {
        od_say(text, "Requested by ");
    }
    od_doc_add(text, OD_CODE, tensor->op);
    if (incident->count > 1)
        od_say(text, "%s %s", tensor->shape.known || tensor->op.n > 0 ? "; printed" : "Printed",
               od_words_times(outline->arena, incident->count));
    if (incident->count > 1 && incident->last.line != incident->at.line) {
        od_say(text, ", last at ");
        od_outline_refer(outline, text, incident->last, (struct od_view){0});
    }
    od_say(text, ".");
}

/* Is more known about the request than its line shows at first sight? */
static bool tells_tensor(const struct od_incident *incident)
{
    return incident->tensor.shape.known || incident->tensor.op.n > 0 || incident->count > 1;
}

/* Does another quoted line contain or repeat this line? A line without new facts counts as repeated
 * if an earlier line has most of its words. */
static bool is_quoted_by_another(const struct od_incident *incident, size_t at, size_t most)
{
    const struct od_evidence *said = &incident->evidence.items[at];
    struct od_view line = said->text;
    for (size_t i = 0; i < incident->evidence.n && i < most; i++) {
        const struct od_evidence *other = &incident->evidence.items[i];
        if (i < at && ((said->repeats && (od_is_mostly_in_line(line, other->text) ||
                                          od_is_part_of_line(other->text, line))) ||
                       od_is_part_of_line(line, other->text)))
            return true;
        /* the other line may be left out itself because it repeats this one */
        if (i > at && !other->repeats && od_is_part_of_line(line, other->text) &&
            !od_is_part_of_line(other->text, line))
            return true;
    }
    return false;
}

static void add_where(struct od_outline *outline)
{
    const struct od_incident *incident = outline->incident;
    if (!incident)
        return;
    size_t most = outline->verbose ? incident->evidence.n : 2;
    struct od_section *section = od_doc_section(outline->doc, "Where");
    outline->quoted = true;
    for (size_t i = 0; i < incident->evidence.n && i < most; i++)
        if (outline->all || !is_quoted_by_another(incident, i, most))
            od_outline_quote(outline, section, &incident->evidence.items[i]);
    if (tells_tensor(incident))
        say_tensor(outline, od_doc_text(section));
}

/* The decisive incident; none if an error of another kind ended the run. */
static const struct od_incident *decisive_incident(const struct od_report *report)
{
    const struct od_failure *failure = report->diagnosis->failure;
    return failure->run.outcome == OD_OUTCOME_OTHER_FAILURE ? failure->run.ended
                                                            : failure->incident;
}

static void add_details(struct od_outline *outline)
{
    if (!outline->allocator)
        return;
    od_outline_blocks(outline, outline->allocator);
    od_outline_sizes(outline, outline->allocator);
}

static void add_all_allocators(struct od_outline *outline)
{
    size_t left = outline->rows / 8 + 1;
    for (size_t i = 0; i < outline->c->allocators.n && left > 0; i++) {
        const struct od_allocator *a = outline->c->allocators.items[i];
        if (a != outline->allocator) {
            left--;
            od_outline_memory(outline, a);
            od_outline_strip(outline, a);
        }
    }
}

/* One drawing of the address space is enough. */
static bool has_map(const struct od_outline *outline)
{
    const struct od_pictures *pictures = outline->report->pictures;
    for (size_t i = 0; pictures && i < pictures->n; i++)
        if (pictures->list[i].svg.n > 0 &&
            strcmp(pictures->list[i].figure->name, "memory_map") == 0)
            return true;
    return false;
}

/* The first screen's bar has the same numbers. */
static void add_memory(struct od_outline *outline)
{
    if (outline->picture == OD_PICTURE_BAR && !outline->all)
        return;
    if (!outline->allocator) {
        if (outline->incident)
            od_outline_incident_memory(outline);
        return;
    }
    bool drawn =
        outline->all ? outline->picture == OD_PICTURE_STRIP : outline->picture != OD_PICTURE_NONE;
    od_outline_memory(outline, outline->allocator);
    if (!drawn && !(outline->folds && has_map(outline)))
        od_outline_strip(outline, outline->allocator);
}

/* Growing memory is bad news even if nothing has failed. */
static enum od_tone tone_of(const struct od_outline *outline)
{
    enum od_outcome outcome = outline->diagnosis->failure->run.outcome;
    if (outcome == OD_OUTCOME_MEMORY_FAILURE || outcome == OD_OUTCOME_OTHER_FAILURE ||
        (outcome == OD_OUTCOME_NO_FAILURE && od_outline_growing(outline)))
        return OD_BAD;
    return outcome == OD_OUTCOME_UNKNOWN || od_headline_is_all(outline) ? OD_PLAIN : OD_GOOD;
}

const struct od_allocator *od_outline_allocator(const struct od_report *report)
{
    const struct od_failure *failure = report->diagnosis->failure;
    const struct od_case *c = report->c;
    if (failure->run.outcome == OD_OUTCOME_OTHER_FAILURE)
        return NULL;
    if (failure->incident)
        return failure->dump;
    return c->allocators.n > 0 ? c->allocators.items[c->allocators.n - 1] : NULL;
}

static void add_history(struct od_outline *outline)
{
    if (outline->picture != OD_PICTURE_HISTORY)
        (void)od_outline_history(outline, outline->allocator, false);
}

static void add_stated(struct od_outline *outline)
{
    if (od_headline_is_prose(outline) ||
        outline->diagnosis->failure->run.outcome == OD_OUTCOME_UNKNOWN)
        od_outline_stated(outline);
}

static void add_pictures(struct od_outline *outline)
{
    od_outline_pictures(outline->doc, outline->report->pictures, outline->drawn,
                        (double)outline->rows / OD_OUTLINE_FOLDED);
}

static bool is_growing(const struct od_outline *outline)
{
    const struct od_diagnosis *diagnosis = outline->diagnosis;
    if (diagnosis->findings.n == 0)
        return diagnosis->failure->run.outcome == OD_OUTCOME_NO_FAILURE;
    static const uint64_t grow = OD_CAUSE_BIT(DEVICE_LEAK) | OD_CAUSE_BIT(HOST_LEAK) |
                                 OD_CAUSE_BIT(EVALUATION_ACCUMULATES) | OD_CAUSE_BIT(GRAPH_GROWTH) |
                                 OD_CAUSE_BIT(MODEL_RELOAD);
    return (grow >> diagnosis->findings.items[0].cause & 1) != 0;
}

static bool is_in_pieces(const struct od_outline *outline)
{
    const struct od_diagnosis *diagnosis = outline->diagnosis;
    return outline->allocator && diagnosis->findings.n > 0 &&
           diagnosis->findings.items[0].cause == OD_CAUSE_FRAGMENTED &&
           outline->allocator->has_chunks;
}

/* Adds the one picture below the answer that best shows why memory ran out: a bar of the holders,
 * the address space if it is fragmented, or the curve if memory grows. Later parts do not repeat
 * it. */
static void add_picture(struct od_outline *outline)
{
    enum od_outcome outcome = outline->diagnosis->failure->run.outcome;
    bool open = outcome == OD_OUTCOME_MEMORY_FAILURE || outcome == OD_OUTCOME_UNKNOWN;
    bool first = open && outline->all && od_outline_bar(outline); /* other pictures follow */
    if (is_in_pieces(outline)) {
        od_outline_strip(outline, outline->allocator);
        outline->doc->last->picture = true;
        outline->picture = OD_PICTURE_STRIP;
    } else if (is_growing(outline) && od_outline_course(outline)) {
        outline->picture = OD_PICTURE_COURSE;
    } else if (first || (open && !outline->all && od_outline_bar(outline))) {
        outline->picture = OD_PICTURE_BAR;
    } else if (outcome != OD_OUTCOME_OTHER_FAILURE &&
               od_outline_history(outline, outline->allocator, true)) {
        outline->picture = OD_PICTURE_HISTORY;
    }
}

enum when {
    ALWAYS,
    IN_FULL,  /* with -v, and in media that fold */
    ON_PAGES, /* in media that fold */
    WITH_WHY  /* with --why, and in media that fold */
};

/* The layout: the parts in order, where each is shown, and the function that adds it. On a terminal
 * that is too low, text.c leaves out named parts, the highest rank first, and says so. */
static const struct part {
    const char *name;
    unsigned rank;
    enum when when;
    void (*add)(struct od_outline *outline);
} parts[] = {
#define OD_SECTION(name, rank, when, add) {name, rank, when, add},
#include "report/outline.def"
};

static bool is_shown(const struct od_outline *outline, enum when when)
{
    return when == ALWAYS || outline->folds || (when == IN_FULL && outline->verbose) ||
           (when == WITH_WHY && outline->why);
}

static void add_part(struct od_outline *outline, const struct part *part)
{
    struct od_section *last = outline->doc->last;
    if (is_shown(outline, part->when))
        part->add(outline);
    struct od_section *added = last ? last->next : outline->doc->first;
    for (; added; added = added->next) {
        added->part = part->name;
        added->rank = part->rank;
    }
}

struct od_doc *od_outline(const struct od_report *report, const struct od_report_options *options)
{
    struct od_doc *doc = od_doc_new();
    struct od_outline outline = {.doc = doc,
                                 .arena = doc->arena,
                                 .report = report,
                                 .c = report->c,
                                 .diagnosis = report->diagnosis,
                                 .verbose = options->verbose && !options->folds,
                                 .folds = options->folds,
                                 .all = options->verbose || options->folds,
                                 .unicode = options->unicode,
                                 .of_run = options->of_run,
                                 .of_page = options->of_page,
                                 .why = options->why,
                                 .locate = options->redactor ? NULL : options->locate};
    outline.rows = options->folds ? (size_t)OD_OUTLINE_FOLDED >> options->shrink : OD_OUTLINE_ROWS;
    outline.rows = outline.rows > 3 ? outline.rows : 3;
    outline.incident = decisive_incident(report);
    outline.allocator = od_outline_allocator(report);
    doc->tone = tone_of(&outline);
    for (size_t i = 0; i < OD_COUNT_OF(parts); i++)
        add_part(&outline, &parts[i]);
    od_vec_done(&outline.cited);
    return doc;
}
