#include "advise/standing.h"

#include "advise/remedy.h"
#include "advise/slots.h"
#include "base/named_number.h"
#include "rules/set_amount.h"

const struct od_seen *od_standing_seen(const struct od_advise_question *q, const char *form)
{
    const struct od_incident *failure = q->diagnosis->failure->run.ended;
    const struct od_seen *found = NULL;
    struct od_view fixed = form ? od_knob_fixed(form) : (struct od_view){0};
    for (size_t i = 0; fixed.n > 0 && i < q->c->seen.n; i++) {
        const struct od_seen *seen = &q->c->seen.items[i];
        if (seen->sign->software || seen->worked || !od_view_eq_str(fixed, seen->sign->text))
            continue;
        bool before = !failure || od_prov_cmp(&seen->said.at, &failure->last) <= 0;
        if (!found || before)
            found = seen;
    }
    return found;
}

/* --- what of a remedy is left --- */

/* Was it turned without effect, or is what it does on already? Of a number only values that were
 * tried are ruled out. The first setting of a remedy also is spent where a change helped, which the
 * text says itself, and where it cannot go on. */
static bool is_spent(const struct od_proposal *proposal, const char *knob, bool first)
{
    const struct od_bounds bounds = od_remedy_bounds(proposal->q, knob);
    const struct od_advice *settings = od_advice_find(proposal->q->advice, OD_ADVICE_OF_KNOBS);
    bool more = proposal->remedy->more;
    struct od_bound_value value;
    const struct od_bound_change change = {
        .up = more, .today = more ? od_slots_bytes(proposal->finding, "limit_bytes") : 0};
    bool spent = bounds.kept || (bounds.changed < 0 && od_knob_type_of(knob) != OD_KNOB_NUMBER) ||
                 (first && (bounds.changed > 0 ||
                            od_bounds_judge(&bounds, &change, &value) == OD_BOUND_ENDS));
    for (size_t i = 0; !spent && !more && i < settings->non; i++)
        spent = od_is_among(knob, settings->on[i].knobs) &&
                od_proposal_meets(proposal, &settings->on[i].when) == OD_YES;
    return spent;
}

/* Of settings that are raised, none after one that is spent is raised instead; where one of a limit
 * is spent, or one way to use several devices, all are. */
const char *const *od_standing_left(const struct od_proposal *proposal, struct od_arena *arena,
                                    bool *ret_spent)
{
    enum { MOST = 16 };
    const struct od_advice_remedy *remedy = proposal->remedy;
    const char **left = OD_NEW_N(arena, MOST + 1, const char *);
    static const char *const unnamed[] = {"memory_limit", NULL}, *const none[] = {NULL};
    bool named = remedy->more && od_remedy_is_about(remedy, "named");
    const char *const *knobs = remedy->knobs ? remedy->knobs : named ? unnamed : none;
    const struct od_advice_kind *limit = *knobs ? od_remedy_limit(proposal->q, *knobs) : NULL;
    const char *const *alike = limit                                   ? limit->knobs
                               : od_remedy_is_about(remedy, "devices") ? knobs
                                                                       : none;
    *ret_spent = false;
    for (; *alike && !*ret_spent; alike++)
        *ret_spent = is_spent(proposal, *alike, true);
    bool goes = !*ret_spent;
    for (size_t n = 0; goes && *knobs && n < MOST; knobs++) {
        bool spent = is_spent(proposal, *knobs, n == 0 && !*ret_spent);
        *ret_spent = *ret_spent || spent;
        goes = !(spent && remedy->more);
        if (!spent)
            left[n++] = *knobs;
    }
    return left;
}

/* --- a new value --- */

/* A stated value in the form of the setting's number. */
static const char *written(const struct od_standing_change *change,
                           const struct od_bound_value *value, struct od_arena *arena)
{
    const struct od_setting_number *now = change->now, said = od_setting_number_read(value->text);
    bool alike = now->unit.n == 0 || od_view_eq(said.unit, now->unit) || now->bare;
    const char *text = value->text.n > 0 ? od_arena_str(arena, value->text) : NULL;
    if (text && alike)
        return text;
    const char *to = now->fraction ? od_arena_printf(arena, "%.2f", value->n)
                     : now->unit.n == 0
                         ? od_arena_printf(arena, "%.0f", value->n)
                         : od_setting_number_amount(now, value->n, change->up, arena);
    return to ? to : text;
}

bool od_standing_obey(const struct od_advise_question *question, struct od_standing_change *change,
                      struct od_arena *arena)
{
    const struct od_bounds bounds = od_remedy_bounds(question, change->name);
    const char *unit = change->now->unit.n > 0 ? od_arena_str(arena, change->now->unit) : NULL;
    const struct od_bound_value *stands = &bounds.most[OD_BOUND_STANDS];
    const struct od_bound_change asked = {
        .today = change->known ? od_setting_number_bytes(change->now) : stands->n,
        .to = change->to ? od_setting_value(od_view_of(change->to), unit) : 0,
        .up = change->up,
        .share = change->now->fraction || strcmp(change->name, "memory_fraction") == 0};
    struct od_bound_value value;
    enum od_bound_verdict verdict = od_bounds_judge(&bounds, &asked, &value);
    if (verdict == OD_BOUND_OPEN)
        change->to = NULL;
    if (verdict == OD_BOUND_SET) {
        change->to = written(change, &value, arena);
        change->worked = value.line;
    }
    return verdict != OD_BOUND_ENDS;
}

static const struct od_seen *seen_knob(const struct od_advise_question *q,
                                       const struct od_knob *knob)
{
    const char *const forms[] = {knob->flag, knob->also, knob->key, knob->env};
    const struct od_seen *seen = NULL;
    for (size_t i = 0; !seen && i < OD_COUNT_OF(forms); i++)
        seen = od_standing_seen(q, forms[i]);
    return seen;
}

/* "--a.b_c", "--a_b_c" and "--a-b-c" are one flag in different spellings. */
static struct od_view spelled(struct od_view flag, char joint, struct od_arena *arena)
{
    char *text = od_arena_str(arena, flag);
    for (size_t i = 2; joint && i < flag.n; i++)
        if (strchr("._-", text[i]))
            text[i] = joint;
    return (struct od_view){text, flag.n};
}

static bool is_switch(const struct od_knob *knob)
{
    return knob->less == OD_LESS_ON || knob->less == OD_LESS_OFF;
}

/* A command of that program that gives the flag; a switch without a value counts, too. */
static bool is_given(const struct od_seen *run, bool is_a_switch, struct od_view flag,
                     struct od_view *ret_value)
{
    struct od_view command = od_view_of(run->sign->text);
    *ret_value = od_flag_value(run->said.text, command, flag);
    return ret_value->n > 0 ||
           (is_a_switch && od_flag_given(run->said.text, command, flag, ret_value));
}

/* Is it that program, or one whose command has the same flag for it: -j of make for a compiler? */
static bool shares_flag(const struct od_software *software, const struct od_software *of,
                        const struct od_knob *knob)
{
    const struct od_knob *own = software ? od_software_knob(software, knob->name) : NULL;
    return software == of || (own && own->flag && knob->flag && strcmp(own->flag, knob->flag) == 0);
}

/* A one-letter flag may belong to any program, so it counts only in the program's own command. */
static const struct od_seen *seen_in_command(const struct od_advise_question *q,
                                             const struct od_software *of,
                                             const struct od_knob *knob, struct od_arena *arena)
{
    static const char joints[] = {'\0', '_', '-'};
    const char *const forms[] = {knob->flag, knob->also};
    for (size_t f = 0; f < 2 * OD_COUNT_OF(joints); f++) {
        const char *form = forms[f % 2];
        if (!form || form[0] != '-')
            continue;
        struct od_view flag = spelled(od_knob_fixed(form), joints[f / 2], arena), value;
        for (size_t i = q->c->seen.n; flag.n > 0 && i-- > 0;) {
            const struct od_seen *run = &q->c->seen.items[i];
            if (!shares_flag(run->sign->software, of, knob) ||
                run->sign->mark->kind != OD_MARK_COMMAND ||
                !is_given(run, is_switch(knob) || knob->bare, flag, &value))
                continue;
            struct od_seen *seen = OD_NEW(arena, struct od_seen);
            struct od_sign *sign = OD_NEW(arena, struct od_sign);
            *seen = *run;
            *sign = (struct od_sign){.text = od_arena_str(arena, flag)};
            seen->sign = sign;
            seen->value = value;
            return seen;
        }
    }
    return NULL;
}

/* A number that the text gives to a form of the setting, in whatever way. */
static const struct od_seen *seen_assigned(const struct od_advise_question *q,
                                           const struct od_software *of, const struct od_knob *knob,
                                           struct od_arena *arena)
{
    const struct od_incident *ended = q->diagnosis->failure->run.ended;
    const char *const forms[] = {knob->flag, knob->also, knob->key, knob->env,
                                 knob->flag ? NULL : knob->set};
    bool amount = ended && (knob->less == OD_LESS_LOWER || knob->less == OD_LESS_HIGHER);
    const struct od_assigned *one =
        amount ? od_assigned_of_knob(q->c->assigned, of, knob->name, &ended->at) : NULL;
    size_t i = 0;
    while (one && i < OD_COUNT_OF(forms) && !od_assigned_has_form(one, forms[i]))
        i++;
    if (!one || i == OD_COUNT_OF(forms))
        return NULL;
    struct od_seen *seen = OD_NEW(arena, struct od_seen);
    struct od_sign *sign = OD_NEW(arena, struct od_sign);
    *sign = (struct od_sign){.text = od_arena_str(arena, one->name)};
    *seen = (struct od_seen){
        .sign = sign, .value = one->value, .said = {.at = one->at, .text = one->line}};
    return seen;
}

/* Is the current value already the smallest one? "--quantization awq" is no advice if it is set. */
static bool is_least_word(const struct od_knob *knob, struct od_view value)
{
    uint64_t means = od_label_means(value);
    if (strcmp(knob->name, "optimizer") == 0)
        return od_means(means, OD_LABEL_SMALL);
    return od_knob_type_of(knob->name) == OD_KNOB_LEAST && !od_means(means, OD_LABEL_PLAIN) &&
           !od_means(means, OD_LABEL_HALF);
}

/* Is it a flag that is off unless the command has it, and the log does not show it? */
static bool is_off(const struct od_knob *knob)
{
    return knob->less == OD_LESS_OFF && knob->flag && !knob->key && !knob->env && !knob->value &&
           !strchr(knob->flag, '=');
}

/* Does the value that the log shows have nothing more to give? */
static bool is_exhausted(const struct od_knob *knob, struct od_view value, bool more)
{
    bool word = od_knob_takes_a_word(knob) && !(is_switch(knob) && !knob->value);
    if (word || !is_switch(knob) || more)
        return word && is_least_word(knob, value);
    return (knob->less == OD_LESS_ON) == !od_means(od_label_means(value), OD_LABEL_OFF);
}

/* The value that its form fixes: "0.0" of "NAME=0.0"; empty = none. */
static struct od_view fixed_value(const struct od_knob *knob)
{
    return od_stated_read(od_view_of(knob->env ? knob->env : "")).number;
}

/* Is it set to the value that its form fixes, or known to fail with it? Code begins with the name,
 * prose may only propose it. */
static bool is_set_so(const struct od_advise_question *q, const struct od_software *of,
                      const struct od_knob *knob)
{
    const struct od_prov *at = &q->diagnosis->failure->run.at;
    struct od_view fixed = fixed_value(knob), before = {0};
    const struct od_bounds bounds = od_remedy_bounds(q, knob->name);
    const struct od_assigned *one = od_assigned_of_knob(q->c->assigned, of, knob->name, at);
    if (one)
        before = od_view_head(one->line, (size_t)(one->name.p - one->line.p));
    bool sets = one && od_view_find_char(od_view_trim(before), ' ', 0) == OD_VIEW_NONE;
    return fixed.n > 0 && (od_view_eq(bounds.least[OD_BOUND_STANDS].text, fixed) ||
                           od_view_eq(bounds.least[OD_BOUND_FAILED].text, fixed) ||
                           (sets && od_view_eq(one->value, fixed)));
}

struct od_standing od_standing_of(const struct od_advise_question *question,
                                  const struct od_software *software, const struct od_knob *knob,
                                  bool more, struct od_arena *arena)
{
    const struct od_seen *seen = seen_knob(question, knob);
    seen = seen ? seen : seen_in_command(question, software, knob, arena);
    seen = seen ? seen : seen_assigned(question, software, knob, arena);
    return (struct od_standing){
        .seen = seen,
        .counts =
            !od_knob_takes_a_word(knob) && (!is_switch(knob) || (more && fixed_value(knob).n == 0)),
        .on = is_set_so(question, software, knob) ||
              (!more && od_knob_is_switched_on(knob, question->around,
                                               question->diagnosis->failure->run.at.source)) ||
              (seen ? is_exhausted(knob, seen->value, more) : is_off(knob)),
    };
}
