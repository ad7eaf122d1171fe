/*
 * Possible kernels for a convolution's number of parameters, because tables seldom print its shape.
 * Internal to conv_input.c and first_input.c.
 */
#pragma once

#include "estimate/walk.h"

/* Weights of one output channel, with and without one for a bias. */
struct od_kernel_weights {
    uint64_t with_bias, without;
};

/* False if the parameters are not known or not divisible by the output's channels. */
bool od_kernel_weights_of(const struct od_layer *layer, const struct od_walk_tensor *out,
                          struct od_kernel_weights *ret_weights);

/* The kernel's area if it is printed; 0 = not printed. */
uint64_t od_kernel_area(const struct od_layer *layer);

/* Is it the area of a usual kernel (or of the printed one), and at least `least`? */
bool od_is_kernel_area(const struct od_layer *layer, uint64_t area, uint64_t least);

/* Can this many weights be over that many channels? */
bool od_weights_fit(const struct od_layer *layer, uint64_t weights, uint64_t channels,
                    uint64_t least);
bool od_reads_all(const struct od_layer *layer, const struct od_kernel_weights *w,
                  uint64_t channels);

/* Reads the weights as a square kernel, which is usual: 3x3 over few channels is more likely than
 * 1x3 over many. `even`: also even sides, which change the size of a map. */
bool od_reads_square(const struct od_layer *layer, const struct od_kernel_weights *w,
                     uint64_t channels, bool even);

/* Reads the weights as an odd kernel with at least `least` weights, because even ones match almost
 * anything. */
bool od_reads_odd(const struct od_layer *layer, const struct od_kernel_weights *w,
                  uint64_t channels, uint64_t least);

/* Does every output channel read only some of the channels (depthwise, grouped)? */
bool od_reads_groups(const struct od_layer *layer, const struct od_kernel_weights *w,
                     uint64_t channels, uint64_t out_channels);

/* Does it have one odd square kernel per channel? 25 weights are more likely that than a 1x1 kernel
 * over 24 channels of another branch with a bias. */
bool od_is_depthwise(const struct od_layer *layer, const struct od_kernel_weights *w,
                     uint64_t channels, uint64_t out_channels);

/* The number of channels it reads, more than more_than; 0 = no usual kernel fits. */
uint64_t od_concat_channels(const struct od_layer *layer, const struct od_kernel_weights *w,
                            uint64_t more_than);

/* Pixels of a map. */
uint64_t od_map_area(const struct od_walk_tensor *tensor);

/* Integer square root. */
uint64_t od_root(uint64_t n);
