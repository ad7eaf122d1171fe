/*
 * A stream: the raw bytes of a file, pipe or memory region, possibly packed. Its first bytes can be
 * looked at before reading. Owns its descriptor but not the memory.
 */
#pragma once

#include "base/base.h"

#include <sys/types.h>

/* A source of bytes: a function that returns up to room bytes; 0 at the end, -1 on a read error. */
struct od_feed {
    ssize_t (*read)(void *self, char *to, size_t room);
    void *self;
};

enum { OD_STREAM_HEAD = 4096 };

struct od_stream {
    int fd; /* -1 = the stream is in memory */
    bool seekable;
    int error; /* errno of the failed read */
    struct od_view memory;
    uint64_t at;    /* number of bytes read */
    size_t nhead;   /* number of bytes in head, which were read in advance */
    size_t head_at; /* number of bytes of head that were returned */
    bool looked;
    struct od_foreign held; /* closes the descriptor if the work is interrupted */
    char head[OD_STREAM_HEAD];
};

/* Takes ownership of the descriptor. */
void od_stream_of_fd(struct od_stream *stream, int fd);
void od_stream_of_memory(struct od_stream *stream, struct od_view memory);
void od_stream_done(struct od_stream *stream);

/* Reads up to room bytes. Returns 0 at the end, -1 on a read error (stream->error). */
ssize_t od_stream_read(struct od_stream *stream, char *to, size_t room);

struct od_feed od_stream_feed(struct od_stream *stream);

/* Returns the first OD_STREAM_HEAD bytes without consuming them, fewer if the stream is shorter.
 * Call this before the first read. */
struct od_view od_stream_look(struct od_stream *stream);

/* Seeks to a byte (whence as for lseek). Returns the new position; -1 if the stream cannot seek. */
int64_t od_stream_seek(struct od_stream *stream, int64_t offset, int whence);
