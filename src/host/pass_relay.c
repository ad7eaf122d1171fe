#include "config.h" /* must be the first include, because it decides what system headers declare */

#include "host/pass_relay.h"

#include "host/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIECE = 1 << 18, PIPE_ROOM = 1 << 20 };

/* The header of a piece of output. The relay sends a copy before it passes the piece on, and an
 * empty copy afterwards. */
struct header {
    uint32_t error; /* 1 = from standard error */
    uint32_t unwritten;
    uint64_t n;
};

/* --- the relay process --- */

static void send_copy(struct od_pass_relay *relay, const struct header *header,
                      struct od_view bytes)
{
    struct od_view head = {.p = (const char *)header, .n = sizeof *header};
    if (relay->copies >= 0 &&
        !(od_system_write(relay->copies, head) && od_system_write(relay->copies, bytes)))
        od_system_close(&relay->copies);
}

/* Relays one piece of a stream. Closes the stream at its end, and also if our output is closed: the
 * program then gets the same error as if it wrote to our output itself. */
static void pass_piece(struct od_pass_relay *relay, struct od_pass_stream *stream)
{
    ssize_t n = read(stream->ours, relay->room, PIECE);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    struct header header = {.error = stream->number == STDERR_FILENO};
    struct od_view bytes = {.p = relay->room, .n = n > 0 ? (size_t)n : 0};
    if (n > 0) {
        header.n = bytes.n;
        send_copy(relay, &header, bytes);
        if (!od_pass_stream_write(stream, bytes))
            header.unwritten = (uint32_t)errno;
        header.n = 0;
        send_copy(relay, &header, (struct od_view){0});
    }
    if (n <= 0 || header.unwritten != 0)
        od_pass_stream_close(stream);
}

/* Relays all output and never returns. No signal ends it, not even one of a terminal's keys. */
static void pass_all(struct od_pass_relay *relay, struct od_pass_stream *streams)
{
    sigset_t all;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, NULL);
    (void)close(STDIN_FILENO);
    od_pass_streams_given(streams);
    for (;;) {
        struct pollfd files[OD_PASS_STREAMS];
        bool open = false;
        for (size_t i = 0; i < OD_PASS_STREAMS; i++) {
            files[i] = (struct pollfd){.fd = streams[i].ours, .events = POLLIN};
            open = open || streams[i].ours >= 0;
        }
        if (!open || (poll(files, OD_PASS_STREAMS, -1) < 0 && errno != EINTR))
            _exit(0);
        for (size_t i = 0; i < OD_PASS_STREAMS; i++)
            if (files[i].revents)
                pass_piece(relay, &streams[i]);
    }
}

/* --- our own process --- */

/* Starts the relay as a grandchild. The memory measured for us is that of our own process tree, to
 * which a grandchild does not belong. */
static bool start(struct od_pass_relay *relay, struct od_pass_stream *streams, int ends[static 2])
{
    pid_t pid = fork();
    if (pid == 0) {
        pid = fork();
        if (pid != 0)
            _exit(pid < 0 ? errno : 0);
        (void)close(ends[0]);
        relay->copies = ends[1];
        pass_all(relay, streams);
    }
    int status = 0;
    pid_t got = pid;
    while (got > 0 && (got = waitpid(pid, &status, 0)) < 0 && errno == EINTR)
        got = pid;
    if (got > 0 && WIFEXITED(status) && WEXITSTATUS(status) != 0)
        errno = WEXITSTATUS(status);
    return pid > 0 && (got < 0 || status == 0); /* got < 0 if our parent ignores SIGCHLD */
}

bool od_pass_relay_start(struct od_pass_relay *relay,
                         struct od_pass_stream streams[static OD_PASS_STREAMS])
{
    int ends[2];
    *relay = (struct od_pass_relay){.copies = -1};
    if (!od_system_pipe(ends))
        return false;
    ends[0] = od_pass_above(ends[0]);
    ends[1] = od_pass_above(ends[1]);
    relay->copies = ends[0];
    relay->room = od_mem_alloc(PIECE, 1);
    bool ok = ends[0] >= 0 && ends[1] >= 0;
    /* a larger pipe needs fewer reads, but is not required */
    (void)(ok && fcntl(ends[1], F_SETPIPE_SZ, PIPE_ROOM));
    ok = ok && start(relay, streams, ends);
    int why = errno;
    od_system_close(&ends[1]);
    for (size_t i = 0; i < OD_PASS_STREAMS; i++)
        if (!streams[i].terminal) /* we still set the size of a terminal */
            od_pass_stream_close(&streams[i]);
    errno = why;
    return ok;
}

void od_pass_relay_end(struct od_pass_relay *relay)
{
    od_system_close(&relay->copies);
    od_mem_free(relay->room);
    relay->room = NULL;
}

static bool take(int fd, void *to, size_t n)
{
    for (size_t had = 0; had < n;) {
        ssize_t got = read(fd, (char *)to + had, n - had);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        had += got > 0 ? (size_t)got : 0;
    }
    return true;
}

bool od_pass_relay_next(struct od_pass_relay *relay, struct od_pass_copy *ret_copy)
{
    struct header header = {0};
    if (!take(relay->copies, &header, sizeof header) || header.n > PIECE ||
        !take(relay->copies, relay->room, header.n)) {
        od_system_close(&relay->copies);
        return false;
    }
    *ret_copy = (struct od_pass_copy){.error = header.error != 0,
                                      .bytes = {.p = relay->room, .n = header.n},
                                      .unwritten = (int)header.unwritten};
    return true;
}
