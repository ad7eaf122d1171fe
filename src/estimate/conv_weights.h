/*
 * Finds possible kernels for a convolution's number of parameters, because tables seldom print its
 * shape. Internal to conv_input.c and first_input.c.
 */
#pragma once

#include "estimate/walk.h"

/* Weights of one output channel, without and with a bias. */
struct od_kernel_weights {
    uint64_t with_bias, without;
};

/* False if the parameters are unknown or not divisible by the output's channels. */
bool od_kernel_weights_of(const struct od_layer *layer, const struct od_walk_tensor *out,
                          struct od_kernel_weights *ret_weights);

/* The kernel's area, if printed; 0 = not printed. */
uint64_t od_kernel_area(const struct od_layer *layer);

/* Is it the area of a usual kernel (or of the printed one), and no less than `least`? */
bool od_is_kernel_area(const struct od_layer *layer, uint64_t area, uint64_t least);

/* Can a kernel over that many channels have this many weights? */
bool od_weights_fit(const struct od_layer *layer, uint64_t weights, uint64_t channels,
                    uint64_t least);
bool od_reads_all(const struct od_layer *layer, const struct od_kernel_weights *w,
                  uint64_t channels);

/* Can the weights be a square kernel? Square ones are usual: 3x3 over few channels is more likely
 * than 1x3 over many. `even`: also kernels with even sides, which change the size of a map. */
bool od_reads_square(const struct od_layer *layer, const struct od_kernel_weights *w,
                     uint64_t channels, bool even);

/* Can the weights be an odd kernel with at least `least` weights? Even ones match almost
 * anything. */
bool od_reads_odd(const struct od_layer *layer, const struct od_kernel_weights *w,
                  uint64_t channels, uint64_t least);

/* Can every output channel read only some of the channels (depthwise, grouped)? */
bool od_reads_groups(const struct od_layer *layer, const struct od_kernel_weights *w,
                     uint64_t channels, uint64_t out_channels);

/* Can the layer have one odd square kernel for each channel? 25 weights are more likely that than a
 * 1x1 kernel over 24 channels of another branch with a bias. */
bool od_is_depthwise(const struct od_layer *layer, const struct od_kernel_weights *w,
                     uint64_t channels, uint64_t out_channels);

/* Number of channels of the input, above more_than; 0 = no usual kernel fits. */
uint64_t od_concat_channels(const struct od_layer *layer, const struct od_kernel_weights *w,
                            uint64_t more_than);

/* Number of pixels of a map. */
uint64_t od_map_area(const struct od_walk_tensor *tensor);

/* Integer square root. */
uint64_t od_root(uint64_t n);
