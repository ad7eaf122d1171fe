/* Figure: host memory and /dev/shm by the number of data loader workers. */
#include "report/figure_parts.h"

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

/* The title of a panel: above its limit, or of a panel without a limit. */
static const char *words_of(struct od_arena *arena, const char *what, struct od_bytes limit)
{
    return limit.known ? od_arena_printf(arena, "%s of %s", what, od_bytes_text(arena, limit))
                       : what;
}

void od_figure_workers(struct od_figures *figures, const struct od_worker_curve *curve,
                       struct od_arena *arena)
{
    uint64_t most, most_shm;
    if (!largest(curve, &most, &most_shm))
        return;
    most = curve->ram.known && curve->ram.n > most ? curve->ram.n : most;
    unsigned panels = most_shm > 0 ? 2 : 1;
    most_shm = curve->shm.known && curve->shm.n > most_shm ? curve->shm.n : most_shm;
    struct od_gnuplot_script plot = od_gnuplot_start(figures, arena, most);
    unsigned unit = od_bytes_unit_for(most_shm);
    (void)od_gnuplot_block(&plot, "workers, bytes of RAM, bytes of /dev/shm");
    OD_FOR_EACH_OF (const struct od_plan_workers, row, curve->rows, curve->n)
        od_gnuplot_row(&plot, "%" PRIu64 " %" PRIu64 " %" PRIu64, row->count, row->bytes.n,
                       row->shm.n);
    od_gnuplot_say(&plot,
                   "rows = %zu\npanels = %u\narray units[2] = [unit, 2.0**%u]\n"
                   "unit_names = unit_name . ' %s'\nlimits = '%.0f %.0f'\ntops = '%.9g %.9g'",
                   curve->n, panels, 10 * unit, od_bytes_unit_name(unit),
                   curve->ram.known ? (double)curve->ram.n : 0,
                   curve->shm.known ? (double)curve->shm.n : 0, 1.25 * (double)most,
                   1.25 * (double)most_shm);
    od_gnuplot_say(&plot, "array words[2] = ['%s', '%s']", words_of(arena, "RAM", curve->ram),
                   words_of(arena, "/dev/shm", curve->shm));
    od_gnuplot_run(&plot, "workers");
    struct od_figure words = {.name = "workers",
                              .title = "Workers and host memory",
                              .alt =
                                  "Two bar charts over the number of data loader workers: the RAM "
                                  "and the shared memory (/dev/shm) they use, with their limits.",
                              .height = panels > 1 ? 420 : 240};
    od_gnuplot_finish(&plot, &words);
}
