#include "host/lock.h"

#include "config.h"
#include "host/kernel_file.h"
#include "host/system.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Landlock's system calls and constants, because a distribution's headers are often older than its
 * kernels. The numbers are the same on every architecture. */
enum {
    LANDLOCK_CREATE = 444,
    LANDLOCK_ADD_RULE = 445,
    LANDLOCK_RESTRICT = 446,
    LANDLOCK_VERSION = 1,
    LANDLOCK_PATH_BENEATH = 1
};

enum { MAY_EXECUTE = 1 << 0, MAY_WRITE = 1 << 1, MAY_READ = 1 << 2, MAY_LIST = 1 << 3 };

struct landlock_rules {
    uint64_t files, network, scopes;
};

struct landlock_path {
    uint64_t allowed;
    int32_t folder;
} __attribute__((packed));

static struct landlock_rules everything(long version, size_t *ret_size)
{
    struct landlock_rules rules = {.files = (1U << 13) - 1};
    rules.files |= version >= 2 ? 1U << 13 : 0; /* right to move files between folders */
    rules.files |= version >= 3 ? 1U << 14 : 0; /* right to truncate files */
    rules.files |= version >= 5 ? 1U << 15 : 0; /* right to call ioctl on devices */
    rules.network = version >= 4 ? 3 : 0;       /* rights to bind and connect TCP sockets */
    /* abstract sockets of, and signals to, other processes */
    rules.scopes = version >= 6 ? 3 : 0;
    *ret_size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    return rules;
}

/* A rule set that allows nothing; -1 if Landlock is not available. */
static int refuse_all(void)
{
    long version = syscall(LANDLOCK_CREATE, NULL, (size_t)0, LANDLOCK_VERSION);
    if (version < 1)
        return -1;
    size_t size;
    struct landlock_rules rules = everything(version, &size);
    return (int)syscall(LANDLOCK_CREATE, &rules, size, 0);
}

/* Allows one path. A missing file needs no permission. Only folders can be listed. */
static void allow(int rules, const char *path, uint64_t what)
{
    struct landlock_path beneath = {.allowed = what, .folder = open(path, O_PATH | O_CLOEXEC)};
    struct stat st;
    if (beneath.folder < 0)
        return;
    if (fstat(beneath.folder, &st) == 0 && !S_ISDIR(st.st_mode))
        beneath.allowed &= ~(uint64_t)MAY_LIST;
    (void)syscall(LANDLOCK_ADD_RULE, rules, LANDLOCK_PATH_BENEATH, &beneath, 0);
    (void)close(beneath.folder);
}

/* Removes the write permission from executable memory. line: "7f00-7f10 rwxp ...". */
static bool close_code_at(struct od_view line)
{
    uint64_t start, end;
    if (!od_num_take_hex(&line, &start) || !od_view_take(&line, OD_VIEW("-")) ||
        !od_num_take_hex(&line, &end))
        return false;
    struct od_view rights = od_view_head(od_view_trim(line), 3);
    if (od_view_find_char(rights, 'w', 0) == OD_VIEW_NONE ||
        od_view_find_char(rights, 'x', 0) == OD_VIEW_NONE)
        return true;
    /* this address comes from the kernel's list of mappings */
    return mprotect((void *)(uintptr_t)start, (size_t)(end - start), PROT_READ | PROT_EXEC) == 0;
}

static const char *close_code(void)
{
    struct od_buf maps = {0};
    bool ok = od_kernel_file_read("/proc/self/maps", SIZE_MAX, &maps);
    struct od_view lines = od_buf_view(&maps), line;
    while (ok && od_view_cut(&lines, '\n', &line))
        ok = line.n == 0 || close_code_at(line);
    od_buf_done(&maps);
    return ok ? NULL : "memory that can be run could not be closed for writing";
}

static const char *close_files(int rules)
{
    bool ok = rules >= 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
              syscall(LANDLOCK_RESTRICT, rules, 0) == 0;
    if (rules >= 0)
        (void)close(rules);
    return ok ? NULL : "this kernel has no Landlock, or does not permit it";
}

static bool limit_to(int resource, uint64_t most)
{
    struct rlimit limit = {.rlim_cur = most, .rlim_max = most};
    return setrlimit((unsigned)resource, &limit) == 0;
}

static const char *set_limits(const struct od_lock *lock)
{
    bool ok = limit_to(RLIMIT_CORE, 0) && limit_to(RLIMIT_FSIZE, 0) && limit_to(RLIMIT_NPROC, 0) &&
              limit_to(RLIMIT_NOFILE, 0) && limit_to(RLIMIT_CPU, lock->seconds + 1);
#ifndef OD_SANITIZED /* sanitizers reserve terabytes of address space */
    ok = ok && limit_to(RLIMIT_AS, lock->memory_most);
#endif
    ok = ok && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
    return ok ? NULL : "the limits of the process could not be set";
}

static const char no_seccomp[] = "this kernel has no seccomp-bpf, or does not permit it";

static const int harmless[] = {
#define OD_CALL(number) number,
#include "host/computing_calls.def"
};

static bool allow_computing(scmp_filter_ctx filter, const struct od_lock *lock)
{
    bool ok = true;
    for (size_t i = 0; i < OD_COUNT_OF(harmless); i++)
        ok = ok && seccomp_rule_add(filter, SCMP_ACT_ALLOW, harmless[i], 0) == 0;
    /* protection is the third argument of both calls, flags are the fourth */
    const struct scmp_arg_cmp data[] = {
        {.arg = 2, .op = SCMP_CMP_MASKED_EQ, .datum_a = PROT_EXEC, .datum_b = 0},
        {.arg = 3, .op = SCMP_CMP_MASKED_EQ, .datum_a = MAP_ANONYMOUS, .datum_b = MAP_ANONYMOUS}};
    const struct scmp_arg_cmp in = {.arg = 0, .op = SCMP_CMP_EQ, .datum_a = (uint64_t)lock->in};
    const struct scmp_arg_cmp out = {.arg = 0, .op = SCMP_CMP_EQ, .datum_a = (uint64_t)lock->out};
#ifdef OD_SANITIZED /* sanitizers report errors there */
    const struct scmp_arg_cmp err = {.arg = 0, .op = SCMP_CMP_EQ, .datum_a = STDERR_FILENO};
    ok = ok && seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(write), 1, &err) == 0;
#endif
    return ok && seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2, data) == 0 &&
           seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, data) == 0 &&
           seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(read), 1, &in) == 0 &&
           seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(write), 1, &out) == 0;
}

static const char *close_calls(const struct od_lock *lock)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    bool ok = filter && allow_computing(filter, lock) && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return ok ? NULL : no_seccomp;
}

/* System calls that a drawing program never makes. */
static const int foreign[] = {
#define OD_FOREIGN_CALL(number) number,
#include "host/foreign_calls.def"
};

static const char *close_foreign_calls(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    bool ok = filter != NULL;
    for (size_t i = 0; i < OD_COUNT_OF(foreign); i++)
        ok = ok && seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), foreign[i], 0) == 0;
    /* a filter cannot check its arguments; the C library falls back to clone */
    ok = ok && seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
    /* the process may query its own limits, as process 0 */
    const struct scmp_arg_cmp another = {.arg = 0, .op = SCMP_CMP_NE, .datum_a = 0, .datum_b = 0};
    ok = ok && seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), 1,
                                      &another) == 0;
    ok = ok && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return ok ? NULL : no_seccomp;
}

const char *od_lock_worker(const struct od_lock *lock)
{
    const char *why = close_code();
    why = why ? why : close_files(refuse_all());
    why = why ? why : set_limits(lock);
    if (!why && !od_system_die_with(lock->parent))
        why = "the client process has ended";
    return why ? why : close_calls(lock);
}

const char *od_lock_drawer(const char *program)
{
    /* the parts of /etc that loaders and fonts need: other files may contain secrets */
    static const char *const readable[] = {"/etc/fonts",
                                           "/etc/ld-musl-aarch64.path",
                                           "/etc/ld-musl-x86_64.path",
                                           "/etc/ld.so.cache",
                                           "/etc/ld.so.preload",
                                           "/lib",
                                           "/lib32",
                                           "/lib64",
                                           "/usr/lib",
                                           "/usr/lib32",
                                           "/usr/lib64",
                                           "/usr/local/lib",
                                           "/usr/local/share",
                                           "/usr/share",
                                           "/var/cache/fontconfig"};
    int rules = refuse_all();
    for (size_t i = 0; rules >= 0 && i < OD_COUNT_OF(readable); i++)
        allow(rules, readable[i], MAY_READ | MAY_LIST | MAY_EXECUTE);
    if (rules >= 0) {
        allow(rules, program, MAY_READ | MAY_EXECUTE);
        allow(rules, "/dev/null", MAY_READ | MAY_WRITE);
    }
    const char *why = close_files(rules);
    return why ? why : close_foreign_calls();
}
