/* The two streams of a program that runs in our place (host/pass.h): ours and its ends. */
#pragma once

#include "base/base.h"

enum { OD_PASS_STREAMS = 2 };

struct od_pass_stream {
    int number;    /* STDOUT_FILENO or STDERR_FILENO: where it goes to */
    int ours;      /* we read it there; -1 = none, or no more */
    int theirs;    /* the program writes there; -1 = ours as it is, or that of the other stream */
    bool terminal; /* it is the master of a terminal of our making */
    bool shared;   /* this one is written as the first is */
};

/* False with errno set. The caller closes them, whatever is returned. */
bool od_pass_streams_open(struct od_pass_stream streams[static OD_PASS_STREAMS]);
void od_pass_streams_close(struct od_pass_stream streams[static OD_PASS_STREAMS]);
void od_pass_stream_close(struct od_pass_stream *stream);

/* In the child: they become its standard output and error. */
bool od_pass_streams_take(const struct od_pass_stream streams[static OD_PASS_STREAMS]);

/* In the parent: closes the child's ends. */
void od_pass_streams_given(struct od_pass_stream streams[static OD_PASS_STREAMS]);

/* All of it, or false. */
bool od_pass_stream_write(const struct od_pass_stream *stream, struct od_view bytes);

/* Gives our terminals the size of the real ones; false when all have it already. */
bool od_pass_streams_resize(const struct od_pass_stream streams[static OD_PASS_STREAMS]);

/* The same file under a number that no standard stream has; the other number is closed. */
int od_pass_above(int fd);
