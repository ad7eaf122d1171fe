#include "input/lines.h"

#include "input/flow.h"

#include <stdio.h>
#include <xxhash.h>

enum {
    RAW_BYTES = 64 * 1024,
    SAMPLE_BYTES = 4096,
    TEXT_BYTES = 64,
    POLL_FIRST = 256,
    POLL_EVERY = 16,
    MARK_BYTES = 4,
    CUT_WINDOW = 64 * 1024 /* a long line may be split in this many bytes before the limit */
};

struct od_lines {
    struct od_lines_limits limits;
    struct od_feed feed;
    struct od_text_watcher watcher;
    XXH3_state_t *digest;
    struct od_foreign held; /* releases the digest if the work is interrupted */

    struct od_buf buf; /* decoded bytes; those before `start` were returned */
    size_t start;
    uint64_t raw_bytes; /* number of bytes read */
    struct od_buf back; /* a whole source that was not used, to be read as lines from back_at on */
    size_t back_at;
    bool begun, eof, failed;
    bool saw_lf;       /* a line ended with LF */
    bool cr_ends;      /* a lone CR ends a line */
    size_t cr_done;    /* offset up to which CRs were converted */
    bool in_line;      /* the last block ended within a line */
    uint64_t cut_at;   /* number of the last line that was split */
    uint64_t torn_at;  /* number of the last line that was split between words */
    bool seen_zero;    /* a label 0 occurred (input/block_prefix.h) */
    const char *whole; /* kind of a source without lines */

    bool decodes; /* the bytes need decoding */
    struct od_decoder decoder;
    od_offsets starts; /* only if `decodes`: offsets of the lines in buf, from `start` on */
    size_t nstarts_used;
    char *raw; /* only if `decodes`: buffer for reading */

    struct od_wrap wrap;
    uint64_t line; /* number of the next line */
    uint64_t text_bytes, binary_bytes;
    struct od_lines_result result;
};

static void release_digest(void *digest)
{
    (void)XXH3_freeState(digest);
}

struct od_lines *od_lines_new(const struct od_lines_limits *limits)
{
    struct od_lines *lines = od_mem_alloc(1, sizeof *lines);
    lines->limits = *limits;
    if (lines->limits.block_bytes > limits->line_bytes)
        lines->limits.block_bytes = limits->line_bytes;
    lines->digest = XXH3_createState();
    if (!lines->digest)
        od_mem_die();
    od_foreign_hold(&lines->held, lines->digest, release_digest);
    return lines;
}

void od_lines_free(struct od_lines *lines)
{
    if (!lines)
        return;
    od_foreign_release(&lines->held);
    od_mem_free(lines->raw);
    od_decoder_done(&lines->decoder);
    od_buf_done(&lines->buf);
    od_buf_done(&lines->back);
    od_vec_done(&lines->starts);
    od_wrap_done(&lines->wrap);
    od_mem_free(lines);
}

void od_lines_set_watcher(struct od_lines *lines, struct od_text_watcher watcher)
{
    lines->watcher = watcher;
}

static void show(const struct od_lines *lines, struct od_view text)
{
    if (lines->watcher.text)
        lines->watcher.text(lines->watcher.self, text);
}

void od_lines_start(struct od_lines *lines, struct od_feed feed)
{
    struct od_lines fresh = {.limits = lines->limits,
                             .feed = feed,
                             .watcher = lines->watcher,
                             .digest = lines->digest,
                             .held = lines->held,
                             .buf = lines->buf,
                             .starts = lines->starts,
                             .raw = lines->raw,
                             .wrap = lines->wrap,
                             .line = 1};
    bool huge = lines->whole != NULL;
    od_buf_done(&lines->back);
    od_decoder_done(&lines->decoder);
    *lines = fresh;
    lines->buf.n = 0;
    if (huge)
        od_buf_done(&lines->buf);
    lines->starts.n = 0;
    od_wrap_start(&lines->wrap);
    (void)XXH3_128bits_reset(lines->digest);
}

/* ---- reading into the buffer ---- */

/* Reads from a whole source that was not used, which is already in the digest. */
static ssize_t read_again(struct od_lines *lines, char *to, size_t room)
{
    struct od_view left =
        od_view_head(od_view_from(od_buf_view(&lines->back), lines->back_at), room);
    if (left.n == 0) {
        od_buf_done(&lines->back);
        return 0;
    }
    memcpy(to, left.p, left.n);
    lines->back_at += left.n;
    lines->raw_bytes += left.n;
    return (ssize_t)left.n;
}

static ssize_t read_raw(struct od_lines *lines, char *to, size_t room)
{
    ssize_t again = lines->back.n > 0 ? read_again(lines, to, room) : 0;
    if (again > 0)
        return again;
    ssize_t n = lines->feed.read(lines->feed.self, to, room);
    if (n <= 0) {
        lines->eof = true;
        lines->failed = n < 0;
        return 0;
    }
    lines->raw_bytes += (uint64_t)n;
    (void)XXH3_128bits_update(lines->digest, to, (size_t)n);
    return n;
}

static size_t have(const struct od_lines *lines)
{
    return lines->buf.n - lines->start;
}

static void decode(struct od_lines *lines, struct od_view piece)
{
    od_decode(&lines->decoder, piece, lines->eof, &lines->buf, &lines->starts);
}

/* Decodes buf from offset `from` on. Bytes after it were not returned yet. */
static void begin_decoding(struct od_lines *lines, size_t from)
{
    struct od_view all = od_buf_view(&lines->buf);
    struct od_view rest = od_view_from(all, from);
    uint64_t offset = lines->raw_bytes - have(lines);
    struct od_buf copy = {0};
    lines->decodes = true;
    od_vec_push(&lines->starts, offset);
    for (size_t i = lines->start; i < from; i++)
        if (all.p[i] == '\n')
            od_vec_push(&lines->starts, offset + (i + 1 - lines->start));
    lines->decoder.offset = lines->raw_bytes - rest.n;
    lines->decoder.begun = lines->decoder.offset > 0;
    lines->decoder.in_line = from > lines->start && all.p[from - 1] != '\n';
    lines->decoder.met = lines->decoder.begun ? 1U << OD_ENCODING_BYTES : 0;
    od_buf_add(&copy, rest);
    lines->buf.n = from;
    decode(lines, od_buf_view(&copy));
    od_buf_done(&copy);
}

/* Reads directly into buf until bytes may need decoding. */
static void read_plain(struct od_lines *lines, size_t want)
{
    char *to = od_buf_reserve(&lines->buf, want);
    size_t from = lines->buf.n;
    bool at_start = lines->raw_bytes == 0;
    lines->buf.n += (size_t)read_raw(lines, to, want);
    if (lines->whole || !od_decoder_wanted(od_view_from(od_buf_view(&lines->buf), from), at_start))
        return;
    /* the NUL may be the second byte of a character that began before */
    from -= from > lines->start;
    begin_decoding(lines, from);
}

static void read_decoded(struct od_lines *lines)
{
    if (!lines->raw)
        lines->raw = od_mem_resize(NULL, 1, RAW_BYTES);
    ssize_t n = read_raw(lines, lines->raw, RAW_BYTES);
    decode(lines, (struct od_view){.p = lines->raw, .n = (size_t)n});
}

/* Reads until that many bytes are available, or to the end of the source. */
static void fill(struct od_lines *lines, size_t want)
{
    while (!lines->eof && have(lines) < want) {
        if (lines->decodes)
            read_decoded(lines);
        else
            read_plain(lines, want - have(lines));
    }
}

/* Skips the byte order mark of UTF-8. */
static void begin(struct od_lines *lines)
{
    lines->begun = true;
    fill(lines, lines->limits.block_bytes < MARK_BYTES ? MARK_BYTES : lines->limits.block_bytes);
    if (!od_view_starts(od_buf_view(&lines->buf), OD_VIEW("\xef\xbb\xbf")))
        return;
    lines->start = 3;
    if (lines->decodes)
        lines->starts.items[0] += 3;
}

/* Moves the bytes that were not returned yet to the start of the buffer. */
static void compact(struct od_lines *lines)
{
    size_t n = have(lines);
    if (lines->start > 0 && n > 0)
        memmove(lines->buf.p, lines->buf.p + lines->start, n);
    lines->cr_done -= lines->cr_done < lines->start ? lines->cr_done : lines->start;
    lines->start = 0;
    lines->buf.n = n;
    if (lines->nstarts_used > 0) {
        lines->starts.n -= lines->nstarts_used;
        memmove(lines->starts.items, lines->starts.items + lines->nstarts_used,
                lines->starts.n * sizeof *lines->starts.items);
        lines->nstarts_used = 0;
    }
}

/* ---- the end of a block ---- */

/* Converts lone CRs to LF. A CR at the end of the buffer waits for the next byte. */
static void turn_crs(struct od_lines *lines)
{
    char *p = lines->buf.p;
    size_t i = lines->cr_done;
    for (; i < lines->buf.n; i++) {
        if (p[i] != '\r')
            continue;
        if (i + 1 == lines->buf.n && !lines->eof)
            break;
        if (i + 1 == lines->buf.n || p[i + 1] != '\n')
            p[i] = '\n';
    }
    lines->cr_done = i;
}

static size_t behind_last_lf(const struct od_lines *lines, size_t from)
{
    size_t n = lines->buf.n - from;
    const char *lf = n > 0 ? od_find_last(lines->buf.p + from, '\n', n) : NULL;
    return lf ? (size_t)(lf - lines->buf.p) + 1 : 0;
}

static bool has_lone_cr(const struct od_lines *lines)
{
    /* without LF every CR is a lone one; at the end of the file it ends a line */
    return have(lines) > 0 && memchr(lines->buf.p + lines->start, '\r', have(lines)) != NULL;
}

/* ---- split a line that is too long ---- */

static bool is_escape(struct od_view text, size_t at)
{
    bool escaped = at > 0 && text.p[at - 1] == '\\';
    return text.p[at] == '\\' && at + 1 < text.n && text.p[at + 1] == 'n' && !escaped;
}

static bool is_record_end(struct od_view text, size_t at)
{
    char before = at > 0 ? text.p[at - 1] : '\0';
    return text.p[at] == ',' && (before == '}' || before == ']');
}

static bool is_blank(struct od_view text, size_t at)
{
    return text.p[at] == ' ' || text.p[at] == '\t';
}

/* The last position from `from` on for which is_one is true; 0 = none. */
static size_t last_place(struct od_view text, size_t from,
                         bool (*is_one)(struct od_view text, size_t at))
{
    for (size_t at = text.n; at-- > from && at > 0;)
        if (is_one(text, at))
            return at;
    return 0;
}

/* Counts a split line once, whatever the number of its pieces. */
static void note_cut(struct od_lines *lines, bool torn)
{
    struct od_lines_result *result = &lines->result;
    if (lines->cut_at != lines->line && result->cut_lines++ == 0)
        result->first_cut = lines->line;
    lines->cut_at = lines->line;
    if (!torn)
        return;
    result->torn_lines += lines->torn_at != lines->line;
    lines->torn_at = lines->line;
}

/* End of the next piece of a long line: between two lines of a JSON string, between two records, at
 * worst between two words. Replaces an escaped line end by two quotes, of which one closes the
 * string of this piece and the other opens that of the next. */
static size_t cut_line(struct od_lines *lines)
{
    size_t most = lines->limits.line_bytes;
    size_t window = CUT_WINDOW < most / 2 ? CUT_WINDOW : most / 2;
    char *p = lines->buf.p + lines->start;
    struct od_view text = {p, most};
    size_t from = most - window;
    size_t at = last_place(text, from, is_escape);
    bool torn = false;
    lines->in_line = true;
    if (at > 0) {
        p[at] = p[at + 1] = '"';
    } else {
        at = last_place(text, from, is_record_end);
        torn = at == 0 && (at = last_place(text, from, is_blank)) > 0;
    }
    note_cut(lines, torn);
    if (at > 0)
        return at + 1;
    for (at = most; at > from + 1 && ((unsigned char)p[at] & 0xC0) == 0x80;)
        at--;
    return at;
}

/* Fills the buffer up to a line end and returns the end of the block; 0 = no bytes left. */
static size_t find_end(struct od_lines *lines)
{
    size_t want = lines->limits.block_bytes;
    size_t from = lines->start;
    lines->in_line = false;
    for (;;) {
        fill(lines, want);
        if (lines->cr_ends)
            turn_crs(lines);
        size_t end = behind_last_lf(lines, from);
        if (end > 0) {
            lines->saw_lf |= !lines->cr_ends;
            return end;
        }
        bool full = have(lines) > lines->limits.line_bytes;
        if ((full || lines->eof) && !lines->saw_lf && !lines->cr_ends && has_lone_cr(lines)) {
            lines->cr_ends = true;
            lines->cr_done = from = lines->start;
            continue;
        }
        if (full)
            return lines->start + cut_line(lines);
        if (lines->eof)
            return have(lines) > 0 ? lines->buf.n : 0;
        from = lines->cr_ends ? lines->cr_done : lines->buf.n;
        want = have(lines) + (have(lines) > want ? have(lines) : want);
        if (want > lines->limits.line_bytes)
            want = lines->limits.line_bytes + 1;
    }
}

/* ---- the lines of a block ---- */

struct walk {
    size_t end;     /* end of the block in the buffer */
    size_t next;    /* start of the next block */
    uint64_t lines; /* number of physical lines; a line that continues counts in the next block */
    struct od_block_prefix_poll poll;
};

/* Counts the lines and passes their lengths to the search for wrapped lines. */
static void walk_lines(struct od_lines *lines, struct walk *walk)
{
    const char *base = lines->buf.p + lines->start;
    const char *end = lines->buf.p + walk->end;
    for (const char *p = base; p < end;) {
        const char *lf = memchr(p, '\n', (size_t)(end - p));
        size_t n = (size_t)((lf ? lf : end) - p);
        walk->lines += lf || !lines->in_line;
        size_t bare = n > 0 && p[n - 1] == '\r' ? n - 1 : n;
        od_wrap_watch_line(&lines->wrap.watch, (size_t)(p - base), bare);
        if (walk->lines < POLL_FIRST || walk->lines % POLL_EVERY == 0)
            od_block_prefix_poll_line(&walk->poll, (struct od_view){.p = p, .n = n});
        if (!lf)
            return;
        p = lf + 1;
    }
}

/* Skips a hole of NULs, which a file has if it was truncated while it was written. */
static struct od_view behind_hole(struct od_view bytes)
{
    size_t n = 0;
    while (n < bytes.n && bytes.p[n] == '\0')
        n++;
    return od_view_from(bytes, n);
}

static void count_binary(struct od_lines *lines, const struct od_block *block, uint64_t nlines)
{
    struct od_view sample = od_view_head(behind_hole(block->bytes), SAMPLE_BYTES);
    if (sample.n == 0)
        return;
    if (!od_bytes_are_binary(sample)) {
        lines->text_bytes += block->bytes.n;
        return;
    }
    lines->binary_bytes += block->bytes.n;
    lines->result.binary_lines += nlines;
}

/* Returns offsets of the lines, if the bytes were decoded. */
static const uint64_t *take_starts(struct od_lines *lines)
{
    return lines->decodes && !lines->cr_ends ? lines->starts.items : NULL;
}

static uint64_t count_lines(struct od_view text)
{
    uint64_t n = 0;
    struct od_view line;
    while (od_view_cut(&text, '\n', &line))
        n++;
    return n;
}

static bool is_last(const struct od_lines *lines, const struct walk *walk)
{
    return lines->in_line || (lines->eof && walk->end == lines->buf.n);
}

/* Keeps the bytes after `ready` for the next block. */
static void hold_back(struct od_lines *lines, struct walk *walk, struct od_block *block,
                      size_t ready)
{
    if (ready >= block->bytes.n)
        return;
    walk->lines -= count_lines(od_view_from(block->bytes, ready));
    block->bytes.n = ready;
    walk->next = lines->start + ready;
}

/* Joins lines that a console wrapped, which may shorten the block. */
static void unwrap_console(struct od_lines *lines, struct walk *walk, struct od_block *block)
{
    struct od_wrap *wrap = &lines->wrap;
    size_t ready = od_wrap_plan(wrap, block->bytes, is_last(lines, walk));
    while (wrap->joins.n > 0 && wrap->joins.items[wrap->joins.n - 1] >= ready)
        wrap->joins.n--;
    hold_back(lines, walk, block, ready);
    if (wrap->joins.n > 0)
        lines->result.wrapped_lines += od_wrap_join(wrap, lines->buf.p + lines->start, block);
}

static void make_block(struct od_lines *lines, size_t end, struct od_block *ret_block)
{
    struct walk walk = {.end = end, .next = end};
    bool by_offset = !lines->decodes;
    struct od_block block = {
        .line = lines->line,
        .offset = lines->raw_bytes - have(lines),
        .offsets = take_starts(lines),
    };
    if (!by_offset)
        block.offset = block.offsets ? block.offsets[0] : 0;
    walk_lines(lines, &walk);
    block.bytes = (struct od_view){.p = lines->buf.p + lines->start, .n = walk.end - lines->start};
    block.labels = od_block_prefix_poll_end(&walk.poll, &lines->seen_zero);
    if (block.labels == OD_BLOCK_PREFIX_NONE && od_block_prefix_all_collected(block.bytes))
        block.labels = OD_BLOCK_PREFIX_COLLECTED;
    unwrap_console(lines, &walk, &block);
    if (!block.spans)
        lines->result.wrapped_lines += od_flow_join(lines->buf.p + lines->start, block.bytes.n);
    show(lines, block.bytes);
    od_clock_block(&lines->result.clock, block.bytes);
    count_binary(lines, &block, walk.lines);
    lines->line += walk.lines;
    if (block.offsets || !by_offset)
        lines->nstarts_used = walk.lines < lines->starts.n ? (size_t)walk.lines : lines->starts.n;
    lines->start = walk.next;
    *ret_block = block;
}

bool od_lines_next(struct od_lines *lines, struct od_block *ret_block)
{
    if (!lines->begun)
        begin(lines);
    compact(lines);
    size_t end = find_end(lines);
    if (end == 0)
        return false;
    make_block(lines, end, ret_block);
    return true;
}

bool od_lines_whole(struct od_lines *lines, const char *format, size_t limit,
                    struct od_block *ret_block)
{
    lines->begun = true;
    lines->whole = format;
    while (!lines->eof && have(lines) <= limit) {
        size_t more = have(lines) + lines->limits.block_bytes;
        fill(lines, more <= limit ? more : limit + 1);
    }
    lines->result.whole_cut = have(lines) > limit;
    if (lines->result.whole_cut)
        lines->buf.n = limit;
    lines->start = lines->buf.n;
    *ret_block = (struct od_block){.bytes = od_buf_view(&lines->buf), .whole = format};
    show(lines, ret_block->bytes);
    return lines->buf.n > 0;
}

/* Is the sample text? A binary file has many bytes that are not UTF-8, a text has few. */
static bool is_text(struct od_view sample)
{
    size_t odd = 0;
    for (struct od_view rest = sample; rest.n > 0;) {
        uint32_t code;
        size_t n = od_text_decode(rest, &code);
        odd += code == 0xFFFD;
        rest = od_view_from(rest, n > 0 ? n : 1);
    }
    return odd * 20 <= sample.n && !od_bytes_are_binary(sample);
}

/* Finds the text at the end, from `from` on. Returns the start of its first whole line. */
static size_t find_text(struct od_view bytes, size_t from)
{
    size_t at = bytes.n, n = 0;
    while (at > from) {
        n = at - from < TEXT_BYTES ? at - from : TEXT_BYTES;
        if (!is_text(od_view_head(od_view_from(bytes, at - n), n)))
            break;
        at -= n;
    }
    if (at == from)
        return at;
    /* the text may begin within the last piece that is not text as a whole */
    for (size_t lf = at - n; (lf = od_view_find_char(bytes, '\n', lf)) < bytes.n; lf++)
        if (lf + 1 >= at || is_text(od_view_head(od_view_from(bytes, lf + 1), at - lf - 1)))
            return lf + 1;
    return bytes.n;
}

bool od_lines_give_back(struct od_lines *lines, size_t *from)
{
    struct od_view whole = od_buf_view(&lines->buf);
    size_t at = find_text(whole, *from);
    if (od_view_trim(od_view_from(whole, at)).n == 0)
        return false;
    lines->back = lines->buf;
    lines->buf = (struct od_buf){0};
    lines->back_at = *from = at;
    lines->line = 1;
    for (size_t i = 0; i < at; i++)
        lines->line += whole.p[i] == '\n';
    lines->raw_bytes = at;
    lines->whole = NULL;
    lines->begun = lines->eof = lines->result.whole_cut = false;
    lines->start = 0;
    return true;
}

static const char *format_of(const struct od_lines *lines)
{
    if (lines->whole)
        return lines->whole;
    if (lines->line == 1)
        return "empty";
    if (lines->binary_bytes >= lines->text_bytes)
        return "binary";
    switch (lines->decoder.met) {
    case 0:
    case 1U << OD_ENCODING_BYTES:
        return "text";
    case 1U << OD_ENCODING_UTF16LE:
        return "utf-16le";
    case 1U << OD_ENCODING_UTF16BE:
        return "utf-16be";
    default:
        return "text of several encodings";
    }
}

struct od_lines_result od_lines_result(const struct od_lines *lines)
{
    struct od_lines_result result = lines->result;
    XXH128_hash_t hash = XXH3_128bits_digest(lines->digest);
    (void)snprintf(result.digest, sizeof result.digest, "xxh3:%016llx%016llx",
                   (unsigned long long)hash.high64, (unsigned long long)hash.low64);
    result.bytes = lines->raw_bytes;
    result.lines = lines->line - 1;
    result.format = format_of(lines);
    result.failed = lines->failed;
    return result;
}
