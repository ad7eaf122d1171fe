/* Unpacking, lines, hard wraps and unwrapping, in blocks so small that everything is cut. */
#include "input/lines.h"
#include "input/open.h"
#include "input/unwrap.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

static void read_bytes(struct od_view bytes, size_t block_bytes)
{
    const struct od_input_limits limits = {
        .unpacked_bytes = 1 << 20, .line_bytes = 1 << 16, .sources = 20};
    struct od_diags *diags = od_diags_new();
    struct od_input *input = od_input_new(&limits, diags);
    struct od_unwrap *unwrap = od_unwrap_new();
    od_input_set_block(input, block_bytes);
    if (od_input_add_bytes(input, "fuzz", bytes) != OD_OK)
        abort();
    struct od_block block;
    while (od_input_next(input, &block)) {
        struct od_cursor cursor = od_cursor_start(&block);
        struct od_raw_line raw;
        struct od_line line;
        while (od_cursor_next(&cursor, &raw)) {
            od_unwrap_start(unwrap, &raw);
            while (od_unwrap_next(unwrap, &line)) {
                if (!line.place || line.at.line == 0)
                    abort();
            }
        }
    }
    od_unwrap_free(unwrap);
    od_input_free(input);
    od_diags_free(diags);
}

static void input(struct od_ruleset *rules, struct od_view bytes)
{
    (void)rules;
    read_bytes(bytes, 256);
    read_bytes(bytes, OD_BLOCK_BYTES);
}

const struct od_fuzz od_fuzz_input = {.name = "input", .one = input};
