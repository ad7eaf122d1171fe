/*
 * Public networks whose layers a summary does not print because they are one row of it: a nested
 * model ("vgg16 (Functional)"). Told by their number of parameters and their output, laid out as
 * keras.applications builds them without their classifier.
 */
#ifndef OD_ESTIMATE_KNOWN_NETS_H
#define OD_ESTIMATE_KNOWN_NETS_H

#include "base/arena.h"
#include "facts/model.h"

/* Layers of one network. Inputs are indices into layers; the first layer reads what is outside,
 * OD_NET_OUTSIDE. */
#define OD_NET_OUTSIDE UINT32_MAX

struct od_net {
    OD_VEC(struct od_layer) layers;
    OD_VEC(uint32_t) inputs;
};

/*
 * The network of a row, whose input is `side` pixels wide and high (0 = 32 times its output).
 * False when it is none that is known. The caller calls od_net_done, also on failure.
 */
bool od_net_find(const struct od_layer *row, uint64_t side, struct od_net *ret_net);
void od_net_done(struct od_net *net);

#endif
