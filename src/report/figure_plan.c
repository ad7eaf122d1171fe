/*
 * Figures of a plan: the peak by batch size, precision and batch as a table of colors, and the
 * parts of the peak (before and after a change).
 */
#include "report/figure_parts.h"
#include "report/plan.h"

static void add_batch(struct od_figures *figures, const struct od_plan *plan,
                      struct od_arena *arena)
{
    const struct od_plan_recommendation *r = &plan->recommendation;
    struct od_batch_curve curve = {.tried_word = "requested"};
    if (plan->request.device.name)
        curve.limit = plan->request.device.usable_bytes;
    if (!plan->batch_chosen)
        curve.tried = od_count_of(plan->request.workload.batch);
    /* Only for the same workload at another batch: the curve belongs to that workload. */
    if (r->known && r->option == 0)
        curve.recommended = od_count_of(r->batch);
    curve.n = od_plan_curve(plan, arena, &curve.points);
    if (curve.n > 0)
        od_figure_batch(figures, &curve, arena);
}

/* The class of a cell: it fits, may fit, or does not fit. Each has a color and a sign. */
static unsigned class_of(double fits)
{
    return fits >= 0.95 ? 0 : fits > 0.05 ? 1 : 2;
}

static void draw_cells(struct od_gnuplot_script *plot, const struct od_plan_grid *table,
                       bool device)
{
    static const char *const colors[] = {"0x5FC08F", "0xA9BCD6", "0xE0808080"};
    static const char *const signs[] = {"", "?", " ×"};
    for (size_t p = 0; p < table->nprecisions; p++)
        for (size_t b = 0; b < table->nbatches; b++) {
            const struct od_batch_point *cell = &table->cells[p][b];
            if (!table->known[p][b])
                continue;
            unsigned class = device ? class_of(cell->fits) : 0;
            /* Without a device, larger peaks have deeper colors. */
            const char *color =
                device ? colors[class]
                       : od_arena_printf(plot->arena, "0x%02X3B5B85",
                                         (unsigned)(230 - 200 * cell->peak / table->most));
            double value = od_gnuplot_in_unit(plot, cell->peak);
            od_gnuplot_row(plot, "%zu %zu %" PRIu64 " %.0f %.4f %s \"%.*f%s\" \"%s\"", b, p,
                           cell->batch, cell->peak, cell->fits, color, value < 10 ? 1 : 0, value,
                           device ? signs[class] : "", od_precision_name(table->precisions[p]));
        }
}

static void add_table(struct od_figures *figures, const struct od_plan *plan,
                      struct od_arena *arena)
{
    const struct od_plan_grid *table = od_plan_grid(plan, arena);
    bool device = plan->request.device.name != NULL;
    if (!(table->most > 0) || !(table->most < 0x1p63))
        return;
    struct od_gnuplot_script plot = od_gnuplot_start(
        figures, arena, device ? plan->request.device.usable_bytes : (uint64_t)table->most);
    (void)od_gnuplot_block(&plot,
                           "column, row, batch, peak bytes, probability that it fits, color, "
                           "words, precision");
    draw_cells(&plot, table, device);
    od_gnuplot_say(&plot, "columns = %zu\nrows = %zu", table->nbatches, table->nprecisions);
    od_gnuplot_run(&plot, "grid");
    od_gnuplot_run(&plot, device ? "grid_of_device" : "");
    od_gnuplot_say(&plot,
                   "plot data using 1:2:($1-0.47):($1+0.47):($2-0.45):($2+0.45):6:xtic(3):ytic(8) "
                   "with boxxyerror fillcolor rgb variable notitle, \\\n"
                   "    data using 1:2:7 with labels%s notitle%s",
                   device ? "" : " textcolor rgb '" OD_INK "'",
                   device
                       ? ", keyentry with boxes linecolor rgb '#5FC08F' title 'fits', \\\n"
                         "    keyentry with boxes linecolor rgb '#A9BCD6' title 'may fit ?', \\\n"
                         "    keyentry with boxes linecolor rgb '#C0808080' title 'does not fit ×'"
                       : "");
    struct od_figure words = {
        .name = "precision_batch",
        .title = "Peak by precision and batch",
        .alt =
            "A table of colours: the predicted peak for each precision and batch, and whether it "
            "fits the device.",
        .height = 172 + 44 * (unsigned)table->nprecisions};
    od_gnuplot_finish(&plot, &words);
}

/* The legend lists each part once for all bars; memory without a tensor is one entry. */
enum { PARTS = OD_PLAN_PARTS - 1 };

static void list_parts(const struct od_breakdown *d, struct od_plan_part ret_parts[OD_PLAN_PARTS],
                       uint64_t ret_bytes[static PARTS])
{
    od_plan_parts(d, ret_parts);
    for (size_t i = 0; i < OD_PLAN_PARTS; i++) {
        struct od_bytes bytes = ret_parts[i].part->bytes;
        if (i < PARTS)
            ret_bytes[i] = bytes.known ? bytes.n : 0;
        else
            ret_bytes[PARTS - 1] += bytes.known ? bytes.n : 0;
    }
}

static const enum od_share part_shares[PARTS] = {
    OD_SHARE_WEIGHTS,     OD_SHARE_GRADIENTS, OD_SHARE_OPTIMIZER, OD_SHARE_OTHER,
    OD_SHARE_ACTIVATIONS, OD_SHARE_DATA,      OD_SHARE_WORKSPACE, OD_SHARE_UNKNOWN};

/* One bar of parts laid end to end. */
static void draw_bar(struct od_gnuplot_script *plot, const struct od_plan_part *parts,
                     const uint64_t bytes[static PARTS], size_t row)
{
    uint64_t before = 0;
    for (size_t i = 0; i < PARTS; i++) {
        if (bytes[i] > 0)
            od_gnuplot_row(plot, "%zu %" PRIu64 " %" PRIu64 " 0x%s \"%s\"", row, before,
                           before + bytes[i], od_share_words(part_shares[i])->color + 1,
                           parts[i].words);
        before += bytes[i];
    }
}

/* Figure of the parts of the peak; two bars if the user asked for a change. */
static void add_parts(struct od_figures *figures, const struct od_plan_report *report,
                      struct od_arena *arena)
{
    const struct od_plan *plans[] = {report->before ? report->before : report->plan, report->plan};
    size_t bars = report->before ? 2 : 1;
    struct od_plan_part parts[OD_PLAN_PARTS];
    uint64_t bytes[2][PARTS], most = 0;
    for (size_t k = 0; k < bars; k++) {
        uint64_t sum = 0;
        list_parts(&plans[k]->estimate.breakdown, parts, bytes[k]);
        for (size_t i = 0; i < PARTS; i++)
            if (ckd_add(&sum, sum, bytes[k][i]) || sum > (uint64_t)1 << 62)
                return;
        most = sum > most ? sum : most;
    }
    if (most == 0)
        return;
    const struct od_plan_device *device = &report->plan->request.device;
    if (device->name && device->usable_bytes > most)
        most = device->usable_bytes;
    struct od_gnuplot_script plot =
        od_gnuplot_start(figures, arena, device->name ? device->usable_bytes : most);
    unsigned legend = 0;
    for (size_t i = 0; i < PARTS; i++)
        legend += bytes[bars - 1][i] > 0;
    legend = (legend + 1) / 2; /* the legend has two columns */
    (void)od_gnuplot_block(&plot, "bar, from, to, color, part");
    for (size_t k = 0; k < bars; k++)
        draw_bar(&plot, parts, bytes[k], k);
    od_gnuplot_say(&plot,
                   "bars = %zu\nlegend = %u\nlimit = %.9g\nlimit_words = 'limit %s'\n"
                   "limit_side = '%s'\nset xrange [0:%.9g]\nset xlabel unit_name",
                   bars, legend, device->name ? (double)device->usable_bytes : 0,
                   od_bytes_text_u64(arena, device->usable_bytes),
                   device->usable_bytes > most / 2 ? "right" : "left",
                   1.04 * od_gnuplot_in_unit(&plot, (double)most));
    od_gnuplot_run(&plot, "labels_on_top");
    od_gnuplot_run(&plot, "parts");
    od_gnuplot_say(&plot,
                   "plot data using ($2/unit):1:($2/unit):($3/unit):($1-0.32):($1+0.32):4 with "
                   "boxxyerror fillcolor rgb variable notitle, \\");
    for (size_t i = 0; i < PARTS; i++)
        if (bytes[bars - 1][i] > 0)
            od_gnuplot_say(&plot, "    keyentry with boxes linecolor rgb '%s' title '%s %s', \\",
                           od_share_words(part_shares[i])->color, parts[i].words,
                           od_bytes_text_u64(arena, bytes[bars - 1][i]));
    od_gnuplot_say(&plot, "    NaN notitle");
    struct od_figure words = {
        .name = bars == 2 ? "before_after" : "parts",
        .title = bars == 2 ? "The peak before and after" : "What the peak consists of",
        .alt = od_arena_printf(arena,
                               "%s of the parts of the predicted peak, %s in all: weights, "
                               "gradients, optimizer, activations and the rest.",
                               bars == 2 ? "Two bars" : "A bar",
                               od_bytes_text(arena, report->plan->estimate.peak)),
        .height = 180 + 18 * legend + 48 * (unsigned)bars};
    od_gnuplot_finish(&plot, &words);
}

const struct od_figures *od_plan_figures(const struct od_plan_report *report,
                                         struct od_arena *arena)
{
    struct od_figures *figures = OD_NEW(arena, struct od_figures);
    add_parts(figures, report, arena);
    add_batch(figures, report->plan, arena);
    add_table(figures, report->plan, arena);
    od_figure_workers(figures,
                      &(struct od_worker_curve){.rows = report->plan->host.workers,
                                                .n = report->plan->host.nworkers,
                                                .ram = report->plan->request.ram,
                                                .shm = report->plan->request.shm},
                      arena);
    return figures;
}
