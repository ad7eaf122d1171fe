#include "config.h" /* must be the first include, because it decides what system headers declare */

#include "host/pass.h"

#include "host/child.h"
#include "host/pass_relay.h"
#include "host/pass_signals.h"
#include "host/pass_stream.h"
#include "host/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    SILENCE_MS = 1000, /* copying stops after this silence once the program has ended */
    LATE_MS = 10000,   /* copying stops this long after the program's end at the latest */
    PAUSE_MS = 1000,   /* after this silence the caller's `silent` is called */
    LOOK_AGAIN_MS = 50 /* polling interval if the kernel cannot report the program's end */
};

struct passing {
    const struct od_pass *pass;
    struct od_pass_stream streams[OD_PASS_STREAMS];
    int started[2];
    sigset_t usual; /* signals that were blocked before this run */
    pid_t pid;
    struct od_pass_relay relay;
    int unwritten; /* errno; 0 = all output was passed on */
};

/* Runs in the child and never returns. The pipe gets errno; a successful exec closes it. */
static void become(const struct passing *p)
{
    if (od_pass_streams_take(p->streams)) {
        (void)sigprocmask(SIG_SETMASK, &p->usual, NULL);
        (void)execvp(p->pass->argv[0], p->pass->argv);
    }
    int why = errno;
    (void)!write(p->started[1], &why, sizeof why);
    _exit(127);
}

/* Returns 0 if the program runs, otherwise errno. */
static int wait_for_start(int started)
{
    int why = 0;
    ssize_t n;
    do {
        n = read(started, &why, sizeof why);
    } while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof why ? why : 0;
}

/* Copies the output until all streams end, or until the program has ended and its background
 * processes are silent. */
static void take_copies(struct passing *p)
{
    int end = od_system_watch(p->pid);
    int64_t ended = -1;
    unsigned silent = 0;
    bool writes = false; /* only the relay writes, because its reader may be slow */
    while (p->relay.copies >= 0 && (writes || ended < 0 || od_system_now_ms() - ended <= LATE_MS)) {
        struct pollfd files[2] = {{.fd = p->relay.copies, .events = POLLIN},
                                  {.fd = ended < 0 ? end : -1, .events = POLLIN}};
        struct od_pass_copy copy;
        int wait_ms = ended >= 0 ? (writes ? -1 : SILENCE_MS) : end < 0 ? LOOK_AGAIN_MS : PAUSE_MS;
        int n = poll(files, 2, wait_ms);
        silent = n == 0 ? silent + 1 : 0;
        if (silent > 0 && ended < 0 && wait_ms == PAUSE_MS && p->pass->silent)
            p->pass->silent(p->pass->self, p->pid, silent);
        if ((n < 0 && errno != EINTR) || (n == 0 && ended >= 0))
            break;
        if (n > 0 && files[0].revents && od_pass_relay_next(&p->relay, &copy)) {
            writes = copy.bytes.n > 0;
            if (writes)
                p->pass->output(p->pass->self, copy.error, copy.bytes);
            p->unwritten = copy.unwritten ? copy.unwritten : p->unwritten;
        }
        if (ended < 0 && (files[1].revents || end < 0) && od_child_has_ended(p->pid))
            ended = od_system_now_ms();
    }
    od_system_close(&end);
}

static void reap(struct passing *p, struct od_pass_result *result)
{
    int status = 0;
    struct rusage usage = {0};
    pid_t got;
    do {
        got = wait4(p->pid, &status, 0, &usage);
    } while (got < 0 && errno == EINTR);
    if (got != p->pid)
        return; /* if our parent ignores SIGCHLD, there is no zombie */
    result->end = WIFSIGNALED(status) ? OD_PASS_SIGNALLED : OD_PASS_EXITED;
    result->status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    if (usage.ru_maxrss > 0)
        result->peak_rss_bytes = (uint64_t)usage.ru_maxrss * 1024;
}

/* Keeps the zombie until signals are no longer passed on, so that its PID is not reused. */
static void wait_for_end(pid_t pid)
{
    siginfo_t info;
    while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
        ;
}

static void follow(struct passing *p, struct od_pass_result *result)
{
    struct od_pass_signals *signals = od_pass_signals_start(p->pid, p->streams);
    od_pass_streams_given(p->streams);
    od_system_close(&p->started[1]);
    int why = wait_for_start(p->started[0]);
    if (why == 0)
        take_copies(p);
    wait_for_end(p->pid);
    result->signals = od_pass_signals_stop(signals);
    if (p->pass->ret_unwritten)
        *p->pass->ret_unwritten = p->unwritten;
    result->pid = p->pid;
    reap(p, result);
    if (why != 0) {
        result->end = OD_PASS_NOT_RUN;
        result->status = why;
    }
}

struct od_pass_result od_pass_run(const struct od_pass *pass)
{
    struct od_pass_result result = {.end = OD_PASS_NOT_RUN};
    struct passing p = {.pass = pass, .started = {-1, -1}, .relay.copies = -1};
    od_pass_signals_block(&p.usual);
    if (od_pass_streams_open(p.streams) && od_pass_relay_start(&p.relay, p.streams) &&
        od_system_pipe(p.started)) {
        p.started[1] = od_pass_above(p.started[1]);
        p.pid = fork();
        if (p.pid == 0)
            become(&p);
        if (p.pid > 0)
            follow(&p, &result);
        else
            result.status = errno;
    } else {
        result.status = errno;
    }
    od_system_close(&p.started[0]);
    od_system_close(&p.started[1]);
    od_pass_streams_close(p.streams);
    od_pass_relay_end(&p.relay);
    (void)sigprocmask(SIG_SETMASK, &p.usual, NULL);
    return result;
}
