#include "report/spark.h"

#include <math.h>

static const double least_range =
    0.05; /* of the largest value, so that small changes of a level curve stay small */

static const char *const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
static const char *const plain_bars[] = {"_", ".", ",", "-", "=", "+", "*", "#"};

const char *od_spark(struct od_arena *arena, const double *values, size_t n,
                     const struct od_spark_frame *frame)
{
    struct od_buf line = {0};
    size_t cells = n < frame->cells ? n : frame->cells;
    double range = fmax(frame->hi - frame->lo, least_range * fabs(frame->hi));
    for (size_t i = 0; i < cells; i++) {
        size_t from = n * i / cells, to = n * (i + 1) / cells;
        double top = values[from];
        for (size_t k = from; k < to; k++)
            top = fmax(top, values[k]);
        double part = range > 0 ? (top - frame->lo) / range : 0;
        size_t level = (size_t)(fmin(fmax(part, 0), 1) * (OD_COUNT_OF(bars) - 1) + 0.5);
        od_buf_add_str(&line, frame->unicode ? bars[level] : plain_bars[level]);
    }
    return od_arena_take(arena, &line);
}
