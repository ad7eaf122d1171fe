/*
 * The process outside the lock: it starts the locked one, waits for what it says, draws the
 * figures. It looks at nothing that a stranger wrote.
 */
#pragma once

#include "cgi/request.h"
#include "cgi/wire.h"

/* How the work of the locked process ended. */
enum od_outside_end {
    OD_OUTSIDE_ANSWERED,
    OD_OUTSIDE_NO_LOCK, /* why is set */
    OD_OUTSIDE_NO_PROCESS,
    OD_OUTSIDE_SLOW_BODY, /* the body did not arrive in time */
    OD_OUTSIDE_SLOW,      /* the work took too long */
    OD_OUTSIDE_MEMORY,    /* it took more memory than it may */
    OD_OUTSIDE_TOO_MUCH,  /* it answered more than it may */
    OD_OUTSIDE_LEFT,      /* the client no longer wants the answer */
    OD_OUTSIDE_BROKEN     /* it died */
};

struct od_outside {
    enum od_outside_end end;
    const char *why; /* words of ours */
    bool body_read;
    struct od_buf frames;
    struct od_wire_answer answer; /* views into frames; where it was answered */
};

/* What is done inside. */
struct od_inside {
    /* Runs before the lock and before any untrusted byte is read; prepares what is impossible after
     * the lock. NULL = nothing to prepare. */
    void *(*prepare)(const struct od_cgi_request *request);
    /* Runs after the lock with the result of prepare. Returns the exit status. */
    int (*work)(const struct od_cgi_request *request, const struct od_cgi_settings *settings,
                int in, int out, void *prepared);
};

/* Does it in a locked process. The caller calls od_outside_done. */
void od_outside_run(const struct od_cgi_request *request, const struct od_cgi_settings *settings,
                    const struct od_inside *inside, struct od_outside *ret_outside);
void od_outside_done(struct od_outside *outside);

/* Appends the answer's page with its figures drawn; where they cannot be, it says so once. */
void od_outside_draw(const struct od_wire_answer *answer, struct od_buf *to);

/* Can a process be locked here? NULL, or why not. */
const char *od_outside_try(const struct od_cgi_settings *settings);
