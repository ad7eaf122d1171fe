#include "host/pass_signals.h"

#include <pthread.h>
#include <unistd.h>

static const int passed[] = {SIGHUP,  SIGINT,   SIGQUIT, SIGTERM, SIGUSR1,
                             SIGUSR2, SIGWINCH, SIGCONT, SIGTSTP};

struct od_pass_signals {
    pthread_t thread;
    pid_t pid;
    const struct od_pass_stream *streams;
    uint64_t came;
};

static void make_set(sigset_t *set)
{
    (void)sigemptyset(set);
    for (size_t i = 0; i < OD_COUNT_OF(passed); i++)
        (void)sigaddset(set, passed[i]);
}

void od_pass_signals_block(sigset_t *ret_usual)
{
    sigset_t set;
    make_set(&set);
    (void)sigprocmask(SIG_BLOCK, &set, ret_usual);
}

/* A signal of a terminal's keys goes to the whole group, and so reaches the program without us. */
static bool was_sent_to_us(const siginfo_t *info, pid_t pid)
{
    return info->si_code <= 0 && info->si_pid != pid;
}

/* Tells the program its new size: the terminal signalled the group, possibly before our
 * pseudoterminal had that size. */
static void pass_size(const struct od_pass_signals *signals)
{
    if (od_pass_streams_resize(signals->streams))
        (void)kill(0, SIGWINCH);
}

static void pass_on(struct od_pass_signals *signals, const siginfo_t *info)
{
    if (info->si_signo == SIGWINCH)
        pass_size(signals);
    else if (info->si_signo != SIGCONT && info->si_signo != SIGTSTP)
        signals->came |= UINT64_C(1) << info->si_signo;
    if (was_sent_to_us(info, signals->pid))
        (void)kill(signals->pid, info->si_signo);
    if (info->si_signo == SIGTSTP)
        (void)kill(getpid(), SIGSTOP);
}

static void *work(void *self)
{
    struct od_pass_signals *signals = self;
    sigset_t set;
    make_set(&set);
    for (;;) {
        siginfo_t info;
        if (sigwaitinfo(&set, &info) > 0)
            pass_on(signals, &info);
    }
    return NULL;
}

struct od_pass_signals *
od_pass_signals_start(pid_t pid, const struct od_pass_stream streams[static OD_PASS_STREAMS])
{
    struct od_pass_signals *signals = od_mem_alloc(1, sizeof *signals);
    *signals = (struct od_pass_signals){.pid = pid, .streams = streams};
    if (pthread_create(&signals->thread, NULL, work, signals) == 0)
        return signals;
    od_mem_free(signals);
    return NULL;
}

uint64_t od_pass_signals_stop(struct od_pass_signals *signals)
{
    if (!signals)
        return 0;
    (void)pthread_cancel(signals->thread);
    (void)pthread_join(signals->thread, NULL);
    uint64_t came = signals->came;
    od_mem_free(signals);
    return came;
}
