/*
 * A stream: the bytes of one file, pipe or piece of memory, as they lie there (still packed),
 * with a look ahead at the first ones. Owns its descriptor. Memory is the caller's.
 */
#pragma once

#include "base/base.h"

#include <sys/types.h>

/* Where bytes come from: up to room of them; 0 at the end, -1 when reading has failed. */
struct od_feed {
    ssize_t (*read)(void *self, char *to, size_t room);
    void *self;
};

enum { OD_STREAM_HEAD = 4096 };

struct od_stream {
    int fd; /* -1: memory */
    bool seekable;
    int error; /* errno of the read that failed */
    struct od_view memory;
    uint64_t at;    /* bytes read so far */
    size_t nhead;   /* bytes looked at */
    size_t head_at; /* of them given out */
    bool looked;
    struct od_foreign held; /* the descriptor */
    char head[OD_STREAM_HEAD];
};

/* Takes the descriptor over. */
void od_stream_of_fd(struct od_stream *stream, int fd);
void od_stream_of_memory(struct od_stream *stream, struct od_view memory);
void od_stream_done(struct od_stream *stream);

/* Up to room bytes; 0 at the end, -1 on an error of the medium (stream->error). */
ssize_t od_stream_read(struct od_stream *stream, char *to, size_t room);

/* The same, for a feed. */
struct od_feed od_stream_feed(struct od_stream *stream);

/* The first OD_STREAM_HEAD bytes, fewer when the stream is shorter. Before the first read. */
struct od_view od_stream_look(struct od_stream *stream);

/* Goes to a byte (whence as lseek): the new position, -1 when it cannot. */
int64_t od_stream_seek(struct od_stream *stream, int64_t offset, int whence);
