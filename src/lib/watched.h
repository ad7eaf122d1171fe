/*
 * Describes a program that we ran: how it ended, and what the kernel and its control group report.
 * The output is lines that the pack rules/watched.yaml reads, so that conclusions follow as from
 * any log.
 */
#pragma once

#include "host/cgroup.h"
#include "host/pass.h"

/* The memory limits that a shell sets for its commands (ulimit). A retry may raise the soft ones.
 * Limits with words, as in "ulimit -a", are printed at the start of a run. */
enum { OD_SHELL_LIMITS = 4 };
extern const struct od_shell_limit {
    char letter;
    int number; /* number for getrlimit(2) */
    const char *words;
} od_shell_limits[OD_SHELL_LIMITS];

/* State before the program starts, for comparison. */
struct od_watch {
    struct od_cgroup group;
    int kernel_log; /* descriptor of od_kernel_log_open */
};

/* root: as for od_cgroup_read. The caller ends the watch. */
struct od_watch od_watch_start(const char *root, struct od_arena *arena);
void od_watch_end(struct od_watch *watch);

/* Appends the first line of the stored output: the command's words, quoted for a shell. */
void od_watched_print_command(char *const *argv, struct od_buf *to);

/* Detects a command that hangs: the kernel killed one of its processes for memory, and the others
 * wait silently. A pool waits for ever for a killed worker. */
struct od_stall {
    uint64_t ticks;           /* processor time at the last call */
    unsigned idle_s, ended_s; /* seconds of waiting, and seconds since its end was requested */
};

/* Call this in each silent second (struct od_pass). Returns true when the command hangs. */
bool od_stall_look(struct od_stall *stall, const struct od_watch *watch, unsigned silent_s);

/* Requests the end of the command; forces it after five calls. */
void od_stall_end(struct od_stall *stall, pid_t pid);

/* Facts known when the command has ended. */
struct od_watched {
    const struct od_watch *before;
    struct od_cgroup group;
    struct od_view kernel; /* kernel messages during the run */
    const struct od_pass_result *result;
    bool stalled; /* the command hung after a kill, and no other process ended it */
};

/* Did the command fail? */
bool od_watched_failed(const struct od_pass_result *result);

/* Appends all lines. */
void od_watched_print(const struct od_watched *watched, struct od_buf *to);

/* Appends the lines about a program that ended or hangs. Reads the group and the kernel's log. */
void od_watch_tell(const struct od_watch *watch, const char *root,
                   const struct od_pass_result *result, bool stalled, struct od_buf *to);
