#include "readers/logs/bfc_line.h"

#include "readers/logs/bfc_row.h"

typedef bool row_fn(struct od_view text, struct od_bfc_record *record);

struct grammar {
    enum od_bfc_kind kind;
    struct od_view word; /* the first words of a line */
    row_fn *read;
    size_t member; /* of od_allocator_stats, for STAT */
};

#define WORD(text)               \
    {                            \
        (text), sizeof(text) - 1 \
    }
#define STAT(name, member)                                                                         \
    {                                                                                              \
        OD_BFC_STAT, WORD(name ": "), od_bfc_row_stat, offsetof(struct od_allocator_stats, member) \
    }

/* The most frequent ones first. */
static const struct grammar grammars[] = {
    {OD_BFC_CHUNK, WORD("InUse at "), od_bfc_row_chunk, 0},
    {OD_BFC_CHUNK, WORD("Free  at "), od_bfc_row_free, 0},
    {OD_BFC_CHUNK, WORD("Free at "), od_bfc_row_free, 0},
    {OD_BFC_CHUNK, WORD("Chunk at "), od_bfc_row_chunk, 0},
    {OD_BFC_BIN, WORD("Bin ("), od_bfc_row_bin, 0},
    {OD_BFC_BIN_FOR, WORD("Bin for "), od_bfc_row_bin_for, 0},
    {OD_BFC_STATE, WORD("Size: "), od_bfc_row_state, 0},
    {OD_BFC_REGION, WORD("Next region of size "), od_bfc_row_region, 0},
    {OD_BFC_SUMMARY, WORD("Summary of in-use Chunks by size:"), od_bfc_row_end, 0},
    {OD_BFC_TOTAL, WORD("Sum Total of in-use chunks: "), od_bfc_row_total, 0},
    {OD_BFC_POOL, WORD("total_region_allocated_bytes_: "), od_bfc_row_pool, 0},
    {OD_BFC_POOL, WORD("Total bytes in pool: "), od_bfc_row_pool, 0},
    /* printed instead since 2026, with rounded sizes only */
    {OD_BFC_POOL, WORD("Allocator memory summary: rounded request "), od_bfc_row_words, 0},
    {OD_BFC_POOL, WORD("Spatial partitioning summary for "), od_bfc_row_words, 0},
    {OD_BFC_POOL, WORD("Allocator region growth hint: "), od_bfc_row_words, 0},
    {OD_BFC_STATS, WORD("Stats:"), od_bfc_row_end, 0},
    {OD_BFC_NAME, WORD("BFCAllocator dump for "), od_bfc_row_name, 0},
    {OD_BFC_HEADER, WORD("Allocator ("), od_bfc_row_header, 0},
    {OD_BFC_HINT, WORD("If the cause is memory fragmentation"), od_bfc_row_words, 0},
    {OD_BFC_HINT, WORD("If this is caused by memory fragmentation"), od_bfc_row_words, 0},
    {OD_BFC_HINT, WORD("Current allocation summary follows"), od_bfc_row_words, 0},
    {OD_BFC_LATE, WORD("Ran out of memory trying to allocate "), od_bfc_row_late, 0},
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

/* The word within a body that starts with a number. */
static const struct od_view sizes_word = WORD(" Chunks of size ");

/* Is there a word of prose directly before it? Not where a quotation begins. */
static bool word_before(struct od_view text, size_t at)
{
    if (at > 0 && text.p[at - 1] == '\'')
        return false;
    while (at > 0 && (text.p[at - 1] == ' ' || text.p[at - 1] == '\t'))
        at--;
    if (at == 0)
        return false;
    char c = text.p[at - 1];
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || strchr(",.;'", c);
}

/* Parses the text after the allocator's file name; false if it is not a line of a dump. */
static bool read_body(struct od_view body, struct od_bfc_record *record)
{
    record->signed_line = true;
    if (body.n == 0)
        return false;
    if (od_is_digit(body.p[0])) {
        record->kind = OD_BFC_ROW;
        return od_bfc_row_sizes(body, record);
    }
    for (size_t i = 0; i < OD_COUNT_OF(grammars); i++)
        if (body.p[0] == grammars[i].word.p[0] && od_view_starts(body, grammars[i].word))
            return read_row(&grammars[i], body, record);
    record->kind = OD_BFC_OCCUPANCY;
    return od_bfc_row_occupancy(body, record);
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
    size_t start = at;
    while (start > 0 && od_is_digit(text.p[start - 1]))
        start--;
    return start < at ? start : OD_VIEW_NONE;
}

/* The 100 characters at the end of a line without the allocator's file name; may also be a
 * ruler. */
static bool read_bare_occupancy(struct od_view text, struct od_bfc_record *record)
{
    text = od_view_trim(text);
    size_t start = text.n;
    while (start > 0 &&
           (text.p[start - 1] == '_' || text.p[start - 1] == '*' || text.p[start - 1] == 'x'))
        start--;
    record->kind = OD_BFC_OCCUPANCY;
    return start < text.n && !word_before(text, start) &&
           od_bfc_row_occupancy(od_view_from(text, start), record) && record->as.occupancy.n > 0;
}

static bool read_bare(struct od_view text, struct od_bfc_record *record)
{
    record->signed_line = false;
    size_t at = sizes_start(text);
    if (at != OD_VIEW_NONE && !word_before(text, at)) {
        record->kind = OD_BFC_ROW;
        return od_bfc_row_sizes(od_view_from(text, at), record);
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

/* "2024-07-18 08:38:38.266357" */
static size_t date_length(struct od_view text)
{
    static const char shape[] = "0000-00-00 00:00:00";
    if (text.n < sizeof shape - 1)
        return 0;
    for (size_t i = 0; i < sizeof shape - 1; i++)
        if (shape[i] == '0' ? !od_is_digit(text.p[i]) : text.p[i] != shape[i])
            return 0;
    size_t n = sizeof shape - 1, point = n < text.n && text.p[n] == '.';
    return n + point + od_num_digits(od_view_from(text, n + point));
}

/* Length of a glog stamp: "W1105 11:10:23.123456", without the letter. */
static size_t glog_length(struct od_view text)
{
    if (text.n < 14 || text.p[4] != ' ' || text.p[7] != ':' || text.p[10] != ':')
        return 0;
    if (od_num_digits(text) != 4)
        return 0;
    struct od_view rest = od_view_from(text, 11);
    (void)od_num_take_text(&rest);
    return text.n - rest.n;
}

static struct od_view find_stamp(struct od_view front)
{
    for (size_t at = 0; at < front.n; at++) {
        struct od_view rest = od_view_from(front, at);
        size_t n = od_is_digit(front.p[at]) ? date_length(rest) : 0;
        if (n == 0 && at > 0 && strchr("IWEF", front.p[at - 1]))
            n = glog_length(rest);
        if (n > 0)
            return od_view_head(rest, n);
    }
    return (struct od_view){0};
}

void od_bfc_line_read(struct od_view text, struct od_bfc_record *ret_record)
{
    size_t front = front_length(text);
    bool is_row =
        front > 0 ? read_body(od_view_from(text, front), ret_record) : read_bare(text, ret_record);
    if (!is_row)
        ret_record->kind = OD_BFC_NONE;
    if (ret_record->kind == OD_BFC_HEADER || ret_record->kind == OD_BFC_LATE) {
        struct od_bfc_header *h = &ret_record->as.header;
        h->stamp = find_stamp(od_view_head(text, (size_t)(h->words.p - text.p)));
    }
}
