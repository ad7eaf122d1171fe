/*
 * The two output streams of a program that runs in our place (host/pass.h), each with our end and
 * the program's end.
 */
#pragma once

#include "base/base.h"

enum { OD_PASS_STREAMS = 2 };

struct od_pass_stream {
    int number;    /* where output goes: STDOUT_FILENO or STDERR_FILENO */
    int ours;      /* end that we read; -1 = none, or ended */
    int theirs;    /* end that the program writes to; -1 = our own file, or the other stream's */
    bool terminal; /* `ours` is the master of a pseudoterminal */
    bool shared;   /* the stream shares the file of the first stream */
};

/* Opens both streams. False with errno on failure. The caller must close them in any case. */
bool od_pass_streams_open(struct od_pass_stream streams[static OD_PASS_STREAMS]);
void od_pass_streams_close(struct od_pass_stream streams[static OD_PASS_STREAMS]);
void od_pass_stream_close(struct od_pass_stream *stream);

/* In the child: makes the streams its standard output and error. */
bool od_pass_streams_take(const struct od_pass_stream streams[static OD_PASS_STREAMS]);

/* In the parent: closes the child's ends. */
void od_pass_streams_given(struct od_pass_stream streams[static OD_PASS_STREAMS]);

/* Writes all bytes; otherwise returns false. */
bool od_pass_stream_write(const struct od_pass_stream *stream, struct od_view bytes);

/* Sets the size of our pseudoterminals to that of the real terminals; false if nothing changed. */
bool od_pass_streams_resize(const struct od_pass_stream streams[static OD_PASS_STREAMS]);

/* Duplicates the descriptor to a number above the standard streams and closes the old one. */
int od_pass_above(int fd);
