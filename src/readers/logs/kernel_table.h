/*
 * The table of tasks in the kernel's out-of-memory report. Its columns changed from version to
 * version, so its header is read; the first four (uid, tgid, total_vm, rss) are the same since
 * 2.6.36 and serve where the header was cut off. Values are in pages.
 */
#pragma once

#include "base/base.h"

enum { OD_KERNEL_NAME = 64, OD_KERNEL_TASKS = 65536 };

struct od_kernel_task {
    uint64_t pid, total_vm, rss, swap;
    size_t name_n;
    char name[OD_KERNEL_NAME];
};

struct od_kernel_table {
    unsigned total_vm, rss, swap, numbers; /* columns (swap 0: none); how many precede the name */
    bool headed;
    OD_VEC(struct od_kernel_task) tasks; /* at most OD_KERNEL_TASKS */
};

/* Forgets the rows and the header. */
void od_kernel_table_clear(struct od_kernel_table *table);
void od_kernel_table_done(struct od_kernel_table *table);

/* Takes a header or a row; false when the line is neither. */
bool od_kernel_table_take(struct od_kernel_table *table, struct od_view line);

/* The row of a process; NULL when there is none. */
const struct od_kernel_task *od_kernel_table_find(const struct od_kernel_table *table,
                                                  uint64_t pid);

/* All tasks of a name but one: how many, and what they hold in pages. */
struct od_kernel_name {
    struct od_view name;
    uint64_t count, rss, swap;
};

/* The names that hold most, RAM and swap together, largest first; the task of pid counts for none.
 * Returns how many were written to ret_names, at most n; *ret_rest is the sum of all others. */
size_t od_kernel_table_names(const struct od_kernel_table *table, uint64_t pid, size_t n,
                             struct od_kernel_name *ret_names, struct od_kernel_name *ret_rest);

/*
 * The n tasks with the largest rss but that of pid, largest first, into ret_tasks; returns how
 * many there are. Tasks without memory are left out.
 */
size_t od_kernel_table_largest(const struct od_kernel_table *table, uint64_t pid, size_t n,
                               const struct od_kernel_task **ret_tasks);
