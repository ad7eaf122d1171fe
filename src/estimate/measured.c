#include "estimate/measured.h"

#include "estimate/range.h"
#include "estimate/states.h"

#include <math.h>

/* Scales bytes to another image size: maps grow with the area, scores with its square. */
static double grown(double bytes, double square, double area)
{
    return bytes * ((1 - square) * area + square * area * area);
}

/* Bytes of one sample with fused attention; *ret_eager: with attention in separate steps. */
static double scale(const struct od_measured *m, size_t width, double area, double *ret_eager)
{
    double square = m->square_fused > 0 ? m->square_fused : 0;
    double fused = grown((double)m->fused[width], square, area);
    double scores = (double)m->eager[0] - (double)m->fused[0], of_scores = 0;
    if (scores > 0 && m->square_eager > 0)
        of_scores = (m->square_eager * (double)m->eager[0] - square * (double)m->fused[0]) / scores;
    of_scores = of_scores < 0 ? 0 : of_scores > 1 ? 1 : of_scores;
    *ret_eager = fused + grown((double)m->eager[width] - (double)m->fused[width], of_scores, area);
    return fused;
}

/* Is the image size the one for the library's evaluation of the model? Published runs that print it
 * were trained at the model's own size, all 16 of them (GPUMemNet, arXiv 2602.17817). */
static bool is_evaluation(const struct od_workload *w)
{
    const struct od_measured *m = &w->model->measured;
    return !m->counted && m->evaluated > 0 && w->image_h == m->evaluated &&
           w->image_w == m->evaluated;
}

static const char *note_of(const struct od_workload *w, bool attends, struct od_arena *arena)
{
    const struct od_measured *m = &w->model->measured;
    uint64_t height = w->image_h > 0 ? w->image_h : m->height;
    uint64_t width = w->image_h > 0 ? w->image_w : m->width;
    bool other = height != m->height || width != m->width;
    size_t blank = od_view_find_char(m->recognised, ' ', 0);
    size_t first = blank == OD_VIEW_NONE ? m->recognised.n : blank;
    return od_arena_printf(
        arena, "%smeasured on %.*s%s%s%s%s",
        m->counted ? "the counts are those of this public model, which is taken for it; "
        : m->recognised.n > 0
            ? od_arena_printf(arena, "its parameters are those of %.*s, which is taken for it; ",
                              (int)first, m->recognised.p)
            : "",
        (int)m->library.n, m->library.p,
        other
            ? od_arena_printf(arena, " at %" PRIu64 "x%" PRIu64 ", scaled to %" PRIu64 "x%" PRIu64,
                              m->height, m->width, height, width)
            : od_arena_printf(arena, " at %" PRIu64 "x%" PRIu64, height, width),
        is_evaluation(w)
            ? "; that is the library's size for evaluating it, the range covers training at its own"
        : other && m->square_fused < 0 ? " by the area alone"
                                       : "",
        !attends ? ""
        : m->counted
            ? "; attention is taken as written out, since its scores were counted; a fused "
              "kernel keeps less"
            : "; attention is taken as fused, written out (older versions) it keeps more",
        od_measured_checkpoints(w) ? "; with the library's own checkpointing" : "");
}

bool od_measured_checkpoints(const struct od_workload *workload)
{
    const struct od_measured *m = &workload->model->measured;
    return m->known && m->recognised.n == 0 && m->checkpointed > 0 && m->checkpointed < 1 &&
           (workload->checkpointing == OD_CKPT_FULL || workload->checkpointing == OD_CKPT_EVERY);
}

void od_saved_from_measured(const struct od_workload *workload, struct od_arena *arena,
                            struct od_saved *ret_saved)
{
    /* Errors because of library versions and devices: together with the error of the peak, the 5th
     * and 95th percentile of 72 runs of 36 networks on an H100 that were not used for corrections
     * (tests/accuracy/gpu). Errors of models with equal counts that keep other tensors: chosen so
     * that the ranges cover public models with known memory (tests/accuracy/results.md). */
    static const double versions = 0.06, relatives = 0.04;
    static const double again = 0.06; /* 4 checkpointed runs on an H100 took 9 to 11 % more */
    const struct od_measured *m = &workload->model->measured;
    size_t width = od_precision_compute_bytes(workload->precision) == 4 ? 0 : 1;
    double area = 1, eager;
    if (workload->image_h > 0)
        area = (double)workload->image_h * (double)workload->image_w /
               ((double)m->height * (double)m->width);
    double version = m->counted ? relatives : versions;
    version += od_measured_checkpoints(workload) ? again : 0;
    double fused = scale(m, width, area, &eager);
    double own_share = 1, own;
    if (od_measured_checkpoints(workload))
        own_share = m->checkpointed;
    fused *= own_share;
    eager *= own_share;
    double lo = fmin(fused, eager), hi = fmax(fused, eager);
    if (is_evaluation(workload))
        lo = fmin(lo, own_share * scale(m, width, 1, &own));
    bool attends = hi > lo * (1 + version);
    /* estimates without measurements: a compiler recomputes pointwise steps, two of five tensors of
     * a block; checkpoints keep the inputs of blocks, a tenth */
    if (workload->compile)
        lo *= 0.6;
    if (workload->checkpointing != OD_CKPT_NONE && !od_measured_checkpoints(workload))
        lo *= 0.1;
    *ret_saved = (struct od_saved){
        .per_sample =
            od_bytes_about(m->counted ? eager : fused, lo * (1 - version), hi * (1 + version)),
        .unfolded = (uint64_t)((double)m->unfolded * area),
        .note = note_of(workload, attends, arena),
    };
    ret_saved->overflow = !ret_saved->per_sample.known;
}
