/*
 * Retains the output of a running command, with measurements of its memory inserted between its
 * lines at pauses. If requested, a thread reads the retained output from time to time and warns on
 * standard error, once each, about memory that the command will need and that does not fit.
 */
#pragma once

#include "lib/oomdoctor.h"

struct od_capture;

struct od_capture_options {
    char *const *argv;
    unsigned sample_s, watch_s; /* intervals in seconds; 0 = never */
    const struct od_session_options
        *session; /* for reading the log while the command runs; must outlive this object */
};

/* Call od_capture_stop to end it. */
struct od_capture *od_capture_start(const struct od_capture_options *options);

/* Callback for the output of struct od_pass; self is the object. */
void od_capture_take(void *self, bool error, struct od_view bytes);

/* Appends what is retained so far. */
void od_capture_copy(struct od_capture *capture, struct od_buf *to);

/* Stops measurements and warnings. Appends the retained output. */
void od_capture_stop(struct od_capture *capture, int status, struct od_buf *to);
void od_capture_free(struct od_capture *capture);

/* Did the command write more than was retained? */
bool od_capture_is_partial(const struct od_capture *capture);
