/*
 * Functions that not every system has, with substitutes; configure checks for each. All descriptors
 * are closed on exec.
 */
#pragma once

#include "base/base.h"

#include <sys/stat.h>
#include <sys/types.h>

/* A pipe; false with errno. */
bool od_system_pipe(int ret_ends[static 2]);

/* An empty unnamed file, in memory if the system supports it; -1 with errno. */
int od_system_file(void);

/* Do two results of stat describe one file, device or pipe? */
bool od_system_same_file(const struct stat *a, const struct stat *b);

/* Like mkstemp: creates a file and replaces XXXXXX at the end of name. */
int od_system_temporary(char *name);

/* Sends this process the signal when its parent ends, if the system supports it. */
void od_system_follow_parent(int signal);

/* Has this process killed when its parent ends. False if the parent has already ended, because the
 * signal would never come. parent: its PID before the fork. */
bool od_system_die_with(pid_t parent);

/* A descriptor that can be read once that process has ended; -1 where there is none. */
int od_system_watch(pid_t pid);

/* Closes all descriptors from `first` on when another program is executed. */
void od_system_close_on_exec(int first);

/* A socket. */
int od_system_socket(int family, int type);

/* This program, to be started again: a path, or a name for PATH. */
const char *od_system_self(void);

/* Makes the allocator keep freed memory for reuse, because getting pages from the kernel costs more
 * than filling them. Call this before the first allocation. */
void od_system_keep_memory(void);

/* Blocks of a MiB and more go back to the kernel when they are freed. Before memory is asked for.
 */
void od_system_return_memory(void);

/* Returns the bytes that the next read will return, without consuming them; 0 if the medium cannot
 * do that. */
size_t od_system_peek(int fd, char *to, size_t room);

/* Writes all of it; false with errno. */
bool od_system_write(int fd, struct od_view bytes);

/* Closes a descriptor that is open, which is then -1. */
void od_system_close(int *fd);

/* Milliseconds since some moment, whatever is done to the clock. */
int64_t od_system_now_ms(void);
