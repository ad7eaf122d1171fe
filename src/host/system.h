/*
 * Functions that some systems lack, with substitutes; configure checks for each. All descriptors
 * are closed on exec.
 */
#pragma once

#include "base/base.h"

#include <sys/stat.h>
#include <sys/types.h>

/* Creates a pipe; false with errno on failure. */
bool od_system_pipe(int ret_ends[static 2]);

/* Creates an empty unnamed file, in memory if the system supports it; -1 with errno on failure. */
int od_system_file(void);

/* Do two results of stat describe the same file, device or pipe? */
bool od_system_same_file(const struct stat *a, const struct stat *b);

/* Like mkstemp: creates a file and replaces XXXXXX at the end of name. */
int od_system_temporary(char *name);

/* Makes the kernel send this process the signal when its parent ends, if the system supports it. */
void od_system_follow_parent(int signal);

/* Makes the kernel kill this process when its parent ends. False if the parent has already ended.
 * parent: PID of the parent, obtained before the fork. */
bool od_system_die_with(pid_t parent);

/* Returns a descriptor that becomes readable when the process ends; -1 if not supported. */
int od_system_watch(pid_t pid);

/* Closes all descriptors from `first` on when another program is executed. */
void od_system_close_on_exec(int first);

int od_system_socket(int family, int type);

/* How to start this program again: a path, or a name to search in PATH. */
const char *od_system_self(void);

/* Makes the allocator keep freed memory for reuse, because getting pages from the kernel costs more
 * than filling them. Call this before the first allocation. */
void od_system_keep_memory(void);

/* Makes the allocator return freed blocks of 1 MiB and more to the kernel. Call this before the
 * first allocation. */
void od_system_return_memory(void);

/* Returns the bytes that the next read will return, without consuming them; 0 if not possible. */
size_t od_system_peek(int fd, char *to, size_t room);

/* Writes all bytes; false with errno on failure. */
bool od_system_write(int fd, struct od_view bytes);

/* Closes the descriptor if it is open, and sets it to -1. */
void od_system_close(int *fd);

/* Milliseconds on a clock that is never set. */
int64_t od_system_now_ms(void);
