/* What to do after the failure: the commands that decide between causes, and the work that was
 * lost. */
#include "report/outline_parts.h"
#include "report/words.h"

enum { STEPS_WORTH = 100 }; /* less is begun again without a thought */

static void say_then(struct od_outline *outline, struct od_text *text)
{
    if (outline->of_page) {
        od_say(text, "; then paste its output below the log.");
        return;
    }
    od_say(text, "; then ");
    od_say_as(text, OD_CODE, "oomdoctor analyze %s answer.txt",
              od_outline_operand(outline->report));
}

void od_outline_decide(struct od_outline *outline)
{
    const struct od_decide *decide = outline->report->decide;
    if (!decide)
        return;
    struct od_section *section = od_doc_section(outline->doc, NULL);
    size_t n = outline->all ? decide->n : 1;
    for (size_t i = 0; i < n; i++) {
        struct od_text *text = od_doc_text(section);
        od_say(text, i == 0 ? "To decide it: " : "Or: ");
        od_say_as(text, OD_CODE, "%s%s", decide->list[i].command,
                  outline->of_page || outline->of_run ? "" : " > answer.txt");
        if (outline->all)
            od_say(text, " (%s)", decide->list[i].why);
        if (i == 0 && !outline->of_run)
            say_then(outline, text);
    }
}

/* "38 min", "2 h 5 min", "12 s" */
static const char *duration(struct od_arena *arena, uint64_t seconds)
{
    unsigned long long minutes = (seconds + 30) / 60;
    if (seconds < 60)
        return od_arena_printf(arena, "%llu s", (unsigned long long)seconds);
    if (minutes < 60)
        return od_arena_printf(arena, "%llu min", minutes);
    return minutes % 60 == 0
               ? od_arena_printf(arena, "%llu h", minutes / 60)
               : od_arena_printf(arena, "%llu h %llu min", minutes / 60, minutes % 60);
}

static void say_lost(struct od_outline *outline, struct od_text *text, const struct od_lost *lost)
{
    const char *about = lost->seconds_estimated ? "about " : "";
    if (lost->seconds.known)
        od_say(text, " (%s%s lost)", about, duration(outline->arena, lost->seconds.n));
    else if (lost->steps.known)
        od_say(text, " (%s lost)",
               od_words_counted(outline->arena, lost->steps.n, "step", "steps"));
}

static void say_saved(struct od_outline *outline, struct od_text *text, const struct od_lost *lost)
{
    const struct od_checkpoint *saved = lost->saved;
    bool died = lost->died_at_step.known || lost->died_in_epoch.known;
    od_say(text, died ? "; last checkpoint" : "Last checkpoint");
    if (lost->saved_step.known)
        od_say(text, " step %s", od_words_count(outline->arena, lost->saved_step.n));
    else if (saved->epoch.known)
        od_say(text, " epoch %s", od_words_count(outline->arena, saved->epoch.n));
    say_lost(outline, text, lost);
    if (saved->path.n > 0) {
        od_say(text, ": ");
        od_doc_add(text, OD_CODE, (struct od_view){saved->path.p, saved->path.n});
    }
    od_say(text, saved->done ? "." : ", which may be incomplete.");
}

static bool is_worth_a_line(const struct od_lost *lost)
{
    bool went_far = lost->died_at_step.known
                        ? lost->died_at_step.n >= STEPS_WORTH
                        : lost->died_in_epoch.known && lost->died_in_epoch.n > 1;
    return lost->saved || went_far;
}

void od_outline_lost(struct od_outline *outline)
{
    const struct od_lost *lost = outline->report->lost;
    if (!lost || !is_worth_a_line(lost))
        return;
    struct od_text *text = od_doc_text(od_doc_section(outline->doc, NULL));
    if (lost->died_at_step.known)
        od_say(text, "Died at step %s", od_words_count(outline->arena, lost->died_at_step.n));
    if (lost->died_in_epoch.known)
        od_say(text, "%s epoch %s", lost->died_at_step.known ? " of" : "Died in",
               od_words_count(outline->arena, lost->died_in_epoch.n));
    if (lost->saved)
        say_saved(outline, text, lost);
    else
        od_say(text, "; the log names no checkpoint.");
    if (outline->report->resume) {
        od_say(text, " Resume: ");
        od_say_as(text, OD_CODE, "%s", outline->report->resume);
    }
}
