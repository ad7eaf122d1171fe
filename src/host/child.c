#include "host/child.h"

#include "host/lock.h"
#include "host/system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { IN, OUT, ERR, TABLE, STARTED, FILES };

/* The ends of pipes and files in this process and the child. */
struct pipes {
    int ours[FILES];
    int theirs[FILES];
};

static void close_all(struct pipes *pipes)
{
    for (size_t i = 0; i < FILES; i++) {
        od_system_close(&pipes->ours[i]);
        od_system_close(&pipes->theirs[i]);
    }
}

/* Moves a descriptor away from a number that the child's own files need. These are free only if our
 * standard streams are closed. */
static int above(int fd)
{
    if (fd < 0 || fd > TABLE)
        return fd;
    int higher = fcntl(fd, F_DUPFD_CLOEXEC, TABLE + 1);
    (void)close(fd);
    return higher;
}

static bool open_pipe(struct pipes *pipes, size_t which)
{
    int ends[2];
    if (!od_system_pipe(ends))
        return false;
    pipes->ours[which] = above(ends[0]);
    pipes->theirs[which] = above(ends[1]);
    return pipes->ours[which] >= 0 && pipes->theirs[which] >= 0 &&
           (which == STARTED || fcntl(pipes->ours[which], F_SETFL, O_NONBLOCK) == 0);
}

/* Creates an unnamed file with the text, which unlike a pipe holds any amount and raises no
 * signal. */
static bool open_text(struct pipes *pipes, size_t which, struct od_view text)
{
    int fd = above(od_system_file());
    pipes->theirs[which] = fd;
    while (fd >= 0 && text.n > 0) {
        ssize_t n = write(fd, text.p, text.n);
        if (n <= 0)
            return false;
        text = od_view_from(text, (size_t)n);
    }
    return fd >= 0 && lseek(fd, 0, SEEK_SET) == 0;
}

static bool open_pipes(struct pipes *pipes, const struct od_child *child)
{
    for (size_t i = 0; i < FILES; i++)
        pipes->ours[i] = pipes->theirs[i] = -1;
    return open_text(pipes, IN, child->input) && open_text(pipes, TABLE, child->table) &&
           open_pipe(pipes, OUT) && open_pipe(pipes, ERR) && open_pipe(pipes, STARTED);
}

bool od_child_is_program(const char *path)
{
    struct stat st;
    return access(path, X_OK) == 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Only absolute folders of PATH count, never the current folder. */
static bool find_program(const char *name, char ret_path[static PATH_MAX])
{
    const char *path = getenv("PATH");
    if (strchr(name, '/')) {
        int n = snprintf(ret_path, PATH_MAX, "%s", name);
        return n > 0 && n < PATH_MAX && od_child_is_program(ret_path);
    }
    for (const char *at = path ? path : "/usr/local/bin:/usr/bin:/bin"; *at;) {
        size_t n = strcspn(at, ":");
        int length = snprintf(ret_path, PATH_MAX, "%.*s/%s", n < PATH_MAX ? (int)n : 0, at, name);
        if (*at == '/' && length < PATH_MAX && od_child_is_program(ret_path))
            return true;
        at += n + (at[n] == ':');
    }
    return false;
}

static void limit_to(int resource, uint64_t most)
{
    struct rlimit limit;
    if (getrlimit((unsigned)resource, &limit) != 0)
        return;
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > most)
        limit.rlim_max = most;
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > limit.rlim_max)
        limit.rlim_cur = limit.rlim_max;
    (void)setrlimit((unsigned)resource, &limit);
}

static void set_limits(const struct od_child *child)
{
    limit_to(RLIMIT_CORE, 0);
    limit_to(RLIMIT_CPU, child->limit_ms / 1000 + 1);
    limit_to(RLIMIT_FSIZE, child->file_most);
    if (child->memory_most > 0)
        limit_to(RLIMIT_AS, child->memory_most);
}

static void default_signals(void)
{
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    struct sigaction usual = {.sa_handler = SIG_DFL};
    (void)sigaction(SIGPIPE, &usual, NULL);
    (void)sigaction(SIGINT, &usual, NULL);
    (void)sigaction(SIGTERM, &usual, NULL);
}

/* execve takes arrays of char *, but writes to none of them. */
static char *const *words_of(const char *const *words)
{
    union {
        const char *const *from;
        char *const *to;
    } same = {.from = words};
    return same.to;
}

/* Runs in the child and never returns. The pipe gets errno; a successful exec closes it. */
static void become(const struct od_child *child, const char *program, pid_t parent,
                   const struct pipes *pipes)
{
    (void)setpgid(0, 0);
    default_signals();
    bool ok = od_system_die_with(parent) && chdir(child->folder ? child->folder : "/") == 0;
    for (int i = IN; i <= TABLE; i++)
        ok = ok && dup2(pipes->theirs[i], i) == i;
    if (ok) {
        set_limits(child);
        /* also closes files that were open before this program started */
        od_system_close_on_exec(TABLE + 1);
        errno = EPERM;
        if (!child->locked || !od_lock_drawer(program))
            (void)execve(program, words_of(child->argv), words_of(child->environment));
    }
    int why = errno;
    (void)!write(pipes->theirs[STARTED], &why, sizeof why);
    _exit(127);
}

/* Returns 0 if the program runs, otherwise errno. */
static int wait_for_start(const struct pipes *pipes)
{
    int why = 0;
    ssize_t n;
    do {
        n = read(pipes->ours[STARTED], &why, sizeof why);
    } while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof why ? why : 0;
}

/* Reads a piece. False at the end of the stream, or if there is too much output (*ret_much). */
static bool take(int fd, struct od_buf *to, size_t most, bool *ret_much)
{
    enum { PIECE = 65536 };
    ssize_t n = read(fd, od_buf_reserve(to, PIECE), PIECE);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN;
    to->n += (size_t)n;
    *ret_much = *ret_much || to->n > most;
    return n > 0 && !*ret_much;
}

/* Reads until both streams end, the time is over, or there is too much output. */
static enum od_child_end collect(const struct od_child *child, struct pipes *pipes,
                                 int64_t deadline, struct od_child_result *result)
{
    bool much = false;
    while (pipes->ours[OUT] >= 0 || pipes->ours[ERR] >= 0) {
        int64_t left = deadline - od_system_now_ms();
        if (left <= 0)
            return OD_CHILD_TOO_LONG;
        struct pollfd files[2] = {{.fd = pipes->ours[OUT], .events = POLLIN},
                                  {.fd = pipes->ours[ERR], .events = POLLIN}};
        if (poll(files, 2, (int)left) < 0 && errno != EINTR)
            return OD_CHILD_FAILED;
        if (files[0].revents && !take(files[0].fd, &result->out, child->output_most, &much))
            od_system_close(&pipes->ours[OUT]);
        if (files[1].revents && !take(files[1].fd, &result->err, child->output_most, &much))
            od_system_close(&pipes->ours[ERR]);
        if (much)
            return OD_CHILD_TOO_MUCH;
    }
    return OD_CHILD_EXITED;
}

/* Has the child ended? It stays a zombie, so that its PID is not reused too early. */
static bool has_ended(pid_t pid, int64_t deadline)
{
    for (;;) {
        siginfo_t info = {0};
        if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT | WNOHANG) != 0 && errno != EINTR)
            return true; /* if our parent ignores SIGCHLD, the child leaves no zombie */
        if (info.si_pid == pid)
            return true;
        if (od_system_now_ms() >= deadline)
            return false;
        (void)poll(NULL, 0, 2);
    }
}

static void reap(pid_t pid, struct od_child_result *result)
{
    int status = 0;
    pid_t got;
    (void)kill(-pid, SIGKILL);
    do {
        got = waitpid(pid, &status, 0);
    } while (got < 0 && errno == EINTR);
    if (got != pid || result->end != OD_CHILD_EXITED)
        return;
    if (WIFSIGNALED(status)) {
        result->end = OD_CHILD_SIGNALLED;
        result->status = WTERMSIG(status);
    } else {
        result->status = WEXITSTATUS(status);
    }
}

static void follow(const struct od_child *child, pid_t pid, struct pipes *pipes,
                   struct od_child_result *result)
{
    int64_t deadline = od_system_now_ms() + child->limit_ms;
    for (size_t i = 0; i < FILES; i++)
        od_system_close(&pipes->theirs[i]);
    (void)setpgid(pid, pid);
    int why = wait_for_start(pipes);
    if (why != 0) {
        result->end = why == ENOENT ? OD_CHILD_MISSING : OD_CHILD_FAILED;
        result->status = why;
    } else {
        result->end = collect(child, pipes, deadline, result);
        if (result->end == OD_CHILD_EXITED && !has_ended(pid, deadline))
            result->end = OD_CHILD_TOO_LONG;
    }
    reap(pid, result);
}

struct od_child_result od_child_run(const struct od_child *child)
{
    struct od_child_result result = {.end = OD_CHILD_FAILED};
    char program[PATH_MAX];
    struct pipes pipes;
    if (!find_program(child->argv[0], program)) {
        result.end = OD_CHILD_MISSING;
        return result;
    }
    if (!open_pipes(&pipes, child)) {
        result.status = errno;
        close_all(&pipes);
        return result;
    }
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        become(child, program, parent, &pipes);
    if (pid < 0)
        result.status = errno;
    else
        follow(child, pid, &pipes, &result);
    close_all(&pipes);
    return result;
}

void od_child_done(struct od_child_result *result)
{
    od_buf_done(&result->out);
    od_buf_done(&result->err);
}

bool od_child_has_ended(pid_t pid)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT | WNOHANG) != 0 || info.si_pid == pid;
}
