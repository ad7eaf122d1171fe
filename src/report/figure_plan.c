/*
 * The figures of a plan: the batch against the peak, precision and batch as a table of colours,
 * what the peak is made of (before and after a change).
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
    /* Only where it is the same workload at another batch: the curve is that one's. */
    if (r->known && r->option == 0)
        curve.recommended = od_count_of(r->batch);
    curve.n = od_plan_curve(plan, arena, &curve.points);
    if (curve.n > 0)
        od_figure_batch(figures, &curve, arena);
}

/* Fits, may fit, does not: each its colour and its sign. */
static unsigned class_of(double fits)
{
    return fits >= 0.95 ? 0 : fits > 0.05 ? 1 : 2;
}

static void draw_cells(struct od_sketch *sketch, const struct od_plan_grid *table, bool device)
{
    static const char *const colors[] = {"#5FC08F", "#A9BCD6", "#E0808080"};
    static const char *const signs[] = {"", "?", " ×"};
    for (size_t p = 0; p < table->nprecisions; p++) {
        for (size_t b = 0; b < table->nbatches; b++) {
            const struct od_batch_point *cell = &table->cells[p][b];
            if (!table->known[p][b])
                continue;
            unsigned class = device ? class_of(cell->fits) : 0;
            /* Without a device: the more, the deeper. */
            const char *color =
                device ? colors[class]
                       : od_arena_printf(sketch->arena, "#%02X3B5B85",
                                         (unsigned)(230 - 200 * cell->peak / table->most));
            double value = od_sketch_in_unit(sketch, cell->peak);
            od_sketch_row(sketch, "%zu %zu %" PRIu64 " %.0f %.4f", b, p, cell->batch, cell->peak,
                          cell->fits);
            od_sketch_say(sketch,
                          "set object rectangle from %.2f,%.2f to %.2f,%.2f fillcolor rgb '%s' "
                          "fillstyle solid noborder",
                          (double)b - 0.47, (double)p - 0.45, (double)b + 0.47, (double)p + 0.45,
                          color);
            od_sketch_say(sketch, "set label '%.*f%s' at %zu,%zu center front%s",
                          value < 10 ? 1 : 0, value, device ? signs[class] : "", b, p,
                          class == 2 ? "" : " textcolor rgb '" OD_INK "'");
        }
    }
}

static void add_table(struct od_figures *figures, const struct od_plan *plan,
                      struct od_arena *arena)
{
    const struct od_plan_grid *table = od_plan_grid(plan, arena);
    bool device = plan->request.device.name != NULL;
    if (!(table->most > 0) || !(table->most < 0x1p63))
        return;
    struct od_sketch sketch = od_sketch_start(
        figures, arena, device ? plan->request.device.usable_bytes : (uint64_t)table->most);
    (void)od_sketch_block(&sketch, "column, row, batch, peak bytes, probability that it fits");
    od_sketch_say(&sketch, "set border 0\nset xrange [-0.5:%.1f]\nset yrange [%.1f:-0.5]",
                  (double)table->nbatches - 0.5, (double)table->nprecisions - 0.5);
    od_sketch_say(&sketch, "set xtics scale 0 ( \\");
    for (size_t b = 0; b < table->nbatches; b++)
        od_sketch_say(&sketch, "    %s'%" PRIu64 "' %zu \\", b > 0 ? ", " : "", table->batches[b],
                      b);
    od_sketch_say(&sketch, "    )\nset ytics scale 0 ( \\");
    for (size_t p = 0; p < table->nprecisions; p++)
        od_sketch_say(&sketch, "    %s'%s' %zu \\", p > 0 ? ", " : "",
                      od_precision_name(table->precisions[p]), p);
    od_sketch_say(&sketch, "    )\nset xlabel 'batch; %s in each cell'",
                  od_bytes_unit_name(sketch.unit));
    draw_cells(&sketch, table, device);
    if (device)
        od_sketch_say(
            &sketch,
            "set bmargin 6.4\nset key below center horizontal Left reverse samplen 1.2\nplot "
            "keyentry with boxes linecolor rgb '#5FC08F' title 'fits', \\\n    keyentry with boxes "
            "linecolor rgb '#A9BCD6' title 'may fit ?', \\\n    keyentry with boxes linecolor rgb "
            "'#C0808080' title 'does not fit ×', NaN notitle");
    else
        od_sketch_say(&sketch, "plot NaN");
    struct od_figure words = {
        .name = "precision_batch",
        .title = "Peak by precision and batch",
        .alt =
            "A table of colours: the predicted peak for each precision and batch, and whether it "
            "fits the device.",
        .height = 172 + 44 * (unsigned)table->nprecisions};
    od_sketch_finish(&sketch, &words);
}

struct part {
    const char *name, *color;
    uint64_t before, after;
};

static uint64_t known_bytes(struct od_bytes bytes)
{
    return bytes.known ? bytes.n : 0;
}

enum { PARTS = 8 };

static void list_parts(const struct od_breakdown *d, uint64_t ret_bytes[static PARTS])
{
    const struct od_part *const parts[PARTS] = {&d->parameters,  &d->gradients, &d->optimizer,
                                                &d->activations, &d->inputs,    &d->workspace,
                                                &d->buffers,     &d->framework};
    for (size_t i = 0; i < PARTS; i++)
        ret_bytes[i] = known_bytes(parts[i]->bytes);
    /* Memory without a tensor is one entry. */
    ret_bytes[PARTS - 1] += known_bytes(d->allocator_waste.bytes);
}

static const struct {
    const char *name;
    enum od_share share;
} part_words[PARTS] = {
    {"weights", OD_SHARE_WEIGHTS},     {"gradients", OD_SHARE_GRADIENTS},
    {"optimizer", OD_SHARE_OPTIMIZER}, {"activations", OD_SHARE_ACTIVATIONS},
    {"input", OD_SHARE_DATA},          {"workspace", OD_SHARE_WORKSPACE},
    {"buffers", OD_SHARE_OTHER},       {"framework", OD_SHARE_UNKNOWN},
};

/* One bar of parts laid end to end. */
static void draw_bar(struct od_sketch *sketch, const uint64_t bytes[static PARTS], size_t row)
{
    uint64_t before = 0;
    for (size_t i = 0; i < PARTS; i++) {
        if (bytes[i] == 0)
            continue;
        od_sketch_row(sketch, "%zu %" PRIu64 " %" PRIu64 " \"%s\"", row, before, before + bytes[i],
                      part_words[i].name);
        od_sketch_say(sketch,
                      "set object rectangle from %.9g,%.2f to %.9g,%.2f behind fillcolor rgb '%s' "
                      "fillstyle solid noborder",
                      od_sketch_in_unit(sketch, (double)before), (double)row - 0.32,
                      od_sketch_in_unit(sketch, (double)(before + bytes[i])), (double)row + 0.32,
                      od_share_color(part_words[i].share));
        before += bytes[i];
    }
}

static void draw_limit(struct od_sketch *sketch, const struct od_plan *plan, uint64_t most)
{
    const struct od_plan_device *device = &plan->request.device;
    if (!device->name)
        return;
    double limit = od_sketch_in_unit(sketch, (double)device->usable_bytes);
    od_sketch_say(
        sketch, "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead front linewidth 2 dashtype 2",
        limit, limit);
    od_sketch_say(sketch, "set label 'limit %s' at %.9g, graph 1 %s offset 0,0.6 front",
                  od_bytes_text_u64(sketch->arena, device->usable_bytes), limit,
                  device->usable_bytes > most / 2 ? "right" : "left");
}

/* What the peak is made of; two bars where a change was asked for. */
static void add_parts(struct od_figures *figures, const struct od_plan_report *report,
                      struct od_arena *arena)
{
    const struct od_plan *plans[] = {report->before ? report->before : report->plan, report->plan};
    size_t bars = report->before ? 2 : 1;
    uint64_t bytes[2][PARTS], most = 0;
    for (size_t k = 0; k < bars; k++) {
        uint64_t sum = 0;
        list_parts(&plans[k]->estimate.breakdown, bytes[k]);
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
    struct od_sketch sketch =
        od_sketch_start(figures, arena, device->name ? device->usable_bytes : most);
    unsigned legend = 0;
    for (size_t i = 0; i < PARTS; i++)
        legend += bytes[bars - 1][i] > 0;
    legend = (legend + 1) / 2; /* in two columns */
    (void)od_sketch_block(&sketch, "bar, from, to, part");
    od_sketch_say(&sketch, "set xrange [0:%.9g]\nset yrange [%.1f:-0.6]\nset xlabel '%s'",
                  1.04 * od_sketch_in_unit(&sketch, (double)most), (double)bars - 0.4,
                  od_bytes_unit_name(sketch.unit));
    od_sketch_say(&sketch,
                  "set ytics scale 0 (%s)\nset rmargin 3\nset bmargin %.1f\n"
                  "set tmargin exists('titled') ? 4 : 1.6\n"
                  "if (exists('titled')) set title offset 0,0.9",
                  bars == 2 ? "'before' 0, 'after' 1" : "''  0", 4 + 1.2 * legend);
    for (size_t k = 0; k < bars; k++)
        draw_bar(&sketch, bytes[k], k);
    draw_limit(&sketch, report->plan, most);
    od_sketch_say(&sketch,
                  "set key below center horizontal Left reverse samplen 1.2 maxcols 2\nplot \\");
    for (size_t i = 0; i < PARTS; i++)
        if (bytes[bars - 1][i] > 0)
            od_sketch_say(&sketch, "    keyentry with boxes linecolor rgb '%s' title '%s %s', \\",
                          od_share_color(part_words[i].share), part_words[i].name,
                          od_bytes_text_u64(arena, bytes[bars - 1][i]));
    od_sketch_say(&sketch, "    NaN notitle");
    struct od_figure words = {
        .name = bars == 2 ? "before_after" : "parts",
        .title = bars == 2 ? "The peak before and after" : "What the peak consists of",
        .alt = od_arena_printf(arena,
                               "%s of the parts of the predicted peak, %s in all: weights, "
                               "gradients, optimizer, activations and the rest.",
                               bars == 2 ? "Two bars" : "A bar",
                               od_bytes_text(arena, report->plan->estimate.peak)),
        .height = 150 + 18 * legend + 48 * (unsigned)bars};
    od_sketch_finish(&sketch, &words);
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
