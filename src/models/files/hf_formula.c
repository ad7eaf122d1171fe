#include "models/files/hf_formula.h"

#include "models/files/hf_family.h"

/* A formula is a sum of products. A value is a number, "key.inner:DEFAULT",
 * "count(key,word):DEFAULT" for the number of list entries equal to the word,
 * "each(key,word|word):1" for a list without other words, or a sum in parentheses. Products have *
 * and / (of whole numbers). */
struct formula {
    struct od_view left;
    const json_t *config;
    bool failed;
    int64_t supposed; /* largest number of layers of a kind, from the default of a missing list */
    unsigned present, missing; /* number of keys of the outer object that are present or missing */
};

static const struct {
    const char *type, *class, *formula;
    const char *only; /* condition "key:VALUE ...": the formula is not for other values */
} formulas[] = {
#include "models/architectures.inc"
};

static int64_t sum_of(struct formula *f, unsigned depth);

static bool take(struct formula *f, char c)
{
    if (f->left.n == 0 || f->left.p[0] != c)
        return false;
    f->left = od_view_from(f->left, 1);
    return true;
}

static int64_t number(struct formula *f)
{
    uint64_t n = 0;
    if (!od_num_take_u64(&f->left, &n) || n > INT64_MAX)
        f->failed = true;
    return f->failed ? 0 : (int64_t)n;
}

/* Reads "text_config.hidden_size". NULL if the configuration lacks the key. */
static const json_t *path(struct formula *f)
{
    char key[64];
    const json_t *at = f->config;
    bool outer = true;
    do {
        size_t n = 0;
        while (n < f->left.n && n + 1 < sizeof key &&
               (f->left.p[n] == '_' || od_is_alnum(f->left.p[n]))) {
            key[n] = f->left.p[n];
            n++;
        }
        key[n] = '\0';
        f->failed |= n == 0;
        f->left = od_view_from(f->left, n);
        at = json_object_get(at, key);
    } while (!f->failed && take(f, '.') && !(outer = false));
    f->present += outer && at;
    f->missing += outer && !at;
    return at;
}

static bool is_among(struct od_view words, const char *entry)
{
    struct od_view word;
    while (od_view_cut(&words, '|', &word))
        if (od_view_eq_str(word, entry))
            return true;
    return od_view_eq_str(words, entry);
}

/* Reads the rest of "count(key,word|word)" or "each(...)". */
static int64_t entries(struct formula *f, const json_t *list, bool each)
{
    struct od_view words = {0};
    int64_t n = 0, all = (int64_t)json_array_size(list);
    f->failed |= !take(f, ',') || !od_view_cut(&f->left, ')', &words);
    for (int64_t i = 0; i < all; i++) {
        const char *entry = json_string_value(json_array_get(list, (size_t)i));
        n += entry && is_among(words, entry);
    }
    return each ? n == all : n;
}

static int64_t value_of(struct formula *f)
{
    bool each = od_view_take(&f->left, OD_VIEW("each("));
    bool counts = each || od_view_take(&f->left, OD_VIEW("count("));
    const json_t *value = path(f);
    int64_t n = counts ? entries(f, value, each) : json_is_true(value);
    bool stated = counts ? json_is_array(value) : json_is_integer(value) || json_is_boolean(value);
    if (!counts && json_is_integer(value))
        n = json_integer_value(value);
    f->failed |= !take(f, ':') || n < 0;
    int64_t otherwise = number(f);
    if (counts && !each && !stated && otherwise > f->supposed)
        f->supposed = otherwise;
    return stated ? n : otherwise;
}

static int64_t atom(struct formula *f, unsigned depth)
{
    if (take(f, '(')) {
        int64_t n = sum_of(f, depth + 1);
        f->failed |= !take(f, ')');
        return n;
    }
    return f->left.n > 0 && od_is_digit(f->left.p[0]) ? number(f) : value_of(f);
}

static int64_t product(struct formula *f, unsigned depth)
{
    int64_t n = atom(f, depth);
    while (!f->failed && f->left.n > 0) {
        if (take(f, '*')) {
            f->failed |= ckd_mul(&n, n, atom(f, depth));
        } else if (take(f, '/')) {
            int64_t by = atom(f, depth);
            f->failed |= by <= 0;
            n = f->failed ? 0 : n / by;
        } else {
            break;
        }
    }
    return n;
}

static int64_t sum_of(struct formula *f, unsigned depth)
{
    enum { DEEPEST = 16 };
    int64_t n = 0;
    f->failed |= depth > DEEPEST;
    bool less = false;
    do {
        int64_t part = f->failed ? 0 : product(f, depth);
        f->failed |= less ? ckd_sub(&n, n, part) : ckd_add(&n, n, part);
        less = false;
    } while (!f->failed && (take(f, '+') || (less = take(f, '-'))));
    return n;
}

/* Does every key have the value for which the formula was made? */
static bool holds(const char *only, const json_t *config)
{
    struct formula f = {.left = od_view_of(only), .config = config};
    while (!f.failed && f.left.n > 0) {
        struct od_view rest = f.left;
        size_t colon = od_view_find_char(rest, ':', 0);
        int64_t stated = value_of(&f);
        if (colon == OD_VIEW_NONE)
            return false;
        rest = od_view_from(rest, colon + 1);
        uint64_t wanted;
        if (!od_num_take_u64(&rest, &wanted) || stated < 0 || (uint64_t)stated != wanted)
            return false;
        (void)take(&f, ' ');
    }
    return !f.failed;
}

/* Does the configuration have experts that the formula does not count? */
static bool leaves_experts(const char *formula, json_t *config)
{
    const char *key;
    json_t *value;
    json_object_foreach(config, key, value)
    {
        struct od_view name = od_view_of(key);
        if (strcmp(key, "text_config") == 0 && leaves_experts(formula, value))
            return true;
        if ((od_view_ends(name, OD_VIEW("_experts")) ||
             od_view_eq_str(name, "moe_intermediate_size")) &&
            json_integer_value(value) > 1 && !strstr(formula, key) &&
            !od_view_has(name, OD_VIEW("top_k")))
            return true;
    }
    return false;
}

struct od_count od_hf_formula(json_t *config)
{
    const char *type = json_string_value(json_object_get(config, "model_type"));
    json_t *classes = json_object_get(config, "architectures");
    const char *class = json_string_value(json_array_get(classes, 0));
    json_int_t stated = json_integer_value(json_object_get(config, "num_parameters"));
    if (stated > 0) /* the number in a row of public_models.tsv */
        return od_count_of((uint64_t)stated);
    for (size_t i = 0; type && i < OD_COUNT_OF(formulas); i++) {
        struct formula f = {.left = od_view_of(formulas[i].formula), .config = config};
        if (strcmp(type, formulas[i].type) != 0 ||
            (!class && od_hf_family_find(od_view_of(type))) ||
            (class && strcmp(class, formulas[i].class) != 0) || !holds(formulas[i].only, config))
            continue;
        int64_t n = sum_of(&f, 0);
        /* most keys are missing: other names are used, and only defaults would count */
        bool other_names = f.missing > f.present;
        bool others =
            f.supposed > 0 &&
            2 * f.supposed < json_integer_value(json_object_get(config, "num_hidden_layers"));
        bool partly = other_names || others || leaves_experts(formulas[i].formula, config);
        return f.failed || f.left.n > 0 || n <= 0 || partly ? (struct od_count){0}
                                                            : od_count_of((uint64_t)n);
    }
    return (struct od_count){0};
}
