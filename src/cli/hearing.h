/*
 * Retains the output of a running command, with measurements of its memory inserted between its
 * lines at pauses. If requested, a thread reads the retained output from time to time and warns on
 * standard error, once each, about memory that the command will need and that does not fit.
 */
#pragma once

#include "lib/oomdoctor.h"

struct od_hearing;

struct od_hearing_options {
    char *const *argv;
    unsigned sample_s, watch_s; /* intervals in seconds; 0 = never */
    const struct od_session_options
        *session; /* for reading the log while the command runs; must outlive this object */
};

/* Call od_hearing_stop to end it. */
struct od_hearing *od_hearing_start(const struct od_hearing_options *options);

/* Callback for the output of struct od_pass; self is the object. */
void od_hearing_take(void *self, bool error, struct od_view bytes);

/* Appends what is retained so far. */
void od_hearing_copy(struct od_hearing *hearing, struct od_buf *to);

/* Stops measurements and warnings. Appends the retained output. */
void od_hearing_stop(struct od_hearing *hearing, int status, struct od_buf *to);
void od_hearing_free(struct od_hearing *hearing);

/* Did the command write more than was retained? */
bool od_hearing_is_partial(const struct od_hearing *hearing);
