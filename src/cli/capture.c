#include "cli/capture.h"

#include "base/map.h"
#include "cli/command.h"
#include "cli/warnings.h"
#include "lib/keep.h"
#include "lib/sampler.h"
#include "lib/tools.h"
#include "lib/watched.h"
#include "report/report.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

enum {
    SECOND = 1000, /* ms */
    SHARE = 50     /* a measurement of t ms is followed by a pause of at least SHARE * t ms */
};

struct od_capture {
    struct od_capture_options options;
    struct od_sampler *sampler;
    pthread_t watcher;
    bool watching;
    pthread_mutex_t lock; /* protects all fields below */
    pthread_cond_t ended;
    bool end;
    struct od_keep *keep;
    struct od_buf samples;  /* samples waiting for a pause */
    uint64_t printed, seen; /* bytes printed; bytes when the log was last read */
    int64_t printed_ms,
        put_ms; /* time of the command's last output; time at which samples were last inserted */
};

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * SECOND + now.tv_nsec / 1000000;
}

/* Inserts samples between the command's lines, so that they have their place in the run, but not
 * into output written in one go (a table, a dump). */
static void put_samples(struct od_capture *h)
{
    enum { PAUSE_MS = 100, LATE_MS = 10000 };
    int64_t now = now_ms();
    if (now - h->printed_ms < PAUSE_MS && now - h->put_ms < LATE_MS)
        return;
    h->samples.n = 0;
    od_sampler_take(h->sampler, &h->samples);
    od_keep_add_lines(h->keep, od_buf_view(&h->samples));
    h->printed += h->samples.n;
    h->put_ms = now;
}

void od_capture_take(void *self, bool error, struct od_view bytes)
{
    struct od_capture *h = self;
    (void)pthread_mutex_lock(&h->lock);
    put_samples(h);
    od_keep_add(h->keep, error, bytes);
    h->printed += bytes.n;
    h->printed_ms = now_ms();
    (void)pthread_mutex_unlock(&h->lock);
}

/* --- warnings about memory that the command will still need --- */

struct watch {
    struct od_capture *capture;
    struct od_session_options session;
    struct od_map said;
    struct od_buf log;
};

static void look(struct watch *w)
{
    struct od_diags *diags = od_diags_new();
    struct od_session *session = od_session_new(&w->session, diags);
    if (session && od_session_add_bytes(session, "output", w->log.p, w->log.n))
        (void)od_print_warnings(od_session_analyze(session)->c, NULL, &w->said);
    od_session_free(session);
    od_diags_free(diags);
}

/* Waits, and takes the output retained so far; false at the end. */
static bool take_log(struct watch *w, int64_t wait_ms)
{
    struct od_capture *h = w->capture;
    int64_t until_ms = now_ms() + wait_ms;
    struct timespec until = {.tv_sec = until_ms / SECOND, .tv_nsec = until_ms % SECOND * 1000000};
    int late = 0;
    w->log.n = 0;
    (void)pthread_mutex_lock(&h->lock);
    while (!h->end && late == 0)
        late = pthread_cond_timedwait(&h->ended, &h->lock, &until);
    put_samples(h);
    if (!h->end && h->printed != h->seen)
        od_keep_copy(h->keep, &w->log);
    h->seen = h->printed;
    bool goes_on = !h->end;
    (void)pthread_mutex_unlock(&h->lock);
    return goes_on;
}

static void *watch(void *self)
{
    struct od_capture *h = self;
    struct watch w = {.capture = h, .session = *h->options.session};
    struct od_diags *diags = od_diags_new();
    int64_t each_ms = (int64_t)h->options.watch_s * SECOND, wait_ms = each_ms;
    w.session.tools = od_tools_new(&w.session, diags);
    while (w.session.tools && take_log(&w, wait_ms)) {
        int64_t before = now_ms();
        if (w.log.n > 0)
            look(&w);
        int64_t took = SHARE * (now_ms() - before);
        wait_ms = took > each_ms ? took : each_ms;
    }
    od_tools_free(w.session.tools);
    od_diags_free(diags);
    od_map_done(&w.said);
    od_buf_done(&w.log);
    return NULL;
}

/* Blocks signals, which another thread forwards. */
static bool start_watcher(struct od_capture *h)
{
    sigset_t all, usual;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &usual);
    bool ok = h->options.watch_s > 0 && pthread_create(&h->watcher, NULL, watch, h) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &usual, NULL);
    return ok;
}

struct od_capture *od_capture_start(const struct od_capture_options *options)
{
    struct od_capture *h = od_mem_alloc(1, sizeof *h);
    pthread_condattr_t clock;
    h->options = *options;
    h->keep = od_keep_new(NULL);
    h->sampler = od_sampler_start("", options->sample_s);
    h->printed_ms = h->put_ms = now_ms();
    (void)pthread_mutex_init(&h->lock, NULL);
    (void)pthread_condattr_init(&clock);
    (void)pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&h->ended, &clock);
    (void)pthread_condattr_destroy(&clock);
    od_watched_print_command(options->argv, &h->samples);
    od_keep_add_lines(h->keep, od_buf_view(&h->samples));
    h->watching = start_watcher(h);
    return h;
}

void od_capture_copy(struct od_capture *h, struct od_buf *to)
{
    (void)pthread_mutex_lock(&h->lock);
    put_samples(h);
    od_keep_copy(h->keep, to);
    (void)pthread_mutex_unlock(&h->lock);
}

void od_capture_stop(struct od_capture *h, int status, struct od_buf *to)
{
    (void)pthread_mutex_lock(&h->lock);
    h->end = true;
    (void)pthread_cond_signal(&h->ended);
    (void)pthread_mutex_unlock(&h->lock);
    if (h->watching)
        (void)pthread_join(h->watcher, NULL);
    h->samples.n = 0;
    struct od_view text = od_keep_text(h->keep);
    bool refused = status % 128 == SIGBUS || od_view_has(text, OD_VIEW("o space left")) ||
                   od_view_has(text, OD_VIEW("isk is full"));
    od_sampler_stop(h->sampler, status != 0 && status % 128 != SIGKILL, refused, &h->samples);
    od_buf_add(to, text);
    od_buf_add(to, od_buf_view(&h->samples));
}

void od_capture_free(struct od_capture *h)
{
    od_keep_free(h->keep);
    od_buf_done(&h->samples);
    (void)pthread_cond_destroy(&h->ended);
    (void)pthread_mutex_destroy(&h->lock);
    od_mem_free(h);
}

bool od_capture_is_partial(const struct od_capture *capture)
{
    return od_keep_is_partial(capture->keep);
}
