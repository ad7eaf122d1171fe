/* Every reader of logs: printed models, kernel tables, summaries. */
#include "scan/readers.h"
#include "tests/fuzz/feed.h"
#include "tests/fuzz/fuzz.h"

static void readers(struct od_ruleset *rules, struct od_view bytes)
{
    (void)rules;
    for (size_t i = 0; od_readers[i]; i++)
        od_fuzz_feed(od_readers[i], bytes);
}

const struct od_fuzz od_fuzz_readers = {.name = "readers", .one = readers};
