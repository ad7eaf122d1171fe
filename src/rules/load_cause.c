/* Loads causes. Checks conditions, slots and numbers. */
#include "base/suggest.h"
#include "rules/cause_rows.h"
#include "rules/loader.h"
#include "rules/slots.h"

const char *const od_strength_words[] = {"proof", "strong", "some", "weak", "against", NULL};

enum od_fact od_cause_number_fact(const char *name)
{
    static const struct {
        const char *unit;
        enum od_fact_type type;
    } units[] = {{"_bytes", OD_FACT_IS_BYTES}, {"_count", OD_FACT_IS_COUNT}};
    struct od_view view = od_view_of(name);
    for (size_t i = 0; i < OD_COUNT_OF(units); i++) {
        struct od_view unit = od_view_of(units[i].unit);
        if (!od_view_ends(view, unit))
            continue;
        enum od_fact fact = od_fact_named(od_view_head(view, view.n - unit.n));
        if (od_fact_named(view) < OD_FACT_END) /* a fact named like a kind: "samples" */
            fact = od_fact_named(view);
        return fact < OD_FACT_END && od_facts[fact].type == units[i].type ? fact : OD_FACT_END;
    }
    return OD_FACT_END;
}

static bool is_shown(enum od_fact fact)
{
    return od_facts[fact].type == OD_FACT_IS_BYTES || od_facts[fact].type == OD_FACT_IS_COUNT ||
           od_facts[fact].type == OD_FACT_IS_TEXT || od_facts[fact].type == OD_FACT_IS_SERIES;
}

/* Is the fact known only after the causes? A condition of a cause must not use it. */
static bool needs_causes(enum od_fact fact)
{
    return fact == OD_FACT_CAUSE || fact == OD_FACT_FIRST_CAUSE || fact == OD_FACT_CERTAINTY ||
           fact == OD_FACT_OTHERS;
}

static void read_when(struct od_loader *loader, const struct od_yaml_node *node, void *ret_when)
{
    const struct od_when *when = ret_when;
    od_when_load(loader, node, ret_when);
    for (size_t i = 0; i < when->n; i++)
        if (when->steps[i].op < OD_WHEN_NOT && needs_causes(when->steps[i].fact)) {
            od_loader_error(loader, node, "R0603", "a fact of the failure",
                            "circular: '%s' is known only when the causes are",
                            od_facts[when->steps[i].fact].name);
            return;
        }
}

/* --- sentences and numbers --- */

static void check_slot(struct od_loader *loader, const struct od_yaml_node *node,
                       struct od_view slot)
{
    slot.n -= od_view_ends(slot, OD_VIEW("?"));
    enum od_fact fact = od_fact_named(slot);
    if (fact < OD_FACT_END && is_shown(fact))
        return;
    const char *names[OD_FACT_END] = {NULL};
    size_t n = 0;
    for (unsigned i = 0; i < OD_FACT_END; i++)
        if (is_shown((enum od_fact)i))
            names[n++] = od_facts[i].name;
    const char *word = od_arena_str(loader->arena, slot);
    od_loader_error(loader, node, "R0601", od_suggest_help(word, names, n, loader->arena),
                    "{%s} is not a size, a count, a text or a series of facts.def", word);
}

/* Checks that every mark "[word|" has a known word and a "]". */
static void check_marks(struct od_loader *loader, const struct od_yaml_node *node)
{
    struct od_view text = od_view_of(node->text);
    enum od_claimed what;
    for (size_t at = 0; (at = od_view_find_char(text, '[', at)) != OD_VIEW_NONE; at++) {
        struct od_view mark = od_view_from(text, at);
        if (!od_slots_take_mark(&mark, &what))
            od_loader_error(loader, node, "R0606", "[cause|...], [event|...] or [amounts|...]",
                            "not a mark of what a headline states");
        else if (od_view_find_char(mark, ']', 0) >= od_view_find_char(mark, '\n', 0))
            od_loader_error(loader, node, "R0303", NULL, "a '[' without its ']'");
    }
}

void od_loader_check_sentence(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_view text = od_view_of(node->text);
    (void)to;
    check_marks(loader, node);
    for (size_t at = 0; (at = od_view_find_char(text, '{', at)) != OD_VIEW_NONE;) {
        size_t end = od_view_find_char(text, '}', at);
        if (end == OD_VIEW_NONE) {
            od_loader_error(loader, node, "R0303", NULL, "a '{' without its '}'");
            return;
        }
        check_slot(loader, node, od_view_head(od_view_from(text, at + 1), end - at - 1));
        at = end;
    }
}

static void check_series(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    const char *names[OD_FACT_END] = {NULL};
    size_t n = 0;
    enum od_fact fact = od_fact_named(od_view_of(node->text));
    (void)to;
    if (fact < OD_FACT_END && od_facts[fact].type == OD_FACT_IS_SERIES)
        return;
    for (unsigned i = 0; i < OD_FACT_END; i++)
        if (od_facts[i].type == OD_FACT_IS_SERIES)
            names[n++] = od_facts[i].name;
    od_loader_error(loader, node, "R0605", od_suggest_help(node->text, names, n, loader->arena),
                    "'%s' is not a series of facts.def", node->text);
}

static void check_cause(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    const char *names[OD_CAUSE_END];
    (void)to;
    for (unsigned i = 0; i < OD_CAUSE_END; i++)
        names[i] = od_cause_name((enum od_cause)i);
    if (od_cause_named(node->text) == OD_CAUSE_END)
        od_loader_error(loader, node, "R0604",
                        od_suggest_help(node->text, names, OD_CAUSE_END, loader->arena),
                        "'%s' is not a cause of facts/causes.def", node->text);
}

static void check_numbers(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    const struct od_cause_row *row = to;
    for (const char *const *name = row->numbers; name && *name; name++)
        if (od_cause_number_fact(*name) == OD_FACT_END)
            od_loader_error(loader, node, "R0602", "a fact with _bytes or _count",
                            "%s is not a size or a count of facts.def with its unit", *name);
}

static void check_variants(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    const struct od_cause_row *row = to;
    const struct od_cause_variant *last =
        row->nvariants > 0 ? &row->variants[row->nvariants - 1] : NULL;
    if (!last)
        od_loader_error(loader, node, "R0308", NULL, "a cause needs a variant");
    else if (!last->lead && !last->say)
        od_loader_error(loader, node, "R0308", NULL, "the last variant needs a sentence (say)");
}

static void check_first(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    od_loader_check_sentence(loader, node, to);
    od_loader_check_remedy(loader, node, to);
}

#define VARIANT(...) OD_KEY(struct od_cause_variant, __VA_ARGS__)
static const struct od_loader_key variant_keys[] = {
    VARIANT("sign", OD_MAY, OD_LINE, sign),
    VARIANT("strength", OD_MAY, OD_WORD, strength, .words = od_strength_words),
    VARIANT("when", OD_MAY, OD_WHEN, when, .read = read_when),
    VARIANT("certain", OD_MAY, OD_WHEN, certain, .read = read_when),
    VARIANT("evidence", OD_MAY, OD_WHEN, evidence, .read = read_when),
    VARIANT("lead", OD_MAY, OD_BLOCK, lead, .check = od_loader_check_sentence),
    VARIANT("say", OD_MAY, OD_BLOCK, say, .check = od_loader_check_sentence),
    VARIANT("clause", OD_MAY, OD_LINE, clause, .check = od_loader_check_sentence),
    VARIANT("first", OD_MAY, OD_LINE, first, .check = check_first),
    VARIANT("unhelpful", OD_MAY, OD_LINE, unhelpful, .check = od_loader_check_remedy),
    VARIANT("series", OD_MAY, OD_LINE, series, .check = check_series),
};
static const struct od_loader_map variant_map =
    OD_MAP("a variant", struct od_cause_variant, variant_keys);

#define SIGN(...) OD_KEY(struct od_cause_sign, __VA_ARGS__)
static const struct od_loader_key sign_keys[] = {
    SIGN("sign", OD_MUST, OD_LINE, sign),
    SIGN("strength", OD_MUST, OD_WORD, strength, .words = od_strength_words),
    SIGN("when", OD_MUST, OD_WHEN, when, .read = read_when),
};
static const struct od_loader_map sign_map = OD_MAP("a sign", struct od_cause_sign, sign_keys);

#define FIRST(...) OD_KEY(struct od_cause_first, __VA_ARGS__)
static const struct od_loader_key first_keys[] = {
    FIRST("remedy", OD_MUST, OD_LINE, remedy, .check = od_loader_check_remedy),
    FIRST("unhelpful", OD_MAY, OD_LINE, unhelpful, .check = od_loader_check_remedy),
    FIRST("when", OD_MUST, OD_WHEN, when, .read = read_when),
};
static const struct od_loader_map first_map =
    OD_MAP("a remedy to begin with", struct od_cause_first, first_keys);

#define CAUSE(...) OD_KEY(struct od_cause_row, __VA_ARGS__)
static const struct od_loader_key cause_keys[] = {
    OD_KEY_SCHEMA,
    CAUSE("cause", OD_MUST, OD_LINE, cause, .check = check_cause),
    CAUSE(NULL, OD_MAY, OD_LINE, file),
    CAUSE("asserts", OD_MAY, OD_TEXTS, asserts, .words = od_relation_words),
    CAUSE("when", OD_MUST, OD_WHEN, when, .read = read_when),
    CAUSE("loading", OD_MAY, OD_WHEN, loading, .read = read_when),
    CAUSE("numbers", OD_MAY, OD_TEXTS, numbers, .check = check_numbers),
    CAUSE("evidence", OD_MAY, OD_WHEN, evidence, .read = read_when),
    OD_KEYS(struct od_cause_row, "variants", OD_MUST, OD_ROWS, variants, .check = check_variants,
            .rows = &variant_map),
    OD_KEYS(struct od_cause_row, "signs", OD_MAY, OD_ROWS, signs, .rows = &sign_map),
    OD_KEYS(struct od_cause_row, "first", OD_MAY, OD_ROWS, first, .rows = &first_map),
};
const struct od_loader_map od_cause_map = OD_MAP("a cause", struct od_cause_row, cause_keys);

enum od_err od_cause_row_load(struct od_view yaml, const char *name, struct od_arena *arena,
                              struct od_diags *diags, const struct od_cause_row **ret_row)
{
    struct od_cause_row *row = OD_NEW(arena, struct od_cause_row);
    row->file = od_arena_str(arena, od_view_of(name));
    const struct od_loading loading = {name, arena, diags, &od_cause_map, row};
    enum od_err err = od_loader_read(&loading, yaml);
    if (err == OD_OK)
        *ret_row = row;
    return err;
}
