/* --why: each number of the report with its formula, its inputs and their lines. */
#include "report/outline_parts.h"

#include "report/words.h"

/* One number: "what: formula = value", with the places of its inputs. */
struct number {
    struct od_node *list;
    struct od_prov at; /* first line of the inputs; line 0 = no line states them */
    uint64_t last;     /* last line of the inputs; 0 = there is only one line */
};

static struct od_text *start(const struct number *number, const char *what)
{
    struct od_text *text = od_doc_item(number->list);
    od_say_as(text, OD_STRONG, "%s: ", what);
    return text;
}

static void end(struct od_outline *outline, const struct number *number, struct od_text *text)
{
    if (number->at.line == 0)
        return;
    od_say_as(text, OD_DIM, " (");
    od_outline_refer(outline, text, number->at, (struct od_view){0});
    if (number->last > number->at.line)
        od_say_as(text, OD_DIM, " to %" PRIu64, number->last);
    od_say_as(text, OD_DIM, ")");
}

static void say(struct od_outline *outline, const struct number *number, const char *what,
                const char *formula)
{
    struct od_text *text = start(number, what);
    od_say(text, "%s", formula);
    end(outline, number, text);
}

static const char *exact(struct od_outline *outline, uint64_t bytes)
{
    return od_words_counted(outline->arena, bytes, "byte", "bytes");
}

/* "661.50 MiB as printed: any number from 693,627,781 to 693,638,266 bytes prints so" */
static const char *printed(struct od_outline *outline, struct od_bytes bytes)
{
    if (bytes.hi <= bytes.lo + 1 || bytes.lo == bytes.hi)
        return od_arena_printf(outline->arena, "as printed = %s", exact(outline, bytes.n));
    return od_arena_printf(outline->arena, "printed as %s, which is %s to %s",
                           od_bytes_text(outline->arena, bytes),
                           od_words_count(outline->arena, bytes.lo), exact(outline, bytes.hi));
}

static void add_incident(struct od_outline *outline, struct number number)
{
    const struct od_incident *incident = outline->incident;
    const struct od_failure *failure = outline->diagnosis->failure;
    const struct od_account *account = &failure->account;
    const bool divided = true;
    const struct {
        const char *what;
        struct od_bytes bytes;
    } all[] = {
#define OD_PRINTED(what, name, bytes, tone) {name, bytes},
#include "report/words.def"
    };
    number.at = incident->at;
    for (size_t i = 0; i < OD_COUNT_OF(all); i++) {
        if (all[i].what && all[i].bytes.known)
            say(outline, &number, all[i].what, printed(outline, all[i].bytes));
    }
}

static void add_tensor(struct od_outline *outline, struct number number)
{
    const struct od_tensor *tensor = &outline->incident->tensor;
    const char *dtype = od_dtype_name(tensor->dtype);
    if (!tensor->shape.known || !tensor->bytes.known)
        return;
    number.at = outline->incident->at;
    struct od_text *text = start(&number, "Tensor");
    for (uint32_t i = 0; i < tensor->shape.n && i < OD_SHAPE_MAX; i++)
        od_say(text, "%s%" PRIu64, i > 0 ? " × " : "", tensor->shape.dims[i]);
    od_say(text, " × the size of %s = %s", dtype ? dtype : "an element",
           exact(outline, tensor->bytes.n));
    end(outline, &number, text);
}

static void add_pool(struct od_outline *outline, const struct od_allocator *a,
                     const struct number *number)
{
    struct od_arena *arena = outline->arena;
    uint64_t pool;
    if (!a->limit.known)
        return;
    say(outline, number, "Limit",
        od_arena_printf(arena, "as printed = %s", exact(outline, a->limit.n)));
    if (!a->chunks_complete || ckd_add(&pool, a->in_use_bytes, a->free_bytes) || pool > a->limit.n)
        return;
    say(outline, number, "Not reserved on the device",
        od_arena_printf(arena, "limit - in use - free = %s - %s - %s = %s",
                        od_words_count(arena, a->limit.n), od_words_count(arena, a->in_use_bytes),
                        od_words_count(arena, a->free_bytes), exact(outline, a->limit.n - pool)));
}

static void add_holes(struct od_outline *outline, const struct od_allocator *a,
                      const struct number *number)
{
    struct od_arena *arena = outline->arena;
    if (a->free_bytes == 0)
        return;
    say(outline, number, "Largest free block",
        od_arena_printf(arena, "the largest of %s = %s",
                        od_words_counted(arena, a->free_count, "free chunk", "free chunks"),
                        exact(outline, a->largest_free_bytes)));
    say(outline, number, "Fragmentation",
        od_arena_printf(arena, "1 - largest free block / free = 1 - %s / %s = %.3f",
                        od_words_count(arena, a->largest_free_bytes),
                        od_words_count(arena, a->free_bytes),
                        1 - (double)a->largest_free_bytes / (double)a->free_bytes));
}

static void add_verdict(struct od_outline *outline, const struct od_allocator *a,
                        const struct number *number)
{
    const char *verdict = od_verdict_name(a->verdict);
    struct od_bytes need = a->need.known ? a->need : a->requested;
    if (!verdict || !need.known)
        return;
    const char *request = od_words_count(outline->arena, need.n);
    if (a->need.known && a->requested.known && a->need.n != a->requested.n)
        request = od_arena_printf(outline->arena, "%s (rounded up from %s)", request,
                                  od_words_count(outline->arena, a->requested.n));
    say(outline, number, "Verdict",
        od_arena_printf(outline->arena,
                        "the request of %s against the largest free block of %s%s: %s", request,
                        od_words_count(outline->arena, a->largest_free_bytes),
                        od_arena_printf(outline->arena, " and %s free in all",
                                        od_words_count(outline->arena, a->free_bytes)),
                        verdict));
}

static void add_allocator(struct od_outline *outline, struct number number)
{
    const struct od_allocator *a = outline->allocator;
    struct od_arena *arena = outline->arena;
    number.at = a->dump.at;
    number.last = a->dump.at.nlines > 0 ? a->dump.at.line + a->dump.at.nlines - 1 : 0;
    add_pool(outline, a, &number);
    if (!a->has_chunks) {
        if (a->in_use.known)
            say(outline, &number, "In use",
                od_arena_printf(arena, "as printed = %s", exact(outline, a->in_use.n)));
        return;
    }
    say(outline, &number, "In use",
        od_arena_printf(arena, "the sum of %s = %s",
                        od_words_counted(arena, a->in_use_count, "chunk in use", "chunks in use"),
                        exact(outline, a->in_use_bytes)));
    say(outline, &number, "Free",
        od_arena_printf(arena, "the sum of %s = %s",
                        od_words_counted(arena, a->free_count, "free chunk", "free chunks"),
                        exact(outline, a->free_bytes)));
    add_holes(outline, a, &number);
    add_verdict(outline, a, &number);
}

/* The numbers, weight and evidence of a finding. */
static void add_finding(struct od_outline *outline, const struct number *number,
                        const struct od_finding *finding)
{
    struct od_text *text =
        start(number, od_arena_printf(outline->arena, "%s, %s", od_cause_code(finding->cause),
                                      od_cause_words(finding->cause)));
    if (finding->certainty == OD_CERTAIN)
        od_say(text, "follows from");
    else
        od_say(text, "a judgment (%s, %.2f) based on", od_certainty_name(finding->certainty),
               finding->probability);
    for (size_t i = 0; i < finding->nnumbers; i++)
        od_say(text, "%s %s = %.15g", i > 0 ? "," : "", finding->numbers[i].name,
               finding->numbers[i].value);
    od_say(text, finding->nnumbers > 0 ? "." : " the log.");
    od_outline_said_at(outline, text, finding->evidence, finding->nevidence);
}

static void add_fit(struct od_outline *outline, const struct number *number)
{
    const struct od_answer *answer = outline->report->answer;
    const struct od_attribution *attribution = outline->report->attribution;
    if (attribution && attribution->batch.known)
        say(outline, number, "Batch",
            od_arena_printf(outline->arena, "%s = %" PRIu64,
                            attribution->batch_basis ? attribution->batch_basis : "from the log",
                            attribution->batch.n));
    const struct od_bytes parts[] = {answer ? answer->fixed : (struct od_bytes){0},
                                     answer ? answer->per_sample : (struct od_bytes){0}};
    for (size_t i = 0; i < OD_COUNT_OF(parts); i++)
        if (parts[i].known)
            say(outline, number,
                i == 0 ? "Memory independent of the batch size" : "Memory of one sample",
                od_arena_printf(outline->arena, "%s = %s",
                                answer->memory_basis ? answer->memory_basis : "estimated",
                                exact(outline, parts[i].n)));
    if (answer && answer->largest.known)
        say(outline, number, "Largest batch",
            od_arena_printf(outline->arena, "%s = %" PRIu64,
                            answer->basis ? answer->basis : "estimated", answer->largest.n));
}

void od_outline_numbers(struct od_outline *outline)
{
    if (!outline->incident && !outline->allocator)
        return;
    struct od_section *section = od_doc_section(outline->doc, "Where the numbers are from");
    section->folded = true;
    struct number number = {.list = od_doc_list(section)};
    if (outline->incident) {
        add_incident(outline, number);
        add_tensor(outline, number);
    }
    if (outline->allocator)
        add_allocator(outline, number);
    add_fit(outline, &number);
    for (size_t i = 0; i < outline->diagnosis->findings.n; i++)
        add_finding(outline, &number, &outline->diagnosis->findings.items[i]);
}
