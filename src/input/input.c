#include "input/input.h"

#include "input/lines.h"
#include "input/open.h"
#include "input/packed.h"
#include "input/stream.h"

enum { DEFAULT_RATIO = 1000, DEFAULT_LINE = 8 << 20, DEFAULT_SOURCES = 4096 };
#define DEFAULT_UNPACKED ((uint64_t)16 << 30)
#define DEFAULT_WHOLE ((size_t)1 << 30)

/* A name or bytes that were added but not read yet. */
struct entry {
    const char *name;
    int fd; /* descriptor of an open pipe; -1 = open the name later */
    bool is_memory;
    struct od_view memory;
};

struct od_input {
    struct od_input_limits limits;
    struct od_diags *diags;
    struct od_arena *arena;
    enum od_err status;
    OD_VEC(struct entry) entries;
    size_t next_entry;
    struct od_foreign held; /* releases descriptors of later entries if the work is interrupted */
    OD_VEC(struct od_source *) sources;
    bool limit_said;
    struct od_whole_taker taker;

    /* State of the current source. */
    bool open;        /* the stream is open */
    bool reading;     /* a source of the stream is being read */
    bool stop_said;   /* the early end of the stream or its last member was reported */
    const char *name; /* name of the stream */
    uint64_t members; /* members of the stream that became sources */
    struct od_stream stream;
    struct od_packed *packed; /* NULL = the stream is not packed */
    const char *whole;        /* kind of a source without lines; NULL = the source has lines */
    bool whole_given;
    bool whole_lost; /* the taker did not use all of the source */
    struct od_lines *lines;
};

static void close_entries(void *self)
{
    struct od_input *input = self;
    for (size_t i = input->next_entry; i < input->entries.n; i++)
        od_open_close(input->entries.items[i].fd);
}

struct od_input *od_input_new(const struct od_input_limits *limits, struct od_diags *diags)
{
    struct od_input *input = od_mem_alloc(1, sizeof *input);
    od_foreign_hold(&input->held, input, close_entries);
    if (limits)
        input->limits = *limits;
    struct od_input_limits *l = &input->limits;
    l->unpacked_bytes = l->unpacked_bytes ? l->unpacked_bytes : DEFAULT_UNPACKED;
    l->ratio = l->ratio ? l->ratio : DEFAULT_RATIO;
    l->line_bytes = l->line_bytes ? l->line_bytes : DEFAULT_LINE;
    l->sources = l->sources ? l->sources : DEFAULT_SOURCES;
    l->whole_bytes = l->whole_bytes ? l->whole_bytes : DEFAULT_WHOLE;
    input->diags = diags;
    input->arena = od_arena_new();
    od_input_set_block(input, OD_BLOCK_BYTES);
    return input;
}

void od_input_set_block(struct od_input *input, size_t bytes)
{
    struct od_lines_limits limits = {.block_bytes = bytes, .line_bytes = input->limits.line_bytes};
    od_lines_free(input->lines);
    input->lines = od_lines_new(&limits);
}

static void close_stream(struct od_input *input)
{
    od_packed_free(input->packed);
    input->packed = NULL;
    if (input->open)
        od_stream_done(&input->stream);
    input->open = false;
}

void od_input_free(struct od_input *input)
{
    if (!input)
        return;
    close_stream(input);
    od_foreign_release(&input->held);
    od_vec_done(&input->entries);
    od_vec_done(&input->sources);
    od_lines_free(input->lines);
    od_arena_free(input->arena);
    od_mem_free(input);
}

static void worsen(struct od_input *input, enum od_err err)
{
    if (err > input->status)
        input->status = err;
}

enum od_err od_input_add(struct od_input *input, const char *name)
{
    const struct entry entry = {.name = od_arena_str(input->arena, od_view_of(name)), .fd = -1};
    od_vec_push(&input->entries, entry);
    enum od_err err =
        od_open_check(name, input->diags, &input->entries.items[input->entries.n - 1].fd);
    if (err != OD_OK)
        input->entries.n--;
    return err;
}

enum od_err od_input_add_bytes(struct od_input *input, const char *name, struct od_view bytes)
{
    struct entry entry = {.name = od_arena_str(input->arena, od_view_of(name)),
                          .fd = -1,
                          .is_memory = true,
                          .memory = bytes};
    od_vec_push(&input->entries, entry);
    return OD_OK;
}

static void say(struct od_input *input, enum od_severity severity, const char *message,
                const char *help)
{
    const struct od_diag diag = {
        .severity = severity,
        .file = input->sources.n > 0 && input->reading
                    ? input->sources.items[input->sources.n - 1]->name
                    : input->name,
        .message = message,
        .help = help,
    };
    od_diags_add(input->diags, &diag);
}

/* Adds a record for the next source. False if there are too many. */
static bool add_source(struct od_input *input, const char *member)
{
    if (input->sources.n >= input->limits.sources) {
        if (!input->limit_said)
            say(input, OD_WARNING,
                od_arena_printf(input->arena, "more than %zu sources; the rest is not read",
                                input->limits.sources),
                "pass the files that matter, or several runs one by one");
        input->limit_said = true;
        worsen(input, OD_ELIMIT);
        return false;
    }
    struct od_source *source = OD_NEW(input->arena, struct od_source);
    source->name =
        *member ? od_arena_printf(input->arena, "%s:%s", input->name, member) : input->name;
    source->format = "empty";
    od_vec_push(&input->sources, source);
    return true;
}

static struct od_source *last_source(struct od_input *input)
{
    return input->sources.items[input->sources.n - 1];
}

static bool open_next(struct od_input *input)
{
    const struct entry *entry = &input->entries.items[input->next_entry++];
    input->name = entry->name;
    input->members = 0;
    input->stop_said = false;
    if (entry->is_memory) {
        od_stream_of_memory(&input->stream, entry->memory);
    } else {
        int fd = entry->fd;
        if (fd < 0 && od_open_file(entry->name, input->diags, &fd) != OD_OK) {
            if (add_source(input, ""))
                last_source(input)->complete = false;
            worsen(input, OD_EINPUT);
            return false;
        }
        od_stream_of_fd(&input->stream, fd);
    }
    input->open = true;
    if (od_packed_word(od_stream_look(&input->stream)))
        input->packed = od_packed_new(&input->stream, &input->limits);
    return true;
}

static void say_stop(struct od_input *input)
{
    const char *why = "";
    const char *help = "";
    enum od_err err = OD_ELIMIT;
    switch (od_packed_why(input->packed)) {
    case OD_PACKED_NO_STOP:
        return;
    case OD_PACKED_BYTES:
        why = od_arena_printf(input->arena, "unpacks to more than %llu bytes; the rest is not read",
                              (unsigned long long)input->limits.unpacked_bytes);
        help = "unpack it yourself and pass the log";
        break;
    case OD_PACKED_RATIO:
        why = od_arena_printf(input->arena,
                              "unpacks to more than %llu times its size; the rest is not read",
                              (unsigned long long)input->limits.ratio);
        help = "if you trust the file, unpack it yourself and pass the log";
        break;
    case OD_PACKED_BROKEN:
        why = od_arena_printf(input->arena, "cannot be unpacked further: %s",
                              od_packed_error(input->packed));
        help = "the file may be damaged, incomplete, or need a password";
        err = OD_LOST;
        break;
    }
    input->stop_said = true;
    worsen(input, err);
    say(input, OD_WARNING, why, help);
}

/* Ends an archive that has no further member. */
static void end_packed(struct od_input *input, enum od_packed_end end)
{
    if (input->stop_said || (end == OD_PACKED_END && input->members > 0))
        return;
    /* the error is not that of a member, so the archive itself becomes a source */
    if (!add_source(input, ""))
        return;
    struct od_source *source = last_source(input);
    const char *format = od_packed_format(input->packed);
    source->format = od_arena_printf(input->arena, "%s%sempty", format, *format ? " " : "");
    source->complete = end == OD_PACKED_END;
    if (end == OD_PACKED_ERROR)
        say_stop(input);
    else
        say(input, OD_WARNING, "contains no file", NULL);
}

/* Is the member an archive? Nested archives are reported but not opened. Compressed text in an
 * archive is read. */
static bool is_nested(struct od_input *input)
{
    const char *word = od_packed_word(od_packed_look(input->packed));
    if (!word || od_packed_unpack(input->packed) ||
        od_packed_why(input->packed) != OD_PACKED_NO_STOP)
        return false;
    struct od_source *source = last_source(input);
    source->format = od_arena_printf(input->arena, "%s %s", od_packed_format(input->packed), word);
    input->reading = true;
    say(input, OD_WARNING, "is an archive inside an archive and is not opened",
        "unpack the outer archive and pass its contents");
    input->reading = false;
    worsen(input, OD_LOST);
    return true;
}

void od_input_set_taker(struct od_input *input, struct od_whole_taker taker)
{
    input->taker = taker;
}

void od_input_set_watcher(struct od_input *input, struct od_text_watcher watcher)
{
    od_lines_set_watcher(input->lines, watcher);
}

bool od_input_taken(struct od_input *input, enum od_err err, size_t *used)
{
    bool more = od_lines_give_back(input->lines, used);
    if (more)
        input->whole = NULL;
    if (more && *used == 0)
        return true;
    input->whole_lost = input->whole_lost || err != OD_OK;
    worsen(input, err);
    return more;
}

static void begin_source(struct od_input *input, struct od_feed feed, struct od_view head)
{
    od_lines_start(input->lines, feed);
    input->reading = true;
    input->whole_given = input->whole_lost = false;
    input->whole = input->taker.word ? input->taker.word(input->taker.self, head) : NULL;
}

static bool next_block(struct od_input *input, struct od_block *ret_block)
{
    if (!input->whole)
        return od_lines_next(input->lines, ret_block);
    if (input->whole_given)
        return false;
    input->whole_given = true;
    return od_lines_whole(input->lines, input->whole, input->limits.whole_bytes, ret_block);
}

/* Starts the next source of the open stream. False if there is none. */
static bool start_source(struct od_input *input)
{
    struct od_feed feed = od_stream_feed(&input->stream);
    if (!input->packed) {
        if (input->members++ > 0 || !add_source(input, ""))
            return false;
        begin_source(input, feed, od_stream_look(&input->stream));
        return true;
    }
    for (;;) {
        enum od_packed_end end = od_packed_next(input->packed);
        if (end != OD_PACKED_MEMBER) {
            if (end == OD_PACKED_END || od_packed_why(input->packed) == OD_PACKED_BROKEN)
                end_packed(input, end);
            return false;
        }
        if (!add_source(input, od_packed_member(input->packed)))
            return false;
        input->members++;
        input->stop_said = false;
        if (!is_nested(input))
            break;
    }
    feed = (struct od_feed){.read = od_packed_read, .self = input->packed};
    begin_source(input, feed, od_packed_look(input->packed));
    return true;
}

static void say_lines(struct od_input *input, const struct od_lines_result *r)
{
    if (r->cut_lines > 0)
        say(input, r->torn_lines > 0 ? OD_WARNING : OD_NOTE,
            od_arena_printf(input->arena,
                            "%llu line%s longer than %zu bytes, first line %llu; read in pieces%s",
                            (unsigned long long)r->cut_lines, r->cut_lines == 1 ? " is" : "s are",
                            input->limits.line_bytes, (unsigned long long)r->first_cut,
                            r->torn_lines > 0 ? ", and a message that a cut divides is missed"
                                              : ""),
            NULL);
    if (r->wrapped_lines > 0)
        say(input, OD_NOTE,
            od_arena_printf(input->arena,
                            r->wrapped_lines == 1 ? "%llu wrapped line was joined"
                                                  : "%llu wrapped lines were joined",
                            (unsigned long long)r->wrapped_lines),
            NULL);
    if (r->binary_lines > 0 && strcmp(r->format, "binary") != 0)
        say(input, OD_NOTE,
            od_arena_printf(input->arena, "%llu line%s not text",
                            (unsigned long long)r->binary_lines,
                            r->binary_lines == 1 ? " is" : "s are"),
            NULL);
}

static void say_whole_cut(struct od_input *input)
{
    worsen(input, OD_ELIMIT);
    say(input, OD_WARNING,
        od_arena_printf(input->arena, "is larger than %zu bytes; the rest is not read",
                        input->limits.whole_bytes),
        NULL);
}

/* The format of a file that cannot be read here; NULL = no format was recognized. */
static const char *foreign_word(struct od_input *input)
{
    return input->packed ? NULL : od_packed_foreign(od_stream_look(&input->stream));
}

static void say_binary(struct od_input *input)
{
    const char *word = foreign_word(input);
    say(input, OD_WARNING,
        word ? od_arena_printf(input->arena, "is not text (it begins like %s)", word)
             : "is not text",
        "pass the log that the run printed; compressed files may be gzip, xz, zstd, bzip2, zip, "
        "tar");
}

static void say_failure(struct od_input *input)
{
    if (input->packed && od_packed_why(input->packed) != OD_PACKED_NO_STOP) {
        say_stop(input);
        return;
    }
    bool nothing = input->stream.at == 0;
    worsen(input, nothing ? OD_EINPUT : OD_LOST);
    say(input, nothing ? OD_ERROR : OD_WARNING,
        od_arena_printf(input->arena, "%s: %s", nothing ? "cannot be read" : "reading stopped",
                        strerror(input->stream.error)),
        nothing ? NULL : "what was read before is used");
}

/* Completes the record of the source that has just ended. */
static void end_source(struct od_input *input)
{
    struct od_source *source = last_source(input);
    struct od_lines_result r = od_lines_result(input->lines);
    memcpy(source->digest, r.digest, sizeof source->digest);
    source->clock = r.clock;
    source->bytes = r.bytes;
    source->lines = r.lines;
    source->binary = strcmp(r.format, "binary") == 0 || foreign_word(input);
    source->unreadable_lines = r.torn_lines + r.binary_lines;
    if (source->binary && source->unreadable_lines == 0)
        source->unreadable_lines = r.lines;
    source->complete = !r.failed && r.torn_lines == 0 && !r.whole_cut && !input->whole_lost;
    source->format = input->packed ? od_arena_printf(input->arena, "%s %s",
                                                     od_packed_format(input->packed), r.format)
                                   : r.format;
    if (source->unreadable_lines > 0)
        worsen(input, OD_LOST);
    if (source->binary)
        say_binary(input);
    say_lines(input, &r);
    if (r.whole_cut)
        say_whole_cut(input);
    if (r.failed)
        say_failure(input);
    input->reading = false;
}

bool od_input_next(struct od_input *input, struct od_block *ret_block)
{
    for (;;) {
        if (input->reading) {
            if (next_block(input, ret_block)) {
                ret_block->source = (uint32_t)(input->sources.n - 1);
                return true;
            }
            end_source(input);
        }
        if (input->open) {
            if (start_source(input))
                continue;
            close_stream(input);
        }
        if (input->next_entry == input->entries.n)
            return false;
        (void)open_next(input);
    }
}

size_t od_input_count(const struct od_input *input)
{
    return input->sources.n;
}

const struct od_source *od_input_source(const struct od_input *input, size_t i)
{
    return input->sources.items[i];
}

enum od_err od_input_status(const struct od_input *input)
{
    return input->status;
}
