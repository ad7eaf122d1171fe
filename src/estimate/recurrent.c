#include "estimate/recurrent.h"

enum { LAYERS_MOST = 16, WIDTH_MOST = 1 << 20 };

static uint64_t gates_of(const struct od_layer *layer)
{
    if (od_view_has(layer->type, OD_VIEW("LSTM")))
        return 4;
    return od_view_has(layer->type, OD_VIEW("GRU")) ? 3 : 1;
}

static bool is_countable(const struct od_layer *layer, uint64_t out)
{
    return layer->parameters.known && layer->parameters.n > 0 && out > 0 && out < WIDTH_MOST;
}

/* Tries numbers of layers and directions. Each has for each gate a matrix over its input, one over
 * its state, and two biases (or none). */
bool od_recurrent_count(const struct od_layer *layer, uint64_t in, uint64_t out,
                        struct od_recurrent *ret_recurrent)
{
    if (!is_countable(layer, out) || in == 0 || in >= WIDTH_MOST)
        return false;
    for (uint64_t directions = 1; directions <= 2 && out % directions == 0; directions++) {
        uint64_t h = out / directions, unit = directions * gates_of(layer) * h, sum = 0;
        for (uint64_t layers = 1; layers <= LAYERS_MOST; layers++) {
            sum += unit * ((layers > 1 ? out : in) + h + 2);
            if (sum != layer->parameters.n && sum - layers * unit * 2 != layer->parameters.n)
                continue;
            *ret_recurrent = (struct od_recurrent){layers, directions};
            return true;
        }
    }
    return false;
}

uint64_t od_recurrent_input(const struct od_layer *layer, uint64_t out, uint64_t least,
                            uint64_t most)
{
    if (!is_countable(layer, out))
        return 0;
    for (uint64_t directions = 1; directions <= 2 && out % directions == 0; directions++) {
        uint64_t h = out / directions, unit = directions * gates_of(layer) * h, left;
        for (uint64_t above = 0; above < LAYERS_MOST; above++) {
            if (ckd_sub(&left, layer->parameters.n, above * unit * (out + h + 2)))
                break;
            uint64_t in = left / unit;
            if (left % unit == 0 && in > h + 2 && in - h - 2 >= least && in - h - 2 <= most)
                return in - h - 2;
        }
    }
    return 0;
}
