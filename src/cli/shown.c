#include "cli/shown.h"

#include "lib/pictures.h"
#include "redact/redact.h"
#include "report/words.h"

void od_share_start(bool wanted, struct od_report_options *options)
{
    options->redactor = wanted ? od_words_redactor() : NULL;
}

void od_share_end(struct od_report_options *options)
{
    struct od_buf words = {0};
    if (!options->redactor)
        return;
    od_redacted_words(options->redactor, &words);
    od_complain("replaced to share this: %s", od_buf_str(&words));
    od_redactor_free(options->redactor);
    options->redactor = NULL;
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

bool od_shown_write(const struct od_shown *shown, const struct od_other *other)
{
    struct od_report_options look = {0};
    struct od_other with = *other;
    struct od_arena *arena = od_arena_new();
    bool inline_ = od_outputs_show_pictures(&shown->outputs);
    const struct od_figures *figures =
        inline_ || shown->plots.folder ? other->figures(other->self, arena) : NULL;
    if (inline_)
        with.pictures = od_pictures_draw(figures, arena);
    const struct od_outputs_of what = {.other = &with};
    od_outputs_look(&shown->outputs, &look);
    od_share_start(shown->share, &look);
    bool ok = od_outputs_write(&shown->outputs, &what, &look);
    if (shown->plots.folder)
        ok = od_plots_write(&shown->plots, figures) && ok;
    od_share_end(&look);
    od_arena_free(arena);
    return ok;
}
