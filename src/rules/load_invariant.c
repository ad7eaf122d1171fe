#include "rules/invariants.h"
#include "rules/loader.h"

const char *const od_relation_words[] = {
#define OD_RELATION(name, constant, about) #name,
#include "rules/relations.def"
#undef OD_RELATION
    NULL};

bool od_invariant_is_of(const struct od_invariant *invariant, enum od_relation relation)
{
    return od_is_among(od_relation_words[relation], invariant->of);
}

#define ROW(...) OD_KEY(struct od_invariant, __VA_ARGS__)
static const struct od_loader_key row_keys[] = {
    ROW("id", OD_MUST, OD_LINE, id),
    ROW("of", OD_MUST, OD_TEXTS, of, .words = od_relation_words),
    ROW("must", OD_MUST, OD_WHEN, must, .read = od_when_load),
    ROW("means", OD_MUST, OD_LINE, means),
    ROW("drops", OD_MUST, OD_LINE, drops),
};
static const struct od_loader_map row_map = OD_MAP("an invariant", struct od_invariant, row_keys);

static const struct od_loader_key keys[] = {
    OD_KEY_SCHEMA,
    OD_KEYS(struct od_invariants, "invariants", OD_MUST, OD_ROWS, rows, .rows = &row_map),
};
const struct od_loader_map od_invariants_map = OD_MAP("invariants", struct od_invariants, keys);

enum od_err od_invariants_load_file(const char *root, const char *name, struct od_arena *arena,
                                    struct od_diags *diags,
                                    const struct od_invariants **ret_invariants)
{
    struct od_invariants *invariants = OD_NEW(arena, struct od_invariants);
    struct od_loading loading = {name, arena, diags, &od_invariants_map, invariants};
    enum od_err err = od_loader_read_file(&loading, root);
    if (err == OD_OK)
        *ret_invariants = invariants;
    return err;
}
