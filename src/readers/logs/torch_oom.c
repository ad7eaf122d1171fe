/*
 * PyTorch's out-of-memory message, all versions and backends (CUDACachingAllocator.cpp,
 * CUDAMallocAsyncAllocator.cpp, MPSAllocator.mm and their copies): one sentence per fact, any
 * subset of them, on one line or wrapped over several, possibly truncated. "In use" is the memory
 * of PyTorch's tensors ("already allocated", "is allocated by PyTorch"). An incomplete message
 * stays open for a few lines of its lane; other lines are passed on.
 */
#include "base/code_line.h"
#include "readers/logs/torch_find.h"
#include "readers/logs/torch_text.h"
#include "readers/reader.h"

#include <stdio.h>

enum {
    FOREIGN_MAX = 3,  /* lines of its lane that do not belong to the message */
    AGE_MAX = 32,     /* lines of all lanes since its last line */
    SPAN_MAX = 256,   /* lines from the first to the last one */
    TEXT_MAX = 16384, /* bytes of one message */
    LINE_KEPT = 8192, /* bytes of its first line */
    LEAD = 120,       /* bytes of a long line that are kept before the message */
    TENANTS_MAX = 64,
    SPLIT_MAX = 64 /* messages in one line */
};

struct message {
    bool open;
    bool soft;            /* the line says that the program continues */
    struct od_buf text;   /* text without blanks */
    struct od_buf kept;   /* texts of first */
    struct od_line first; /* the first line; its texts are in kept */
    char name[80];        /* class of the exception; "" = not printed */
    unsigned foreign;
};

static const char *const openers[] = {"CUDA out of memory",
                                      "HIP out of memory",
                                      "XPU out of memory",
                                      "MPS backend out of memory",
                                      "out of memory. Tried to allocate",
                                      "Allocation on device",
                                      "Tried to allocate ",
                                      NULL};

/* strong, weak */
#include "readers/logs/torch_oom_words.inc"

static const char *const goes_on[] = {"retrying",          "Retrying",
                                      "kipping batch",     "an out of memory with exception",
                                      "Plan failed with",  "Ignoring this choice",
                                      "during autotuning", NULL};

/* ---- the contents of a message ---- */

static struct od_bytes first_known(struct od_bytes a, struct od_bytes b)
{
    return a.known ? a : b;
}

/* The kind and number of the device in the text ("GPU 0", "NPU 1", "on device 0"); NULL = none. */
static const char *find_device(struct od_view text, uint64_t *ret_number)
{
    static const struct {
        const char *word, *kind;
    } words[] = {{"(GPU", "GPU"}, {"GPU", "GPU"},  {"(NPU", "NPU"},
                 {"(MLU", "MLU"}, {"(XPU", "XPU"}, {"ondevice", "GPU"}};
    for (size_t i = 0; i < OD_COUNT_OF(words); i++) {
        struct od_view name = od_view_of(words[i].word);
        for (size_t at = 0; (at = od_view_find(text, name, at)) != OD_VIEW_NONE; at++) {
            struct od_view rest = od_view_from(text, at + name.n);
            (void)od_view_take(&rest, OD_VIEW(":"));
            if (od_num_take_u64(&rest, ret_number))
                return words[i].kind;
        }
    }
    return NULL;
}

static struct od_event event_of(const struct message *m, enum od_event_kind kind, char device[32])
{
    struct od_event event = {.kind = kind,
                             .at = m->first.at,
                             .line = &m->first,
                             .excerpt = od_view_trim(m->first.text),
                             .rule = "torch_oom"};
    uint64_t number;
    od_event_set_text(&event, OD_F_PRODUCER, OD_VIEW("pytorch"));
    const char *kind_of_device = find_device(od_buf_view(&m->text), &number);
    if (kind_of_device) {
        (void)snprintf(device, 32, "%s %llu", kind_of_device, (unsigned long long)number);
        od_event_set_text(&event, OD_F_DEVICE, od_view_of(device));
    }
    return event;
}

static struct od_bytes in_use_of(struct od_view text)
{
    struct od_bytes said = first_known(od_torch_size_before(text, "alreadyallocated"),
                                       od_torch_size_before(text, "isallocatedby"));
    return first_known(said, first_known(od_torch_size_after(text, "MPSallocated:"),
                                         od_torch_size_after(text, "Currentlyallocated:")));
}

static struct od_bytes capacity_of(struct od_view text)
{
    struct od_bytes said = first_known(od_torch_size_before(text, "totalcapac"),
                                       od_torch_size_after(text, "totalcapacityof"));
    return first_known(said, first_known(od_torch_size_after(text, "totalcapactyof"),
                                         od_torch_size_after(text, "Devicelimit:")));
}

static struct od_bytes free_of(struct od_view text)
{
    return first_known(
        first_known(od_torch_size_before(text, "free;"), od_torch_size_before(text, "isfree")),
        od_torch_size_after(text, "Free(accordingtoCUDA):"));
}

static struct od_bytes limit_of(struct od_view text)
{
    return first_known(first_known(od_torch_size_before(text, "allowed;"),
                                   od_torch_size_after(text, "maxallowed:")),
                       od_torch_size_after(text, "memoryfraction):"));
}

/* "cached" in PyTorch 1.0 to 1.3 excludes allocated memory. Copies of the message include it, which
 * is detected if the sum of both does not fit on the device. */
static struct od_bytes cached_of(struct od_view text)
{
    struct od_bytes cached = od_torch_size_before(text, "cached)");
    struct od_bytes in_use = in_use_of(text);
    struct od_bytes both = od_bytes_add(in_use, cached);
    struct od_bytes all = od_bytes_add(both, free_of(text));
    bool may_be_both = od_bytes_less(cached, in_use) == OD_NO;
    if (may_be_both && od_bytes_less(capacity_of(text), all) == OD_YES)
        return cached;
    return both;
}

static struct od_bytes reserved_of(struct od_view text)
{
    struct od_bytes said =
        first_known(od_torch_size_before(text, "reservedintotalbyPyTorch"), cached_of(text));
    return first_known(said,
                       od_bytes_add(in_use_of(text), od_torch_size_before(text, "isreservedby")));
}

/* Memory of the device held by the whole process; on a Mac, Metal and its graphs take memory
 * besides the tensors. */
static struct od_bytes held_of(struct od_view text)
{
    struct od_bytes metal = od_torch_size_after(text, "otherallocations:");
    return first_known(od_torch_size_after(text, "thisprocesshas"),
                       od_bytes_add(in_use_of(text), metal));
}

static void emit_failure(const struct message *m, const struct od_sink *sink)
{
    struct od_view text = od_buf_view(&m->text);
    char device[32];
    struct od_event event = event_of(m, m->soft ? OD_EV_SOFT_WARNING : OD_EV_ALLOC_FAILED, device);
    od_event_set_known(&event, OD_F_REQUESTED,
                       first_known(od_torch_size_after(text, "Triedtoallocate"),
                                   first_known(od_torch_size_after(text, "Triedtoallocatemorethan"),
                                               od_torch_size_after(text, "Requested:"))));
    od_event_set_known(&event, OD_F_CAPACITY, capacity_of(text));
    od_event_set_known(&event, OD_F_IN_USE, in_use_of(text));
    od_event_set_known(&event, OD_F_FREE, free_of(text));
    od_event_set_known(&event, OD_F_LIMIT, limit_of(text));
    od_event_set_known(&event, OD_F_HELD, held_of(text));
    od_event_set_known(&event, OD_F_RESERVED, reserved_of(text));
    if (m->name[0] && !m->soft)
        od_event_set_text(&event, OD_F_NAME, od_view_of(m->name));
    od_event_set_text(&event, OD_F_SPACE, OD_VIEW("device"));
    od_sink_put(sink, &event);
}

/* Emits "Process N has X memory in use." for each process except ours, which is "this process". */
static void emit_tenants(const struct message *m, const struct od_sink *sink)
{
    const struct od_view word = OD_VIEW("Process");
    struct od_view rest = od_buf_view(&m->text);
    for (int i = 0; i < TENANTS_MAX; i++) {
        size_t at = od_view_find(rest, word, 0);
        if (at == OD_VIEW_NONE)
            return;
        rest = od_view_from(rest, at + word.n);
        struct od_view here = rest;
        uint64_t pid;
        if (!od_num_take_u64(&here, &pid) || !od_view_take(&here, OD_VIEW("has")))
            continue;
        char device[32];
        struct od_event event = event_of(m, OD_EV_TENANT, device);
        od_event_set_count(&event, OD_F_PID, pid);
        od_event_set_known(&event, OD_F_IN_USE, od_torch_size_at(here));
        od_sink_put(sink, &event);
    }
}

/* Wordings that show the version: "capacty" only occurs in 2.1 and 2.2. Devices other than GPUs
 * kept old wordings. */
static void emit_wording(const struct message *m, const struct od_sink *sink)
{
    static const struct {
        const char *words, *name;
    } wordings[] = {
        {"capactyof", "torch_2.1_to_2.2"},
        {"totalcapacityof", "torch_from_2.2"},
        {"reservedintotalbyPyTorch", "torch_1.4_to_2.0"},
        {"cached)", "torch_to_1.4"},
    };
    struct od_view text = od_buf_view(&m->text);
    char device[32];
    for (size_t i = 0; i < OD_COUNT_OF(wordings) && od_view_has(text, OD_VIEW("GPU")); i++) {
        if (!od_view_has(text, od_view_of(wordings[i].words)))
            continue;
        struct od_event event = event_of(m, OD_EV_REMARK, device);
        od_event_set_text(&event, OD_F_NAME, od_view_of(wordings[i].name));
        od_sink_put(sink, &event);
        return;
    }
}

static void flush(void *state, const struct od_sink *sink)
{
    struct message *m = state;
    if (!m->open)
        return;
    m->open = false;
    emit_failure(m, sink);
    emit_tenants(m, sink);
    emit_wording(m, sink);
}

/* ---- one message over several lines ---- */

/* Is everything relevant already in the text? */
static bool is_whole(struct od_view text)
{
    return od_view_has(text, OD_VIEW("cached)")) || od_view_has(text, OD_VIEW("byPyTorch)")) ||
           od_view_has(text, OD_VIEW("butunallocated")) ||
           od_torch_size_after(text, "memoryfraction):").known;
}

/* Does the text end in the middle of a sentence? */
static bool is_broken(struct od_view text)
{
    if (od_view_ends(text, OD_VIEW("Allocationondevice")))
        return false; /* the whole message of some versions */
    char last = text.n > 0 ? text.p[text.n - 1] : '.';
    return strchr(".)\"'];]", last) == NULL || last == ';' ||
           od_view_ends(text, OD_VIEW("fraction)"));
}

/* The line without marks of a quoted or commented paragraph. */
static struct od_view body(struct od_view text)
{
    text = od_view_trim(text);
    while (text.n > 0 && strchr("#>|*", text.p[0]) != NULL)
        text = od_view_trim(od_view_from(text, 1));
    return text;
}

static bool continues(const struct message *m, struct od_view text)
{
    if (text.n == 0 || m->text.n + text.n > TEXT_MAX)
        return false;
    struct od_buf squeezed = {0};
    od_torch_squeeze(&squeezed, text, TEXT_MAX);
    struct od_view words = od_buf_view(&squeezed);
    bool digits = words.n > 0 && od_is_digit(words.p[0]);
    struct od_view so_far = od_buf_view(&m->text);
    bool in_number = digits && so_far.n > 1 && od_view_ends(so_far, OD_VIEW(".")) &&
                     od_is_digit(so_far.p[so_far.n - 2]);
    bool fits = od_view_has_any(words, strong) ||
                (text.n < 200 && (is_broken(so_far) || in_number) && od_view_has_any(words, weak));
    od_buf_done(&squeezed);
    return fits;
}

static void keep_line(struct message *m, const struct od_line *line, size_t start)
{
    size_t from = start > OD_EXCERPT / 2 ? start - LEAD : 0;
    struct od_view text = od_view_head(od_view_from(line->text, from), LINE_KEPT);
    m->first = *line;
    m->kept.n = 0;
    od_buf_add(&m->kept, text);
    od_buf_add(&m->kept, od_view_head(line->stamp, LINE_KEPT));
    m->first.text = (struct od_view){m->kept.p, text.n};
    m->first.stamp = (struct od_view){m->kept.p + text.n, m->kept.n - text.n};
}

static void begin(struct message *m, const struct od_line *line, size_t start, size_t end)
{
    struct od_view name =
        od_view_head(od_torch_class_before(line->text, start), sizeof m->name - 1);
    keep_line(m, line, start);
    m->open = true;
    m->foreign = 0;
    m->soft = od_view_has_any(line->text, goes_on);
    if (name.n > 0)
        memcpy(m->name, name.p, name.n);
    m->name[name.n] = '\0';
    m->text.n = 0;
    od_torch_squeeze(&m->text, od_view_from(od_view_head(line->text, end), start), TEXT_MAX);
}

/* Starts a message that lacks its first words. */
static bool begin_rest(struct message *m, const struct od_line *line, const struct od_sink *sink)
{
    size_t start = od_torch_find_rest(line->text);
    if (start == OD_VIEW_NONE || od_is_code_line(line->text))
        return false;
    begin(m, line, start, line->text.n);
    if (is_whole(od_buf_view(&m->text)))
        flush(m, sink);
    return true;
}

/* Takes all messages that start in the line; false if there are none. Only the last one may
 * continue below. */
static bool begin_all(struct message *m, const struct od_line *line, const struct od_sink *sink)
{
    size_t next;
    size_t start = od_torch_find(line->text, 0, &next);
    if (start == OD_VIEW_NONE || od_is_code_line(line->text))
        return false;
    flush(m, sink);
    for (int i = 0; start != OD_VIEW_NONE && i < SPLIT_MAX; i++) {
        size_t following = od_torch_find(line->text, next, &next);
        begin(m, line, start, following == OD_VIEW_NONE ? line->text.n : following);
        if (following != OD_VIEW_NONE || is_whole(od_buf_view(&m->text)))
            flush(m, sink);
        start = following;
    }
    return true;
}

static enum od_take go_on(struct message *m, const struct od_line *line, const struct od_sink *sink)
{
    struct od_view text = body(line->text);
    if (!continues(m, text)) {
        if (!line->overprinted && (!is_broken(od_buf_view(&m->text)) || ++m->foreign > FOREIGN_MAX))
            flush(m, sink);
        return OD_TAKE_NONE;
    }
    od_torch_squeeze(&m->text, text, TEXT_MAX);
    uint64_t span = line->at.line - m->first.at.line + line->at.nlines;
    if (line->at.line >= m->first.at.line && span <= SPAN_MAX)
        m->first.at.nlines = (uint32_t)span;
    if (is_whole(od_buf_view(&m->text)))
        flush(m, sink);
    return OD_TAKE_SHARE;
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct message *m = state;
    if (od_view_has_any(line->text, openers) && begin_all(m, line, sink))
        return OD_TAKE_ALL;
    if (m->open)
        return go_on(m, line, sink);
    return begin_rest(m, line, sink) ? OD_TAKE_ALL : OD_TAKE_NONE;
}

static void release(void *state)
{
    struct message *m = state;
    od_buf_done(&m->text);
    od_buf_done(&m->kept);
}

const struct od_reader od_reader_torch_oom = {
    .name = "torch_oom",
    .literals = openers,
    .state_size = sizeof(struct message),
    .age_max = AGE_MAX,
    .release = release,
    .line = take_line,
    .is_open = od_reader_state_is_open,
    .end = flush,
};
