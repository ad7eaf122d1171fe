#include "readers/logs/bfc_row.h"

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
    while (n > 0 && (text->p[n - 1] == '.' || text->p[n - 1] == ','))
        n--;
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
    static const char *const ends[] = {"Current allocation summary", "(rounded to",
                                       "requested by op", "from the "};
    od_view_take(&rest, OD_VIEW("."));
    rest = od_view_trim(rest);
    if (rest.n == 0)
        return true;
    for (size_t i = 0; i < OD_COUNT_OF(ends); i++)
        if (od_view_starts(rest, od_view_of(ends[i])))
            return true;
    return rest.p[0] == '<';
}

bool od_bfc_row_header(struct od_view text, struct od_bfc_record *record)
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

bool od_bfc_row_late(struct od_view text, struct od_bfc_record *record)
{
    record->as.header = (struct od_bfc_header){0};
    if (!take_size(&text, &record->as.header.requested))
        return false;
    od_view_take(&text, OD_VIEW("."));
    od_view_skip_blanks(&text);
    return od_view_take(&text, OD_VIEW("See logs")) || may_end(text);
}

bool od_bfc_row_words(struct od_view text, struct od_bfc_record *record)
{
    (void)text;
    record->as.pool = (struct od_bfc_pool_line){0};
    return true;
}

bool od_bfc_row_end(struct od_view text, struct od_bfc_record *record)
{
    (void)record;
    return may_end(text);
}

bool od_bfc_row_name(struct od_view text, struct od_bfc_record *record)
{
    text = od_view_trim(text);
    size_t n = 0;
    while (n < text.n && text.p[n] != ' ' && text.p[n] != '<')
        n++;
    record->as.name = od_view_head(text, n);
    return n > 0 && may_end(od_view_from(text, n));
}

static struct od_bytes *bin_member(struct od_bin_row *bin, struct od_view *rest)
{
    if (od_view_take(rest, OD_VIEW("allocated for chunks")))
        return &bin->bytes;
    if (od_view_take(rest, OD_VIEW("in use in bin")))
        return &bin->bytes_in_use;
    if (od_view_take(rest, OD_VIEW("client-requested in use in bin")))
        return &bin->requested_in_use;
    if (od_view_take(rest, OD_VIEW("client-requested for chunks")))
        return &bin->requested;
    return NULL;
}

bool od_bfc_row_bin(struct od_view text, struct od_bfc_record *record)
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

bool od_bfc_row_bin_for(struct od_view text, struct od_bfc_record *record)
{
    struct od_bytes bin;
    record->as.bytes = (struct od_bytes){0};
    return take_size(&text, &record->as.bytes) && od_view_take(&text, OD_VIEW(" was ")) &&
           take_size(&text, &bin) && od_view_take(&text, OD_VIEW(", Chunk State:")) &&
           may_end(text);
}

bool od_bfc_row_state(struct od_view text, struct od_bfc_record *record)
{
    (void)record;
    struct od_bytes size;
    return take_size(&text, &size) && od_view_take(&text, OD_VIEW(" | Requested Size: ")) &&
           take_size(&text, &size) && od_view_take(&text, OD_VIEW(" | in_use: "));
}

/* ---- regions and chunks ---- */

bool od_bfc_row_region(struct od_view text, struct od_bfc_record *record)
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

bool od_bfc_row_chunk(struct od_view text, struct od_bfc_record *record)
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

bool od_bfc_row_free(struct od_view text, struct od_bfc_record *record)
{
    bool good = od_bfc_row_chunk(text, record);
    record->as.chunk.chunk.in_use = false;
    return good;
}

bool od_bfc_row_sizes(struct od_view text, struct od_bfc_record *record)
{
    struct od_summary_row *row = &record->as.row;
    *row = (struct od_summary_row){0};
    if (!od_num_take_u64(&text, &row->count) || !od_view_take(&text, OD_VIEW(" Chunks of size ")) ||
        !od_num_take_u64(&text, &row->bytes) || !od_view_take(&text, OD_VIEW(" totalling ")) ||
        !take_size(&text, &row->total))
        return false;
    return may_end(text);
}

bool od_bfc_row_total(struct od_view text, struct od_bfc_record *record)
{
    return take_size(&text, &record->as.bytes) && may_end(text);
}

bool od_bfc_row_pool(struct od_view text, struct od_bfc_record *record)
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
bool od_bfc_row_stat(struct od_view text, struct od_bfc_record *record)
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

bool od_bfc_row_occupancy(struct od_view text, struct od_bfc_record *record)
{
    size_t n = 0;
    while (n < text.n && strchr("*x_", text.p[n]) && text.p[n] != '\0')
        n++;
    struct od_view rest = od_view_from(text, n);
    record->as.occupancy = n == OCCUPANCY ? od_view_head(text, n) : (struct od_view){0};
    if (od_view_starts(text, OD_VIEW("<allocator contains no memory>")))
        return true;
    return n >= OCCUPANCY_LEAST && n <= OCCUPANCY && may_end(rest);
}
