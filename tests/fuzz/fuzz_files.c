/* Readers of binary files: pickled snapshots, protocol buffers. */
#include "base/mem.h"
#include "case/case.h"
#include "readers/file_reader.h"
#include "tests/fuzz/fuzz.h"

static void read_file(const struct od_file_reader *reader, struct od_view bytes)
{
    struct od_diags *diags = od_diags_new();
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    struct od_arena *arena = od_arena_new();
    const struct od_file file = {
        .bytes = bytes, .name = "fuzz", .diags = diags, .sink = &sink, .arena = arena};
    (void)reader->bids(bytes);
    (void)reader->read(&file);
    od_case_free(od_case_freeze(builder));
    od_diags_free(diags);
    od_arena_free(arena);
}

static void files(struct od_ruleset *rules, struct od_view bytes)
{
    (void)rules;
    for (size_t i = 0; od_file_readers[i]; i++)
        read_file(od_file_readers[i], bytes);
}

const struct od_fuzz od_fuzz_files = {.name = "files", .one = files};
