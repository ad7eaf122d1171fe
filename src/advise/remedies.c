#include "advise/remedies.h"

#include "advise/resume_command.h"
#include "advise/sources.h"
#include "failure/growth.h"

/* Growing memory in a log without a failure. Smaller growth counts if the text reports that memory
 * ran out. The growth of a cache is not a leak. */
static const struct od_series *growth_of(const struct od_advise_question *question)
{
    bool failed = question->diagnosis->failure->run.outcome != OD_OUTCOME_NO_FAILURE;
    const double much = failed ? 0.1 : 1.0 / 3; /* share of the final value, as for a cause */
    const struct od_series *grows = od_growth_unfailed(question->c, much);
    bool cache = grows && grows->metric == OD_SERIES_HOST_USED &&
                 od_growth_unchanged_beside(question->c, grows);
    return cache ? NULL : grows;
}

/* If the first remedy changes a number of the command and the log gives no value for it, adds a
 * command that finds one by trying. */
static void find_by_trying(const struct od_advise_question *question, struct od_remedy *first,
                           struct od_arena *arena)
{
    const struct od_resume_question again = {.c = question->c, .diagnosis = question->diagnosis};
    if (first->how->code || first->how->to)
        return;
    const struct od_edit *edit = &first->how->edit;
    struct od_view line = od_around_line(question->around, edit->at);
    const char *code = edit->from ? od_resume_by_trying(&again, line, edit, arena) : NULL;
    if (!code)
        return;
    struct od_remedy_how *how = OD_NEW_N(arena, first->nhow, struct od_remedy_how);
    first->how = memcpy(how, first->how, first->nhow * sizeof *how);
    how->code = code;
    how->text = od_arena_printf(arena, "%s No value follows from the log; each retry %s it.",
                                how->text, edit->more ? "raises" : "halves");
}

const struct od_remedies *od_remedies_select(const struct od_advise_question *question,
                                             struct od_arena *arena)
{
    const struct od_diagnosis *diagnosis = question->diagnosis;
    enum od_outcome outcome = diagnosis->failure->run.outcome;
    bool found = outcome != OD_OUTCOME_NO_FAILURE && diagnosis->findings.n > 0;
    const struct od_series *grows = found ? NULL : growth_of(question);
    if (!question->advice || (!found && !grows))
        return NULL;
    struct od_choice choice;
    od_choice_init(&choice, question, arena);
    if (found)
        od_sources_offer(&choice);
    else
        od_sources_offer_growth(&choice, grows);
    od_choice_order(&choice);
    if (choice.n > 0)
        find_by_trying(question, choice.list, arena);
    if (choice.n == 0 && (!found || outcome == OD_OUTCOME_OTHER_FAILURE))
        return NULL;
    struct od_remedies *remedies = OD_NEW(arena, struct od_remedies);
    *remedies = (struct od_remedies){choice.list, choice.n, choice.vain, choice.nvain};
    return remedies;
}
