/*
 * What is kept of a command while it runs: what it writes, with the measurements of its memory
 * between its lines, where it pauses. Where it is asked for, what is kept so far is read again now
 * and then, by a thread of its own, and what is still to come and does not fit is said on standard
 * error, each once.
 */
#pragma once

#include "lib/oomdoctor.h"

struct od_hearing;

struct od_hearing_options {
    char *const *argv;
    unsigned sample_s, watch_s; /* seconds; 0 = never */
    const struct od_session_options
        *session; /* for the log that is read while the command runs; must outlive the hearing */
};

/* The caller ends it. */
struct od_hearing *od_hearing_start(const struct od_hearing_options *options);

/* As output of struct od_pass; self is the hearing. */
void od_hearing_take(void *self, bool error, struct od_view bytes);

/* Stops measurements and warnings. Appends all output that was kept. */
void od_hearing_stop(struct od_hearing *hearing, struct od_buf *to);
void od_hearing_free(struct od_hearing *hearing);

/* Did the command write more than was kept? */
bool od_hearing_is_partial(const struct od_hearing *hearing);
