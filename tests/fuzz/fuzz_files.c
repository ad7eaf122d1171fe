/* Readers of binary files: pickled snapshots, protocol buffers. */
#include "tests/fuzz/feed.h"
#include "tests/fuzz/fuzz.h"

static void files(struct od_ruleset *rules, struct od_view bytes)
{
    (void)rules;
    for (size_t i = 0; od_file_readers[i]; i++) {
        (void)od_file_readers[i]->bids(bytes);
        (void)od_fuzz_feed_file(od_file_readers[i], bytes);
    }
}

const struct od_fuzz od_fuzz_files = {.name = "files", .one = files};
