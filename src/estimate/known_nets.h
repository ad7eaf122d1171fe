/*
 * Public networks that a summary prints as a single row, because they are nested models ("vgg16
 * (Functional)"). They are recognized by their number of parameters and their output, and laid out
 * as keras.applications builds them, without their classifier.
 */
#pragma once

#include "facts/model.h"

/* Layers of a network. Inputs are indices in layers; the first layer reads OD_NET_OUTSIDE. */
#define OD_NET_OUTSIDE UINT32_MAX

struct od_net {
    OD_VEC(struct od_layer) layers;
    OD_VEC(uint32_t) inputs;
};

/* A public network. */
struct od_net_about {
    const char *name;
    uint64_t side;  /* side of the images for which the network was made */
    uint64_t dense; /* width of the two dense layers before the classes; 0 = a global pool */
};

/* Number of networks, and the description of one. Several networks may have one name, because
 * programs lay them out differently. */
size_t od_net_count(void);
const struct od_net_about *od_net_about(size_t which);

/* Lays out a network for images of its usual side, without names. net must be zeroed or from an
 * earlier call, whose memory is reused. The caller must call od_net_done. */
void od_net_lay_out(size_t which, struct od_net *net);

/* A whole network as if its summary had been printed, for images of that side, with names by stage
 * and kind. classes 0 = only its features. Allocated in arena. */
const struct od_model *od_net_model(size_t which, uint64_t side, uint64_t classes,
                                    struct od_arena *arena);

/* Finds the network of a row whose input is `side` pixels wide and high (0 = 32 times its output).
 * False if it is unknown. The caller must call od_net_done, also on failure. */
bool od_net_find(const struct od_layer *row, uint64_t side, struct od_net *ret_net);
void od_net_done(struct od_net *net);
