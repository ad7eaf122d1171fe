#include "config.h" /* must be the first include, because it decides what system headers declare */

#include "host/system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef HAVE_SYS_PRCTL_H
#include <sys/prctl.h>
#endif
#ifdef HAVE_SYS_SYSCALL_H
#include <sys/syscall.h>
#endif

/* Only for single-threaded callers: another thread could start a program between the two calls. */
static int closed_on_exec(int fd)
{
    if (fd >= 0)
        (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
}

bool od_system_pipe(int ret_ends[static 2])
{
#ifdef HAVE_PIPE2
    return pipe2(ret_ends, O_CLOEXEC) == 0;
#else
    bool ok = pipe(ret_ends) == 0;
    for (int i = 0; ok && i < 2; i++)
        (void)closed_on_exec(ret_ends[i]);
    return ok;
#endif
}

bool od_system_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_rdev == b->st_rdev;
}

int od_system_temporary(char *name)
{
#ifdef HAVE_MKOSTEMP
    return mkostemp(name, O_CLOEXEC);
#else
    return closed_on_exec(mkstemp(name));
#endif
}

int od_system_file(void)
{
#ifdef HAVE_MEMFD_CREATE
    return memfd_create("text", MFD_CLOEXEC);
#else
    char name[] = "/tmp/oomdoctor-XXXXXX";
    int fd = od_system_temporary(name);
    if (fd >= 0)
        (void)unlink(name);
    return fd;
#endif
}

void od_system_follow_parent(int signal)
{
#ifdef HAVE_SYS_PRCTL_H
    (void)prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0);
#else
    (void)signal;
#endif
}

bool od_system_die_with(pid_t parent)
{
    od_system_follow_parent(SIGKILL);
    return getppid() == parent;
}

int od_system_watch(pid_t pid)
{
#if HAVE_DECL_SYS_PIDFD_OPEN
    return (int)syscall(SYS_pidfd_open, pid, 0);
#else
    (void)pid;
    return -1;
#endif
}

void od_system_close_on_exec(int first)
{
    enum { CLOSE_ON_EXEC = 1 << 2, OLD_KERNELS = 1024 };
#if HAVE_DECL_SYS_CLOSE_RANGE
    if (syscall(SYS_close_range, first, ~0U, CLOSE_ON_EXEC) == 0)
        return;
#endif
    for (int fd = first; fd < OLD_KERNELS; fd++)
        (void)closed_on_exec(fd);
}

int od_system_socket(int family, int type)
{
    return closed_on_exec(socket(family, type, 0));
}

const char *od_system_self(void)
{
    static const char linked[] = "/proc/self/exe";
    return access(linked, X_OK) == 0 ? linked : "oomdoctor";
}

void od_system_keep_memory(void)
{
#ifdef __GLIBC__
    enum { LARGE = 32 << 20, KEPT = 128 << 20 };
    (void)mallopt(M_MMAP_THRESHOLD, LARGE);
    (void)mallopt(M_TRIM_THRESHOLD, KEPT);
#endif
}

void od_system_return_memory(void)
{
#ifdef __GLIBC__
    enum { LARGE = 1 << 20 };
    (void)mallopt(M_MMAP_THRESHOLD, LARGE);
    (void)mallopt(M_TRIM_THRESHOLD, LARGE);
#endif
}

size_t od_system_peek(int fd, char *to, size_t room)
{
    ssize_t n = pread(fd, to, room, 0);
#ifdef HAVE_TEE
    int ends[2];
    if (n < 0 && od_system_pipe(ends)) {
        n = tee(fd, ends[1], room, 0);
        n = n > 0 ? read(ends[0], to, (size_t)n) : n;
        (void)close(ends[0]);
        (void)close(ends[1]);
    }
#endif
    return n > 0 ? (size_t)n : 0;
}

bool od_system_write(int fd, struct od_view bytes)
{
    while (bytes.n > 0) {
        ssize_t n = write(fd, bytes.p, bytes.n);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes = od_view_from(bytes, (size_t)n);
    }
    return true;
}

void od_system_close(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

int64_t od_system_now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
