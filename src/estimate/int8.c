#include "estimate/int8.h"

#include <math.h>

/* Share of features whose columns stay in 16 bit: 7 of 4096 to 5120 in models of 6.7 to 13 billion
 * parameters, about 0.1 % (arXiv 2208.07339, section 4). A hundredth is a lot. */
static const double outliers = 0.0015, outliers_most = 0.01;

static double ranks(const struct od_transformer_run *run)
{
    return fmax((double)run->w->tensor_parallel, 1) * fmax((double)run->w->pipeline_parallel, 1);
}

/* Temporary bytes for one token of a matrix with `in` columns and `out` rows: the input in 16 bit
 * unless it is float16, and in 8 bit; the product in 32-bit integers. */
static double beside(const struct od_transformer_run *run, double in, double out)
{
    enum od_precision p = run->w->precision;
    bool half = p == OD_PREC_FP16 || p == OD_PREC_FP16_TRUE || p == OD_PREC_AMP_FP16;
    return (half ? 0 : 2) * in + in + 4 * out;
}

struct od_int8_bytes od_int8_count(const struct od_transformer_run *run)
{
    const struct od_transformer *t = run->t;
    double h = (double)t->hidden.n, rows = (double)run->params.linear_rows / ranks(run);
    double f = t->intermediate.known ? (double)t->intermediate.n : (double)t->expert_intermediate.n;
    double tp = fmax((double)run->w->tensor_parallel, 1);
    double q = (double)od_transformer_heads(t) * (double)od_transformer_head_dim(t);
    double inputs = 3 * h + q + (t->gated ? 2 : 1) * h + f;
    double up = beside(run, h, f / tp), down = beside(run, f / tp, h);
    double product = fmax(up, down) * run->tokens;
    return (struct od_int8_bytes){
        .scales = rows * 4,
        .columns = rows * h * outliers * 2,
        .columns_most = rows * h * outliers_most * 2,
        .forward = product,
        .backward = fmax(product, h * f / tp * 2),
        .copies_most = inputs / tp,
    };
}
