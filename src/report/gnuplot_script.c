#include "report/gnuplot_script.h"

#include "report/figure_parts.h"

#include <math.h>

static const struct {
    const char *name, *script;
} parts[] = {
#include "report/figures.inc"
};

void od_gnuplot_run(struct od_gnuplot_script *plot, const char *part)
{
    for (size_t i = 0; i < OD_COUNT_OF(parts); i++)
        if (strcmp(parts[i].name, part) == 0)
            od_buf_add_str(&plot->script, parts[i].script);
}

struct od_gnuplot_script od_gnuplot_start(struct od_figures *figures, struct od_arena *arena,
                                          uint64_t largest)
{
    struct od_gnuplot_script plot = {.figures = figures, .arena = arena};
    plot.unit = od_bytes_unit_for(largest);
    od_gnuplot_run(&plot, "style");
    od_gnuplot_say(&plot, "unit = 2.0**%u\nunit_name = '%s'\nalarm = '" OD_ALARM "'",
                   10 * plot.unit, od_bytes_unit_name(plot.unit));
    return plot;
}

void od_gnuplot_finish(struct od_gnuplot_script *plot, const struct od_figure *words)
{
    struct od_figures *figures = plot->figures;
    if (figures->n < OD_FIGURES_MAX) {
        struct od_figure *figure = &figures->list[figures->n++];
        *figure = *words;
        figure->data = od_arena_view(plot->arena, od_buf_view(&plot->data));
        figure->script = od_arena_view(plot->arena, od_buf_view(&plot->script));
    }
    od_buf_done(&plot->data);
    od_buf_done(&plot->script);
}

static void add(struct od_buf *to, struct od_arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

static void add(struct od_buf *to, struct od_arena *arena, const char *format, va_list args)
{
    od_buf_add_str(to, od_arena_vprintf(arena, format, args));
    od_buf_add_char(to, '\n');
}

unsigned od_gnuplot_block(struct od_gnuplot_script *plot, const char *columns)
{
    if (plot->blocks > 0)
        od_buf_add_str(&plot->data, "\n\n");
    od_buf_printf(&plot->data, "# %s\n", columns);
    return plot->blocks++;
}

void od_gnuplot_row(struct od_gnuplot_script *plot, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(&plot->data, plot->arena, format, args);
    va_end(args);
}

void od_gnuplot_say(struct od_gnuplot_script *plot, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(&plot->script, plot->arena, format, args);
    va_end(args);
}

const char *od_gnuplot_quoted(const struct od_gnuplot_script *plot, const char *words)
{
    struct od_buf text = {0};
    for (const char *c = words; *c; c++)
        od_buf_add_str(&text, *c == '\'' ? "''" : (char[]){*c, '\0'});
    return od_arena_take(plot->arena, &text);
}

double od_gnuplot_in_unit(const struct od_gnuplot_script *plot, double bytes)
{
    return ldexp(bytes, -10 * (int)plot->unit);
}

double od_gnuplot_text_width(const char *text)
{
    /* Width of a character in text 15 high, in DejaVu Sans, which is wider than most fonts. */
    static const double letter = 8.8;
    return (double)od_view_of(text).n * letter / OD_FIGURE_WIDTH;
}

double od_gnuplot_step(double most)
{
    enum { TICS = 5 };
    double step = pow(10, floor(log10(most / TICS)));
    if (most / step > 5 * TICS)
        return step * 10;
    if (most / step > 2 * TICS)
        return step * 5;
    return most / step > TICS ? step * 2 : step;
}

void od_gnuplot_y_axis(struct od_gnuplot_script *plot, double top, const char *label)
{
    double most = od_gnuplot_in_unit(plot, top);
    od_gnuplot_say(plot, "set yrange [0:%.9g]\nset ytics 0,%.9g nomirror\nset ylabel '%s'", most,
                   od_gnuplot_step(most), label);
    od_gnuplot_say(plot, "set grid ytics linecolor rgb '#808080' linewidth 0.4");
}

void od_gnuplot_level(struct od_gnuplot_script *plot, const char *tag, double bytes)
{
    double at = od_gnuplot_in_unit(plot, bytes);
    od_gnuplot_say(plot,
                   "set arrow %sfrom graph 0, first %.9g to graph 1, first %.9g nohead front "
                   "linewidth 1.5 dashtype 2 linecolor rgb '" OD_ALARM "'",
                   tag, at, at);
}

void od_gnuplot_limit(struct od_gnuplot_script *plot, const char *tag, double bytes)
{
    od_gnuplot_level(plot, tag, bytes);
    od_gnuplot_say(plot, "set label %s'limit %s' at graph 0.01, first %.9g left offset 0,0.5 front",
                   tag, od_bytes_text_u64(plot->arena, (uint64_t)bytes),
                   od_gnuplot_in_unit(plot, bytes));
}

void od_gnuplot_side_label(struct od_gnuplot_script *plot, const struct od_side_label *label)
{
    double width = (od_gnuplot_text_width(label->text) + 0.02) * label->whole;
    double at = (label->from + label->to) / 2;
    const char *side = "center offset 0,1.05";
    if (label->to + width < label->whole) {
        at = label->to;
        side = "left offset 0.7,0";
    } else if (label->from > width) {
        at = label->from;
        side = "right offset -0.7,0";
    }
    od_gnuplot_say(plot, "set label '%s' at %.6g,%.6g %s", label->text, at, label->y, side);
}

const char *od_figure_device(struct od_view device, struct od_arena *arena)
{
    static const char *const kinds[] = {"GPU", "TPU", "NPU", "MLU", "XPU", "CPU"};
    for (size_t i = 0; i < OD_COUNT_OF(kinds); i++) {
        struct od_view rest = device;
        uint64_t number;
        if (!od_view_take(&rest, od_view_of(kinds[i])))
            continue;
        if (rest.n == 0)
            return kinds[i];
        if (od_view_take(&rest, OD_VIEW(":")) && od_num_parse_u64(rest, &number) && number < 65536)
            return od_arena_printf(arena, "%s %" PRIu64, kinds[i], number);
    }
    return "";
}

/* ---- names and colors of the uses of memory ---- */

static const struct od_share_words share_words[OD_SHARES] = {
#define OD_SHARE_WORDS(constant, words, color, ink) [OD_SHARE_##constant] = {words, color, ink},
#include "report/words.def"
};

const struct od_share_words *od_share_words(enum od_share share)
{
    return &share_words[share];
}

static int by_bytes(const void *a, const void *b)
{
    const struct od_size *const *x = a, *const *y = b;
    return ((*x)->bytes > (*y)->bytes) - ((*x)->bytes < (*y)->bytes);
}

enum od_share od_share_of_role(enum od_role role)
{
    static const enum od_share shares[OD_ROLES] = {
#define OD_ROLE_WORDS(constant, words, share, fill) [OD_ROLE_##constant] = OD_SHARE_##share,
#include "report/words.def"
    };
    return role < OD_ROLES ? shares[role] : OD_SHARE_UNKNOWN;
}

/* Unexplained memory is gray, unless nothing is explained: then gray would distinguish nothing. */
const char *od_shares_color(const struct od_shares *shares, enum od_share share)
{
    bool rest = share == OD_SHARE_UNKNOWN && !shares->explained;
    return share_words[rest ? OD_SHARE_ACTIVATIONS : share].color;
}

struct od_shares od_shares_of(const struct od_report *report, const struct od_allocator *allocator,
                              struct od_arena *arena)
{
    struct od_shares shares = {.allocator = allocator};
    shares.holding = report->attribution ? od_holding_of(report->attribution, allocator) : NULL;
    shares.by_bytes = OD_NEW_N(arena, allocator->nsizes + 1, const struct od_size *);
    for (size_t i = 0; i < allocator->nsizes; i++)
        shares.by_bytes[i] = &allocator->sizes[i];
    for (unsigned role = OD_ROLE_UNKNOWN + 1; shares.holding && role < OD_ROLES; role++)
        shares.explained = shares.explained || shares.holding->bytes_by_role[role] > 0;
    qsort(shares.by_bytes, allocator->nsizes, sizeof *shares.by_bytes, by_bytes);
    return shares;
}

enum od_share od_shares_find(const struct od_shares *shares, uint64_t bytes)
{
    struct od_size wanted = {.bytes = bytes};
    const struct od_size *key = &wanted;
    if (!shares->holding || !shares->holding->sizes)
        return OD_SHARE_UNKNOWN;
    const struct od_size **found = bsearch(&key, shares->by_bytes, shares->allocator->nsizes,
                                           sizeof *shares->by_bytes, by_bytes);
    if (!found)
        return OD_SHARE_UNKNOWN;
    const struct od_size_candidates *size =
        &shares->holding->sizes[*found - shares->allocator->sizes];
    return size->n > 0 ? od_share_of_role(size->list[0].role) : OD_SHARE_UNKNOWN;
}

const char *od_shares_name(const struct od_shares *shares, enum od_share share)
{
    return share == OD_SHARE_UNKNOWN && shares->explained ? "unexplained" : share_words[share].name;
}
