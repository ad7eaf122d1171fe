/*
 * Reads settings of the log for the methods.
 */
#include "fit/facts.h"

bool od_fit_says(const struct od_case *c, enum od_setting_id id, enum od_value_meaning meaning)
{
    return od_means(od_value_means(od_case_setting(c, id)), meaning);
}

/* Does gradient descent keep a momentum? Its line shows that: "SGD(lr=0.1, momentum=0.9)". */
static bool keeps_momentum(const struct od_case *c)
{
    for (size_t i = c->settings.n; i-- > 0;)
        if (c->settings.items[i].id == OD_SETTING_OPTIMIZER)
            return od_setting_number_after(&c->settings.items[i], "momentum") > 0;
    return false;
}

bool od_fit_type_is_said(const struct od_case *c)
{
    return od_case_setting(c, OD_SETTING_DTYPE).n > 0 ||
           od_case_setting(c, OD_SETTING_TORCH_DTYPE).n > 0;
}

bool od_fit_type_is_half(const struct od_case *c)
{
    return od_fit_says(c, OD_SETTING_DTYPE, OD_VALUE_SIXTEEN_BIT) ||
           od_fit_says(c, OD_SETTING_TORCH_DTYPE, OD_VALUE_SIXTEEN_BIT);
}

bool od_fit_optimizer(const struct od_case *c, enum od_optimizer *ret_optimizer)
{
    bool found = od_optimizer_in(od_case_setting(c, OD_SETTING_OPTIMIZER), ret_optimizer);
    if (found && *ret_optimizer == OD_OPT_SGD && keeps_momentum(c))
        *ret_optimizer = OD_OPT_MOMENTUM;
    return found;
}

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
