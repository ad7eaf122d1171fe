/*
 * A copy of this process that works on a part of what there is to do, and what it has to say about
 * it in bytes. It dies with us. Only for a process of one thread. Linux.
 */
#ifndef OD_HOST_WORKER_H
#define OD_HOST_WORKER_H

#include "base/buf.h"

#include <stdbool.h>
#include <sys/types.h>

struct od_worker {
    pid_t pid;
    int from; /* where its bytes come from */
};

/* Does a part of the work and puts what comes of it into out; false when some of it went wrong. */
typedef bool od_worker_part(void *self, unsigned part, struct od_buf *out);

/* False when no process could be made: then nothing was done. */
bool od_worker_start(struct od_worker *worker, od_worker_part *work, void *self, unsigned part);

/* Waits for its end. True when out has what it had to say; *ret_good is what its work gave. */
bool od_worker_end(struct od_worker *worker, struct od_buf *out, bool *ret_good);

#endif
