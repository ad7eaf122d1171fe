/*
 * A program that we ran ourselves, in words: how it ended, what the kernel and its control group
 * say of it. The words are lines like those of a log, which the pack rules/watched.yaml reads: what
 * is concluded from them is concluded as from any other log.
 */
#pragma once

#include "host/cgroup.h"
#include "host/pass.h"

/* The limits of memory that a shell sets for its commands (ulimit). A retry may raise the soft
 * ones. Those with words, as in "ulimit -a", are printed at the start of a run. */
enum { OD_SHELL_LIMITS = 4 };
extern const struct od_shell_limit {
    char letter;
    int number; /* in getrlimit(2) */
    const char *words;
} od_shell_limits[OD_SHELL_LIMITS];

/* The state before the program starts, for comparison. */
struct od_watch {
    struct od_cgroup group;
    int kernel_log; /* kernel log of od_kernel_log_open */
};

/* root: of od_cgroup_read. The caller ends it. */
struct od_watch od_watch_start(const char *root, struct od_arena *arena);
void od_watch_end(struct od_watch *watch);

/* Appends the line that begins what is kept of it: its words, as a shell would read them. */
void od_watched_print_command(char *const *argv, struct od_buf *to);

/* A command of which the kernel killed a process for memory, and whose other processes have waited
 * since without a word: a pool waits for ever for a worker that was killed. */
struct od_stall {
    uint64_t ticks;           /* processor time at the last look */
    unsigned idle_s, ended_s; /* seconds for which it has waited, and since its end was requested */
};

/* Call it in each silent second (struct od_pass). Returns true from when it is stalled. */
bool od_stall_look(struct od_stall *stall, const struct od_watch *watch, unsigned silent_s);

/* Requests its end, and forces it after five calls. */
void od_stall_end(struct od_stall *stall, pid_t pid);

/* The facts known after the command's end. */
struct od_watched {
    const struct od_watch *before;
    struct od_cgroup group;
    struct od_view kernel; /* kernel messages during the run */
    const struct od_pass_result *result;
    bool stalled; /* it waited for nothing after a kill, and was not ended from outside */
};

/* Did it fail, so that there is something to explain? */
bool od_watched_failed(const struct od_pass_result *result);

/* Appends the lines. */
void od_watched_print(const struct od_watched *watched, struct od_buf *to);

/* Appends the lines on a program that has just ended, or is stalled: reads the group and the
 * kernel's log. */
void od_watch_tell(const struct od_watch *watch, const char *root,
                   const struct od_pass_result *result, bool stalled, struct od_buf *to);
