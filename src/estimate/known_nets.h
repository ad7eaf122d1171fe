/*
 * Public networks whose layers a summary does not print because they are one row of it: a nested
 * model ("vgg16 (Functional)"). Told by their number of parameters and their output, laid out as
 * keras.applications builds them without their classifier.
 */
#pragma once

#include "facts/model.h"

/* Layers of one network. Inputs are indices into layers; the first layer reads what is outside,
 * OD_NET_OUTSIDE. */
#define OD_NET_OUTSIDE UINT32_MAX

struct od_net {
    OD_VEC(struct od_layer) layers;
    OD_VEC(uint32_t) inputs;
};

/* A public network. */
struct od_net_about {
    const char *name;
    uint64_t side;  /* of the images it is made for */
    uint64_t dense; /* features of the two dense layers before its classes; 0 = a pool over all */
};

/* How many there are; one of them. Some have the same name: programs lay them out differently. */
size_t od_net_count(void);
const struct od_net_about *od_net_about(size_t which);

/* Its layers for images of its usual side, without names. The room of net, which is zeroed or has
 * been laid out before, is used again; the caller calls od_net_done. */
void od_net_lay_out(size_t which, struct od_net *net);

/* A whole network as if a summary of it had been printed, for images of a side, with names told
 * by stage and kind; `classes` 0 = without the layers behind its features. In the arena. */
const struct od_model *od_net_model(size_t which, uint64_t side, uint64_t classes,
                                    struct od_arena *arena);

/*
 * The network of a row, whose input is `side` pixels wide and high (0 = 32 times its output).
 * False when it is none that is known. The caller calls od_net_done, also on failure.
 */
bool od_net_find(const struct od_layer *row, uint64_t side, struct od_net *ret_net);
void od_net_done(struct od_net *net);
