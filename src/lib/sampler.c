#include "lib/sampler.h"

#include "lib/samples.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum {
    SECOND = 1000,       /* milliseconds */
    SHARE = 500,         /* sampling may use 1/500 of a processor */
    DEVICE_SHARE = 50,   /* querying devices may use 1/50 of the time */
    DEVICES_EACH = 5000, /* minimum interval of device queries in milliseconds */
    LOOK_EACH = 20,      /* milliseconds; a program that fails at once soon deletes its files */
    KEPT_EACH = 1000,    /* a sample is stored after 1/1000 of the elapsed time */
    MOVED = 50,          /* memory has moved if it changed by 1/50 */
    MOVES_MOST = 2000,   /* maximum number of samples stored because memory moved */
    LATE_MOST = 64       /* maximum number of samples of the last minute */
};

struct od_sampler {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool end;            /* `end` and the members below are protected by the lock */
    struct od_buf ready; /* lines to be fetched */
    struct od_buf late;  /* lines of the last samples, needed only if the program ends now */
    unsigned nlate, nmoves;
    uint64_t every_ms, kept_ms, devices_ms; /* interval; times of the last stored sample and of
                                               the next device query */
    struct od_samples samples;
    uint64_t start_ms;
};

static uint64_t clock_ms(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static bool has_moved(struct od_sampler *s)
{
    bool moved = s->samples.largest_moved > most(s->samples.rss, s->samples.used) / MOVED;
    return moved && s->nmoves < MOVES_MOST && ++s->nmoves > 0;
}

/* Stores lines if memory has moved or a sample is due. Otherwise holds them, as they may be the
 * last. */
static void keep(struct od_sampler *s, uint64_t ms, struct od_view lines)
{
    bool due = ms - s->kept_ms >= most(s->every_ms, ms / KEPT_EACH);
    (void)pthread_mutex_lock(&s->lock);
    if (has_moved(s) || due) {
        od_buf_add(&s->ready, lines);
        s->kept_ms = ms;
        s->late.n = s->nlate = 0;
    } else if (s->nlate++ < LATE_MOST) {
        od_buf_add(&s->late, lines);
    }
    (void)pthread_mutex_unlock(&s->lock);
}

/* Takes a sample and returns the time to wait afterwards. */
static uint64_t sample(struct od_sampler *s)
{
    struct od_buf lines = {0};
    uint64_t ms = clock_ms(CLOCK_MONOTONIC) - s->start_ms;
    uint64_t before = clock_ms(CLOCK_THREAD_CPUTIME_ID);
    od_samples_host(&s->samples, ms / SECOND, &lines);
    uint64_t wait = most(s->every_ms, SHARE * (clock_ms(CLOCK_THREAD_CPUTIME_ID) - before));
    if (ms >= s->devices_ms) {
        od_samples_devices(&s->samples, ms / SECOND, &lines);
        uint64_t after = clock_ms(CLOCK_MONOTONIC) - s->start_ms;
        s->devices_ms = after + most(DEVICES_EACH, DEVICE_SHARE * (after - ms));
    }
    keep(s, ms, od_buf_view(&lines));
    od_buf_done(&lines);
    return wait;
}

static bool wait_for(struct od_sampler *s, uint64_t ms)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    ms += (uint64_t)until.tv_nsec / 1000000;
    until.tv_sec += (time_t)(ms / 1000);
    until.tv_nsec = (long)(ms % 1000) * 1000000;
    (void)pthread_mutex_lock(&s->lock);
    int late = 0;
    while (!s->end && late == 0)
        late = pthread_cond_timedwait(&s->ended, &s->lock, &until);
    bool goes_on = !s->end;
    (void)pthread_mutex_unlock(&s->lock);
    return goes_on;
}

static void *work(void *self)
{
    struct od_sampler *s = self;
    uint64_t wait = sample(s);
    while (wait_for(s, wait < LOOK_EACH ? wait : LOOK_EACH)) {
        od_samples_look(&s->samples);
        wait = wait > LOOK_EACH ? wait - LOOK_EACH : sample(s);
    }
    return NULL;
}

/* Starts the thread with signals blocked, because another thread passes them on. */
static bool start_thread(struct od_sampler *s)
{
    sigset_t all, usual;
    pthread_condattr_t clock;
    (void)pthread_mutex_init(&s->lock, NULL);
    (void)pthread_condattr_init(&clock);
    (void)pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&s->ended, &clock);
    (void)pthread_condattr_destroy(&clock);
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &usual);
    bool ok = pthread_create(&s->thread, NULL, work, s) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &usual, NULL);
    return ok;
}

struct od_sampler *od_sampler_start(const char *root, unsigned every_s)
{
    if (every_s == 0)
        return NULL;
    struct od_sampler *s = od_mem_alloc(1, sizeof *s);
    s->every_ms = (uint64_t)every_s * SECOND;
    s->samples = od_samples_start(root, getpid());
    s->start_ms = clock_ms(CLOCK_MONOTONIC);
    if (start_thread(s))
        return s;
    od_mem_free(s);
    return NULL;
}

static void move(struct od_buf *from, struct od_buf *to)
{
    od_buf_add(to, od_buf_view(from));
    from->n = 0;
}

void od_sampler_take(struct od_sampler *s, struct od_buf *to)
{
    if (!s)
        return;
    (void)pthread_mutex_lock(&s->lock);
    move(&s->ready, to);
    (void)pthread_mutex_unlock(&s->lock);
}

void od_sampler_stop(struct od_sampler *s, bool failed, bool refused, struct od_buf *to)
{
    if (!s)
        return;
    (void)pthread_mutex_lock(&s->lock);
    s->end = true;
    (void)pthread_cond_signal(&s->ended);
    (void)pthread_mutex_unlock(&s->lock);
    (void)pthread_join(s->thread, NULL);
    move(&s->ready, to);
    move(&s->late, to);
    od_samples_look(&s->samples);
    if (failed)
        od_samples_end(&s->samples, refused, to);
    od_buf_done(&s->ready);
    od_buf_done(&s->late);
    (void)pthread_cond_destroy(&s->ended);
    (void)pthread_mutex_destroy(&s->lock);
    od_mem_free(s);
}
