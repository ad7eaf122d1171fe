/*
 * The memory in use by a program and its machine, from /proc/PID/stat and statm, smaps_rollup,
 * /proc/meminfo, and the file system /dev/shm. Linux.
 */
#pragma once

#include "base/base.h"

#include <sys/types.h>

/* The descendants of a process, without the process itself. */
struct od_usage_tree {
    size_t processes;
    uint64_t rss;   /* bytes; each process counts shared pages in full */
    uint64_t ticks; /* processor time, in clock ticks */
    struct od_count
        proportional; /* bytes; shared pages counted once. Known after od_usage_add_proportional */
};

/* Measures top's descendants. root: "" except in tests. Walks all of /proc: 10 us a process. */
struct od_usage_tree od_usage_below(const char *root, pid_t top);

/* Sends the signal to a process and all its descendants. */
void od_usage_signal(pid_t top, int number);

/* Sets tree->proportional. Expensive: the kernel walks the page tables of each process. */
void od_usage_add_proportional(const char *root, pid_t top, struct od_usage_tree *tree);

/* Memory of the machine or of a file system: bytes not available to programs, and the total. */
struct od_usage_part {
    struct od_count used, whole;
};

struct od_usage_part od_usage_machine(const char *root);

/* A file system in memory. */
struct od_usage_folder {
    char path[128];
    uint64_t before;           /* bytes in use when the file system was found */
    struct od_usage_part most; /* the highest use since then */
};

enum { OD_FOLDERS_MOST = 16 };

/* Finds the mounted file systems in memory, /dev/shm first. Returns their number. */
size_t od_usage_folders(const char *root, struct od_usage_folder folders[OD_FOLDERS_MOST]);

struct od_usage_part od_usage_files(const char *root, const char *folder);
