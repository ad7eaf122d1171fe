#include "advise/remedies.h"
#include <math.h>

#include "advise/command_number.h"
#include "advise/knob.h"
#include "advise/remedy.h"
#include "advise/sources.h"
#include "advise/standing.h"
#include "base/code_line.h"
#include "base/mask_digits.h"
#include "facts/setting_number.h"
#include "failure/growth.h"
#include "failure/remarks.h"

#include <math.h>

/* The growing series of a log without a failure. Smaller growth counts if the text reports that
 * memory ran out. The growth of a cache is no leak. */
static const struct od_series *growth_of(const struct od_advise_question *question)
{
    bool failed = question->diagnosis->failure->run.outcome != OD_OUTCOME_NO_FAILURE;
    /* growth as a share of the final value, as required for a cause */
    const double much = failed ? 0.1 : 1.0 / 3;
    const struct od_series *grows = od_growth_unfailed(question->c, much);
    bool cache = grows && grows->metric == OD_SERIES_HOST_USED &&
                 od_growth_constant_part(question->c, grows);
    return cache ? NULL : grows;
}

/* A copy of the remedy's steps that can be changed. */
static struct od_remedy_how *own_steps(struct od_remedy *remedy, struct od_arena *arena)
{
    struct od_remedy_how *how = OD_NEW_N(arena, remedy->nhow, struct od_remedy_how);
    remedy->how = memcpy(how, remedy->how, remedy->nhow * sizeof *how);
    return how;
}

/* Adds the script and line to a step, if the log quotes the line that it changes. A variable is
 * exported. */
static void name_script(const struct od_advise_question *question, struct od_remedy *remedy,
                        struct od_arena *arena)
{
    struct od_view place, setting, line = od_around_line(question->around, remedy->how->edit.at);
    if (!remedy->how->edit.from || !od_script_of_line(line, &place, &setting))
        return;
    struct od_remedy_how *how = own_steps(remedy, arena);
    struct od_view code = od_view_of(how->code ? how->code : "");
    if (place.n > 0)
        how->edit.place = od_arena_str(arena, place);
    if (code.n > 0 && od_is_upper(code.p[0]) && od_view_find_char(place, ':', 0) == OD_VIEW_NONE)
        how->code = od_arena_printf(arena, "export %s", how->code);
}

/* Is it "Lower N from 64.", possibly with a reason and no other number, and N a count and no
 * limit? */
static bool is_plain(const struct od_advise_question *question, const struct od_remedy_how *how,
                     const struct od_setting_number *now, struct od_arena *arena)
{
    struct od_view text = od_view_of(how->text), value = how->edit.value;
    size_t at = 0;
    while (at + value.n < text.n && !od_view_eq(od_view_part(text, at, at + value.n), value))
        at++;
    struct od_view rest = od_view_from(text, at + value.n);
    bool limit = how->knob && od_remedy_limit(question, how->knob);
    bool reasoned = rest.n > 1 && !od_number_is_at_once(
                                      od_option_name(od_arena_str(arena, how->edit.name), arena));
    return !limit && now->unit.n == 0 && rest.n > 0 && rest.p[0] == '.' && !od_has_digit(rest) &&
           !reasoned;
}

/* A share of the number. Models that compress time take 4n + 1 or 8n + 1 frames. */
static const char *part_of(const struct od_setting_number *now,
                           const struct od_advice_remedy *advice, double times,
                           struct od_arena *arena)
{
    bool frames = advice->knobs && od_is_among("frames", advice->knobs);
    uint64_t n = frames ? (uint64_t)now->value : 0;
    double step = n % 8 == 1 ? 8 : n % 4 == 1 ? 4 : 0;
    if (step > 0)
        times = (floor(now->value * times / step) * step + 1) / now->value;
    return od_setting_number_times(now, times, arena);
}

/* Guesses a number of the command for which the failure gives no value. first: no other remedy has
 * a guess. A number elsewhere is only proposed. False if another remedy changes the number. */
static bool guess(const struct od_advise_question *question, struct od_remedy *remedy, bool first,
                  struct od_arena *arena)
{
    const struct od_edit *edit = &remedy->how->edit;
    const struct od_setting_number now = od_setting_number_read(edit->value);
    const double times = od_try_times(question->diagnosis->failure, remedy->advice, edit->more);
    bool measured = times < 0.5;
    struct od_view line = od_around_line(question->around, edit->at), command, place;
    struct od_standing_change change = {.name = remedy->how->knob ? remedy->how->knob
                                                                  : od_arena_str(arena, edit->name),
                                        .now = &now,
                                        .up = edit->more,
                                        .known = true,
                                        .to = part_of(&now, remedy->advice, times, arena)};
    bool goes = od_standing_obey(question, &change, arena);
    const char *to = change.to,
               *next = part_of(&now, remedy->advice, measured ? 0.5 : times * times, arena);
    const struct od_evidence said = {.at = edit->at,
                                     .text = od_view_of(edit->from ? edit->from : "")};
    const struct od_renumber new = {edit->name, edit->value, to};
    struct od_edit tried;
    /* RAM seldom runs out for the batch */
    bool doubtful = !first && measured && od_remedy_is_about(remedy->advice, "batch");
    bool can_edit = od_command_of_line(line, &command) || od_script_of_line(line, &place, &command);
    if (doubtful || !edit->from || remedy->how->code || remedy->how->to || remedy->action.figures ||
        now.fraction || od_setting_number_bytes(&now) <= 0 || od_view_eq_str(edit->value, "99") ||
        od_view_eq_str(edit->value, "999") /* means all */ || !goes || !to ||
        od_view_find_char(edit->value, '.', 0) != OD_VIEW_NONE ||
        !(can_edit || is_plain(question, remedy->how, &now, arena)) ||
        !od_edit_number(&said, &new, arena, &tried))
        return false;
    struct od_remedy_how *how = own_steps(remedy, arena);
    how->to = to;
    if (can_edit) {
        tried.more = edit->more;
        tried.guess = true;
        how->edit = tried;
        how->code = !tried.paste && said.text.n <= command.n ? tried.to : tried.paste;
    }
    how->text = od_arena_printf(arena, "%s %s %s%s%s.", how->text,
                                first ? "No value follows from the log: try" : "Try", to,
                                strcmp(next, to) == 0 ? ""
                                : measured            ? ". If the run ends with it, try "
                                                      : ", then ",
                                strcmp(next, to) == 0 ? "" : next);
    return true;
}

/* Is it a change of the run's own size, while the first remedy is a larger machine without an
 * amount? */
static bool is_before_more(const struct od_advise_question *question,
                           const struct od_choice *choice, size_t at, struct od_arena *arena)
{
    const struct od_remedy *first = choice->list;
    const struct od_remedy_how *how = choice->list[at].how;
    const struct od_assigned number = {.name = how->edit.name, .value = how->edit.value};
    return od_remedy_is_about(first->advice, "place") && !first->limit_needed && !how->edit.more &&
           !od_is_called(how->knob, "threads") &&
           od_number_weight(question->diagnosis->failure, &number, arena) >= OD_NAMED_WEIGHT;
}

const struct od_remedies *od_remedies_select(const struct od_advise_question *question,
                                             struct od_arena *arena)
{
    const struct od_diagnosis *diagnosis = question->diagnosis;
    enum od_outcome outcome = diagnosis->failure->run.outcome;
    bool found = outcome != OD_OUTCOME_NO_FAILURE && diagnosis->findings.n > 0;
    const struct od_series *grows = found ? NULL : growth_of(question);
    const struct od_evidence *told = found ? NULL : od_remark_anywhere(question->c, "grown");
    if (!question->advice || (!found && !grows && !told))
        return NULL;
    struct od_choice choice;
    od_choice_init(&choice, question, arena);
    if (found)
        od_sources_offer(&choice);
    else
        od_sources_offer_growth(&choice, grows, told);
    od_choice_order(&choice);
    size_t guessed = choice.n;
    for (size_t i = 0; i < choice.n; i++)
        if (guess(question, &choice.list[i], guessed == choice.n, arena) && guessed == choice.n)
            guessed = i;
    if (guessed < choice.n && is_before_more(question, &choice, guessed, arena))
        od_choice_move(&choice, guessed, 0);
    for (size_t i = 0; i < choice.n; i++)
        name_script(question, &choice.list[i], arena);
    if (choice.n == 0 && (!found || outcome == OD_OUTCOME_OTHER_FAILURE))
        return NULL;
    struct od_remedies *remedies = OD_NEW(arena, struct od_remedies);
    *remedies = (struct od_remedies){choice.list, choice.n, choice.useless, choice.nuseless};
    return remedies;
}
