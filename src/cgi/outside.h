/*
 * The outer process: starts the locked process, waits for its answer, and draws the figures. It
 * never parses untrusted text.
 */
#pragma once

#include "cgi/request.h"
#include "cgi/wire.h"

/* How the locked process ended. */
enum od_outside_end {
    OD_OUTSIDE_ANSWERED,
    OD_OUTSIDE_NO_LOCK, /* the process could not be locked; `why` has the reason */
    OD_OUTSIDE_NO_PROCESS,
    OD_OUTSIDE_SLOW,     /* the work took too long */
    OD_OUTSIDE_MEMORY,   /* the work exceeded the memory limit */
    OD_OUTSIDE_TOO_MUCH, /* the answer exceeded the size limit */
    OD_OUTSIDE_LEFT,     /* the client disconnected */
    OD_OUTSIDE_BROKEN    /* the process died */
};

struct od_outside {
    enum od_outside_end end;
    const char *why; /* a message in our own words */
    struct od_buf frames;
    struct od_wire_answer answer; /* views into frames; valid if the process answered */
};

/* Functions that run in the inner process. */
struct od_inside {
    /* Runs before the lock and before any untrusted byte is read, to do what the lock forbids. NULL
     * = nothing to do. */
    void *(*prepare)(const struct od_cgi_request *request);
    /* Runs after the lock with the result of prepare. Returns the exit status. */
    int (*work)(const struct od_cgi_request *request, const struct od_cgi_settings *settings,
                int in, int out, void *prepared);
};

/* Runs the functions of `inside` in a locked process. The caller calls od_outside_done. */
void od_outside_run(const struct od_cgi_request *request, const struct od_cgi_settings *settings,
                    const struct od_inside *inside, struct od_outside *ret_outside);
void od_outside_done(struct od_outside *outside);

/* Appends the answer's page with its figures drawn. If that fails, the page says so once. */
void od_outside_draw(const struct od_wire_answer *answer, struct od_buf *to);

/* Can a process be locked on this system? Returns NULL, or the reason why not. */
const char *od_outside_try(const struct od_cgi_settings *settings);
