/* The lock of a program that draws, asked for what it is to refuse and what it is to allow. That of
 * the process that reads logs is asked in tests/unit/cgi/test_outside.c. */
#include "base/num.h"
#include "config.h"
#include "host/lock.h"
#include "tests/unit/host/suites.h"
#include "tests/unit/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static char mine[] = "/tmp/oomdoctor-lock-XXXXXX";

/* Each returns true where it could be done. */
static bool reads_others(void)
{
    return open("/etc/passwd", O_RDONLY) >= 0 || open(mine, O_RDONLY) >= 0 ||
           open("/proc/self/environ", O_RDONLY) >= 0 || open("/tmp", O_RDONLY | O_DIRECTORY) >= 0;
}

static bool writes(void)
{
    return open(mine, O_WRONLY) >= 0 || truncate(mine, 0) == 0 || unlink(mine) == 0 ||
           mkdir("/tmp/oomdoctor-lock", 0700) == 0;
}

static bool changes_rights(void)
{
    return chmod(mine, 0777) == 0 || fchmodat(AT_FDCWD, mine, 0777, 0) == 0 ||
           syscall(452, AT_FDCWD, mine, 0777, 0) == 0;
}

static bool changes_owner(void)
{
    return chown(mine, getuid(), getgid()) == 0 || lchown(mine, getuid(), getgid()) == 0;
}

static bool changes_times(void)
{
    return utimensat(AT_FDCWD, mine, NULL, 0) == 0 || setxattr(mine, "user.x", "y", 1, 0) == 0;
}

static bool starts(void)
{
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    return pid > 0;
}

static bool signals(void)
{
    siginfo_t info = {.si_code = SI_QUEUE};
    return kill(getppid(), 0) == 0 || syscall(SYS_rt_sigqueueinfo, getppid(), 0, &info) == 0 ||
           syscall(SYS_pidfd_open, getppid(), 0) >= 0;
}

static bool limits_others(void)
{
    struct rlimit limit;
    return syscall(SYS_prlimit64, getppid(), RLIMIT_CORE, NULL, &limit) == 0 ||
           setpriority(PRIO_PROCESS, (id_t)getppid(), 19) == 0;
}

static bool reaches(void)
{
    return socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0 ||
           shmget(IPC_PRIVATE, 4096, 0600) >= 0;
}

static bool (*const refused[])(void) = {reads_others,  writes,        changes_rights,
                                        changes_owner, changes_times, starts,
                                        signals,       limits_others, reaches};

static bool reads_libraries(void)
{
    return open("/etc/ld.so.cache", O_RDONLY) >= 0 || errno == ENOENT;
}

static bool lists_fonts(void)
{
    return open("/usr/share", O_RDONLY | O_DIRECTORY) >= 0;
}

static bool reads_itself(void)
{
    struct rlimit limit;
    return open("/bin/true", O_RDONLY) >= 0 && getrlimit(RLIMIT_AS, &limit) == 0;
}

static bool (*const allowed[])(void) = {reads_libraries, lists_fonts, reads_itself};

/* In a process of its own, locked: 'y' = it could be done, 'n' = not, 'l' = no lock. */
static int try_it(bool (*what)(void))
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        if (od_lock_drawer("/bin/true"))
            _exit('l');
        _exit(what() ? 'y' : 'n');
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void make_file(void)
{
    int fd = mkstemp(mine);
    ck_assert_int_ge(fd, 0);
    (void)close(fd);
}

static void remove_file(void)
{
    ck_assert_int_eq(unlink(mine), 0);
}

START_TEST(test_refused)
{
    ck_assert_int_eq(try_it(refused[_i]), 'n');
}
END_TEST

START_TEST(test_allowed)
{
    ck_assert_int_eq(try_it(allowed[_i]), 'y');
}
END_TEST

/* What cannot be locked is not run. */
START_TEST(test_no_lock)
{
    ck_assert_ptr_nonnull(od_lock_drawer("/bin/true"));
}
END_TEST

Suite *od_lock_suite(void)
{
    if (!OD_LOCKS)
        return od_suite_loop("lock", test_no_lock, 1);
    Suite *suite = suite_create("lock");
    TCase *tcase = tcase_create("drawer");
    tcase_add_checked_fixture(tcase, make_file, remove_file);
    tcase_add_loop_test(tcase, test_refused, 0, (int)OD_COUNT_OF(refused));
    tcase_add_loop_test(tcase, test_allowed, 0, (int)OD_COUNT_OF(allowed));
    suite_add_tcase(suite, tcase);
    return suite;
}
