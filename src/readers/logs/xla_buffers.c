/*
 * XLA's report of a program's memory: the buffer assignment of GPUs (buffer_assignment.cc:
 * "BufferAssignment stats:", "Peak buffers:") and the plan of TPUs ("Total hbm usage >= ...",
 * "Largest program allocations in hbm:"). Emits a memory_state for each total and each large
 * buffer, with allocator "xla_plan"; a buffer has the name "buffer", its number as count, its bytes
 * as in_use and, if padding is printed, the bytes without it as requested.
 *
 * The tables are printed as paragraphs or, in the text of an exception, on one line, so lines are
 * split at the words of the tables. The log and the exception contain the same table, and repeated
 * entries are dropped.
 */
#include "base/map.h"
#include "readers/logs/xla_words.h"
#include "readers/reader.h"

enum {
    BUFFERS_MAX = 8,     /* of one table; XLA prints the largest ones first */
    IDLE_MAX = 20,       /* lines of the lane without a word of the table */
    SAID_MAX = 1024,     /* different entries */
    LINE_BYTES = 262144, /* examined bytes of one line */
    TEXT_MAX = OD_EXCERPT
};

static const char *const literals[] = {"BufferAssignment stats:",
                                       "Peak buffers:",
                                       "Largest program allocations in",
                                       "Program hbm requirement",
                                       "Total hbm usage >= ",
                                       "RESOURCE_EXHAUSTED",
                                       NULL};

struct text {
    char bytes[TEXT_MAX];
    size_t n;
};

struct buffer {
    struct od_bytes size;
    struct od_bytes unpadded;
    struct od_shape shape;
    enum od_dtype dtype;
    struct text op;
    struct text label;
    struct text excerpt;
    struct od_prov at;
};

struct table {
    bool open;
    struct shared *shared;
    enum od_xla_section section;
    uint64_t number; /* number of the buffer being read */
    struct buffer buffer;
    const struct od_place *place;
};

/* Shared by all lanes, because the log and the exception may be in different ones. */
struct shared {
    struct od_map said;
    struct od_buf key;
    bool failed; /* that the program does not fit was emitted */
};

/* The state while one line is read. */
struct scene {
    struct table *t;
    const struct od_line *line;
    const struct od_sink *sink;
};

/* ---- emitting ---- */

/* Is it new for this rank? */
static bool is_news(struct shared *x)
{
    if (x->said.n >= SAID_MAX || od_map_get(&x->said, od_buf_view(&x->key)))
        return false;
    *od_map_at(&x->said, od_buf_view(&x->key)) = 1;
    return true;
}

static void key_begin(const struct scene *s, const char *name, struct od_bytes size)
{
    struct od_count rank = s->t->place ? s->t->place->rank : (struct od_count){0};
    s->t->shared->key.n = 0;
    od_buf_printf(&s->t->shared->key, "%d.%" PRIu64 "/%s/%" PRIu64 ".%" PRIu64 "/", rank.known,
                  rank.n, name, size.n, size.lo);
}

static struct od_event event_of(const char *name, struct od_bytes in_use)
{
    struct od_event event = {.kind = OD_EV_MEMORY_STATE, .rule = "xla_buffers"};
    od_event_set_text(&event, OD_F_PRODUCER, OD_VIEW("jax"));
    od_event_set_text(&event, OD_F_SPACE, OD_VIEW("device"));
    od_event_set_text(&event, OD_F_ALLOCATOR, OD_VIEW("xla_plan"));
    od_event_set_text(&event, OD_F_NAME, od_view_of(name));
    od_event_set_bytes(&event, OD_F_IN_USE, in_use);
    return event;
}

static void say_total(const struct scene *s, const char *name, struct od_bytes size)
{
    key_begin(s, name, size);
    if (!is_news(s->t->shared))
        return;
    struct od_event event = event_of(name, size);
    event.at = s->line->at;
    event.line = s->line;
    event.excerpt = od_view_trim(s->line->text);
    od_sink_put(s->sink, &event);
}

static struct od_view view_of(const struct text *text)
{
    return (struct od_view){text->bytes, text->n};
}

static void text_set(struct text *text, struct od_view from)
{
    from = od_view_head(od_view_trim(from), TEXT_MAX);
    for (size_t i = 0; i < from.n; i++)
        text->bytes[i] = from.p[i];
    text->n = from.n;
}

static void key_buffer(const struct scene *s)
{
    const struct buffer *b = &s->t->buffer;
    key_begin(s, "buffer", b->size);
    od_buf_printf(&s->t->shared->key, "%" PRIu64 "/%u", s->t->number, (unsigned)b->dtype);
    for (uint32_t i = 0; i < b->shape.n; i++)
        od_buf_printf(&s->t->shared->key, ",%" PRIu64, b->shape.dims[i]);
}

static void set_tensor(struct od_event *event, const struct buffer *b)
{
    if (b->shape.known) {
        struct od_field_value shape = {.field = OD_F_SHAPE, .as.shape = &b->shape};
        struct od_field_value dtype = {.field = OD_F_DTYPE, .as.dtype = b->dtype};
        od_event_set(event, &shape);
        od_event_set(event, &dtype);
    }
    struct od_view op = view_of(b->op.n > 0 ? &b->op : &b->label);
    if (op.n > 0)
        od_event_set_text(event, OD_F_OP, op);
}

/* Emits a completed buffer if it is one of the largest. */
static void say_buffer(const struct scene *s)
{
    struct table *t = s->t;
    struct buffer *b = &t->buffer;
    key_buffer(s);
    if (b->size.known && t->number <= BUFFERS_MAX && is_news(s->t->shared)) {
        struct od_line line = {.text = view_of(&b->excerpt), .at = b->at, .place = t->place};
        struct od_event event = event_of("buffer", b->size);
        event.at = b->at;
        event.line = &line;
        event.excerpt = line.text;
        od_event_set_count(&event, OD_F_COUNT, t->number);
        if (b->unpadded.known)
            od_event_set_bytes(&event, OD_F_REQUESTED, b->unpadded);
        set_tensor(&event, b);
        od_sink_put(s->sink, &event);
    }
    *b = (struct buffer){0};
}

/* ---- reading ---- */

/* Reads "f32[5104,257152]{1,0}"; nothing for a tuple. */
static void read_shape(struct buffer *b, struct od_view value)
{
    value = od_view_trim(value);
    size_t open = od_view_find_char(value, '[', 0);
    if (open == OD_VIEW_NONE || b->shape.known)
        return;
    size_t close = od_view_find_char(value, ']', open);
    enum od_dtype dtype = od_dtype_parse(od_view_head(value, open));
    if (close == OD_VIEW_NONE || dtype == OD_DTYPE_UNKNOWN)
        return;
    if (od_shape_parse((struct od_view){value.p + open, close + 1 - open}, &b->shape))
        b->dtype = dtype;
}

/* Reads op_name="jit(f)/dot_general" ...; without a name of this kind, the whole text. */
static void read_operator(struct buffer *b, struct od_view value)
{
    size_t at = od_view_find(value, OD_VIEW("op_name=\""), 0);
    if (at != OD_VIEW_NONE) {
        struct od_view rest = od_view_from(value, at + 9);
        (void)od_view_cut(&rest, '"', &value);
    }
    text_set(&b->op, value);
}

/* Starts a buffer, at "Buffer 3:" or at the "Size:" of a table without lines of this kind. */
static void begin_buffer(const struct scene *s)
{
    struct table *t = s->t;
    say_buffer(s);
    t->number++;
    t->buffer.at = s->line->at;
}

static void read_size(const struct scene *s, struct od_view value)
{
    struct buffer *b = &s->t->buffer;
    if (b->size.known || b->at.nlines == 0)
        begin_buffer(s);
    (void)od_xla_size(value, &b->size);
    text_set(&b->excerpt, s->line->text.n <= TEXT_MAX ? s->line->text : value);
}

static void take_word(const struct scene *s, const struct od_xla_word *word, struct od_view value)
{
    struct buffer *b = &s->t->buffer;
    struct od_bytes size;
    switch (word->what) {
    case OD_XLA_TOTAL:
        if (od_xla_size(value, &size))
            say_total(s, word->name, size);
        break;
    case OD_XLA_NUMBER:
        begin_buffer(s);
        break;
    case OD_XLA_SIZE:
        read_size(s, value);
        break;
    case OD_XLA_UNPADDED:
        (void)od_xla_size(value, &b->unpadded);
        break;
    case OD_XLA_OPERATOR:
        read_operator(b, value);
        break;
    case OD_XLA_LABEL:
        text_set(&b->label, value);
        break;
    case OD_XLA_SHAPE:
        read_shape(b, value);
        break;
    case OD_XLA_RULE:
        say_buffer(s);
        break;
    case OD_XLA_SECTION:
    case OD_XLA_IGNORED:
        break;
    }
}

static void enter(const struct scene *s, const struct od_xla_word *word)
{
    struct table *t = s->t;
    if (word->in != 0)
        return;
    say_buffer(s);
    t->section = word->opens;
    t->number = 0;
    t->open = true;
}

/* Splits the line at the words; true if there was one. */
static bool read_line(const struct scene *s)
{
    struct od_xla_cutter c;
    size_t at = 0;
    od_xla_cutter_start(&c, od_view_head(s->line->text, LINE_BYTES));
    const struct od_xla_word *word = od_xla_cutter_next(&c, s->t->section, &at);
    if (!word)
        return false;
    while (word) {
        enter(s, word);
        size_t from = at + od_view_of(word->text).n;
        at = from;
        const struct od_xla_word *after = od_xla_cutter_next(&c, s->t->section, &at);
        size_t to = after ? at : c.text.n;
        take_word(s, word, (struct od_view){c.text.p + from, to - from});
        word = after;
    }
    return true;
}

/* ---- the reader ---- */

static void close_table(const struct scene *s)
{
    say_buffer(s);
    s->t->open = false;
    s->t->section = OD_XLA_NOWHERE;
}

/* The table is printed because the device has too little memory, so in a text that starts with it,
 * it is the failure. */
static void say_failure(const struct scene *s)
{
    static const struct od_view words = {"Total hbm usage >= ", 19};
    struct od_bytes size;
    size_t at = od_view_find(s->line->text, words, 0);
    if (s->t->shared->failed || at == OD_VIEW_NONE ||
        !od_xla_size(od_view_from(s->line->text, at + words.n), &size))
        return;
    struct od_event event = {.kind = OD_EV_COMPILE_FAILED,
                             .at = s->line->at,
                             .line = s->line,
                             .excerpt = od_view_trim(s->line->text),
                             .rule = "xla_buffers"};
    od_event_set_text(&event, OD_F_PRODUCER, OD_VIEW("jax"));
    od_event_set_text(&event, OD_F_SPACE, OD_VIEW("device"));
    od_event_set_bytes(&event, OD_F_REQUESTED, size);
    od_sink_put(s->sink, &event);
    s->t->shared->failed = true;
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    bool opens = od_view_has_any(line->text, literals);
    struct scene s = {.t = state, .line = line, .sink = sink};
    if (!opens && !s.t->open)
        return OD_TAKE_NONE;
    s.t->place = line->place;
    if (od_view_has(line->text, OD_VIEW("RESOURCE_EXHAUSTED")))
        s.t->shared->failed = true;
    if (!read_line(&s))
        return OD_TAKE_NONE;
    say_failure(&s);
    return opens ? OD_TAKE_SHARE : OD_TAKE_ALL;
}

static void begin(const struct od_reader *reader, void *state, void *shared, struct od_arena *arena)
{
    (void)reader;
    (void)arena;
    ((struct table *)state)->shared = shared;
}

static void release_shared(void *shared)
{
    struct shared *x = shared;
    od_map_done(&x->said);
    od_buf_done(&x->key);
}

static void end(void *state, const struct od_sink *sink)
{
    struct scene s = {.t = state, .sink = sink};
    if (s.t->open)
        close_table(&s);
}

const struct od_reader od_reader_xla_buffers = {
    .name = "xla_buffers",
    .literals = literals,
    .state_size = sizeof(struct table),
    .shared_size = sizeof(struct shared),
    .foreign_max = IDLE_MAX,
    .begin = begin,
    .release_shared = release_shared,
    .line = take_line,
    .is_open = od_reader_state_is_open,
    .end = end,
};
