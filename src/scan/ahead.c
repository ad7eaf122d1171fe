#include "scan/ahead.h"

#include <pthread.h>
#include <time.h>

#define NS_PER_S UINT64_C(1000000000)

enum { SLOTS = 8, KEPT_BYTES = 1 << 20 };

enum state { READ, BEING_FILTERED, FILTERED, TAKEN };

struct slot {
    enum state state;
    struct od_block block;
    struct od_buf bytes; /* of a block that is kept */
    bool lent;
    struct od_hits hits;
};

struct od_ahead {
    struct od_input *input;   /* the other thread's */
    struct od_finder *finder; /* the same */
    pthread_t thread;
    uint64_t took_ns; /* of a processor, by the other thread; when it has ended */

    pthread_mutex_t mutex; /* of all below; but a slot belongs to who is at work on it */
    pthread_cond_t changed;
    struct slot slots[SLOTS]; /* n of them from first on are in use, in a ring */
    size_t first, n;
    bool taken; /* the first was given out */
    bool lent;  /* the last one is lent */
    bool filter;
    bool ended; /* the source */
    bool stop;
};

static struct slot *slot_at(struct od_ahead *ahead, size_t i)
{
    return &ahead->slots[(ahead->first + i) % SLOTS];
}

/* ---- the other thread ---- */

/* Puts the next block of the source into the slot; false at its end. */
static bool fill(struct od_ahead *ahead, struct slot *slot)
{
    struct od_block *block = &slot->block;
    if (!od_input_next_of_source(ahead->input, block))
        return false;
    slot->state = READ;
    slot->lent = block->bytes.n > KEPT_BYTES || block->spans || block->offsets || block->said;
    if (slot->lent)
        return true;
    slot->bytes.n = 0;
    od_buf_add(&slot->bytes, block->bytes);
    block->bytes = od_buf_view(&slot->bytes);
    return true;
}

static struct slot *unfiltered(struct od_ahead *ahead)
{
    for (size_t i = 0; ahead->filter && i < ahead->n; i++)
        if (slot_at(ahead, i)->state == READ)
            return slot_at(ahead, i);
    return NULL;
}

/* Reads first: whoever wants a block that is not filtered can do that himself. With the lock held,
 * as it is again afterwards; false when there is nothing to do now. */
static bool work_once(struct od_ahead *ahead)
{
    struct slot *slot;
    if (!ahead->ended && !ahead->lent && ahead->n < SLOTS) {
        slot = slot_at(ahead, ahead->n);
        pthread_mutex_unlock(&ahead->mutex);
        bool more = fill(ahead, slot);
        pthread_mutex_lock(&ahead->mutex);
        ahead->ended = !more;
        ahead->lent = more && slot->lent;
        ahead->n += more;
    } else if ((slot = unfiltered(ahead)) != NULL) {
        slot->state = BEING_FILTERED;
        pthread_mutex_unlock(&ahead->mutex);
        od_finder_find(ahead->finder, slot->block.bytes, &slot->hits);
        pthread_mutex_lock(&ahead->mutex);
        slot->state = FILTERED;
    } else {
        return false;
    }
    pthread_cond_broadcast(&ahead->changed);
    return true;
}

static void *work(void *self)
{
    struct od_ahead *ahead = self;
    pthread_mutex_lock(&ahead->mutex);
    while (!ahead->stop) {
        if (!work_once(ahead))
            pthread_cond_wait(&ahead->changed, &ahead->mutex);
    }
    pthread_mutex_unlock(&ahead->mutex);
    struct timespec took = {0};
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &took);
    ahead->took_ns = (uint64_t)took.tv_sec * NS_PER_S + (uint64_t)took.tv_nsec;
    return NULL;
}

/* ---- the thread that scans ---- */

static void release(struct od_ahead *ahead)
{
    od_finder_free(ahead->finder);
    for (size_t i = 0; i < SLOTS; i++) {
        od_buf_done(&ahead->slots[i].bytes);
        od_vec_done(&ahead->slots[i].hits.list);
    }
    pthread_cond_destroy(&ahead->changed);
    pthread_mutex_destroy(&ahead->mutex);
    od_mem_free(ahead);
}

struct od_ahead *od_ahead_start(struct od_input *input, const struct od_candidates *candidates)
{
    struct od_ahead *ahead = od_mem_alloc(1, sizeof *ahead);
    ahead->input = input;
    ahead->finder = od_finder_new(candidates);
    pthread_mutex_init(&ahead->mutex, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    if (pthread_create(&ahead->thread, NULL, work, ahead) == 0)
        return ahead;
    release(ahead);
    return NULL;
}

/* The block given out last is done with. */
static void drop_taken(struct od_ahead *ahead)
{
    if (!ahead->taken)
        return;
    if (slot_at(ahead, 0)->lent)
        ahead->lent = false;
    ahead->first = (ahead->first + 1) % SLOTS;
    ahead->n--;
    ahead->taken = false;
    pthread_cond_broadcast(&ahead->changed);
}

bool od_ahead_next(struct od_ahead *ahead, bool filter, struct od_block *ret_block,
                   const struct od_hits **ret_hits)
{
    pthread_mutex_lock(&ahead->mutex);
    drop_taken(ahead);
    ahead->filter = filter;
    while (ahead->n == 0 ? !ahead->ended : slot_at(ahead, 0)->state == BEING_FILTERED)
        pthread_cond_wait(&ahead->changed, &ahead->mutex);
    bool more = ahead->n > 0;
    if (more) {
        struct slot *slot = slot_at(ahead, 0);
        *ret_hits = slot->state == FILTERED ? &slot->hits : NULL;
        *ret_block = slot->block;
        slot->state = TAKEN;
        ahead->taken = true;
    }
    pthread_mutex_unlock(&ahead->mutex);
    return more;
}

uint64_t od_ahead_stop(struct od_ahead *ahead)
{
    if (!ahead)
        return 0;
    pthread_mutex_lock(&ahead->mutex);
    ahead->stop = true;
    pthread_cond_broadcast(&ahead->changed);
    pthread_mutex_unlock(&ahead->mutex);
    (void)pthread_join(ahead->thread, NULL);
    uint64_t took_ns = ahead->took_ns;
    release(ahead);
    return took_ns;
}
