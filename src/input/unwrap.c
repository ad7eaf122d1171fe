#include "input/unwrap.h"

#include "base/map.h"
#include "input/peel.h"

#include <limits.h>

enum { LANES = 4096, LAYERS = 16, NESTED = 8, NEAR_BACKSPACES = 2, RECENT_BITS = 7 };
enum { BUDGET_LEAST = 64 * 1024, BUDGET_TIMES = 10 };

/* The rest of a text with several lines, and the data of its wrapper. */
struct level {
    struct od_peel said;
    struct od_view rest;
    bool bare; /* the wrapper has no data */
};

struct od_unwrap {
    struct od_arena *scratch; /* owns rewritten text of the line */
    struct od_prov at;
    struct level levels[NESTED];
    size_t nlevels;
    size_t budget;       /* bytes of scratch that nested layers may still use */
    bool given;          /* a line of the current physical line was returned */
    struct od_peel last; /* the line returned last */
    struct od_view from; /* text of the last line, if no wrapper had data; otherwise empty */
    od_unwrap_known_fn *known;
    void *known_self;

    struct od_arena *arena; /* owns the lanes */
    struct od_map index;    /* maps the key of a lane to its number + 1 */
    OD_VEC(struct od_place *) lanes;
    uint64_t crowded;
    bool titles;         /* the title of a thread counts like any line */
    uint64_t title_line; /* line number of the source's title; 0 = none */
    struct od_buf key;
    uint32_t last_source;              /* source of the last lane */
    uint32_t recent[1 << RECENT_BITS]; /* cache of lanes by hash: number of the lane + 1 */
};

struct od_unwrap *od_unwrap_new(void)
{
    struct od_unwrap *unwrap = od_mem_alloc(1, sizeof *unwrap);
    unwrap->scratch = od_arena_new();
    unwrap->arena = od_arena_new();
    return unwrap;
}

void od_unwrap_free(struct od_unwrap *unwrap)
{
    if (!unwrap)
        return;
    od_arena_free(unwrap->scratch);
    od_arena_free(unwrap->arena);
    od_map_done(&unwrap->index);
    od_vec_done(&unwrap->lanes);
    od_buf_done(&unwrap->key);
    od_mem_free(unwrap);
}

void od_unwrap_ask(struct od_unwrap *unwrap, od_unwrap_known_fn *known, void *self)
{
    unwrap->known = known;
    unwrap->known_self = self;
}

void od_unwrap_title_line(struct od_unwrap *unwrap, uint64_t line)
{
    unwrap->title_line = line;
}

void od_unwrap_titles(struct od_unwrap *unwrap, bool count)
{
    unwrap->titles = count;
}

uint64_t od_unwrap_crowded(const struct od_unwrap *unwrap)
{
    return unwrap->crowded;
}

static bool same_count(struct od_count a, struct od_count b)
{
    return a.known == b.known && (!a.known || a.n == b.n);
}

static bool same_place(const struct od_place *place, const struct od_peel *peel)
{
    return od_view_eq(place->host, peel->host) && od_view_eq(place->process, peel->process) &&
           same_count(place->pid, peel->pid) && same_count(place->rank, peel->rank);
}

static void key_add_count(struct od_buf *key, struct od_count count)
{
    od_buf_add_char(key, count.known ? '\1' : '\0');
    od_buf_add(key, (struct od_view){.p = (const char *)&count.n, .n = sizeof count.n});
}

static void key_add_view(struct od_buf *key, struct od_view view)
{
    key_add_count(key, od_count_of(view.n));
    od_buf_add(key, view);
}

static uint32_t add_lane(struct od_unwrap *unwrap, const struct od_peel *peel)
{
    struct od_place *place = OD_NEW(unwrap->arena, struct od_place);
    place->host = od_arena_view(unwrap->arena, peel->host);
    place->process = od_arena_view(unwrap->arena, peel->process);
    place->pid = peel->pid;
    place->rank = peel->rank;
    od_vec_push(&unwrap->lanes, place);
    return (uint32_t)(unwrap->lanes.n - 1);
}

static uint32_t find_lane(struct od_unwrap *unwrap, const struct od_peel *peel)
{
    struct od_buf *key = &unwrap->key;
    key->n = 0;
    key_add_count(key, od_count_of(unwrap->at.source));
    key_add_view(key, peel->host);
    key_add_view(key, peel->process);
    key_add_count(key, peel->pid);
    key_add_count(key, peel->rank);
    const uint64_t *known = od_map_get(&unwrap->index, od_buf_view(key));
    if (known)
        return (uint32_t)(*known - 1);
    if (unwrap->lanes.n == LANES) {
        unwrap->crowded++;
        return LANES - 1;
    }
    uint32_t lane = add_lane(unwrap, peel);
    *od_map_at(&unwrap->index, od_buf_view(key)) = lane + 1U;
    return lane;
}

/* Returns the lane of a line. Most lines have one of the latest lanes. */
static uint32_t lane_of(struct od_unwrap *unwrap, const struct od_peel *peel)
{
    /* spreads neighboring PIDs and hosts with similar names */
    const uint64_t spread = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t host = peel->host.n > 0 ? (unsigned char)peel->host.p[peel->host.n - 1] : 0U;
    uint64_t who = ((peel->pid.n * spread + peel->rank.n) * spread + host) * spread;
    uint32_t *recent = &unwrap->recent[who >> (64 - RECENT_BITS)];
    if (unwrap->last_source != unwrap->at.source)
        memset(unwrap->recent, 0, sizeof unwrap->recent);
    unwrap->last_source = unwrap->at.source;
    if (*recent == 0 || !same_place(unwrap->lanes.items[*recent - 1], peel))
        *recent = find_lane(unwrap, peel) + 1;
    return *recent - 1;
}

bool od_peel_one(struct od_peel *peel)
{
    static bool (*const peelers[])(struct od_peel *) = {
        od_peel_json,
        od_peel_prefix,
        od_peel_logfmt,
        od_peel_syslog,
        od_peel_rfc5424,
        od_peel_kernel,
        od_peel_mpi,
        od_peel_actor,
        od_peel_block_prefix,
        od_peel_iso, /* must come after the prefixes that contain a time */
        od_peel_quote,
        od_peel_backquotes,
        /* must come last, because they search the whole line */
        od_peel_repr,
    };
    if (od_peel_nuls(peel) || od_peel_ansi(peel) || od_peel_entities(peel))
        return true;
    if (peel->text.n == 0)
        return false;
    for (size_t i = 0; i < OD_COUNT_OF(peelers); i++)
        if (peelers[i](peel))
            return true;
    return false;
}

static void peel_all(struct od_unwrap *unwrap, struct od_peel *peel)
{
    for (unsigned layer = 0; layer < LAYERS; layer++) {
        if (od_arena_used(unwrap->scratch) > unwrap->budget || !od_peel_one(peel))
            return;
    }
}

/* ---- several lines in a physical line ---- */

/* Length of a line break at the start of the text; 0 = none. A run of backspaces erases text like a
 * CR; a single one is overstrike. */
static size_t break_length(struct od_view text)
{
    size_t n = 0;
    if (text.p[0] == '\r' || text.p[0] == '\n')
        return 1;
    while (n < text.n && text.p[n] == '\b')
        n++;
    return n >= NEAR_BACKSPACES ? n : 0;
}

typedef unsigned char lanes __attribute__((vector_size(16)));

/* Offset of the next byte up to CR; the length of the text if there is none. */
static size_t low_byte(struct od_view text, size_t at)
{
    lanes bytes;
    uint64_t low[sizeof bytes / sizeof(uint64_t)];
    for (; at + sizeof bytes <= text.n; at += sizeof bytes) {
        memcpy(&bytes, text.p + at, sizeof bytes);
        bytes = (lanes)(bytes <= '\r');
        memcpy(low, &bytes, sizeof bytes);
        if (low[0] != 0)
            return at + (unsigned)__builtin_ctzll(le64toh(low[0])) / CHAR_BIT;
        if (low[1] != 0)
            return at + sizeof low[0] + (unsigned)__builtin_ctzll(le64toh(low[1])) / CHAR_BIT;
    }
    while (at < text.n && (unsigned char)text.p[at] > '\r')
        at++;
    return at;
}

/* Offset of the next line break; the length of the text if there is none. */
static size_t break_at(struct od_view text, size_t *ret_length)
{
    *ret_length = 0;
    for (size_t at = 0; (at = low_byte(text, at)) < text.n; at++) {
        *ret_length = break_length(od_view_from(text, at));
        if (*ret_length > 0)
            return at;
    }
    return text.n;
}

static bool has_break(struct od_view text)
{
    return od_view_find_char(text, '\r', 0) != OD_VIEW_NONE ||
           od_view_find_char(text, '\n', 0) != OD_VIEW_NONE ||
           (od_view_find_char(text, '\b', 0) != OD_VIEW_NONE && od_view_has(text, OD_VIEW("\b\b")));
}

/* Does the text begin with the class of an exception: "torch.OutOfMemoryError: ..."? */
bool od_begins_with_class(struct od_view text)
{
    size_t n = od_view_find(text, OD_VIEW(": "), 0);
    struct od_view name = od_view_head(text, n == OD_VIEW_NONE ? 0 : n);
    return od_view_find_char(name, ' ', 0) == OD_VIEW_NONE &&
           od_view_find_char(name, ':', 0) == OD_VIEW_NONE &&
           (od_view_ends(name, OD_VIEW("Error")) || od_view_ends(name, OD_VIEW("Exception")));
}

/* The title from an exception's class on ("Cannot start: OSError: ..."), or all of it. */
static struct od_view from_class(struct od_view title)
{
    for (size_t i = 1; i < title.n; i++)
        if ((title.p[i - 1] == ' ' || title.p[i - 1] == ':') &&
            od_begins_with_class(od_view_from(title, i)))
            return od_view_from(title, i);
    return title;
}

/* Removes the mark of a Markdown heading or comment from a title. A title with an exception is read
 * as the line of the exception. */
static struct od_view without_heading(const struct od_unwrap *unwrap, struct od_view text,
                                      bool *ret_heading)
{
    enum { DEEPEST = 6 };
    size_t n = od_past_any(od_view_head(text, DEEPEST), 0, "#");
    if (unwrap->at.line != unwrap->title_line)
        return text;
    if (n == text.n || (n > 0 && text.p[n] != ' '))
        return text;
    struct od_view title = od_view_trim(od_view_from(text, n));
    *ret_heading = true;
    if (unwrap->titles)
        return from_class(title);
    return od_begins_with_class(title) ? title : text;
}

static bool is_same(struct od_view a, struct od_view b)
{
    return a.p == b.p && a.n == b.n;
}

static void push_level(struct od_unwrap *unwrap, const struct od_peel *said)
{
    bool bare = unwrap->nlevels == 0 && is_same(said->text, unwrap->from);
    unwrap->levels[unwrap->nlevels++] =
        (struct level){.said = *said, .rest = said->text, .bare = bare};
}

void od_unwrap_start(struct od_unwrap *unwrap, const struct od_raw_line *raw)
{
    od_arena_reset(unwrap->scratch);
    unwrap->at = raw->at;
    unwrap->nlevels = 0;
    unwrap->given = false;
    unwrap->budget = od_arena_used(unwrap->scratch) + BUDGET_LEAST + BUDGET_TIMES * raw->bytes.n;
    struct od_peel peel = {.text = raw->bytes, .labels = raw->labels, .arena = unwrap->scratch};
    unwrap->from = raw->bytes;
    push_level(unwrap, &peel);
}

static void give(struct od_unwrap *unwrap, const struct od_peel *peel, struct od_line *ret_line)
{
    uint32_t lane = lane_of(unwrap, peel);
    unwrap->given = true;
    *ret_line = (struct od_line){.text = peel->text,
                                 .stamp = peel->stamp,
                                 .at = unwrap->at,
                                 .lane = lane,
                                 .place = unwrap->lanes.items[lane],
                                 .segment = peel->heading ? OD_SEGMENT_TITLE : OD_SEGMENT_OPEN,
                                 .overprinted = peel->overprinted};
}

/* Does the terminal return to the start of the line at that break and overprint it? CRs may also
 * belong to a line end. */
static bool goes_back(struct od_view rest, size_t n, size_t length)
{
    struct od_view after = od_view_from(rest, n + length);
    return length > 0 && rest.p[n] != '\n' && after.n > 0 && after.p[0] != '\r' &&
           after.p[0] != '\n';
}

/* The next piece of the innermost level with the data of its wrappers. False if there is none. */
static bool next_piece(struct level *level, struct od_peel *ret_peel)
{
    while (level->rest.n > 0) {
        size_t length;
        size_t n = break_at(level->rest, &length);
        struct od_view piece = od_view_head(level->rest, n);
        bool overprinted = goes_back(level->rest, n, length);
        level->rest = od_view_from(level->rest, n + length);
        if (piece.n == 0)
            continue;
        *ret_peel = level->said;
        ret_peel->text = piece;
        ret_peel->overprinted |= overprinted;
        ret_peel->asked = (struct od_view){0};
        return true;
    }
    return false;
}

/* Stores the text of the next line. Is it known to be plain? */
static bool is_known_piece(struct od_unwrap *unwrap, const struct od_peel *peel)
{
    bool bare = unwrap->nlevels == 1 && unwrap->levels[0].bare;
    unwrap->from = bare ? peel->text : (struct od_view){0};
    return bare && unwrap->known && unwrap->known(unwrap->known_self, peel->text, peel->labels);
}

bool od_unwrap_next(struct od_unwrap *unwrap, struct od_line *ret_line)
{
    struct od_peel peel = unwrap->levels[0].said;
    bool whole = !unwrap->given && unwrap->nlevels == 1;
    while (unwrap->nlevels > 0) {
        bool plain = false;
        if (whole) {
            /* wrappers of the whole line are removed first; their data applies to every piece */
            whole = false;
            unwrap->nlevels = 0;
        } else if (!next_piece(&unwrap->levels[unwrap->nlevels - 1], &peel)) {
            unwrap->nlevels--;
            continue;
        } else
            plain = is_known_piece(unwrap, &peel);
        if (!plain)
            peel_all(unwrap, &peel);
        peel.text = without_heading(unwrap, peel.text, &peel.heading);
        if (!plain && unwrap->nlevels < NESTED && has_break(peel.text)) {
            push_level(unwrap, &peel);
            continue;
        }
        unwrap->last = peel;
        give(unwrap, &peel, ret_line);
        return true;
    }
    if (unwrap->given)
        return false;
    /* a line of only CRs is empty */
    peel.text.n = 0;
    unwrap->last = peel;
    give(unwrap, &peel, ret_line);
    return true;
}

/* Does the text have a number whose value affects unwrapping: in an escape, in an entity, or too
 * large for a counter? */
static bool has_number_of_escape(struct od_view text)
{
    size_t at = 0;
    for (; (at = od_view_find_char(text, '\\', at)) != OD_VIEW_NONE && at + 1 < text.n; at++)
        if (od_is_digit(text.p[at + 1]) || memchr("uUx", text.p[at + 1], 3))
            return true;
    for (at = 0; (at = od_view_find_char(text, '#', at)) != OD_VIEW_NONE && at + 1 < text.n; at++)
        if (od_is_digit(text.p[at + 1]))
            return true;
    return od_num_has_long(text);
}

bool od_unwrap_is_plain(const struct od_unwrap *unwrap, struct od_view text)
{
    return is_same(text, unwrap->from) && is_same(text, unwrap->last.text) &&
           unwrap->last.asked.n == 0 && !has_number_of_escape(text);
}

void od_unwrap_plain(struct od_unwrap *unwrap, const struct od_raw_line *raw,
                     struct od_line *ret_line)
{
    struct od_peel peel = {.text = raw->bytes};
    unwrap->at = raw->at;
    give(unwrap, &peel, ret_line);
}

static struct od_view part_of(struct od_view raw, struct od_layer_part part)
{
    return (struct od_view){part.n > 0 ? raw.p + part.at : NULL, part.n};
}

/* Stores the position of a part. False if it is not within the line. */
static bool note_part(struct od_view raw, struct od_view part, struct od_layer_part *ret_part)
{
    *ret_part = (struct od_layer_part){0};
    if (part.n == 0)
        return true;
    if (part.p < raw.p || part.p + part.n > raw.p + raw.n || raw.n > UINT16_MAX)
        return false;
    *ret_part = (struct od_layer_part){(uint16_t)(part.p - raw.p), (uint16_t)part.n};
    return true;
}

/* Stores the position of the digits in "name[pid]". False if the PID comes from another place. */
static bool note_pid(struct od_view raw, struct od_count pid, struct od_layers *layers)
{
    size_t end = (size_t)layers->process.at + layers->process.n;
    struct od_view rest = od_view_from(raw, end + 1);
    uint64_t n;
    layers->pid = (struct od_layer_part){0};
    if (!pid.known)
        return true;
    struct od_view figures = rest;
    if (layers->process.n == 0 || end >= raw.n || raw.p[end] != '[' ||
        !od_num_take_u64(&rest, &n) || n != pid.n)
        return false;
    return note_part(raw, od_view_head(figures, figures.n - rest.n), &layers->pid);
}

bool od_unwrap_layers(const struct od_unwrap *unwrap, const struct od_raw_line *raw,
                      struct od_layers *ret_layers)
{
    const struct od_peel *peel = &unwrap->last;
    struct od_layers *layers = ret_layers;
    struct od_view bytes = raw->bytes;
    layers->labels = raw->labels;
    if (raw->at.line == unwrap->title_line || peel->text.n == 0 || peel->rank.known ||
        peel->heading || peel->overprinted || peel->asked.n > sizeof layers->said ||
        has_number_of_escape(bytes) || !note_part(bytes, peel->text, &layers->text) ||
        !note_part(bytes, peel->stamp, &layers->stamp) ||
        !note_part(bytes, peel->host, &layers->host) ||
        !note_part(bytes, peel->process, &layers->process) ||
        !note_part(bytes, peel->asked, &layers->asked) || !note_pid(bytes, peel->pid, layers))
        return false;
    if (peel->asked.n > 0)
        memcpy(layers->said, peel->asked.p, peel->asked.n);
    return true;
}

bool od_unwrap_layered(struct od_unwrap *unwrap, const struct od_raw_line *raw,
                       const struct od_layers *layers, struct od_line *ret_line)
{
    struct od_view bytes = raw->bytes, figures = part_of(bytes, layers->pid);
    struct od_peel peel = {.text = part_of(bytes, layers->text),
                           .stamp = part_of(bytes, layers->stamp),
                           .host = part_of(bytes, layers->host),
                           .process = part_of(bytes, layers->process)};
    if (raw->labels != layers->labels || raw->at.line == 1 ||
        (layers->asked.n > 0 &&
         memcmp(bytes.p + layers->asked.at, layers->said, layers->asked.n) != 0))
        return false;
    uint64_t pid;
    if (layers->pid.n > 0 && !od_num_take_u64(&figures, &pid))
        return false;
    if (layers->pid.n > 0)
        peel.pid = od_count_of(pid);
    unwrap->at = raw->at;
    give(unwrap, &peel, ret_line);
    return true;
}
