/* The parts that public networks are laid out of, one layer after the other. Private to
 * known_nets*.c. */
#ifndef OD_ESTIMATE_KNOWN_NETS_PARTS_H
#define OD_ESTIMATE_KNOWN_NETS_PARTS_H

#include "estimate/known_nets.h"

/* The tensor that is being made. */
struct od_net_at {
    uint32_t layer; /* that made it */
    uint64_t side, channels;
};

struct od_net_plan {
    struct od_net *net;
    struct od_net_at at;
    uint64_t parameters;
    struct od_arena *arena; /* of the layers' names; NULL = they have their types' */
    const char *stage;      /* names begin with it */
    unsigned named[OD_LAYER_END];
};

/* A square kernel; padding as TensorFlow's. */
struct od_net_conv {
    uint64_t channels, kernel, stride;
    uint64_t across; /* of a kernel that is not square: its width; 0 = it is */
    bool valid;      /* nothing is padded */
    bool bias;
};

/* Names of the layers from here on begin with the word, counted anew. */
void od_net_stage(struct od_net_plan *p, const char *stage);

/* A layer that reads the newest tensor; p->at says what it makes. */
void od_net_add(struct od_net_plan *p, enum od_layer_kind kind, const char *type,
                uint64_t parameters);

void od_net_conv(struct od_net_plan *p, const struct od_net_conv *conv);

/* The usual one: padded. */
void od_net_conv_same(struct od_net_plan *p, uint64_t channels, uint64_t kernel, uint64_t stride,
                      bool bias);
void od_net_depthwise(struct od_net_plan *p, uint64_t stride);
void od_net_norm(struct od_net_plan *p);
void od_net_relu(struct od_net_plan *p);
void od_net_relu6(struct od_net_plan *p);
void od_net_max_pool(struct od_net_plan *p, uint64_t kernel, bool valid); /* of stride 2 */

/* The sum of the newest tensor and another one. */
void od_net_sum(struct od_net_plan *p, uint32_t other);

/* Branches joined; p->at is what the last of them made. */
void od_net_concat(struct od_net_plan *p, const struct od_net_at *branches, size_t n);

/* The older networks; `size` tells variants apart. */
void od_net_alexnet(struct od_net_plan *p, unsigned size);
void od_net_inception_v1(struct od_net_plan *p, unsigned size);
void od_net_inception_v3(struct od_net_plan *p, unsigned size);
void od_net_resnet_basic(struct od_net_plan *p, unsigned size);

#endif
