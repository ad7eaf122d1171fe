/* YAML: packs of rules, proved when they load, and advice. */
#include "base/buf.h"
#include "base/mem.h"
#include "rules/advice.h"
#include "rules/load.h"
#include "scan/prove.h"
#include "tests/fuzz/fuzz.h"

static void print_all(const struct od_diags *diags)
{
    struct od_buf text = {0};
    for (size_t i = 0; i < od_diags_count(diags); i++)
        od_diag_print(od_diags_at(diags, i), &text);
    od_buf_done(&text);
}

static void pack(struct od_ruleset *rules, struct od_view bytes)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    const struct od_pack *loaded = NULL;
    struct od_proof proof = {0};
    (void)rules;
    enum od_err err = od_pack_load(bytes, "fuzz.yaml", arena, diags, &loaded);
    if (err == OD_OK)
        err = od_prove(&loaded, 1, diags, &proof);
    (void)err; /* both results are right, as long as the call reports which */
    od_mem_free(proof.rule_ns);
    print_all(diags);
    od_diags_free(diags);
    od_arena_free(arena);
}

static void advice(struct od_ruleset *rules, struct od_view bytes)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    const struct od_advice *loaded = NULL;
    (void)rules;
    enum od_err err = od_advice_load(bytes, "fuzz.yaml", arena, diags, &loaded);
    if (err == OD_OK)
        err = od_advice_check_all(&loaded, 1, diags);
    (void)err;
    print_all(diags);
    od_diags_free(diags);
    od_arena_free(arena);
}

const struct od_fuzz od_fuzz_pack = {.name = "pack", .one = pack};
const struct od_fuzz od_fuzz_advice = {.name = "advice", .one = advice};
