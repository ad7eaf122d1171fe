#include "cgi/outside.h"

#include "base/digest.h"
#include "config.h"
#include "host/lock.h"
#include "host/system.h"
#include "lib/pictures.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Exit statuses of the inner process: locking failed, or memory ran out. */
enum { NO_LOCK = 99, NO_MEMORY = 5, PIECE = 1 << 16 };

/* Discards the standard error of the inner process, except with sanitizers. */
static void be_quiet(void)
{
#ifndef OD_SANITIZED
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null >= 0)
        (void)dup2(null, STDERR_FILENO);
#endif
}

struct job {
    const struct od_cgi_request *request;
    const struct od_cgi_settings *settings;
    const struct od_inside *inside; /* NULL = only test the lock */
    pid_t parent;
};

static int be_inside(const struct job *job, int out)
{
    const struct od_cgi_settings *s = job->settings;
    const struct od_inside *inside = job->inside;
    const struct od_lock lock = {.in = STDIN_FILENO,
                                 .out = out,
                                 .memory_most = s->memory_most,
                                 .seconds = s->seconds,
                                 .parent = job->parent};
    be_quiet();
    void *prepared = inside && inside->prepare ? inside->prepare(job->request) : NULL;
    const char *why = od_lock_worker(&lock);
    if (why) {
        (void)!write(out, why, strlen(why));
        return NO_LOCK;
    }
    return inside ? inside->work(job->request, s, lock.in, lock.out, prepared) : 0;
}

/* Reads all frames until the process ends, a limit is reached, or the client is gone. */
static enum od_outside_end collect(int fd, const struct od_cgi_settings *settings,
                                   struct od_outside *outside)
{
    int64_t deadline = od_system_now_ms() + (int64_t)settings->seconds * 1000;
    for (;;) {
        int64_t left = deadline - od_system_now_ms();
        if (left <= 0)
            return OD_OUTSIDE_SLOW;
        /* the second descriptor is only watched for errors, which mean that the client left */
        struct pollfd files[] = {{.fd = fd, .events = POLLIN}, {.fd = STDOUT_FILENO}};
        if (poll(files, OD_COUNT_OF(files), (int)left) <= 0)
            continue;
        if (files[0].revents == 0)
            return OD_OUTSIDE_LEFT;
        ssize_t n = read(fd, od_buf_reserve(&outside->frames, PIECE), PIECE);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return OD_OUTSIDE_ANSWERED;
        outside->frames.n += (size_t)n;
        if (outside->frames.n > settings->output_most)
            return OD_OUTSIDE_TOO_MUCH;
    }
}

/* Ends the inner process after it closed its pipe or its time is over. */
static enum od_outside_end end_of(pid_t pid, enum od_outside_end end)
{
    int status = 0;
    if (end != OD_OUTSIDE_ANSWERED)
        (void)kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (end != OD_OUTSIDE_ANSWERED)
        return end;
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL ? OD_OUTSIDE_SLOW
                                                                          : OD_OUTSIDE_BROKEN;
    switch (WEXITSTATUS(status)) {
    case 0:
        return OD_OUTSIDE_ANSWERED;
    case NO_LOCK:
        return OD_OUTSIDE_NO_LOCK;
    case NO_MEMORY:
        return OD_OUTSIDE_MEMORY;
    default:
        return OD_OUTSIDE_BROKEN;
    }
}

static void run(const struct job *job, struct od_outside *outside)
{
    int ends[2];
    *outside = (struct od_outside){.end = OD_OUTSIDE_NO_PROCESS};
    if (!od_system_pipe(ends))
        return;
    pid_t pid = fork();
    if (pid == 0) {
        (void)close(ends[0]);
        _exit(be_inside(job, ends[1]));
    }
    (void)close(ends[1]);
    if (pid > 0)
        outside->end = end_of(pid, collect(ends[0], job->settings, outside));
    (void)close(ends[0]);
}

void od_outside_run(const struct od_cgi_request *request, const struct od_cgi_settings *settings,
                    const struct od_inside *inside, struct od_outside *ret_outside)
{
    struct job job = {
        .request = request, .settings = settings, .inside = inside, .parent = getpid()};
    run(&job, ret_outside);
    if (ret_outside->end == OD_OUTSIDE_NO_LOCK)
        ret_outside->why = od_buf_str(&ret_outside->frames);
    else if (ret_outside->end == OD_OUTSIDE_ANSWERED &&
             !od_wire_answer(od_buf_view(&ret_outside->frames), &ret_outside->answer))
        ret_outside->end = OD_OUTSIDE_BROKEN;
}

void od_outside_done(struct od_outside *outside)
{
    od_buf_done(&outside->frames);
}

const char *od_outside_try(const struct od_cgi_settings *settings)
{
    struct job job = {.settings = settings, .parent = getpid()};
    struct od_outside outside;
    run(&job, &outside);
    const char *why = outside.end == OD_OUTSIDE_ANSWERED ? NULL
                      : outside.end == OD_OUTSIDE_NO_LOCK
                          ? "the sandbox for reading logs cannot be set up here"
                          : "the process that reads logs cannot be started";
    od_outside_done(&outside);
    return why;
}

static const char before_number[] = "src=\"data:image/svg+xml;base64,";

/* Decodes the number of a figure: three digits, four letters in Base64. OD_FIGURES_MAX if
 * invalid. */
static size_t number_of(struct od_view letters)
{
    for (size_t i = 0; i < OD_FIGURES_MAX && letters.n >= 4; i++) {
        const char digits[3] = {'0', (char)('0' + i / 10), (char)('0' + i % 10)};
        struct od_buf code = {0};
        od_base64(&code, (struct od_view){digits, sizeof digits});
        bool same = od_view_eq(od_buf_view(&code), od_view_head(letters, 4));
        od_buf_done(&code);
        if (same)
            return i;
    }
    return OD_FIGURES_MAX;
}

/* Appends the text before the element and a note. Returns the text after it. */
static struct od_view leave_out(struct od_view page, size_t at, const char *note, struct od_buf *to)
{
    const struct od_view open = OD_VIEW("<figure"), close = OD_VIEW("</figure>");
    size_t start = at, end = od_view_find(page, close, at);
    while (start > 0 && !od_view_starts(od_view_from(page, start), open))
        start--;
    od_buf_add(to, od_view_head(page, start));
    if (note)
        od_buf_printf(to, "<p class=\"dim\">There are no figures: %s.</p>", note);
    return end == OD_VIEW_NONE ? (struct od_view){0} : od_view_from(page, end + close.n);
}

/* The figures drawn so far, by number. */
struct drawn {
    struct od_view svgs[OD_FIGURES_MAX];
    const char *missing;
};

/* Draws the figures that the page contains; it may omit some. */
static void draw_placed(const struct od_wire_answer *answer, struct od_arena *arena,
                        struct drawn *drawn)
{
    const struct od_view before = OD_VIEW(before_number);
    const struct od_figure *figures[OD_FIGURES_MAX];
    struct od_view svgs[OD_FIGURES_MAX];
    size_t numbers[OD_FIGURES_MAX], n = 0, at = 0;
    while (n < answer->nfigures && (at = od_view_find(answer->text, before, at)) != OD_VIEW_NONE) {
        at += before.n;
        size_t number = number_of(od_view_from(answer->text, at));
        if (number >= answer->nfigures)
            continue;
        numbers[n] = number;
        figures[n++] = &answer->figures[number];
    }
    drawn->missing = od_pictures_draw_list(figures, n, true, arena, svgs);
    for (size_t i = 0; i < n; i++)
        drawn->svgs[numbers[i]] = svgs[i];
}

/* In a page only our own text can be a placeholder, because log text is escaped. In other formats
 * log text may look like one, so at most as many figures are drawn as were sent. */
void od_outside_draw(const struct od_wire_answer *answer, struct od_buf *to)
{
    const struct od_view before = OD_VIEW(before_number);
    struct od_view page = answer->text;
    struct od_arena *arena = od_arena_new();
    struct drawn drawn = {.missing = NULL};
    bool told = false;
    size_t at, left = answer->type == OD_WIRE_HTML && od_cgi_is_awaited() ? answer->nfigures : 0;
    if (left > 0)
        draw_placed(answer, arena, &drawn);
    for (; left > 0 && (at = od_view_find(page, before, 0)) != OD_VIEW_NONE; left--) {
        at += before.n;
        size_t number = number_of(od_view_from(page, at));
        struct od_view svg = {0};
        if (number < answer->nfigures)
            svg = drawn.svgs[number];
        if (svg.n > 0) {
            od_buf_add(to, od_view_head(page, at));
            od_base64(to, svg);
            page = od_view_from(page, at + 4);
        } else {
            page = leave_out(page, at, told ? NULL : drawn.missing, to);
            told = told || drawn.missing;
        }
    }
    od_buf_add(to, page);
    od_arena_free(arena);
}
