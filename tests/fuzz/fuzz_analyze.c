/* The whole trip, to every form of the report. */
#include "base/mem.h"
#include "case/case.h"
#include "report/report.h"
#include "rules/advice.h"
#include "scan/scan.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/fit_of.h"

#include <stdlib.h>
#include <string.h>

static void ignore_line(void *self, const struct od_line *line)
{
    (void)self;
    (void)line;
}

/* A report without a byte in it is wrong, and so is one with control characters. */
static void render(const struct od_report *report, const char *format)
{
    const struct od_report_options options = {.chunks = true, .verbose = true, .unicode = true};
    struct od_buf text = {0};
    od_format_report(od_format_find(od_view_of(format)), report, &options, &text);
    if (text.n == 0 && strcmp(format, "github") != 0)
        abort();
    for (size_t i = 0; i < text.n; i++) {
        if ((unsigned char)text.p[i] < 0x20 && text.p[i] != '\n' && text.p[i] != '\t')
            abort();
    }
    od_buf_done(&text);
}

static void conclude(const struct od_input *input, const struct od_case *c, struct od_arena *arena)
{
    size_t n = od_input_count(input);
    const struct od_source **sources = OD_NEW_N(arena, n + 1, const struct od_source *);
    for (size_t i = 0; i < n; i++)
        sources[i] = od_input_source(input, i);
    const struct od_attribution *attribution = od_attribute(c, NULL, arena);
    const struct od_fit *fit = fit_of(c, attribution);
    const struct od_diagnosis *diagnosis = od_diagnose(fit);
    const struct od_answer_question question = {.diagnosis = diagnosis, .fit = fit};
    const struct od_answer *answer = od_answer_of(&question, arena);
    const struct od_advise_question advise = {
        .c = c, .diagnosis = diagnosis, .answer = answer, .advice = od_shipped_advice};
    const struct od_report report = {
        .version = "0",
        .sources = sources,
        .nsources = n,
        .c = c,
        .diagnosis = diagnosis,
        .remedies = od_remedies_select(&advise, arena),
        .attribution = attribution,
        .answer = answer,
        .complete = true,
    };
    render(&report, "text");
    static const char *const formats[] = {"json",   "html",  "markdown", "github",
                                          "gitlab", "junit", "sarif"};
    for (size_t i = 0; i < OD_COUNT_OF(formats); i++)
        render(&report, formats[i]);
    od_diagnosis_free(diagnosis);
}

static void analyze(struct od_ruleset *rules, struct od_view bytes)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    const struct od_input_limits limits = {.unpacked_bytes = 1 << 22};
    struct od_input *input = od_input_new(&limits, diags);
    /* A first byte of 0xFF (no text begins so) goes around the prefilter. */
    const struct od_scan_options options = {
        .no_prefilter = bytes.n > 0 && (unsigned char)bytes.p[0] == 0xFF,
        .arena = arena,
        .diags = diags,
        .unknown = ignore_line,
    };
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    if (od_input_add_bytes(input, "fuzz\x1b.log", bytes) != OD_OK)
        abort();
    (void)od_scan(input, rules, &options, &sink);
    const struct od_case *c = od_case_freeze(builder);
    conclude(input, c, arena);
    od_case_free(c);
    od_input_free(input);
    od_diags_free(diags);
    od_arena_free(arena);
}

const struct od_fuzz od_fuzz_analyze = {.name = "analyze", .one = analyze};
