#include "rules/set_amount.h"

#include "base/named_number.h"
#include "facts/meaning.h"
#include "facts/number.h"

/* Does the program's command precede the flag, up to a pipe? Only then does a flag of one letter
 * belong to the program. */
static bool runs(const struct od_software *software, const char *form,
                 const struct od_assigned *one)
{
    struct od_view flag = od_knob_fixed(form);
    for (size_t i = 0; i < software->nmarks; i++) {
        struct od_view command = od_view_of(software->marks[i].text);
        if (software->marks[i].kind == OD_MARK_COMMAND && od_view_has(one->line, command) &&
            od_flag_value(one->line, command, flag).p == one->value.p)
            return true;
    }
    return false;
}

/* Are both the same name: "max-tokens", "max_tokens", "maxTokens", "MAX_TOKENS"? */
static bool is_alike(struct od_view a, struct od_view b)
{
    size_t i = 0, k = 0;
    for (;; i++, k++) {
        while (i < a.n && strchr("-_", a.p[i]))
            i++;
        while (k < b.n && strchr("-_", b.p[k]))
            k++;
        if (i == a.n || k == b.n || od_lower(a.p[i]) != od_lower(b.p[k]))
            return i == a.n && k == b.n;
    }
}

/* Can the name be spelled in other ways? Not if it is one word, or a word with a capital letter
 * such as "MemorySwap". */
static bool has_spellings(const char *form, struct od_view name)
{
    bool joined = od_view_find_char(name, '_', 0) != OD_VIEW_NONE ||
                  od_view_find_char(name, '-', 0) != OD_VIEW_NONE;
    return !strchr(form, ' ') && name.n > 0 && (joined || !od_is_upper(name.p[0])) &&
           strpbrk(form + strspn(form, "-"), "-_");
}

bool od_assigned_has_form(const struct od_assigned *assigned, const char *form)
{
    struct od_view name = form ? od_name_bare(od_knob_fixed(form)) : (struct od_view){0};
    return form && assigned->name.n > 0 &&
           (od_view_eq(name, assigned->name) ||
            (has_spellings(form, assigned->name) && is_alike(name, assigned->name)));
}

static bool sets(const struct od_software *software, const struct od_knob *knob,
                 const struct od_assigned *one)
{
    const char *const forms[] = {knob->flag, knob->also, knob->key, knob->env, knob->set};
    for (size_t i = 0; i < OD_COUNT_OF(forms); i++)
        if (od_assigned_has_form(one, forms[i]) &&
            (forms[i][0] != '%' || (one->name.p > one->line.p && one->name.p[-1] == '%')))
            return forms[i][0] != '-' || one->name.n > 1 || runs(software, forms[i], one);
    return false;
}

const struct od_assigned *od_assigned_of_knob(const struct od_assigned_list *list,
                                              const struct od_software *software, const char *name,
                                              const struct od_prov *error)
{
    const struct od_knob *knob = od_software_knob(software, name);
    const struct od_assigned *before = NULL, *behind = NULL;
    for (size_t i = 0; knob && list && i < list->n; i++) {
        const struct od_assigned *one = &list->items[i];
        if (!sets(software, knob, one) ||
            one->at.line == error->line) /* an error may propose a value */
            continue;
        if (one->at.line <= error->line)
            before = one;
        else if (!behind)
            behind = one;
    }
    for (size_t i = 0; !before && !behind && software->over && software->over[i]; i++)
        behind =
            od_assigned_of_knob(list, od_software_find(od_view_of(software->over[i])), name, error);
    return before ? before : behind;
}

/* Does the text begin with the name, in any spelling, and a value that means yes? "cache-latents:
 * true", '"cache_latents" = 1', "cache latents O". */
static bool begins_switch(struct od_view text, struct od_view name)
{
    for (size_t i = 0; i < name.n; i++) {
        bool joint = strchr("-_ ", name.p[i]) != NULL;
        if (i >= text.n ||
            (joint ? !strchr("-_ ", text.p[i]) : od_lower(text.p[i]) != od_lower(name.p[i])))
            return false;
    }
    text = od_view_from(text, name.n);
    size_t parts = 0, n = 0;
    while (parts < text.n && strchr(" \t\"':=", text.p[parts]))
        parts++;
    text = od_view_from(text, parts);
    while (n < text.n && od_is_word(text.p[n]))
        n++;
    struct od_view value = od_view_head(text, n);
    return parts > 0 &&
           (od_means(od_value_means(value), OD_VALUE_ON) || od_view_eq_str(value, "O"));
}

bool od_knob_is_switched_on(const struct od_knob *knob, const struct od_around *around,
                            uint32_t source)
{
    const char *form = knob->key ? knob->key : knob->flag;
    struct od_view name = form ? od_name_bare(od_knob_fixed(form)) : (struct od_view){0}, line;
    struct od_around_walk walk = od_around_walk(around, source);
    bool joined = od_view_find_char(name, '_', 0) != OD_VIEW_NONE ||
                  od_view_find_char(name, '-', 0) != OD_VIEW_NONE;
    while (joined && knob->less == OD_LESS_ON && !knob->value && od_around_next(&walk, &line))
        for (size_t i = 0; i < line.n; i++)
            if ((i == 0 || !od_is_word(line.p[i - 1])) &&
                begins_switch(od_view_from(line, i), name))
                return true;
    return false;
}

/* The setting that counts the copies of a size. For a flag it must be in the same command. */
static const struct od_assigned *count_of(const struct od_assigned_list *list,
                                          const struct od_set_amount *of)
{
    const struct od_knob *per = od_software_knob(of->software, of->knob->per);
    const struct od_assigned *found = NULL;
    for (size_t i = 0; per && i < list->n; i++) {
        const struct od_assigned *one = &list->items[i];
        bool near = !of->knob->flag || od_prov_cmp(&one->at, &of->size->at) == 0;
        if (near && !one->bytes.known && sets(of->software, per, one))
            found = one;
    }
    return found;
}

/* The bytes of a value, in the setting's unit if it has none. */
static struct od_bytes assigned_size(const struct od_assigned *one, const struct od_knob *knob)
{
    struct od_bytes size = one->bytes;
    if (!size.known && knob->unit)
        (void)od_bytes_parse_unit(one->value, od_view_of(knob->unit), OD_UNIT_BINARY, &size);
    return size;
}

bool od_assigned_is_in(const struct od_assigned *assigned, const char *form)
{
    return od_view_has(od_view_of(form), assigned->name);
}

bool od_assigned_is_far(const struct od_assigned *assigned, const struct od_knob *knob,
                        double reached)
{
    struct od_bytes size = assigned_size(assigned, knob);
    return size.known && reached > 0 && (double)size.n >= 2 * reached;
}

/* Adds sizes that the program needs in addition, such as direct buffers to the heap. */
static void add_extra(const struct od_assigned_list *list, struct od_set_amount *amount)
{
    size_t n = 0;
    const struct od_software *of = amount->software;
    OD_FOR_EACH_OF (const struct od_knob, knob, of->knobs, of->nknobs)
        for (size_t i = 0;
             knob->beside && strcmp(knob->beside, amount->knob->name) == 0 && i < list->n; i++) {
            struct od_bytes size = assigned_size(&list->items[i], knob);
            if (n == OD_SET_EXTRA_MOST || !size.known || !sets(of, knob, &list->items[i]) ||
                ckd_add(&amount->extra, amount->extra, size.n))
                continue;
            amount->also[n++] = &list->items[i];
            break; /* the same setting again belongs to another command */
        }
    amount->bytes = od_bytes_add(amount->bytes, od_bytes_exact(amount->extra));
}

/* The amount that a size makes; unknown if it is per thread and the number of threads is unknown.
 */
static struct od_set_amount amount_of(const struct od_assigned_list *list,
                                      struct od_set_amount amount)
{
    struct od_bytes each = assigned_size(amount.size, amount.knob);
    uint64_t product;
    amount.times = 1;
    amount.count = amount.knob->per ? count_of(list, &amount) : NULL;
    bool counted = amount.count && od_num_parse_u64(amount.count->value, &amount.times);
    if (each.known && counted == (amount.knob->per != NULL) &&
        !ckd_mul(&product, each.n, amount.times))
        amount.bytes = od_bytes_exact(product);
    if (amount.bytes.known)
        add_extra(list, &amount);
    return amount;
}

/* Does the size belong to a command that is run several times: "parallel -j 12 'sort -S 4G'"? count
 * is the number of copies. */
static bool is_of_copies(const struct od_assigned *size, const struct od_assigned *count)
{
    return od_prov_cmp(&size->at, &count->at) == 0 && size->bytes.known &&
           size->name.p > count->value.p && size->name.p[-1] == '-';
}

static void keep_larger(struct od_set_amount amount, struct od_set_amount *best)
{
    if (amount.bytes.known && (!best->bytes.known || amount.bytes.n > best->bytes.n))
        *best = amount;
}

static void take_copies(const struct od_assigned_list *list, struct od_set_amount amount,
                        struct od_set_amount *best)
{
    uint64_t product;
    bool counted = od_num_parse_u64(amount.count->value, &amount.times);
    for (size_t i = 0; counted && i < list->n; i++) {
        amount.size = &list->items[i];
        if (!is_of_copies(amount.size, amount.count) ||
            ckd_mul(&product, amount.size->bytes.n, amount.times))
            continue;
        amount.bytes = od_bytes_exact(product);
        keep_larger(amount, best);
    }
}

/* Does the setting limit all memory of the program? */
static bool is_limit(const struct od_knob *knob)
{
    static const char *const limits[] = {"memory_limit", "heap", NULL};
    return knob->less == OD_LESS_LOWER && od_is_among(knob->name, limits);
}

void od_set_amount_take(const struct od_assigned_list *list, const struct od_software *software,
                        bool once, struct od_set_amount *best)
{
    OD_FOR_EACH_OF (const struct od_knob, knob, software->knobs, software->nknobs)
        for (size_t i = 0; i < list->n; i++) {
            const struct od_assigned *one = &list->items[i];
            const struct od_set_amount amount = {
                .software = software, .knob = knob, .size = one, .count = one};
            bool sized = knob->per || is_limit(knob);
            if ((!sized && !knob->copies) || !sets(software, knob, one))
                continue;
            struct od_set_amount whole = amount_of(list, amount);
            if (knob->copies)
                take_copies(list, amount, best);
            else if (once || knob->per || whole.also[0])
                keep_larger(whole, best);
        }
}

const char *od_assigned_written(const struct od_assigned *assigned, struct od_arena *arena)
{
    const struct od_view line = assigned->line, value = assigned->value;
    size_t end = (size_t)(assigned->name.p + assigned->name.n - line.p);
    bool signs;
    size_t from = od_name_before(line, end, &signs);
    from -= from > 0 && line.p[from - 1] == '%';
    struct od_view between = {line.p + end, (size_t)(value.p - line.p) - end};
    bool apart = od_view_has(between, OD_VIEW(" ")) && !od_view_has(between, OD_VIEW("="));
    return od_arena_printf(arena, apart ? "%.*s %.*s" : "%.*s%.*s",
                           (int)(end + (apart ? 0 : between.n) - from), line.p + from, (int)value.n,
                           value.p);
}

const char *od_set_amount_words(const struct od_set_amount *amount, struct od_arena *arena)
{
    const char *size = od_assigned_written(amount->size, arena);
    for (size_t i = 0; i < OD_SET_EXTRA_MOST && amount->also[i]; i++)
        size = od_arena_printf(arena, "%s + %s", size, od_assigned_written(amount->also[i], arena));
    return amount->count ? od_arena_printf(arena, "%" PRIu64 " x %.*s (%s, %s)", amount->times,
                                           (int)amount->size->value.n, amount->size->value.p,
                                           od_assigned_written(amount->count, arena), size)
                         : size;
}
