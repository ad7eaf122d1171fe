/*
 * Which kernels a convolution's parameters can be: a table prints how many there are, seldom their
 * shape. Private to conv_input.c and first_input.c.
 */
#pragma once

#include "estimate/walk.h"

/* Weights of one output channel: exactly, or one less for a bias. */
struct od_kernel_weights {
    uint64_t with_bias, without;
};

/* False where the parameters are not known or do not divide among the output's channels. */
bool od_kernel_weights_of(const struct od_layer *layer, const struct od_walk_tensor *out,
                          struct od_kernel_weights *ret_weights);

/* The kernel's area where the text prints one; 0 = not printed. */
uint64_t od_kernel_area(const struct od_layer *layer);

/* Is it the area of a usual kernel, or of the one printed, and `least` or more? */
bool od_is_kernel_area(const struct od_layer *layer, uint64_t area, uint64_t least);

/* Can so many weights come from so many channels? */
bool od_weights_fit(const struct od_layer *layer, uint64_t weights, uint64_t channels,
                    uint64_t least);
bool od_reads_all(const struct od_layer *layer, const struct od_kernel_weights *w,
                  uint64_t channels);

/* The same with a square kernel, which most are: 3x3 of few channels is rather 1x3 of many. `even`:
 * also one of even sides, which makes a map smaller or larger. */
bool od_reads_square(const struct od_layer *layer, const struct od_kernel_weights *w,
                     uint64_t channels, bool even);

/* The same with an odd kernel of `least` weights or more: an even one explains nearly anything. */
bool od_reads_odd(const struct od_layer *layer, const struct od_kernel_weights *w,
                  uint64_t channels, uint64_t least);

/* Every output channel reads some of the channels: depthwise, grouped. */
bool od_reads_groups(const struct od_layer *layer, const struct od_kernel_weights *w,
                     uint64_t channels, uint64_t out_channels);

/* One odd square kernel for each channel: 25 weights are rather that than a 1x1 kernel over 24
 * channels of another branch and a bias. */
bool od_is_depthwise(const struct od_layer *layer, const struct od_kernel_weights *w,
                     uint64_t channels, uint64_t out_channels);

/* The channels that it reads, more than so many; 0 = no usual kernel fits. */
uint64_t od_concat_channels(const struct od_layer *layer, const struct od_kernel_weights *w,
                            uint64_t more_than);

/* Pixels of a map. */
uint64_t od_map_area(const struct od_walk_tensor *tensor);

/* The whole part of a square root. */
uint64_t od_root(uint64_t n);
