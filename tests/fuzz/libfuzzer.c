/* The harness named by OD_FUZZ_NAME, or by the program's own name (<harness>_fuzzer), as a
 * libFuzzer program. */
#include "tests/fuzz/fuzz.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static const struct od_fuzz *chosen;
static struct od_ruleset *rules;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct od_view name = od_view_of(getenv("OD_FUZZ_NAME"));
    if (name.n == 0 && *argc > 0) {
        const char *slash = strrchr((*argv)[0], '/');
        name = od_view_of(slash ? slash + 1 : (*argv)[0]);
        name = od_view_head(name, od_view_find(name, OD_VIEW("_fuzzer"), 0));
    }
    for (size_t i = 0; od_fuzzes[i]; i++) {
        if (od_view_eq_str(name, od_fuzzes[i]->name))
            chosen = od_fuzzes[i];
    }
    if (!chosen)
        abort();
    size_t npacks = 0;
    while (od_shipped_packs[npacks])
        npacks++;
    rules = od_ruleset_new(od_shipped_packs, npacks);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    chosen->one(rules, (struct od_view){.p = (const char *)data, .n = n});
    return 0;
}
