#include "host/gnuplot.h"

#include "host/child.h"

enum {
    LIMIT_MS = 10000,
    PICTURE_MOST = 8 << 20, /* our largest picture has 200 KB */
    MEMORY_MOST = 2000      /* MB of address space */
};

/* Height of text in drawing units, and points (the unit of a PDF) per drawing unit. */
static const double text_height = 15, points_per_unit = 0.75;

static void start_svg(const struct od_gnuplot_page *page, struct od_buf *to)
{
    od_buf_printf(to, "set terminal svg size %.0f,%.0f font 'sans-serif,%.6g' linewidth %.6g%s",
                  page->width * page->scale, page->height * page->scale, text_height * page->scale,
                  page->scale, page->transparent ? "" : " background rgb 'white'");
}

static void start_png(const struct od_gnuplot_page *page, struct od_buf *to)
{
    od_buf_printf(to, "set terminal pngcairo size %.0f,%.0f font 'sans-serif,%.6g' linewidth %.6g",
                  page->width * page->scale, page->height * page->scale,
                  text_height * points_per_unit * page->scale, page->scale);
}

static void start_pdf(const struct od_gnuplot_page *page, struct od_buf *to)
{
    od_buf_printf(to,
                  "set terminal pdfcairo size %.6gin,%.6gin font 'sans-serif,%.6g' fontscale 1 "
                  "linewidth %.6g",
                  page->width * page->scale / 96, page->height * page->scale / 96,
                  text_height * points_per_unit * page->scale, page->scale);
}

/* Our texts have no quotes. A single quote would end the string. */
static void add_quoted(const char *text, struct od_buf *to)
{
    od_buf_add_char(to, '\'');
    for (; *text; text++)
        if (*text != '\'' && *text != '\n')
            od_buf_add_char(to, *text);
    od_buf_add_char(to, '\'');
}

void od_gnuplot_head(const struct od_gnuplot_page *page, struct od_buf *to)
{
    static void (*const starts[])(const struct od_gnuplot_page *, struct od_buf *) = {
        [OD_GNUPLOT_SVG] = start_svg, [OD_GNUPLOT_PNG] = start_png, [OD_GNUPLOT_PDF] = start_pdf};
    od_buf_add_str(to, "set encoding utf8\n");
    starts[page->terminal](page, to);
    od_buf_add_str(to, " noenhanced\n");
    if (!page->title)
        return;
    od_buf_add_str(to, "titled = 1\nset title ");
    add_quoted(page->title, to);
    od_buf_add_str(to, "\n");
}

static bool is_whole(enum od_gnuplot_terminal terminal, struct od_view picture)
{
    struct od_view end = od_view_trim(picture);
    switch (terminal) {
    case OD_GNUPLOT_SVG:
        return od_view_starts(picture, OD_VIEW("<?xml")) && od_view_ends(end, OD_VIEW("</svg>"));
    case OD_GNUPLOT_PNG:
        return od_view_starts(picture, OD_VIEW("\x89PNG\r\n\x1a\n")) &&
               od_view_ends(picture, OD_VIEW("IEND\xae\x42\x60\x82"));
    case OD_GNUPLOT_PDF:
        return od_view_starts(picture, OD_VIEW("%PDF-")) && od_view_ends(end, OD_VIEW("%%EOF"));
    }
    return false;
}

/* Returns the last line of an error message, which follows a copy of the script. */
static const char *final_error(struct od_view said, struct od_arena *arena)
{
    enum { MOST = 160 };
    struct od_view line, last = {0};
    while (od_view_cut(&said, '\n', &line)) {
        line = od_view_trim(line);
        last = line.n > 0 ? line : last;
    }
    struct od_buf text = {0};
    od_text_visible(od_view_head(last, MOST), &text);
    const char *words = text.n > 0 ? od_arena_printf(arena, ": %s", od_buf_str(&text)) : "";
    od_buf_done(&text);
    return words;
}

static const char *judge(const struct od_gnuplot_page *page, const struct od_child_result *result,
                         struct od_arena *arena)
{
    switch (result->end) {
    case OD_CHILD_MISSING:
        return "gnuplot is not installed";
    case OD_CHILD_FAILED:
        return od_arena_printf(arena, "gnuplot could not be started: %s", strerror(result->status));
    case OD_CHILD_TOO_LONG:
        return od_arena_printf(arena, "gnuplot did not end within %d seconds", LIMIT_MS / 1000);
    case OD_CHILD_TOO_MUCH:
        return "gnuplot printed more than any picture has";
    case OD_CHILD_SIGNALLED:
        return od_arena_printf(arena, "gnuplot was ended by signal %d", result->status);
    case OD_CHILD_EXITED:
        break;
    }
    if (result->status != 0)
        return od_arena_printf(arena, "gnuplot ended with status %d%s", result->status,
                               final_error(od_buf_view(&result->err), arena));
    if (result->out.n == 0)
        return od_arena_printf(arena, "gnuplot drew nothing%s",
                               final_error(od_buf_view(&result->err), arena));
    if (!is_whole(page->terminal, od_buf_view(&result->out)))
        return "the output of gnuplot is not a picture";
    return NULL;
}

/* Runs gnuplot. Returns an error, or NULL; *ret_printed gets the output in both cases. */
static const char *run(const struct od_gnuplot_page *page, struct od_view table,
                       struct od_view input, struct od_arena *arena, struct od_buf *ret_printed)
{
    /* -d: ignore settings of the user and the system */
    static const char *const words[] = {"gnuplot", "-d", "-", NULL};
    static const char *const environment[] = {"HOME=/nonexistent", "LC_ALL=C.UTF-8",
                                              "PATH=/usr/local/bin:/usr/bin:/bin", NULL};
    struct od_child child = {.argv = words,
                             .environment = environment,
                             .input = input,
                             .table = table,
                             .output_most = PICTURE_MOST,
                             .limit_ms = LIMIT_MS,
                             .memory_most = (uint64_t)MEMORY_MOST << 20,
                             .file_most = PICTURE_MOST,
                             .locked = page->locked};
    struct od_child_result result = od_child_run(&child);
    const char *why = judge(page, &result, arena);
    *ret_printed = result.out;
    result.out = (struct od_buf){0};
    od_child_done(&result);
    return why;
}

const char *od_gnuplot_draw(const struct od_gnuplot_page *page, struct od_view data,
                            struct od_view script, struct od_arena *arena,
                            struct od_buf *ret_picture)
{
    struct od_buf input = {0}, printed = {0};
    od_gnuplot_head(page, &input);
    od_buf_add_str(&input, "data = '" OD_CHILD_TABLE "'\n");
    od_buf_add(&input, script);
    const char *why = run(page, data, od_buf_view(&input), arena, &printed);
    od_buf_done(&input);
    if (why)
        od_buf_done(&printed);
    else
        *ret_picture = printed;
    return why;
}

/* Sends the table within the script. A table of numbers cannot contain the end marker. */
static void add_table(size_t i, struct od_view data, struct od_buf *to)
{
    od_buf_printf(to, "$data%zu << END_OF_DATA\n", i);
    od_buf_add(to, data);
    od_buf_add_str(to, od_view_ends(data, OD_VIEW("\n")) ? "END_OF_DATA\n" : "\nEND_OF_DATA\n");
}

const char *od_gnuplot_draw_all(const struct od_gnuplot_page *page,
                                const struct od_gnuplot_drawing *drawings, size_t n,
                                struct od_arena *arena, struct od_buf *ret_pictures)
{
    struct od_buf input = {0};
    for (size_t i = 0; i < n; i++) {
        struct od_gnuplot_page one = *page;
        one.height = drawings[i].height;
        add_table(i, drawings[i].data, &input);
        od_buf_add_str(&input, "reset\n");
        od_gnuplot_head(&one, &input);
        od_buf_printf(&input, "data = '$data%zu'\n", i);
        od_buf_add(&input, drawings[i].script);
        od_buf_add_char(&input, '\n');
    }
    const char *why = run(page, (struct od_view){0}, od_buf_view(&input), arena, ret_pictures);
    od_buf_done(&input);
    return why;
}
