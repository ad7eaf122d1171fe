/*
 * PyTorch's out-of-memory message, all generations and backends (CUDAMallocAsyncAllocator.cpp,
 * CUDACachingAllocator.cpp, MPSAllocator.mm): one sentence a fact, any subset of them, on one line
 * or wrapped over several. "In use" is what PyTorch's tensors hold ("already allocated",
 * "is allocated by PyTorch"); sizes are binary whatever the unit is called (c10's format_size).
 */
#include "base/buf.h"
#include "base/mem.h"
#include "base/num.h"
#include "readers/reader.h"

enum {
    LINES_MAX = 12,   /* of one message */
    TEXT_MAX = 16384, /* bytes of one message */
    TENANTS_MAX = 64
};

struct torch_oom {
    struct od_arena *arena;
    bool open;
    struct od_buf text;
    struct od_view excerpt;
    struct od_line first; /* its texts are copied into kept */
    struct od_buf kept;
};

static const char *const openers[] = {"CUDA out of memory",
                                      "HIP out of memory",
                                      "XPU out of memory",
                                      "MPS backend out of memory",
                                      "out of memory. Tried to allocate",
                                      NULL};

/* Words that only this message has: a line with one of them continues it. */
static const char *const clauses[] = {"Tried to allocate ",
                                      "total capacity",
                                      "total capacty",
                                      "already allocated",
                                      "of which ",
                                      "reserved in total by PyTorch",
                                      "memory in use",
                                      "allocated by PyTorch",
                                      "private pools",
                                      "reserved by PyTorch but unallocated",
                                      "max allowed:",
                                      " cached)",
                                      NULL};

static bool holds_any(struct od_view text, const char *const *words)
{
    for (; *words; words++) {
        if (od_view_has(text, od_view_of(*words)))
            return true;
    }
    return false;
}

/* The last blank-separated word of *text, which loses it. */
static struct od_view take_last_word(struct od_view *text)
{
    struct od_view rest = od_view_trim(*text);
    size_t at = rest.n;
    while (at > 0 && rest.p[at - 1] != ' ' && rest.p[at - 1] != '(' && rest.p[at - 1] != ':')
        at--;
    struct od_view word = od_view_from(rest, at);
    *text = od_view_head(rest, at);
    return word;
}

static struct od_view without_punctuation(struct od_view word)
{
    while (word.n > 0 && (word.p[word.n - 1] == '.' || word.p[word.n - 1] == ',' ||
                          word.p[word.n - 1] == ')' || word.p[word.n - 1] == ';'))
        word.n--;
    return word;
}

/* The size that ends where marker begins, at or after start. */
static struct od_bytes size_before(struct od_view text, const char *marker)
{
    struct od_bytes size = {0};
    size_t at = od_view_find(text, od_view_of(marker), 0);
    if (at == OD_VIEW_NONE)
        return size;
    struct od_view head = od_view_head(text, at);
    struct od_view unit = take_last_word(&head);
    if (od_bytes_parse(unit, OD_UNIT_BINARY, &size))
        return size;
    struct od_view number = take_last_word(&head);
    (void)od_bytes_parse_unit(number, unit, OD_UNIT_BINARY, &size);
    return size;
}

/* The size that begins behind marker. */
static struct od_bytes size_after(struct od_view text, const char *marker)
{
    struct od_bytes size = {0};
    size_t at = od_view_find(text, od_view_of(marker), 0);
    if (at == OD_VIEW_NONE)
        return size;
    struct od_view rest = od_view_from(text, at + od_view_of(marker).n);
    struct od_view number, unit = {0};
    od_view_skip_blanks(&rest);
    if (!od_view_cut(&rest, ' ', &number))
        return size;
    (void)od_view_cut(&rest, ' ', &unit);
    if (!od_bytes_parse_unit(number, without_punctuation(unit), OD_UNIT_BINARY, &size))
        (void)od_bytes_parse(without_punctuation(number), OD_UNIT_BINARY, &size);
    return size;
}

static struct od_bytes first_known(struct od_bytes a, struct od_bytes b)
{
    return a.known ? a : b;
}

static void set_known(struct od_event *event, enum od_field field, struct od_bytes bytes)
{
    if (bytes.known)
        od_event_set_bytes(event, field, bytes);
}

/* "GPU 3" or "GPU: 3" with its number. */
static struct od_view find_device(struct od_view text)
{
    for (size_t at = 0; (at = od_view_find(text, OD_VIEW("GPU"), at)) != OD_VIEW_NONE; at++) {
        struct od_view rest = od_view_from(text, at + 3);
        uint64_t number;
        (void)od_view_take(&rest, OD_VIEW(":"));
        od_view_skip_blanks(&rest);
        if (od_num_take_u64(&rest, &number))
            return (struct od_view){text.p + at, (size_t)(rest.p - text.p) - at};
    }
    return (struct od_view){0};
}

/* The exception class in front of ": CUDA out of memory". */
static struct od_view find_class(struct od_view text)
{
    size_t at = od_view_find(text, OD_VIEW("out of memory"), 0);
    struct od_view head = od_view_head(text, at == OD_VIEW_NONE ? 0 : at);
    (void)take_last_word(&head); /* CUDA, HIP, XPU */
    head = od_view_trim(head);
    if (!od_view_ends(head, OD_VIEW(":")))
        return (struct od_view){0};
    head.n--;
    struct od_view name = take_last_word(&head);
    return od_view_ends(name, OD_VIEW("Error")) ? name : (struct od_view){0};
}

static struct od_event event_of(const struct torch_oom *s, enum od_event_kind kind)
{
    struct od_event event = {.kind = kind,
                             .at = s->first.at,
                             .line = &s->first,
                             .excerpt = s->excerpt,
                             .rule = "torch_oom"};
    od_event_set_text(&event, OD_F_PRODUCER, OD_VIEW("pytorch"));
    struct od_view device = find_device(od_buf_view(&s->text));
    if (device.n > 0)
        od_event_set_text(&event, OD_F_DEVICE, device);
    return event;
}

static void emit_failure(const struct torch_oom *s, const struct od_sink *sink)
{
    struct od_view text = od_buf_view(&s->text);
    struct od_event event = event_of(s, OD_EV_ALLOC_FAILED);
    set_known(&event, OD_F_REQUESTED, size_after(text, "Tried to allocate "));
    set_known(
        &event, OD_F_CAPACITY,
        first_known(size_before(text, " total capac"), size_after(text, " total capacity of ")));
    if (!od_event_get(&event, OD_F_CAPACITY))
        set_known(&event, OD_F_CAPACITY, size_after(text, " total capacty of "));
    set_known(&event, OD_F_IN_USE,
              first_known(size_before(text, " already allocated"),
                          first_known(size_before(text, " is allocated by PyTorch"),
                                      size_after(text, "MPS allocated: "))));
    set_known(&event, OD_F_FREE,
              first_known(size_before(text, " free;"), size_before(text, " is free")));
    set_known(&event, OD_F_LIMIT,
              first_known(size_before(text, " allowed;"), size_after(text, "max allowed: ")));
    set_known(&event, OD_F_RESERVED,
              first_known(size_before(text, " reserved in total by PyTorch"),
                          size_before(text, " cached)")));
    if (!od_event_get(&event, OD_F_RESERVED))
        set_known(&event, OD_F_RESERVED,
                  od_bytes_add(od_event_bytes(&event, OD_F_IN_USE),
                               size_before(text, " is reserved by PyTorch but unallocated")));
    struct od_view name = find_class(text);
    if (name.n > 0)
        od_event_set_text(&event, OD_F_NAME, name);
    od_event_set_text(&event, OD_F_SPACE, OD_VIEW("device"));
    od_sink_put(sink, &event);
}

/* "Process N has X memory in use." for each process but ours, which is "this process". */
static void emit_tenants(const struct torch_oom *s, const struct od_sink *sink)
{
    struct od_view rest = od_buf_view(&s->text);
    for (int i = 0; i < TENANTS_MAX; i++) {
        size_t at = od_view_find(rest, OD_VIEW("Process "), 0);
        if (at == OD_VIEW_NONE)
            return;
        rest = od_view_from(rest, at + 8);
        struct od_view here = rest;
        uint64_t pid;
        if (!od_num_take_u64(&here, &pid) || !od_view_starts(here, OD_VIEW(" has ")))
            continue;
        struct od_event event = event_of(s, OD_EV_TENANT);
        od_event_set_count(&event, OD_F_PID, pid);
        set_known(&event, OD_F_IN_USE, size_after(here, " has "));
        od_sink_put(sink, &event);
    }
}

static void flush(struct torch_oom *s, const struct od_sink *sink)
{
    if (!s->open)
        return;
    s->open = false;
    emit_failure(s, sink);
    emit_tenants(s, sink);
}

static void begin(struct torch_oom *s, const struct od_line *line)
{
    s->open = true;
    s->first = *line;
    s->kept.n = 0;
    od_buf_add(&s->kept, line->text);
    od_buf_add(&s->kept, line->stamp);
    s->first.text = (struct od_view){s->kept.p, line->text.n};
    s->first.stamp = (struct od_view){s->kept.p + line->text.n, line->stamp.n};
    s->excerpt = od_view_head(od_view_trim(s->first.text), 400);
    s->text.n = 0;
    od_buf_add(&s->text, od_view_head(line->text, TEXT_MAX));
}

/* The line without marks of a quoted or commented paragraph. */
static struct od_view body(struct od_view text)
{
    text = od_view_trim(text);
    while (text.n > 0 && (text.p[0] == '#' || text.p[0] == '>' || text.p[0] == '|'))
        text = od_view_trim(od_view_from(text, 1));
    return text;
}

static bool is_unfinished(struct od_view text)
{
    text = od_view_trim(text);
    char last = text.n > 0 ? text.p[text.n - 1] : '.';
    return last != '.' && last != ')' && last != '"' && last != '\'' && last != ']';
}

static bool continues(const struct torch_oom *s, const struct od_line *line)
{
    struct od_view text = body(line->text);
    if (line->lane != s->first.lane || text.n == 0 || s->first.at.nlines >= LINES_MAX ||
        s->text.n + text.n > TEXT_MAX)
        return false;
    return holds_any(text, clauses) && (text.n < 200 || is_unfinished(od_buf_view(&s->text)));
}

static void *state_new(struct od_arena *arena)
{
    struct torch_oom *s = od_mem_alloc(1, sizeof *s);
    s->arena = arena;
    return s;
}

static void state_free(void *state)
{
    struct torch_oom *s = state;
    od_buf_done(&s->text);
    od_buf_done(&s->kept);
    od_mem_free(s);
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct torch_oom *s = state;
    if (holds_any(line->text, openers)) {
        flush(s, sink);
        begin(s, line);
        return OD_TAKE_ALL;
    }
    if (!s->open)
        return OD_TAKE_NONE;
    if (!continues(s, line)) {
        flush(s, sink);
        return OD_TAKE_NONE;
    }
    od_buf_add_char(&s->text, ' ');
    od_buf_add(&s->text, body(line->text));
    s->first.at.nlines += line->at.line > s->first.at.line ? line->at.nlines : 0;
    return OD_TAKE_ALL;
}

static bool is_open(const void *state)
{
    return ((const struct torch_oom *)state)->open;
}

static void end(void *state, uint32_t source, const struct od_sink *sink)
{
    (void)source;
    flush(state, sink);
}

const struct od_reader od_reader_torch_oom = {
    .name = "torch_oom",
    .literals = openers,
    .state_new = state_new,
    .state_free = state_free,
    .line = take_line,
    .is_open = is_open,
    .end = end,
};
