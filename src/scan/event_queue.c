#include "scan/event_queue.h"

#include <pthread.h>
#include <stdalign.h>
#include <time.h>

#define NS_PER_S UINT64_C(1000000000)

enum { BATCHES = 4, BATCH_BYTES = 256 << 10, LONGEST = 16 << 10 };

/* An event, followed by copies of its line, its shapes and its texts. */
struct item {
    size_t size;
    struct od_event event; /* only the fields in use are copied */
};

struct batch {
    char *bytes;
    size_t used;
};

struct od_event_queue {
    const struct od_sink *sink;
    struct od_sink own;
    struct batch filling;       /* the batch after the full ones */
    struct od_line line;        /* the last line in the batch, unchanged */
    const struct od_line *copy; /* NULL: another line has begun since */
    pthread_t thread;
    uint64_t took_ns; /* processor time of the other thread; set when it ends */

    char apart[64];        /* keeps the fields below in another cache line */
    pthread_mutex_t mutex; /* guards the fields below, except batches in use by a thread */
    pthread_cond_t changed;
    struct batch batches[BATCHES]; /* a ring; n batches from first on are full */
    size_t first, n;
    bool stop;
};

/* ---- the other thread ---- */

static void give_out(const struct od_sink *sink, struct batch batch)
{
    for (size_t at = 0; at < batch.used;) {
        const struct item *item = (const void *)(batch.bytes + at);
        od_sink_put(sink, &item->event);
        at += item->size;
    }
}

static void *work(void *self)
{
    struct od_event_queue *b = self;
    pthread_mutex_lock(&b->mutex);
    while (b->n > 0 || !b->stop) {
        if (b->n == 0) {
            pthread_cond_wait(&b->changed, &b->mutex);
            continue;
        }
        struct batch batch = b->batches[b->first];
        pthread_mutex_unlock(&b->mutex);
        give_out(b->sink, batch);
        pthread_mutex_lock(&b->mutex);
        b->first = (b->first + 1) % BATCHES;
        b->n--;
        pthread_cond_signal(&b->changed);
    }
    pthread_mutex_unlock(&b->mutex);
    struct timespec took = {0};
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &took);
    b->took_ns = (uint64_t)took.tv_sec * NS_PER_S + (uint64_t)took.tv_nsec;
    return NULL;
}

/* ---- the scanning thread ---- */

/* Waits until at most that many batches are full. */
static void hand_over(struct od_event_queue *b, size_t most)
{
    pthread_mutex_lock(&b->mutex);
    b->batches[(b->first + b->n) % BATCHES].used = b->filling.used;
    b->n += b->filling.used > 0;
    pthread_cond_signal(&b->changed);
    while (b->n > most)
        pthread_cond_wait(&b->changed, &b->mutex);
    b->filling = (struct batch){.bytes = b->batches[(b->first + b->n) % BATCHES].bytes};
    b->copy = NULL;
    pthread_mutex_unlock(&b->mutex);
}

void od_event_queue_wait(struct od_event_queue *b)
{
    if (b)
        hand_over(b, 0);
}

void od_event_queue_next_line(struct od_event_queue *b)
{
    if (b)
        b->copy = NULL;
}

static size_t aligned(size_t n)
{
    return (n + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
}

static size_t size_of_head(const struct od_event *event)
{
    return aligned(offsetof(struct item, event.fields) + event->nfields * sizeof *event->fields);
}

/* The fields that are pointers. */
#define OD_EVENT_FIELD(constant, name, type) \
    | (OD_T_##type == OD_T_TEXT ? UINT64_C(1) << OD_F_##constant : 0)
static const uint64_t texts = 0
#include "facts/event_fields.def"
    ;
#undef OD_EVENT_FIELD
#define OD_EVENT_FIELD(constant, name, type) \
    | (OD_T_##type == OD_T_SHAPE ? UINT64_C(1) << OD_F_##constant : 0)
static const uint64_t shapes = 0
#include "facts/event_fields.def"
    ;
#undef OD_EVENT_FIELD

/* Removes the first element of the set and returns it. */
static struct od_field_value *next_of(struct od_event *event, uint64_t *set)
{
    unsigned field = (unsigned)__builtin_ctzll(*set);
    *set &= *set - 1;
    return &event->fields[event->place[field]];
}

/* An upper bound of the bytes that the copy needs. */
static size_t size_of(const struct od_event *event)
{
    size_t n = size_of_head(event) + event->excerpt.n + 2 * alignof(max_align_t);
    if (event->line)
        n += sizeof *event->line + event->line->text.n + event->line->stamp.n;
    for (uint64_t set = event->has & texts; set != 0; set &= set - 1)
        n += event->fields[event->place[__builtin_ctzll(set)]].as.text.n;
    return n + (size_t)__builtin_popcountll(event->has & shapes) * sizeof(struct od_shape);
}

static void *put(char **at, const void *from, size_t n)
{
    void *to = *at;
    if (n > 0)
        memcpy(to, from, n);
    *at += n;
    return to;
}

/* Translates a pointer into the line to a pointer into the copied line. */
static struct od_view moved(char **at, struct od_view view, struct od_view from, const char *to)
{
    if (view.n == 0)
        return view;
    if (from.n > 0 && view.p >= from.p && view.p + view.n <= from.p + from.n)
        return (struct od_view){to + (view.p - from.p), view.n};
    return (struct od_view){put(at, view.p, view.n), view.n};
}

/* Several events may belong to one line. */
static const struct od_line *copy_of(struct od_event_queue *b, const struct od_line *line,
                                     char **at)
{
    if (b->copy && b->line.text.p == line->text.p && b->line.text.n == line->text.n &&
        b->line.at.line == line->at.line && b->line.memory == line->memory)
        return b->copy;
    struct od_line *copy = put(at, line, sizeof *line);
    copy->memory = line->memory ? line->memory->other : NULL;
    copy->text.p = put(at, line->text.p, line->text.n);
    copy->stamp = moved(at, line->stamp, line->text, copy->text.p);
    b->line = *line;
    b->copy = copy;
    return copy;
}

/* Whole objects come first, because they need alignment. */
static void add_copy(struct od_event_queue *b, const struct od_event *event)
{
    struct batch *batch = &b->filling;
    struct item *item = (void *)(batch->bytes + batch->used);
    struct od_event *to = &item->event;
    char *at = (char *)item + size_of_head(event);
    struct od_view from = {0}, text = {0};
    od_event_copy(to, event);
    for (uint64_t set = to->has & shapes; set != 0;) {
        struct od_field_value *value = next_of(to, &set);
        value->as.shape = put(&at, value->as.shape, sizeof(struct od_shape));
    }
    if (event->line) {
        to->line = copy_of(b, event->line, &at);
        from = event->line->text;
        text = to->line->text;
    }
    to->excerpt = moved(&at, to->excerpt, from, text.p);
    for (uint64_t set = to->has & texts; set != 0;) {
        struct od_field_value *value = next_of(to, &set);
        value->as.text = moved(&at, value->as.text, from, text.p);
    }
    item->size = aligned((size_t)(at - (char *)item));
    batch->used += item->size;
}

static void take(void *self, const struct od_event *event)
{
    struct od_event_queue *b = self;
    size_t size = size_of(event);
    if (event->dump || event->model || size > LONGEST) {
        hand_over(b, 0);
        od_sink_put(b->sink, event);
        return;
    }
    if (size > BATCH_BYTES - b->filling.used)
        hand_over(b, BATCHES - 1);
    add_copy(b, event);
}

static void release(struct od_event_queue *b)
{
    for (size_t i = 0; i < BATCHES; i++)
        od_mem_free(b->batches[i].bytes);
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->mutex);
    od_mem_free(b);
}

struct od_event_queue *od_event_queue_start(const struct od_sink *sink)
{
    struct od_event_queue *b = od_mem_alloc(1, sizeof *b);
    b->sink = sink;
    b->own = (struct od_sink){.event = take, .self = b};
    for (size_t i = 0; i < BATCHES; i++)
        b->batches[i].bytes = od_mem_resize(NULL, BATCH_BYTES, 1);
    b->filling = b->batches[0];
    pthread_mutex_init(&b->mutex, NULL);
    pthread_cond_init(&b->changed, NULL);
    if (pthread_create(&b->thread, NULL, work, b) == 0)
        return b;
    release(b);
    return NULL;
}

const struct od_sink *od_event_queue_sink(struct od_event_queue *b)
{
    return &b->own;
}

uint64_t od_event_queue_stop(struct od_event_queue *b)
{
    if (!b)
        return 0;
    hand_over(b, 0);
    pthread_mutex_lock(&b->mutex);
    b->stop = true;
    pthread_cond_signal(&b->changed);
    pthread_mutex_unlock(&b->mutex);
    (void)pthread_join(b->thread, NULL);
    uint64_t took_ns = b->took_ns;
    release(b);
    return took_ns;
}
