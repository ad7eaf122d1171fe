#include "advise/hint.h"

#include "rules/software.h"

/* Settings named by the failing program itself (rules/hints.yaml): recommended after the failure,
 * or named in its line or the next one. */
static const struct {
    enum od_setting_id setting;
    const char *title;
    bool more;
    unsigned above, below; /* how many lines it may be from the failure */
} hints[] = {
    {OD_SETTING_ADVISED_LOWER, "Lower", false, 0, 6},
    {OD_SETTING_ADVISED_RAISE, "Raise", true, 0, 6},
    {OD_SETTING_SAID_LOWER, "Lower", false, 0, 1},
    {OD_SETTING_SAID_RAISE, "Raise", true, 0, 1},
    {OD_SETTING_SAID_USE, "Set", true, 0, 1},
    /* an exception may follow the message that says why */
    {OD_SETTING_SAID_LEAST, "Do what the error asks for:", true, 3, 1},
};

static const struct od_setting *hint_of(const struct od_advise_question *q, size_t which)
{
    const struct od_incident *failure = q->diagnosis->failure->run.ended;
    for (size_t i = 0; failure && i < q->c->settings.n; i++) {
        const struct od_setting *setting = &q->c->settings.items[i];
        const struct od_prov *at = &setting->said.at;
        if (setting->id == hints[which].setting && at->source == failure->at.source &&
            at->line + hints[which].above >= failure->at.line &&
            at->line <= failure->last.line + hints[which].below)
            return setting;
    }
    return NULL;
}

/* Do both name one setting? "gpu_memory_utilization" matches "--gpu-memory-utilization", "MaxCore"
 * matches "%maxcore". */
static bool is_same(struct od_view form, struct od_view name)
{
    size_t at = 0;
    while (form.n > 0 && strchr("-%", form.p[0]))
        form = od_view_from(form, 1);
    while (name.n > 0 && name.p[0] == '-')
        name = od_view_from(name, 1);
    while (at < form.n && at < name.n &&
           (form.p[at] == '_' ? '-' : od_lower(form.p[at])) ==
               (name.p[at] == '_' ? '-' : od_lower(name.p[at])))
        at++;
    return at > 0 && at == form.n && at == name.n;
}

/* The knob of that name, of the user's program or of one that it is built on; NULL = none. */
static const char *knob_called(const struct od_advise_question *q, struct od_view name)
{
    const struct od_stack *stack = &q->diagnosis->failure->stack;
    while (name.n > 1 && strchr("`'\"", name.p[0]))
        name = od_view_from(name, 1);
    while (name.n > 1 && strchr("`'\"", name.p[name.n - 1]))
        name.n--;
    size_t value = od_view_find_char(name, ' ', 0); /* "--limit 20000" */
    name = value != OD_VIEW_NONE ? od_view_head(name, value) : name;
    for (size_t i = 0; i < stack->n; i++) {
        const struct od_software *software = stack->parts[i].software;
        OD_FOR_EACH_OF (const struct od_knob, knob, software->knobs, software->nknobs) {
            const char *const forms[] = {knob->flag, knob->key, knob->env};
            for (size_t f = 0; f < OD_COUNT_OF(forms); f++)
                if (forms[f] && is_same(od_knob_fixed(forms[f]), name))
                    return knob->name;
        }
    }
    return NULL;
}

bool od_hint_find(const struct od_advise_question *question, struct od_hint *ret_hint)
{
    const struct od_setting *found = NULL;
    for (size_t i = 0; !found && i < OD_COUNT_OF(hints); i++) {
        found = hint_of(question, i);
        *ret_hint = (struct od_hint){.title = hints[i].title, .more = hints[i].more};
    }
    if (!found)
        return false;
    ret_hint->name = found->value;
    ret_hint->knob = knob_called(question, found->value);
    const struct od_software *driver = question->diagnosis->failure->stack.driver;
    ret_hint->own = ret_hint->knob && driver && od_software_knob(driver, ret_hint->knob);
    ret_hint->line = found->said.at.line;
    ret_hint->says = found->said.text;
    ret_hint->whole = found->id != OD_SETTING_SAID_LEAST && found->value.p[0] == '-' &&
                      od_view_find_char(found->value, ' ', 0) != OD_VIEW_NONE &&
                      od_is_digit(found->value.p[found->value.n - 1]);
    return true;
}
