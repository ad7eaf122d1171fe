#include "host/pass_stream.h"

#include "host/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

int od_pass_above(int fd)
{
    if (fd < 0 || fd > STDERR_FILENO)
        return fd;
    int higher = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    (void)close(fd);
    return higher;
}

static bool is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

static bool are_same(int a, int b)
{
    struct stat x, y;
    return fstat(a, &x) == 0 && fstat(b, &y) == 0 && od_system_same_file(&x, &y);
}

static bool open_pipe(struct od_pass_stream *stream)
{
    enum { ROOM = 1 << 20 };
    int ends[2];
    if (!od_system_pipe(ends))
        return false;
    (void)fcntl(ends[0], F_SETPIPE_SZ, ROOM); /* larger means fewer reads, but is not required */
    stream->ours = od_pass_above(ends[0]);
    stream->theirs = od_pass_above(ends[1]);
    return stream->ours >= 0 && stream->theirs >= 0;
}

/* Copies the terminal's settings except output processing, which the real terminal does. */
static bool copy_look(int from, int to)
{
    struct termios look;
    struct winsize size;
    if (tcgetattr(from, &look) != 0)
        return false;
    look.c_oflag &= ~(tcflag_t)OPOST;
    if (ioctl(from, TIOCGWINSZ, &size) == 0)
        (void)ioctl(to, TIOCSWINSZ, &size);
    return tcsetattr(to, TCSANOW, &look) == 0;
}

static bool open_terminal(struct od_pass_stream *stream)
{
    enum { NAME_MAX_BYTES = 128 };
    char name[NAME_MAX_BYTES];
    int master = od_pass_above(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    stream->ours = master;
    stream->terminal = true;
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0 ||
        ptsname_r(master, name, sizeof name) != 0)
        return false;
    stream->theirs = od_pass_above(open(name, O_RDWR | O_NOCTTY | O_CLOEXEC));
    return stream->theirs >= 0 && copy_look(stream->number, stream->theirs);
}

static void close_theirs(struct od_pass_stream *stream)
{
    if (stream->theirs >= 0)
        (void)close(stream->theirs);
    stream->theirs = -1;
}

static bool open_stream(struct od_pass_stream *stream)
{
    if (!is_open(stream->number))
        return true; /* the program lacks this stream, too */
    if (isatty(stream->number) && open_terminal(stream))
        return true;
    od_pass_stream_close(stream);
    close_theirs(stream);
    stream->terminal = false;
    return open_pipe(stream);
}

bool od_pass_streams_open(struct od_pass_stream streams[static OD_PASS_STREAMS])
{
    for (int i = 0; i < OD_PASS_STREAMS; i++)
        streams[i] = (struct od_pass_stream){.number = STDOUT_FILENO + i, .ours = -1, .theirs = -1};
    if (!open_stream(&streams[0]))
        return false;
    streams[1].shared = streams[0].ours >= 0 && are_same(STDOUT_FILENO, STDERR_FILENO);
    return streams[1].shared || open_stream(&streams[1]);
}

void od_pass_stream_close(struct od_pass_stream *stream)
{
    if (stream->ours >= 0)
        (void)close(stream->ours);
    stream->ours = -1;
}

void od_pass_streams_given(struct od_pass_stream streams[static OD_PASS_STREAMS])
{
    for (size_t i = 0; i < OD_PASS_STREAMS; i++)
        close_theirs(&streams[i]);
}

void od_pass_streams_close(struct od_pass_stream streams[static OD_PASS_STREAMS])
{
    for (size_t i = 0; i < OD_PASS_STREAMS; i++)
        od_pass_stream_close(&streams[i]);
    od_pass_streams_given(streams);
}

bool od_pass_streams_take(const struct od_pass_stream streams[static OD_PASS_STREAMS])
{
    bool ok = true;
    for (size_t i = 0; i < OD_PASS_STREAMS; i++) {
        int fd = streams[i].shared ? streams[0].theirs : streams[i].theirs;
        ok = ok && (fd < 0 || dup2(fd, streams[i].number) >= 0);
    }
    return ok;
}

/* Waits until the descriptor is writable, because another process may have made it non-blocking. */
static void wait_for_room(int fd)
{
    struct pollfd file = {.fd = fd, .events = POLLOUT};
    (void)poll(&file, 1, -1);
}

bool od_pass_stream_write(const struct od_pass_stream *stream, struct od_view bytes)
{
    while (bytes.n > 0) {
        ssize_t n = write(stream->number, bytes.p, bytes.n);
        if (n >= 0)
            bytes = od_view_from(bytes, (size_t)n);
        else if (errno == EAGAIN)
            wait_for_room(stream->number);
        else if (errno != EINTR)
            return false;
    }
    return true;
}

static bool resize(const struct od_pass_stream *stream)
{
    struct winsize size, old = {0};
    if (!stream->terminal || ioctl(stream->number, TIOCGWINSZ, &size) != 0)
        return false;
    (void)ioctl(stream->ours, TIOCGWINSZ, &old);
    bool other = size.ws_row != old.ws_row || size.ws_col != old.ws_col;
    return other && ioctl(stream->ours, TIOCSWINSZ, &size) == 0;
}

bool od_pass_streams_resize(const struct od_pass_stream streams[static OD_PASS_STREAMS])
{
    bool resized = false;
    for (size_t i = 0; i < OD_PASS_STREAMS; i++)
        resized = resize(&streams[i]) || resized;
    return resized;
}
