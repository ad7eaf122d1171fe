#include "readers/logs/bfc_line.h"

enum { OCCUPANCY = 100, OCCUPANCY_LEAST = 20 };

/* Can this text follow a complete line of the grammar? Only blanks, markup, or a pager's mark. */
static bool may_end(struct od_view text)
{
    text = od_view_trim(text);
    return text.n == 0 || strchr("<`\"'[|\\>", text.p[0]);
}

/* Takes "3.29GiB", "0B", "4,52GiB", "74.16MiB." up to a blank or a parenthesis. */
static bool take_size(struct od_view *text, struct od_bytes *ret_bytes)
{
    size_t n = 0;
    while (n < text->n && (od_is_letter(text->p[n]) || od_is_digit(text->p[n]) ||
                           text->p[n] == '.' || text->p[n] == ','))
        n++;
    size_t full = n;
    n = od_back_any(*text, n, ".,");
    if (n == 0 || !od_bytes_parse(od_view_head(*text, n), OD_UNIT_BINARY, ret_bytes))
        return false;
    *text = od_view_from(*text, n < full ? n : full);
    return true;
}

static bool take_count(struct od_view *text, struct od_count *ret_count)
{
    uint64_t n;
    if (!od_num_take_u64(text, &n))
        return false;
    *ret_count = od_count_of(n);
    return true;
}

static size_t find_last(struct od_view text, struct od_view needle)
{
    size_t last = OD_VIEW_NONE;
    for (size_t at = od_view_find(text, needle, 0); at != OD_VIEW_NONE;
         at = od_view_find(text, needle, at + 1))
        last = at;
    return last;
}

static const struct od_view op_words = {"requested by op", sizeof "requested by op" - 1};

/* Is the text after the size that of a real failure (or empty)? Warnings continue with "with
 * freed_by_count" or "The caller indicates". */
static bool is_failure(struct od_view rest)
{
    static const char *const ends[] = {
        "Current allocation summary", "(rounded to", "requested by op", "from the ", "<", NULL};
    od_view_take(&rest, OD_VIEW("."));
    rest = od_view_trim(rest);
    return rest.n == 0 || od_view_starts_any(rest, ends);
}

static bool row_header(struct od_view text, struct od_bfc_record *record)
{
    struct od_bfc_header *h = &record->as.header;
    struct od_view rest = text;
    *h = (struct od_bfc_header){0};
    size_t close = od_view_find(rest, OD_VIEW(") ran out of memory trying to allocate "), 0);
    if (close == OD_VIEW_NONE)
        return false;
    h->allocator = od_view_head(rest, close);
    rest = od_view_from(rest, close + strlen(") ran out of memory trying to allocate "));
    if (!take_size(&rest, &h->requested) || !is_failure(rest))
        return false;
    size_t rounded = od_view_find(rest, OD_VIEW("(rounded to "), 0);
    if (rounded != OD_VIEW_NONE) {
        struct od_view number = od_view_from(rest, rounded + strlen("(rounded to "));
        uint64_t n;
        if (od_num_take_u64(&number, &n))
            h->rounded = od_bytes_exact(n);
    }
    size_t op = od_view_find(rest, op_words, 0);
    if (op != OD_VIEW_NONE)
        h->op = od_view_trim(od_view_from(rest, op + op_words.n));
    return true;
}

static bool row_late(struct od_view text, struct od_bfc_record *record)
{
    record->as.header = (struct od_bfc_header){0};
    if (!take_size(&text, &record->as.header.requested))
        return false;
    od_view_take(&text, OD_VIEW("."));
    od_view_skip_blanks(&text);
    return od_view_take(&text, OD_VIEW("See logs")) || may_end(text);
}

static bool row_words(struct od_view text, struct od_bfc_record *record)
{
    (void)text;
    record->as.pool = (struct od_bfc_pool_line){0};
    return true;
}

static bool row_end(struct od_view text, struct od_bfc_record *record)
{
    (void)record;
    return may_end(text);
}

static bool row_name(struct od_view text, struct od_bfc_record *record)
{
    text = od_view_trim(text);
    size_t n = od_until_any(text, 0, " <");
    record->as.name = od_view_head(text, n);
    return n > 0 && may_end(od_view_from(text, n));
}

static struct od_bytes *bin_member(struct od_bin_row *bin, struct od_view *rest)
{
    return od_view_take(rest, OD_VIEW("allocated for chunks"))             ? &bin->bytes
           : od_view_take(rest, OD_VIEW("in use in bin"))                  ? &bin->bytes_in_use
           : od_view_take(rest, OD_VIEW("client-requested in use in bin")) ? &bin->requested_in_use
           : od_view_take(rest, OD_VIEW("client-requested for chunks"))    ? &bin->requested
                                                                           : NULL;
}

static bool row_bin(struct od_view text, struct od_bfc_record *record)
{
    struct od_bin_row *bin = &record->as.bin;
    *bin = (struct od_bin_row){0};
    if (!od_num_take_u64(&text, &bin->min_bytes) || !od_view_take(&text, OD_VIEW("):")))
        return false;
    od_view_skip_blanks(&text);
    if (!od_view_take(&text, OD_VIEW("Total Chunks: ")) || !od_num_take_u64(&text, &bin->chunks) ||
        !od_view_take(&text, OD_VIEW(", Chunks in use: ")) ||
        !od_num_take_u64(&text, &bin->chunks_in_use))
        return false;
    bin->free_only = !od_view_take(&text, OD_VIEW(".")) && text.n > 0;
    for (;;) {
        struct od_bytes bytes;
        od_view_skip_blanks(&text);
        if (!take_size(&text, &bytes))
            return true;
        od_view_skip_blanks(&text);
        struct od_bytes *member = bin_member(bin, &text);
        if (!member)
            return true;
        *member = bytes;
        od_view_take(&text, OD_VIEW("."));
    }
}

static bool row_bin_for(struct od_view text, struct od_bfc_record *record)
{
    struct od_bytes bin;
    record->as.bytes = (struct od_bytes){0};
    return take_size(&text, &record->as.bytes) && od_view_take(&text, OD_VIEW(" was ")) &&
           take_size(&text, &bin) && od_view_take(&text, OD_VIEW(", Chunk State:")) &&
           may_end(text);
}

static bool row_state(struct od_view text, struct od_bfc_record *record)
{
    (void)record;
    struct od_bytes size;
    return take_size(&text, &size) && od_view_take(&text, OD_VIEW(" | Requested Size: ")) &&
           take_size(&text, &size) && od_view_take(&text, OD_VIEW(" | in_use: "));
}

/* ---- regions and chunks ---- */

static bool row_region(struct od_view text, struct od_bfc_record *record)
{
    return od_num_take_u64(&text, &record->as.region) && may_end(text);
}

static bool take_handle(struct od_view *text, uint32_t *ret_handle)
{
    uint64_t n;
    if (!od_num_take_u64(text, &n))
        return false;
    if (n == UINT64_MAX)
        *ret_handle = OD_HANDLE_END;
    else
        *ret_handle = n >= OD_HANDLE_UNKNOWN ? OD_HANDLE_UNKNOWN : (uint32_t)n;
    return true;
}

/* Removes a final " WORD N" from *tail. */
static bool drop_last(struct od_view *tail, struct od_view word, struct od_view *ret_number)
{
    size_t at = find_last(*tail, word);
    if (at == OD_VIEW_NONE)
        return false;
    struct od_view number = od_view_from(*tail, at + word.n);
    struct od_view rest = number;
    uint64_t n;
    if (!od_num_take_u64(&rest, &n) || !may_end(rest))
        return false;
    *ret_number = number;
    *tail = od_view_head(*tail, at);
    return true;
}

static void read_op(struct od_view text, struct od_chunk_details *details)
{
    size_t end = find_last(text, OD_VIEW(" action_count "));
    if (end == OD_VIEW_NONE) {
        details->op = text;
        return;
    }
    details->op = od_view_head(text, end);
    struct od_view rest = od_view_from(text, end + strlen(" action_count "));
    if (take_count(&rest, &details->action_count) && od_view_take(&rest, OD_VIEW(" step ")))
        (void)take_count(&rest, &details->step);
}

/* " tag T", " by op OP action_count A step S", " allocation_annotation X", in this order. */
static bool read_details(struct od_view text, struct od_bfc_chunk *c)
{
    text = od_view_trim(text);
    if (text.n == 0)
        return true;
    c->has_details = true;
    bool known = od_view_starts(text, OD_VIEW("tag ")) || od_view_starts(text, OD_VIEW("by op")) ||
                 od_view_starts(text, OD_VIEW("allocation_annotation"));
    size_t at = od_view_find(text, OD_VIEW("allocation_annotation "), 0);
    if (at != OD_VIEW_NONE) {
        c->details.annotation = od_view_from(text, at + strlen("allocation_annotation "));
        text = od_view_trim(od_view_head(text, at));
    }
    at = od_view_find(text, OD_VIEW("by op "), 0);
    if (at != OD_VIEW_NONE) {
        read_op(od_view_from(text, at + strlen("by op ")), &c->details);
        text = od_view_trim(od_view_head(text, at));
    }
    if (od_view_take(&text, OD_VIEW("tag ")))
        c->details.tag = od_view_trim(text);
    return known;
}

static bool read_tail(struct od_view tail, struct od_bfc_record *record)
{
    struct od_bfc_chunk *c = &record->as.chunk;
    struct od_view number;
    if (may_end(tail))
        return true;
    if (drop_last(&tail, OD_VIEW(" freed_at_count "), &number)) {
        c->has_details = true;
        (void)take_count(&number, &c->details.freed_at_count);
    }
    if (drop_last(&tail, OD_VIEW(" next "), &number))
        (void)take_handle(&number, &c->chunk.next);
    return read_details(tail, c) || record->signed_line;
}

static bool row_chunk(struct od_view text, struct od_bfc_record *record)
{
    struct od_bfc_chunk *c = &record->as.chunk;
    *c = (struct od_bfc_chunk){.chunk.next = OD_HANDLE_UNKNOWN, .chunk.in_use = true};
    if (!od_num_take_hex(&text, &c->chunk.address))
        return false;
    if (od_view_take(&text, OD_VIEW(" next ")) && !take_handle(&text, &c->chunk.next))
        return false;
    return od_view_take(&text, OD_VIEW(" of size ")) && od_num_take_u64(&text, &c->chunk.bytes) &&
           read_tail(text, record);
}

static bool row_free(struct od_view text, struct od_bfc_record *record)
{
    bool good = row_chunk(text, record);
    record->as.chunk.chunk.in_use = false;
    return good;
}

static bool row_sizes(struct od_view text, struct od_bfc_record *record)
{
    struct od_summary_row *row = &record->as.row;
    *row = (struct od_summary_row){0};
    if (!od_num_take_u64(&text, &row->count) || !od_view_take(&text, OD_VIEW(" Chunks of size ")) ||
        !od_num_take_u64(&text, &row->bytes) || !od_view_take(&text, OD_VIEW(" totalling ")) ||
        !take_size(&text, &row->total))
        return false;
    return may_end(text);
}

static bool row_total(struct od_view text, struct od_bfc_record *record)
{
    return take_size(&text, &record->as.bytes) && may_end(text);
}

static bool row_pool(struct od_view text, struct od_bfc_record *record)
{
    struct od_bfc_pool_line *pool = &record->as.pool;
    *pool = (struct od_bfc_pool_line){0};
    if (!take_count(&text, &pool->pool))
        return false;
    if (od_view_take(&text, OD_VIEW(" memory_limit_: ")) && take_count(&text, &pool->limit) &&
        od_view_take(&text, OD_VIEW(" available bytes: ")))
        (void)take_count(&text, &pool->available);
    return true;
}

/* "209715200", or since 2026 "200.00MiB". */
static bool row_stat(struct od_view text, struct od_bfc_record *record)
{
    struct od_bytes size;
    od_view_skip_blanks(&text);
    struct od_view rest = text;
    record->as.stat.rounded = false;
    if (od_num_take_u64(&rest, &record->as.stat.value) && may_end(rest))
        return true;
    if (!take_size(&text, &size) || !may_end(text))
        return false;
    record->as.stat.value = size.n;
    record->as.stat.rounded = size.n > 0;
    return true;
}

static bool row_occupancy(struct od_view text, struct od_bfc_record *record)
{
    size_t n = od_past_any(text, 0, "*x_");
    struct od_view rest = od_view_from(text, n);
    record->as.occupancy = n == OCCUPANCY ? od_view_head(text, n) : (struct od_view){0};
    if (od_view_starts(text, OD_VIEW("<allocator contains no memory>")))
        return true;
    return n >= OCCUPANCY_LEAST && n <= OCCUPANCY && may_end(rest);
}

/* ---- the kind of a line ---- */

typedef bool row_fn(struct od_view text, struct od_bfc_record *record);

struct grammar {
    enum od_bfc_kind kind;
    struct od_view word; /* words at the start of a line of this kind */
    row_fn *read;
    size_t member; /* offset in od_allocator_stats, for OD_BFC_STAT */
};

#define WORD(text)               \
    {                            \
        (text), sizeof(text) - 1 \
    }
#define STAT(name, member)                                                                  \
    {                                                                                       \
        OD_BFC_STAT, WORD(name ": "), row_stat, offsetof(struct od_allocator_stats, member) \
    }

/* The most frequent ones first. */
static const struct grammar grammars[] = {
    {OD_BFC_CHUNK, WORD("InUse at "), row_chunk, 0},
    {OD_BFC_CHUNK, WORD("Free  at "), row_free, 0},
    {OD_BFC_CHUNK, WORD("Free at "), row_free, 0},
    {OD_BFC_CHUNK, WORD("Chunk at "), row_chunk, 0},
    {OD_BFC_BIN, WORD("Bin ("), row_bin, 0},
    {OD_BFC_BIN_FOR, WORD("Bin for "), row_bin_for, 0},
    {OD_BFC_STATE, WORD("Size: "), row_state, 0},
    {OD_BFC_REGION, WORD("Next region of size "), row_region, 0},
    {OD_BFC_SUMMARY, WORD("Summary of in-use Chunks by size:"), row_end, 0},
    {OD_BFC_TOTAL, WORD("Sum Total of in-use chunks: "), row_total, 0},
    {OD_BFC_POOL, WORD("total_region_allocated_bytes_: "), row_pool, 0},
    {OD_BFC_POOL, WORD("Total bytes in pool: "), row_pool, 0},
    /* printed instead since 2026, with rounded sizes only */
    {OD_BFC_POOL, WORD("Allocator memory summary: rounded request "), row_words, 0},
    {OD_BFC_POOL, WORD("Spatial partitioning summary for "), row_words, 0},
    {OD_BFC_POOL, WORD("Allocator region growth hint: "), row_words, 0},
    {OD_BFC_STATS, WORD("Stats:"), row_end, 0},
    {OD_BFC_NAME, WORD("BFCAllocator dump for "), row_name, 0},
    {OD_BFC_HEADER, WORD("Allocator ("), row_header, 0},
    {OD_BFC_HINT, WORD("If the cause is memory fragmentation"), row_words, 0},
    {OD_BFC_HINT, WORD("If this is caused by memory fragmentation"), row_words, 0},
    {OD_BFC_HINT, WORD("Current allocation summary follows"), row_words, 0},
    {OD_BFC_LATE, WORD("Ran out of memory trying to allocate "), row_late, 0},
    STAT("Limit", limit),
    STAT("MaxInUse", max_in_use),
    STAT("InUse", in_use),
    STAT("NumAllocs", num_allocs),
    STAT("MaxAllocSize", max_alloc),
    STAT("PeakReserved", peak_reserved),
    STAT("Reserved", reserved),
    STAT("LargestFreeBlock", largest_free_block),
};

/* Reads a row that begins with the words of that grammar. */
static bool read_row(const struct grammar *grammar, struct od_view text,
                     struct od_bfc_record *record)
{
    record->kind = grammar->kind;
    bool good = grammar->read(od_view_from(text, grammar->word.n), record);
    if (grammar->kind == OD_BFC_HEADER || grammar->kind == OD_BFC_LATE)
        record->as.header.words = od_view_trim(text);
    if (grammar->kind == OD_BFC_STAT)
        record->as.stat.member = grammar->member;
    return good;
}

/* The words of a line that starts with a number, as in "3 Chunks of size 256 totalling 768B". */
static const struct od_view sizes_word = WORD(" Chunks of size ");

/* Is a word directly before that place? Then it is prose, unless a quotation begins there. */
static bool word_before(struct od_view text, size_t at)
{
    if (at > 0 && text.p[at - 1] == '\'')
        return false;
    at = od_back_any(text, at, " \t");
    if (at == 0)
        return false;
    char c = text.p[at - 1];
    return od_is_letter(c) || strchr("_,.;'", c);
}

/* Parses the text after the allocator's file name; false if it is not a line of a dump. */
static bool read_body(struct od_view body, struct od_bfc_record *record)
{
    record->signed_line = true;
    if (body.n == 0)
        return false;
    if (od_is_digit(body.p[0])) {
        record->kind = OD_BFC_ROW;
        return row_sizes(body, record);
    }
    for (size_t i = 0; i < OD_COUNT_OF(grammars); i++)
        if (body.p[0] == grammars[i].word.p[0] && od_view_starts(body, grammars[i].word))
            return read_row(&grammars[i], body, record);
    record->kind = OD_BFC_OCCUPANCY;
    return row_occupancy(body, record);
}

/* Position after "bfc_allocator.cc:NNN] ". */
static size_t front_length(struct od_view text)
{
    static const struct od_view file = WORD("bfc_allocator.cc:");
    for (size_t at = od_view_find(text, file, 0); at != OD_VIEW_NONE;
         at = od_view_find(text, file, at + 1)) {
        struct od_view rest = od_view_from(text, at + file.n);
        uint64_t line;
        if (od_num_take_u64(&rest, &line) && od_view_take(&rest, OD_VIEW("]"))) {
            od_view_skip_blanks(&rest);
            return (size_t)(rest.p - text.p);
        }
    }
    return 0;
}

/* Start of the number before " Chunks of size ". */
static size_t sizes_start(struct od_view text)
{
    size_t at = od_view_find(text, sizes_word, 0);
    if (at == OD_VIEW_NONE)
        return OD_VIEW_NONE;
    size_t start = od_back(text, at, od_is_digit);
    return start < at ? start : OD_VIEW_NONE;
}

/* The 100 characters at the end of a line without the allocator's file name; may also be a
 * ruler. */
static bool read_bare_occupancy(struct od_view text, struct od_bfc_record *record)
{
    text = od_view_trim(text);
    size_t start = od_back_any(text, text.n, "_*x");
    record->kind = OD_BFC_OCCUPANCY;
    return start < text.n && !word_before(text, start) &&
           row_occupancy(od_view_from(text, start), record) && record->as.occupancy.n > 0;
}

static bool read_bare(struct od_view text, struct od_bfc_record *record)
{
    record->signed_line = false;
    size_t at = sizes_start(text);
    if (at != OD_VIEW_NONE && !word_before(text, at)) {
        record->kind = OD_BFC_ROW;
        return row_sizes(od_view_from(text, at), record);
    }
    for (size_t i = 0; i < OD_COUNT_OF(grammars); i++) {
        at = od_view_find(text, grammars[i].word, 0);
        if (at == OD_VIEW_NONE || word_before(text, at))
            continue;
        if (read_row(&grammars[i], od_view_from(text, at), record))
            return true;
    }
    return read_bare_occupancy(text, record);
}

void od_bfc_line_read(struct od_view text, struct od_bfc_record *ret_record)
{
    size_t front = front_length(text);
    bool is_row =
        front > 0 ? read_body(od_view_from(text, front), ret_record) : read_bare(text, ret_record);
    if (!is_row)
        ret_record->kind = OD_BFC_NONE;
}
