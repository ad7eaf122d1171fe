/*
 * What a running program takes, in lines that the pack rules/watched.yaml reads: its processes, its
 * control group or the machine, /dev/shm, and the devices as nvidia-smi or rocm-smi tell them.
 */
#pragma once

#include "host/usage.h"

#include <sys/types.h>

struct od_samples {
    const char *root;                                /* of od_usage_below */
    pid_t top;                                       /* those below it are measured */
    struct od_usage_folder folders[OD_FOLDERS_MOST]; /* in memory */
    size_t nfolders;
    bool no_devices;        /* no program tells of them */
    bool costly;            /* the proportional figure took too long once */
    uint64_t largest_moved; /* of the last one: bytes that a figure differs from the one before */
    uint64_t rss, used;     /* of the last one */
};

struct od_samples od_samples_start(const char *root, pid_t top);

/* Appends the lines of this moment, `seconds` after the start. */
void od_samples_host(struct od_samples *samples, uint64_t seconds, struct od_buf *to);
void od_samples_devices(struct od_samples *samples, uint64_t seconds, struct od_buf *to);

/* Takes note of the file systems in memory; the second appends a line for each that the run filled:
 * nearly, if it was refused space. */
void od_samples_look(struct od_samples *samples);
void od_samples_end(const struct od_samples *samples, bool refused, struct od_buf *to);

/* Appends a line for each row of what nvidia-smi (index, used MiB, total MiB) or rocm-smi (as its
 * --csv has it, with a heading) says. visible: of CUDA_VISIBLE_DEVICES; NULL = all of them. */
void od_samples_print_devices(struct od_view rows, const char *visible, uint64_t seconds,
                              struct od_buf *to);
