/* The harness named by OD_FUZZ_NAME as a libFuzzer program. */
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
    const char *name = getenv("OD_FUZZ_NAME");
    (void)argc;
    (void)argv;
    for (size_t i = 0; name && od_fuzzes[i]; i++) {
        if (strcmp(od_fuzzes[i]->name, name) == 0)
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
