#include "scan/read_ahead.h"

#include <pthread.h>
#include <time.h>

#define NS_PER_S UINT64_C(1000000000)

enum { SLOTS = 4, KEPT_BYTES = 1 << 20, LISTED_MOST = 1 << 14 };

struct slot {
    struct od_read_ahead_block given;
    struct od_buf bytes; /* copy of a block that is not lent */
    bool lent;
    struct od_block_lines listing;
};

struct od_read_ahead {
    struct od_input *input;  /* owned by the second thread */
    struct od_lister lister; /* owned by the second thread */
    pthread_t thread;
    uint64_t took_ns; /* processor time of the second thread; set when it ends */

    pthread_mutex_t mutex; /* guards the fields below, except slots in use by a thread */
    pthread_cond_t changed;
    struct slot slots[SLOTS]; /* a ring; n slots from first on hold blocks */
    size_t first, n;
    struct od_read_ahead_wish wish;
    struct od_line_shapes *old; /* shapes of returned blocks; NULL = the lister's */
    bool taken;                 /* the first slot was returned to the scan */
    bool lent;                  /* the last slot is lent */
    bool ended;                 /* the source has ended */
    bool stop;
};

static struct slot *slot_at(struct od_read_ahead *ahead, size_t i)
{
    return &ahead->slots[(ahead->first + i) % SLOTS];
}

/* ---- the second thread ---- */

static void list(struct od_lister *lister, struct slot *slot)
{
    const struct od_block *block = &slot->given.block;
    struct od_cursor from = od_cursor_start(block);
    bool listed = lister->shapes && lister->unseen == 0 &&
                  od_lister_list(lister, from, block->bytes.n, LISTED_MOST, &slot->listing);
    if (!listed)
        od_lister_filter(lister, from, block->bytes.n, &slot->listing);
    slot->given.listing = &slot->listing;
}

/* Reads the next block of the source into the slot; false at the end of the source. */
static bool fill(struct od_read_ahead *ahead, struct slot *slot, bool leave)
{
    struct od_block *block = &slot->given.block;
    if (!od_input_next_of_source(ahead->input, block))
        return false;
    slot->given.listing = NULL;
    slot->lent = block->bytes.n > KEPT_BYTES || block->spans || block->offsets;
    if (slot->lent)
        return true;
    slot->bytes.n = 0;
    od_buf_add(&slot->bytes, block->bytes);
    block->bytes = od_buf_view(&slot->bytes);
    if (!leave)
        list(&ahead->lister, slot);
    return true;
}

/* Keeps the old shapes until no block that was listed with them is in use. */
static bool renew(struct od_read_ahead *ahead)
{
    struct od_lister *lister = &ahead->lister;
    bool full = lister->shapes && (ahead->wish.renew || od_line_shapes_are_full(lister->shapes));
    if (!full || ahead->old)
        return false;
    ahead->old = lister->shapes;
    lister->shapes = od_line_shapes_new();
    ahead->wish.renew = false;
    return true;
}

/* Called and returns with the lock held; false if there is no free slot. */
static bool work_once(struct od_read_ahead *ahead)
{
    if (ahead->ended || ahead->lent || ahead->n == SLOTS)
        return false;
    struct slot *slot = slot_at(ahead, ahead->n);
    slot->given.renewed = renew(ahead);
    ahead->lister.breaks_known = ahead->wish.breaks_known;
    bool leave = ahead->wish.leave;
    pthread_mutex_unlock(&ahead->mutex);
    bool more = fill(ahead, slot, leave);
    pthread_mutex_lock(&ahead->mutex);
    ahead->ended = !more;
    ahead->lent = more && slot->lent;
    ahead->n += more;
    pthread_cond_broadcast(&ahead->changed);
    return true;
}

static void *work(void *self)
{
    struct od_read_ahead *ahead = self;
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

/* ---- the scanning thread ---- */

static void release(struct od_read_ahead *ahead)
{
    od_finder_free(ahead->lister.finder);
    od_line_shapes_free(ahead->lister.shapes);
    od_line_shapes_free(ahead->old);
    for (size_t i = 0; i < SLOTS; i++) {
        od_buf_done(&ahead->slots[i].bytes);
        od_block_lines_done(&ahead->slots[i].listing);
    }
    pthread_cond_destroy(&ahead->changed);
    pthread_mutex_destroy(&ahead->mutex);
    od_mem_free(ahead);
}

struct od_read_ahead *od_read_ahead_start(struct od_input *input,
                                          const struct od_candidates *candidates, bool shapes)
{
    struct od_read_ahead *ahead = od_mem_alloc(1, sizeof *ahead);
    ahead->input = input;
    ahead->lister.finder = od_finder_new(candidates);
    ahead->lister.shapes = shapes ? od_line_shapes_new() : NULL;
    pthread_mutex_init(&ahead->mutex, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    if (pthread_create(&ahead->thread, NULL, work, ahead) == 0)
        return ahead;
    release(ahead);
    return NULL;
}

/* The scan has finished with the last block. */
static void drop_taken(struct od_read_ahead *ahead)
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

bool od_read_ahead_next(struct od_read_ahead *ahead, const struct od_read_ahead_wish *wish,
                        struct od_read_ahead_block *ret_block)
{
    pthread_mutex_lock(&ahead->mutex);
    drop_taken(ahead);
    ahead->wish.renew |= wish->renew && !ahead->old;
    ahead->wish.leave = wish->leave;
    ahead->wish.breaks_known = wish->breaks_known;
    while (ahead->n == 0 && !ahead->ended)
        pthread_cond_wait(&ahead->changed, &ahead->mutex);
    ahead->taken = ahead->n > 0;
    if (ahead->taken)
        *ret_block = slot_at(ahead, 0)->given;
    if (ahead->taken && ret_block->renewed) {
        od_line_shapes_free(ahead->old);
        ahead->old = NULL;
    }
    bool more = ahead->taken;
    pthread_mutex_unlock(&ahead->mutex);
    return more;
}

uint64_t od_read_ahead_stop(struct od_read_ahead *ahead)
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
