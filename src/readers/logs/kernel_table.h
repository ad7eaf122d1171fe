/*
 * The table of tasks in the kernel's out-of-memory report. Its columns differ between versions, so
 * its header is read; the first four (uid, tgid, total_vm, rss) are the same since 2.6.36 and are
 * used if the header is missing. Since 6.8 rss is that without pages of files. Values are in pages.
 */
#pragma once

#include "base/base.h"

enum { OD_KERNEL_NAME = 64, OD_KERNEL_TASKS = 65536 };

struct od_kernel_task {
    uint64_t pid, total_vm, rss, swap;
    int score_adj; /* oom_score_adj; -1000 = the process may not be killed */
    size_t name_n;
    char name[OD_KERNEL_NAME];
};

struct od_kernel_table {
    unsigned total_vm, rss, swap, numbers; /* column numbers (swap 0: none), and the number of
                                              columns before the name */
    bool headed;
    OD_VEC(struct od_kernel_task) tasks; /* at most OD_KERNEL_TASKS */
};

/* Removes the rows and the header. */
void od_kernel_table_clear(struct od_kernel_table *table);
void od_kernel_table_done(struct od_kernel_table *table);

/* Takes a header or a row; false for any other line. */
bool od_kernel_table_take(struct od_kernel_table *table, struct od_view line);

/* The row of a process; NULL if there is none. */
const struct od_kernel_task *od_kernel_table_find(const struct od_kernel_table *table,
                                                  uint64_t pid);

/* The sum of all tasks with one name, without the excluded one. */
struct od_kernel_name {
    struct od_view name;
    uint64_t count, rss, swap;
    uint64_t pid;   /* pid of the last task */
    uint64_t least; /* rss of the smallest task */
    int score_adj;  /* of the last task */
};

/* The names with the most memory (RAM and swap), largest first; the task of pid is excluded.
 * Returns how many were written to ret_names, at most n; *ret_rest is the sum of all others. */
size_t od_kernel_table_names(const struct od_kernel_table *table, uint64_t pid, size_t n,
                             struct od_kernel_name *ret_names, struct od_kernel_name *ret_rest);
