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

/* Processes of one kind, side by side. */
struct od_pool {
    struct od_view name;
    uint64_t count;     /* 0 = there is none */
    double each, bytes; /* of one, which may be one of the larger ones, and of all */
    bool shared;        /* together they show more than there is: the pages of a forked parent are
                           counted in each */
};

/* stated: how many the run states; unknown = it does not. */
struct od_pool od_host_pool(const struct od_account *account, struct od_count stated);
