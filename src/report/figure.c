#include "report/figure_parts.h"

#include "report/outline.h"

const struct od_figures *od_figures_of(const struct od_report *report, struct od_arena *arena)
{
    struct od_figures *figures = OD_NEW(arena, struct od_figures);
    const struct od_allocator *a = od_outline_allocator(report);
    if (a)
        od_figure_holders(figures, report, a, arena);
    if (a && a->has_chunks) {
        od_figure_map(figures, report, a, arena);
        od_figure_bins(figures, a, arena);
    }
    od_figure_answer(figures, report, arena);
    if (report->host)
        od_figure_workers(figures,
                          &(struct od_worker_curve){.rows = report->host->rows,
                                                    .n = report->host->nrows,
                                                    .ram = report->host->limit,
                                                    .shm = report->host->shm_limit},
                          arena);
    od_figure_timelines(figures, report, arena);
    return figures;
}
