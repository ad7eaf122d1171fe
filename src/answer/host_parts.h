/* Shared by the files that compute the host's answer. */
#pragma once

#include "answer/host_answer.h"
#include "fit/loader.h"

struct od_host_facts {
    struct od_loader_question q;
    struct od_host_answer *a;
    struct od_loading loading; /* of batches whose size is known */
    uint64_t rest_least;       /* lower bound of the memory of everything except loading */
    bool shm;                  /* /dev/shm ran out, and not the memory */
    bool grows;                /* memory grows with time, whatever the number of workers */
};

/* Fills f->a: the sample, the batch, the data set, a worker's memory, and the limits. */
void od_host_read(struct od_host_facts *f);

/* Total memory with that many workers; unknown if neither a batch nor a worker's memory is
 * known. */
struct od_bytes od_host_held(const struct od_host_facts *f, uint64_t workers);
