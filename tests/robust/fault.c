/*
 * Preloaded: the call of FAULT_CALL (malloc, read, write, close, rename) with number FAULT_AT
 * fails, with FAULT_ON=yes all after it, too. FAULT_COUNT names a file that gets the number of
 * calls.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);

static struct {
    const char *call;
    unsigned long at, seen;
    bool on, ready;
} fault;

static unsigned long number_of(const char *text)
{
    unsigned long n = 0;
    for (; text && *text >= '0' && *text <= '9'; text++)
        n = n * 10 + (unsigned long)(*text - '0');
    return n;
}

__attribute__((constructor)) static void start(void)
{
    const char *on = getenv("FAULT_ON");
    fault.call = getenv("FAULT_CALL");
    fault.at = number_of(getenv("FAULT_AT"));
    fault.on = on && strcmp(on, "yes") == 0;
    fault.ready = fault.call != NULL;
}

__attribute__((destructor)) static void end(void)
{
    char text[32];
    const char *file = getenv("FAULT_COUNT");
    fault.ready = false;
    if (!file)
        return;
    int n = snprintf(text, sizeof text, "%lu\n", fault.seen);
    long fd = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd >= 0 && syscall(SYS_write, fd, text, (size_t)n) == n)
        syscall(SYS_close, fd);
}

static bool fails(const char *call)
{
    if (!fault.ready || strcmp(call, fault.call) != 0)
        return false;
    unsigned long seen = __atomic_add_fetch(&fault.seen, 1, __ATOMIC_RELAXED);
    return fault.at > 0 && (seen == fault.at || (fault.on && seen > fault.at));
}

static void *no_memory(void)
{
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t n)
{
    return fails("malloc") ? no_memory() : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return fails("malloc") ? no_memory() : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
    return fails("malloc") ? no_memory() : __libc_realloc(p, n);
}

ssize_t read(int fd, void *to, size_t n)
{
    if (!fails("read"))
        return syscall(SYS_read, fd, to, n);
    errno = EIO;
    return -1;
}

/* Messages to people come through. */
ssize_t write(int fd, const void *from, size_t n)
{
    if (fd == STDERR_FILENO || !fails("write"))
        return syscall(SYS_write, fd, from, n);
    errno = EIO;
    return -1;
}

int close(int fd)
{
    long result = syscall(SYS_close, fd); /* what close cannot write is closed all the same */
    if (!fails("close"))
        return (int)result;
    errno = EIO;
    return -1;
}

int rename(const char *from, const char *to)
{
    if (!fails("rename"))
        return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    errno = EIO;
    return -1;
}
