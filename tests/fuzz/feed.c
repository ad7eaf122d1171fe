#include "tests/fuzz/feed.h"

#include "case/case.h"
#include "diagnose/diagnose.h"
#include "readers/reading.h"
#include "tests/unit/fit_of.h"

static uint32_t take_lane(struct od_view *text)
{
    if (text->n < 2 || text->p[1] != ';' || text->p[0] < '0' || text->p[0] > '9')
        return 0;
    uint32_t lane = (uint32_t)(text->p[0] - '0');
    *text = od_view_from(*text, 2);
    return lane;
}

static void feed_lines(struct od_reading *reading, struct od_view bytes, const struct od_sink *sink)
{
    static const struct od_place place = {0};
    for (uint64_t number = 1; bytes.n > 0; number++) {
        size_t n = od_view_find_char(bytes, '\n', 0);
        struct od_line line = {
            .text = od_view_head(bytes, n), .at = {.line = number, .nlines = 1}, .place = &place};
        bytes = od_view_from(bytes, n < bytes.n ? n + 1 : bytes.n);
        line.lane = take_lane(&line.text);
        (void)od_reading_line(reading, &line, true, sink);
        (void)od_reading_is_open(reading);
    }
}

void od_fuzz_feed(const struct od_reader *reader, struct od_view bytes)
{
    struct od_arena *arena = od_arena_new();
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    struct od_reading reading = od_reading_begin(reader, arena);
    feed_lines(&reading, bytes, &sink);
    od_reading_end(&reading, &sink);
    od_reading_done(&reading);
    const struct od_case *c = od_case_freeze(builder);
    od_diagnosis_free(od_diagnose(fit_of(c, NULL)));
    od_case_free(c);
    od_arena_free(arena);
}

enum od_err od_fuzz_feed_file(const struct od_file_reader *reader, struct od_view bytes)
{
    struct od_diags *diags = od_diags_new();
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    struct od_arena *arena = od_arena_new();
    const struct od_file file = {
        .bytes = bytes, .name = "fed", .diags = diags, .sink = &sink, .arena = arena};
    enum od_err status = reader->read(&file);
    od_case_free(od_case_freeze(builder));
    od_diags_free(diags);
    od_arena_free(arena);
    return status;
}
