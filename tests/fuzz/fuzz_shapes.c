/* A scan by shapes and one without: both tell the same of any log. Every line comes twice more with
 * other digits, so that shapes meet again what they know. */
#include "base/ascii.h"
#include "tests/fuzz/fuzz.h"
#include "tests/shapes/written.h"

#include <stdlib.h>

static void add_turned(struct od_buf *to, struct od_view line, unsigned turn)
{
    for (size_t i = 0; i < line.n; i++) {
        char c = line.p[i];
        od_buf_add_char(to, od_is_digit(c) ? (char)('0' + ((unsigned)(c - '0') + turn) % 10) : c);
    }
    od_buf_add_char(to, '\n');
}

static void shapes(struct od_ruleset *rules, struct od_view bytes)
{
    struct od_diags *diags = od_diags_new();
    const struct od_input_limits limits = {.unpacked_bytes = 1 << 20};
    struct od_written_scan asked = {
        .rules = rules, .diags = diags, .limits = &limits, .block_bytes = 1 << 16};
    struct od_buf log = {0}, with = {0}, without = {0};
    struct od_view line;
    while (od_view_cut(&bytes, '\n', &line))
        for (unsigned turn = 0; turn < 9; turn += 4)
            add_turned(&log, line, turn);
    od_write_scan(&asked, od_buf_view(&log), &with);
    asked.no_shapes = true;
    od_write_scan(&asked, od_buf_view(&log), &without);
    if (!od_view_eq(od_buf_view(&with), od_buf_view(&without)))
        abort();
    od_buf_done(&log);
    od_buf_done(&with);
    od_buf_done(&without);
    od_diags_free(diags);
}

const struct od_fuzz od_fuzz_shapes = {.name = "shapes", .one = shapes};
