/* Shared by the files that compute the answer for hosts. */
#pragma once

#include "answer/host_answer.h"
#include "fit/loader.h"

struct od_host_facts {
    struct od_loader_question q;
    struct od_host_answer *a;
    struct od_loading loading; /* loading in batches whose size is known */
    uint64_t rest_least;       /* lower bound of the memory of everything except loading */
    bool shm;                  /* /dev/shm ran out, not RAM */
    bool grows;                /* memory grows with time, with any number of workers */
};

/* Fills f->a: sample, batch, data set, memory of a worker, and limits. */
void od_host_read(struct od_host_facts *f);

/* Total memory with that many workers. Unknown if neither a batch nor a worker's memory is
 * known. */
struct od_bytes od_host_held(const struct od_host_facts *f, uint64_t workers);

/* Memory of the workers' queues in /dev/shm. Unknown if no batch is known. */
struct od_bytes od_host_queued(const struct od_host_facts *f, uint64_t workers);

/* Do this many workers fit into that share of the memory and of /dev/shm? If nothing is to stay
 * free, uses the lower bound of the rest of the run. */
enum od_tri od_host_fits(const struct od_host_facts *f, uint64_t workers, double share);
