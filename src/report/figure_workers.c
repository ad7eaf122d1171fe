/* Host memory and /dev/shm by the number of data loader workers. */
#include "report/figure_parts.h"

/* One panel: a row of bars and the limit they must stay below. */
static void add_panel(struct od_sketch *sketch, struct od_bytes limit, double top,
                      const char *words)
{
    double most = od_sketch_in_unit(sketch, (double)limit.n);
    if (limit.known) {
        od_sketch_level(sketch, "9 ", (double)limit.n);
        /* The label is above the line; below a low line it would cover the bars. */
        bool low = (double)limit.n < 0.3 * top;
        od_sketch_say(sketch,
                      "set label 9 '%s of %s' at graph 0.01, first %.9g left offset 0,0.5 front",
                      words, od_bytes_text(sketch->arena, limit),
                      low ? od_sketch_in_unit(sketch, 0.85 * top) : most);
    } else {
        od_sketch_say(sketch, "unset arrow 9\nset label 9 '%s' at graph 0.01, graph 0.9 left front",
                      words);
    }
}

static bool largest(const struct od_worker_curve *curve, uint64_t *ret_ram, uint64_t *ret_shm)
{
    *ret_ram = *ret_shm = 0;
    OD_FOR_EACH_OF (const struct od_plan_workers, row, curve->rows, curve->n) {
        if (!row->bytes.known || !row->shm.known)
            return false;
        *ret_ram = row->bytes.n > *ret_ram ? row->bytes.n : *ret_ram;
        *ret_shm = row->shm.n > *ret_shm ? row->shm.n : *ret_shm;
    }
    return curve->n >= 2 && *ret_ram > 0;
}

static void add_rows(struct od_sketch *sketch, const struct od_worker_curve *curve)
{
    (void)od_sketch_block(sketch, "workers, bytes of RAM, bytes of /dev/shm");
    od_sketch_say(sketch, "set xtics scale 0 ( \\");
    for (size_t i = 0; i < curve->n; i++) {
        const struct od_plan_workers *row = &curve->rows[i];
        od_sketch_row(sketch, "%" PRIu64 " %" PRIu64 " %" PRIu64, row->count, row->bytes.n,
                      row->shm.n);
        od_sketch_say(sketch, "    %s'%" PRIu64 "' %zu \\", i > 0 ? ", " : "", row->count, i);
    }
    od_sketch_say(sketch, "    )\nset xrange [-0.6:%.1f]\nset boxwidth 0.7",
                  (double)curve->n - 0.4);
}

static void add_shm(struct od_sketch *sketch, const struct od_worker_curve *curve, uint64_t most)
{
    most = curve->shm.known && curve->shm.n > most ? curve->shm.n : most;
    sketch->unit = od_bytes_unit_for(most);
    od_sketch_say(sketch, "unset title\nset xlabel 'workers'\nunit = 2.0**%u", 10 * sketch->unit);
    double top = 1.25 * (double)most;
    od_sketch_y_axis(sketch, top, od_bytes_unit_name(sketch->unit));
    add_panel(sketch, curve->shm, top, "/dev/shm");
    od_sketch_say(sketch, "plot data using 0:($3/unit) with boxes linecolor rgb '#1B7A8C'");
}

void od_figure_workers(struct od_figures *figures, const struct od_worker_curve *curve,
                       struct od_arena *arena)
{
    uint64_t most, most_shm;
    if (!largest(curve, &most, &most_shm))
        return;
    most = curve->ram.known && curve->ram.n > most ? curve->ram.n : most;
    struct od_sketch sketch = od_sketch_start(figures, arena, most);
    add_rows(&sketch, curve);
    od_sketch_say(&sketch, "set lmargin 10\nset rmargin 3\nset multiplot layout %u,1",
                  most_shm > 0 ? 2 : 1);
    double top = 1.25 * (double)most;
    od_sketch_y_axis(&sketch, top, od_bytes_unit_name(sketch.unit));
    add_panel(&sketch, curve->ram, top, "RAM");
    od_sketch_say(&sketch, "plot data using 0:($2/unit) with boxes linecolor rgb '#3B5B85'");
    if (most_shm > 0)
        add_shm(&sketch, curve, most_shm);
    od_sketch_say(&sketch, "unset multiplot");
    struct od_figure words = {.name = "workers",
                              .title = "Workers and host memory",
                              .alt =
                                  "Two bar charts over the number of data loader workers: the RAM "
                                  "and the shared memory (/dev/shm) they use, with their limits.",
                              .height = most_shm > 0 ? 420 : 240};
    od_sketch_finish(&sketch, &words);
}
