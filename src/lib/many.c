#include "lib/many.h"

#include "lib/runs.h"
#include "lib/tools.h"
#include "redact/redact.h"
#include "report/words.h"

#include <pthread.h>
#include <stdatomic.h>

/* as large as a main thread's stack, because some systems default to 128 KiB */
enum { STACK_BYTES = 8 << 20 };

struct reading {
    const struct od_many *many;
    atomic_size_t next;      /* index of the next file to read */
    struct od_diags **diags; /* one for each file; NULL = none */
    atomic_bool all;         /* all files could be read */
};

/* The state of a thread, not shared with other threads. */
struct reader {
    struct reading *reading;
    pthread_t thread;
    bool started;
    struct od_arena *arena;
    struct od_fleet *fleet;
    struct od_session_options session;
};

static void read_file(struct reading *r, size_t i, struct od_fleet *fleet,
                      const struct od_session_options *session)
{
    struct od_diags *diags = od_diags_new();
    if (!od_fleet_add_file(fleet, r->many->names[i], session, diags))
        r->all = false;
    if (od_diags_count(diags) > 0)
        r->diags[i] = diags;
    else
        od_diags_free(diags);
}

static void read_on(struct reading *r, struct od_fleet *fleet,
                    const struct od_session_options *session)
{
    size_t i;
    while ((i = r->next++) < r->many->n)
        read_file(r, i, fleet, session);
}

static void *work(void *self)
{
    struct reader *reader = self;
    struct od_diags *known = od_diags_new(); /* about the packs, already reported */
    reader->session.tools = od_tools_new(&reader->session, known);
    if (reader->session.tools) {
        od_tools_keep_shapes(reader->session.tools);
        read_on(reader->reading, reader->fleet, &reader->session);
    }
    od_tools_free(reader->session.tools);
    od_diags_free(known);
    return NULL;
}

static void start(struct reader *reader, struct reading *r)
{
    pthread_attr_t attr;
    *reader = (struct reader){.reading = r, .arena = od_arena_new(), .session = *r->many->session};
    reader->fleet = od_fleet_new(reader->arena);
    if (reader->session.redactor)
        reader->session.redactor = od_words_redactor();
    if (r->many->date)
        (void)od_fleet_set_date(reader->fleet, r->many->date);
    (void)pthread_attr_init(&attr);
    (void)pthread_attr_setstacksize(&attr, STACK_BYTES);
    reader->started = pthread_create(&reader->thread, &attr, work, reader) == 0;
    (void)pthread_attr_destroy(&attr);
}

static void end(struct reader *reader, struct od_fleet *fleet)
{
    struct od_redactor *redactor = reader->reading->many->session->redactor;
    if (reader->started)
        (void)pthread_join(reader->thread, NULL);
    if (redactor)
        od_redact_join(redactor, reader->session.redactor);
    od_redactor_free(reader->session.redactor);
    od_fleet_join(fleet, reader->fleet);
    od_fleet_free(reader->fleet);
    od_arena_free(reader->arena);
}

/* Reports diagnostics in the order of the files, whatever the threads did. */
static void tell(struct reading *r, struct od_diags *diags)
{
    for (size_t i = 0; i < r->many->n; i++) {
        for (size_t k = 0; r->diags[i] && k < od_diags_count(r->diags[i]); k++)
            od_diags_add(diags, od_diags_at(r->diags[i], k));
        od_diags_free(r->diags[i]);
    }
}

bool od_fleet_add_many(struct od_fleet *fleet, const struct od_many *many, struct od_diags *diags)
{
    struct reading reading = {
        .many = many, .all = true, .diags = od_mem_alloc(many->n + 1, sizeof(struct od_diags *))};
    size_t jobs = many->jobs < many->n ? many->jobs : many->n;
    size_t others = jobs > 1 ? jobs - 1 : 0; /* the calling thread also reads files */
    struct reader *readers = od_mem_alloc(others + 1, sizeof *readers);
    for (size_t i = 0; i < others; i++)
        start(&readers[i], &reading);
    read_on(&reading, fleet, many->session);
    for (size_t i = 0; i < others; i++)
        end(&readers[i], fleet);
    tell(&reading, diags);
    od_mem_free(readers);
    od_mem_free(reading.diags);
    return reading.all;
}
