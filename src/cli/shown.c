#include "cli/shown.h"

#include "lib/pictures.h"
#include "redact/redact.h"
#include "report/words.h"

struct od_redactor *od_share_start(bool wanted)
{
    return wanted ? od_words_redactor() : NULL;
}

void od_share_say(const struct od_redactor *redactor)
{
    struct od_buf words = {0};
    if (!redactor)
        return;
    od_redacted_words(redactor, &words);
    od_complain("replaced for sharing: %s", od_buf_str(&words));
    od_buf_done(&words);
}

bool od_shown_take(struct od_shown *shown, const struct od_args *args, int option, int *ret_status)
{
    if (od_outputs_take(&shown->outputs, args, option, ret_status) ||
        od_plots_take(&shown->plots, args, option, ret_status))
        return true;
    *ret_status = OD_EXIT_OK;
    if (!od_args_is(args, option, "share"))
        return false;
    shown->share = true;
    return true;
}

bool od_shown_write(const struct od_shown *shown, const struct od_other *other,
                    struct od_redactor *redactor)
{
    struct od_report_options look = {.redactor = redactor};
    struct od_other with = *other;
    struct od_arena *arena = od_arena_new();
    bool inline_ = od_outputs_show_pictures(&shown->outputs);
    const struct od_figures *figures =
        inline_ || shown->plots.folder ? other->figures(other->self, arena) : NULL;
    if (inline_)
        with.pictures = od_pictures_draw(figures, arena);
    const struct od_outputs_of what = {.other = &with};
    od_outputs_look(&shown->outputs, &look);
    bool ok = od_outputs_write(&shown->outputs, &what, &look);
    if (shown->plots.folder)
        ok = od_plots_write(&shown->plots, figures) && ok;
    od_share_say(redactor);
    od_arena_free(arena);
    return ok;
}
