/*
 * Samples the memory of a running program as lines for the pack rules/watched.yaml: its processes,
 * its control group or the machine, /dev/shm, and devices according to nvidia-smi or rocm-smi.
 */
#pragma once

#include "host/usage.h"

#include <sys/types.h>

struct od_samples {
    const char *root; /* prefix of the file systems, as for od_usage_below */
    pid_t top;        /* descendants of this process are measured */
    struct od_usage_folder folders[OD_FOLDERS_MOST]; /* file systems in memory */
    size_t nfolders;
    bool no_devices;        /* neither nvidia-smi nor rocm-smi works */
    bool costly;            /* computing proportional memory once took too long */
    uint64_t largest_moved; /* largest change of a figure between the last two samples, in bytes */
    uint64_t rss, used;     /* values of the last sample */
};

struct od_samples od_samples_start(const char *root, pid_t top);

/* Appends the lines of a sample taken `seconds` after the start. */
void od_samples_host(struct od_samples *samples, uint64_t seconds, struct od_buf *to);
void od_samples_devices(struct od_samples *samples, uint64_t seconds, struct od_buf *to);

/* od_samples_look finds the file systems in memory. od_samples_end appends a line for each that the
 * run filled, or if `refused` nearly filled. */
void od_samples_look(struct od_samples *samples);
void od_samples_end(const struct od_samples *samples, bool refused, struct od_buf *to);

/* Appends a line for each row of the output of nvidia-smi (index, used MiB, total MiB) or rocm-smi
 * (CSV with a heading). visible: CUDA_VISIBLE_DEVICES; NULL = all devices. */
void od_samples_print_devices(struct od_view rows, const char *visible, uint64_t seconds,
                              struct od_buf *to);
