#include "cli/plots.h"

#include "cli/command.h"
#include "cli/outputs.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const format_words[] = {
    [OD_GNUPLOT_SVG] = "svg", [OD_GNUPLOT_PNG] = "png", [OD_GNUPLOT_PDF] = "pdf"};

static bool set_format(struct od_plots *plots, const char *word)
{
    for (size_t i = 0; i < sizeof format_words / sizeof *format_words; i++) {
        if (strcmp(word, format_words[i]) == 0) {
            plots->terminal = (enum od_gnuplot_terminal)i;
            return true;
        }
    }
    return false;
}

bool od_plots_take(struct od_plots *plots, const struct od_args *args, int option, int *ret_status)
{
    *ret_status = OD_EXIT_OK;
    if (od_args_is(args, option, "plots"))
        plots->folder = args->value;
    else if (!od_args_is(args, option, "plot-format"))
        return false;
    else if (!set_format(plots, args->value))
        *ret_status = od_usage_error(args->command, "--plot-format takes svg, png or pdf, not '%s'",
                                     args->value);
    return true;
}

static struct od_gnuplot_page page_of(const struct od_plots *plots, const struct od_figure *figure)
{
    return (struct od_gnuplot_page){.terminal = plots->terminal,
                                    .width = OD_FIGURE_WIDTH,
                                    .height = figure->height,
                                    .scale = plots->terminal == OD_GNUPLOT_PNG ? 2 : 1,
                                    .title = figure->title};
}

/* Writes a script with which gnuplot can draw the picture again. */
static bool write_script(const struct od_plots *plots, const struct od_figure *figure,
                         const char *file)
{
    const char *word = format_words[plots->terminal];
    struct od_gnuplot_page page = page_of(plots, figure);
    struct od_buf text = {0};
    od_buf_printf(&text, "# In this folder: gnuplot %s.gp\n", figure->name);
    od_gnuplot_head(&page, &text);
    od_buf_printf(&text, "set output '%s.%s'\ndata = '%s.dat'\n", figure->name, word, figure->name);
    od_buf_add(&text, figure->script);
    bool ok = od_outputs_write_file(file, od_buf_view(&text));
    od_buf_done(&text);
    return ok;
}

/* Writes one figure; *ret_why gets gnuplot's error, if any. */
static bool write_one(const struct od_plots *plots, const struct od_figure *figure,
                      struct od_arena *arena, const char **ret_why)
{
    const char *path = od_arena_printf(arena, "%s/%s", plots->folder, figure->name);
    const char *data = od_arena_printf(arena, "%s.dat", path);
    struct od_gnuplot_page page = page_of(plots, figure);
    struct od_buf picture = {0};
    if (!od_outputs_write_file(data, figure->data))
        return false;
    if (!write_script(plots, figure, od_arena_printf(arena, "%s.gp", path))) {
        (void)unlink(data); /* useless without the picture */
        return false;
    }
    if (*ret_why)
        return true;
    *ret_why = od_gnuplot_draw(&page, figure->data, figure->script, arena, &picture);
    const char *file = od_arena_printf(arena, "%s.%s", path, format_words[plots->terminal]);
    bool ok = *ret_why || od_outputs_write_file(file, od_buf_view(&picture));
    od_buf_done(&picture);
    return ok;
}

bool od_plots_write(const struct od_plots *plots, const struct od_figures *figures)
{
    if (mkdir(plots->folder, 0777) != 0 && errno != EEXIST) {
        od_complain("cannot make the folder %s: %s", plots->folder, strerror(errno));
        return false;
    }
    struct od_arena *arena = od_arena_new();
    const char *why = NULL;
    bool ok = true;
    for (size_t i = 0; i < figures->n && ok; i++)
        ok = write_one(plots, &figures->list[i], arena, &why);
    if (figures->n == 0)
        od_complain("there is nothing to draw");
    if (why)
        od_complain("no pictures: %s. Data and scripts are in %s", why, plots->folder);
    od_arena_free(arena);
    return ok;
}
