/* Settings of the log, as words: what the generators and the facts ask of them. */
#include "fit/facts.h"

#include "base/ascii.h"

#include <string.h>

bool od_fit_is_set(const struct od_case *c, const char *name, const char *const *words)
{
    char low[OD_EXCERPT];
    struct od_view value = od_view_lowered(od_case_setting(c, name), low, sizeof low);
    while (*words && !od_view_has(value, od_view_of(*words)))
        words++;
    return *words != NULL;
}

/* "SGD(lr=0.1, momentum=0.9)": is there a number above 0 behind the word? */
static bool has_momentum(struct od_view text)
{
    static const char between[] = " =:'\"(";
    size_t at = od_view_find(text, OD_VIEW("momentum"), 0);
    if (at == OD_VIEW_NONE)
        return false;
    text = od_view_from(text, at + strlen("momentum"));
    while (text.n > 0 && memchr(between, text.p[0], sizeof between - 1))
        text = od_view_from(text, 1);
    size_t zeros = 0;
    while (zeros < text.n && (text.p[zeros] == '0' || text.p[zeros] == '.'))
        zeros++;
    return zeros < text.n && od_is_digit(text.p[zeros]);
}

/* The line that names it says whether plain descent keeps a momentum. */
static bool keeps_momentum(const struct od_case *c)
{
    for (size_t i = c->settings.n; i-- > 0;)
        if (od_view_eq_str(c->settings.items[i].name, "optimizer"))
            return has_momentum(c->settings.items[i].said.text);
    return false;
}

bool od_fit_type_is_said(const struct od_case *c, const char *const *words)
{
    static const char *const names[] = {"dtype", "torch_dtype"};
    for (size_t i = 0; i < OD_COUNT_OF(names); i++)
        if (words ? od_fit_is_set(c, names[i], words) : od_case_setting(c, names[i]).n > 0)
            return true;
    return false;
}

bool od_fit_optimizer(const struct od_case *c, enum od_optimizer *ret_optimizer)
{
    size_t longest = 0; /* "momentum" is more than "sgd", "adamw" than "adam" */
    for (unsigned i = 0; i < OD_OPTIMIZERS; i++) {
        const char *name = od_optimizer_name((enum od_optimizer)i);
        const char *const names[] = {name, NULL};
        if (strlen(name) <= longest || !od_fit_is_set(c, "optimizer", names))
            continue;
        longest = strlen(name);
        *ret_optimizer = (enum od_optimizer)i;
    }
    if (longest > 0 && *ret_optimizer == OD_OPT_SGD && keeps_momentum(c))
        *ret_optimizer = OD_OPT_MOMENTUM;
    return longest > 0;
}

/* "43,118,220", "43.1M", "1.2 billion" */
struct od_count od_answer_parse_parameters(struct od_view text)
{
    static const char units[] = {'k', 'm', 'b'};
    static const double times[] = {1e3, 1e6, 1e9};
    double n = 0, part = 0;
    for (; text.n > 0 && text.p[0] != ' '; text = od_view_from(text, 1)) {
        if (text.p[0] == '.')
            part = 1;
        else if (od_is_digit(text.p[0])) {
            n = n * 10 + (text.p[0] - '0');
            part *= 10;
        } else if (text.p[0] != ',' && text.p[0] != '_')
            break;
    }
    n /= part > 0 ? part : 1;
    od_view_skip_blanks(&text);
    for (size_t i = 0; i < OD_COUNT_OF(units) && text.n > 0; i++)
        n *= od_lower(text.p[0]) == units[i] ? times[i] : 1;
    return n >= 1 && n < 1e15 ? od_count_of((uint64_t)n) : (struct od_count){0};
}
