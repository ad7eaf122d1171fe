#include "input/stream.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static void close_fd(void *self)
{
    struct od_stream *stream = self;
    if (stream->fd > STDIN_FILENO)
        (void)close(stream->fd);
    stream->fd = -1;
}

void od_stream_of_fd(struct od_stream *stream, int fd)
{
    struct stat st;
    *stream = (struct od_stream){.fd = fd};
    od_foreign_hold(&stream->held, stream, close_fd);
    stream->seekable = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_CUR) == 0;
}

void od_stream_of_memory(struct od_stream *stream, struct od_view memory)
{
    *stream = (struct od_stream){.fd = -1, .memory = memory, .seekable = true};
}

void od_stream_done(struct od_stream *stream)
{
    od_foreign_release(&stream->held);
}

static ssize_t read_medium(struct od_stream *stream, char *to, size_t room)
{
    if (stream->fd < 0) {
        struct od_view rest = od_view_head(od_view_from(stream->memory, (size_t)stream->at), room);
        if (rest.n > 0)
            memcpy(to, rest.p, rest.n);
        stream->at += rest.n;
        return (ssize_t)rest.n;
    }
    for (;;) {
        ssize_t n = read(stream->fd, to, room);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            stream->error = errno;
        else
            stream->at += (uint64_t)n;
        return n;
    }
}

ssize_t od_stream_read(struct od_stream *stream, char *to, size_t room)
{
    size_t ahead = stream->nhead - stream->head_at;
    if (ahead == 0)
        return read_medium(stream, to, room);
    size_t n = ahead < room ? ahead : room;
    memcpy(to, stream->head + stream->head_at, n);
    stream->head_at += n;
    return (ssize_t)n;
}

static ssize_t read_feed(void *self, char *to, size_t room)
{
    return od_stream_read(self, to, room);
}

struct od_feed od_stream_feed(struct od_stream *stream)
{
    return (struct od_feed){.read = read_feed, .self = stream};
}

struct od_view od_stream_look(struct od_stream *stream)
{
    while (!stream->looked && stream->nhead < sizeof stream->head) {
        ssize_t n =
            read_medium(stream, stream->head + stream->nhead, sizeof stream->head - stream->nhead);
        if (n <= 0)
            break;
        stream->nhead += (size_t)n;
    }
    stream->looked = true;
    return (struct od_view){.p = stream->head, .n = stream->nhead};
}

static int64_t seek_memory(struct od_stream *stream, int64_t offset, int whence)
{
    int64_t base = 0;
    if (whence == SEEK_CUR)
        base = (int64_t)stream->at;
    else if (whence == SEEK_END)
        base = (int64_t)stream->memory.n;
    if (offset < -base || offset > (int64_t)stream->memory.n - base)
        return -1;
    stream->at = (uint64_t)(base + offset);
    return base + offset;
}

int64_t od_stream_seek(struct od_stream *stream, int64_t offset, int whence)
{
    if (!stream->seekable)
        return -1;
    /* bytes read in advance do not count as read */
    if (whence == SEEK_CUR)
        offset -= (int64_t)(stream->nhead - stream->head_at);
    int64_t at = stream->fd < 0 ? seek_memory(stream, offset, whence)
                                : (int64_t)lseek(stream->fd, (off_t)offset, whence);
    if (at < 0)
        return -1;
    stream->nhead = stream->head_at = 0;
    stream->at = (uint64_t)at;
    return at;
}
