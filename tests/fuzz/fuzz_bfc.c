/* The reader of TensorFlow's dumps, its largest machine. */
#include "tests/fuzz/feed.h"
#include "tests/fuzz/fuzz.h"

extern const struct od_reader od_reader_bfc;

static void bfc(struct od_ruleset *rules, struct od_view bytes)
{
    (void)rules;
    od_fuzz_feed(&od_reader_bfc, bytes);
}

const struct od_fuzz od_fuzz_bfc = {.name = "bfc", .one = bfc};
