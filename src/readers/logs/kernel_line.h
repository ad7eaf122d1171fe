/*
 * Lines of the Linux kernel's out-of-memory killer, one at a time: what kernels from 2.6 to 6.x say
 * about the victim, the reason and the memory. Markers are searched, not anchored: a line may
 * still have a prefix. Views point into the line.
 */
#pragma once

#include "base/base.h"

enum od_kernel_reason {
    OD_KERNEL_UNSAID,
    OD_KERNEL_MACHINE, /* all memory, or that of a node, was exhausted */
    OD_KERNEL_GROUP    /* a cgroup reached its limit */
};

/* "Kill process N (name) score S" chooses; "Killed process N (name) ..." tells that it is done. */
struct od_kernel_victim {
    enum od_kernel_reason reason;
    uint64_t pid;
    struct od_view name;
    struct od_view group; /* whose limit was reached */
    struct od_bytes virtual, rss;
    bool done;
};

/* A line of the killer names a victim. False when it does not. */
bool od_kernel_victim_parse(struct od_view line, struct od_kernel_victim *ret_victim);

/* "oom-kill:constraint=..." of 4.19 and later: reason, group, pid and name. */
bool od_kernel_constraint_parse(struct od_view line, struct od_kernel_victim *ret_victim);

/* The group whose limit was reached, as "Task in ...", "Memory cgroup stats for ..." name it. */
bool od_kernel_group_parse(struct od_view line, struct od_view *ret_group);

/* "memory: usage 1024kB, limit 1024kB" (or "memory+swap: ..."); no limit gives unknown. */
bool od_kernel_limit_parse(struct od_view line, struct od_bytes *ret_limit);

/*
 * A frame of the killer's own stack: it was at work (OD_KERNEL_UNSAID), or on behalf of a group.
 * What the unwinder doubts ("? name+0x") counts for nothing.
 */
bool od_kernel_frame_parse(struct od_view line, enum od_kernel_reason *ret_reason);

/* "N pages RAM", in pages. */
bool od_kernel_ram_parse(struct od_view line, uint64_t *ret_pages);

/* What a zone has free: "Normal free:1024kB min:512kB". */
bool od_kernel_zone_parse(struct od_view line, uint64_t *ret_bytes);

/* Who asked for the memory that there was not: "sshd invoked oom-killer: ...". */
bool od_kernel_trigger_parse(struct od_view line, struct od_view *ret_name);

/* "Total swap = 1024kB", "Free swap  = 0kB". The kernel prints a negative number while swap is
 * being switched off. */
struct od_kernel_swap {
    struct od_bytes total, free;
    bool going; /* it is being switched off */
};

/* Adds what the line says; false when it says nothing of swap. */
bool od_kernel_swap_parse(struct od_view line, struct od_kernel_swap *swap);

/* What the memory of the machine, or of a group, is used for. */
enum od_kernel_part {
    OD_KERNEL_ANON, /* of the machine: with files in memory; of a group: without */
    OD_KERNEL_FILE, /* of a group with files in memory, of the machine without */
    OD_KERNEL_SHMEM,
    OD_KERNEL_SLAB,
    OD_KERNEL_TABLES, /* page tables */
    OD_KERNEL_LRU,    /* of an old kernel's group: pages of processes and files in memory */
    OD_KERNEL_PARTS
};

struct od_kernel_parts {
    uint64_t of[OD_KERNEL_PARTS];
    unsigned known; /* a bit for each */
};

/* Adds the parts of the machine that the line counts in pages: "active_anon:1 inactive_anon:2". */
bool od_kernel_machine_parse(struct od_view line, struct od_kernel_parts *parts);

/* Adds the parts of a group: "anon 4096" below the head of its statistics, in bytes, or
 * "cache:4KB rss:8KB ..." in one line. */
bool od_kernel_stats_parse(struct od_view line, struct od_kernel_parts *parts);
