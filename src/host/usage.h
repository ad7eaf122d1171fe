/*
 * The memory in use by a program and its machine, from /proc/PID/stat and statm, smaps_rollup,
 * /proc/meminfo, and the file system /dev/shm. Linux.
 */
#pragma once

#include "base/base.h"

#include <sys/types.h>

/* Processes below one, at any depth; that one itself does not count. */
struct od_usage_tree {
    size_t processes;
    uint64_t rss;   /* bytes, pages that several share counted in each */
    uint64_t ticks; /* processor time, in clock ticks */
    struct od_count
        proportional; /* resident memory with shared pages counted once; only where asked */
};

/* root: "" but in tests. Walks all of /proc: 10 us a process. */
struct od_usage_tree od_usage_below(const char *root, pid_t top);

/* Sends the signal to a process and all below it. */
void od_usage_signal(pid_t top, int number);

/* Adds the proportional figure, for which the kernel walks the page tables of each process. */
void od_usage_add_proportional(const char *root, pid_t top, struct od_usage_tree *tree);

/* Memory of the machine that no program can have any more, of all that there is. */
struct od_usage_part {
    struct od_count used, whole; /* bytes */
};

struct od_usage_part od_usage_machine(const char *root);

/* A file system in memory. */
struct od_usage_folder {
    char path[128];
    uint64_t before;           /* bytes in use when it was found */
    struct od_usage_part most; /* the most that was in use since */
};

enum { OD_FOLDERS_MOST = 16 };

/* Finds those that are mounted, /dev/shm first. Returns their number. */
size_t od_usage_folders(const char *root, struct od_usage_folder folders[OD_FOLDERS_MOST]);

struct od_usage_part od_usage_files(const char *root, const char *folder);
