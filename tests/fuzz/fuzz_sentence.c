/* The grammar of sentences about memory: what it finds stands in the text, and is found again where
 * the text stands behind other words. */
#include "base/mem.h"
#include "readers/logs/sentence.h"
#include "rules/words.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

static void stands_in(struct od_view part, struct od_view text)
{
    if (part.n > 0 && (part.p < text.p || part.p + part.n > text.p + text.n))
        abort();
}

static void sentence(struct od_ruleset *rules, struct od_view bytes)
{
    (void)rules;
    char *copy = od_mem_alloc(bytes.n + 1,
                              1); /* a separate buffer, so that a read beyond its end is detected */
    if (bytes.n > 0)
        memcpy(copy, bytes.p, bytes.n);
    struct od_view text = {copy, bytes.n};
    struct od_sentence once = od_sentence_read(&od_shipped_lexicon, text);
    struct od_sentence again = od_sentence_read(&od_shipped_lexicon, text);
    stands_in(once.said, text);
    stands_in(once.device, text);
    if (once.kind != again.kind || once.said.p != again.said.p || once.said.n != again.said.n ||
        memcmp(once.sizes, again.sizes, sizeof once.sizes) != 0)
        abort();
    (void)od_sentence_producer(&od_shipped_lexicon, text);
    (void)od_sentence_may_open(&od_shipped_lexicon, text);
    od_mem_free(copy);
}

static const char *const words[] = {
    "could not", "allocate ", "ran out of", "memory",        "GPU 0",      "bytes",
    "GiB",       "requested", "only ",      "free",          "if ",        "because",
    "may ",      "was ",      "killed",     "out of memory", "failed to ", "in use",
    "capacity",  "buffer",    " of ",       " but ",         "?",          ": ",
    "1.5 GiB",   "1048576",   "cuda:0",     "not ",          "host ",      "device",
    NULL};

const struct od_fuzz od_fuzz_sentence = {.name = "sentence", .words = words, .one = sentence};
