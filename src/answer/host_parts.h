/* What the files of the host's answer share. */
#pragma once

#include "answer/host_answer.h"
#include "fit/loader.h"

struct od_host_facts {
    struct od_loader_question q;
    struct od_host_answer *a;
    struct od_loading loading; /* of batches whose size is known */
    uint64_t rest_least;       /* what all but the loading holds at least */
    bool shm;                  /* /dev/shm ran out, and not the memory */
    bool grows;                /* memory grows with time, whatever the number of workers */
};

/* The sample, the batch, the data set, what a worker holds, and the limits: fills f->a. */
void od_host_read(struct od_host_facts *f);

/* What so many workers hold of the memory in all; unknown where neither a batch nor a worker's own
 * memory is known. */
struct od_bytes od_host_held(const struct od_host_facts *f, uint64_t workers);
