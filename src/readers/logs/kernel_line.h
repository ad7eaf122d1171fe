/*
 * Parses single lines of the Linux kernel's out-of-memory killer, kernels 2.6 to 6.x: victim,
 * reason and memory. Markers are searched, because a line may still have a prefix. Views point into
 * the line.
 */
#pragma once

#include "base/base.h"

enum od_kernel_reason {
    OD_KERNEL_UNSAID,
    OD_KERNEL_MACHINE, /* the memory of the machine or of a node was exhausted */
    OD_KERNEL_GROUP    /* a cgroup reached its limit */
};

/* "Kill process N (name) score S" announces the victim, "Killed process N (name) ..." reports its
 * death. */
struct od_kernel_victim {
    enum od_kernel_reason reason;
    uint64_t pid;
    struct od_view name;
    struct od_view group; /* the group whose limit was reached */
    struct od_bytes virtual, rss;
    bool done;
};

/* Parses a line that names a victim; otherwise returns false. */
bool od_kernel_victim_parse(struct od_view line, struct od_kernel_victim *ret_victim);

/* "oom-kill:constraint=..." of 4.19 and later: reason, group, pid and name. */
bool od_kernel_constraint_parse(struct od_view line, struct od_kernel_victim *ret_victim);

/* The group whose limit was reached, from "Task in ..." or "Memory cgroup stats for ...". */
bool od_kernel_group_parse(struct od_view line, struct od_view *ret_group);

/* "memory: usage 1024kB, limit 1024kB" (or "memory+swap: ..."); unknown if there is no limit. */
bool od_kernel_limit_parse(struct od_view line, struct od_bytes *ret_limit,
                           struct od_bytes *ret_used);

/* A frame of the killer's own stack, which shows that it ran (OD_KERNEL_UNSAID), or that it ran for
 * a group. Frames that the unwinder doubts ("? name+0x") do not count. */
bool od_kernel_frame_parse(struct od_view line, enum od_kernel_reason *ret_reason);

/* "N pages RAM", in pages. */
bool od_kernel_ram_parse(struct od_view line, uint64_t *ret_pages);

/* Free memory of a zone: "Normal free:1024kB min:512kB". */
bool od_kernel_zone_parse(struct od_view line, uint64_t *ret_bytes);

/* The largest of a zone's free pieces: "Normal: 9*4kB (U) 2*8kB (UM) 0*16kB = 52kB". */
bool od_kernel_pieces_parse(struct od_view line, uint64_t *ret_bytes);

/* The process whose request triggered the killer: "sshd invoked oom-killer: ... order=3", which
 * asked for 8 pages that lie together; *ret_pages is 0 where any page would do. */
bool od_kernel_trigger_parse(struct od_view line, struct od_view *ret_name, uint64_t *ret_pages);

/* "Total swap = 1024kB", "Free swap  = 0kB". The kernel prints a negative number while swap is
 * being turned off. */
struct od_kernel_swap {
    struct od_bytes total, free;
    bool going; /* swap is being turned off */
};

/* Adds the numbers of the line; false if it is not about swap. */
bool od_kernel_swap_parse(struct od_view line, struct od_kernel_swap *swap);

/* Uses of memory of the machine or a group. */
enum od_kernel_part {
    OD_KERNEL_ANON, /* for the machine including files in memory, for a group without them */
    OD_KERNEL_FILE, /* for a group including files in memory, for the machine without them */
    OD_KERNEL_SHMEM,
    OD_KERNEL_SLAB,
    OD_KERNEL_TABLES, /* page tables */
    OD_KERNEL_HUGE,   /* huge pages, used or not; no process counts them as its own */
    OD_KERNEL_LRU,    /* in groups of old kernels: pages of processes and files in memory */
    OD_KERNEL_PARTS
};

struct od_kernel_parts {
    uint64_t of[OD_KERNEL_PARTS];
    unsigned known; /* a bit for each part */
};

/* Adds the machine's parts that the line counts in pages: "active_anon:1 inactive_anon:2". */
bool od_kernel_machine_parse(struct od_view line, struct od_kernel_parts *parts);

/* Adds a group's parts: "anon 4096" below the heading of its statistics, in bytes, or "cache:4KB
 * rss:8KB ..." on one line. */
bool od_kernel_stats_parse(struct od_view line, struct od_kernel_parts *parts);
