#include "redact/redact.h"

#include "base/map.h"
#include "base/mask_digits.h"
#include "redact/cut_words.h"
#include "redact/forms.h"
#include "redact/layers.h"
#include "redact/search.h"

#include <xxhash.h>

enum { LEARNT_LEAST = 3, LEARNT_MOST = 64, WINDOW = 256 * 1024, HEADS = 8192 / 64 };
enum { PIECE_LEAST = 1024, PIECE_MOST = 16 * 1024, PLACES_MOST = 1024 * 1024 };

/* A part of the text that is replaced, and the replacement. */
struct od_redacted_part {
    size_t start, end;
    enum od_redact_kind kind;
    struct od_view what;
};

/* A part in less memory, for a text that was read while names were learnt. */
struct place {
    uint32_t start, n;
    enum od_redact_kind kind;
};

/* A piece of a read text. Reading it again gives the same finds, and names learnt since. */
struct piece {
    uint64_t hash;
    size_t n, names;
    size_t place, nplaces;
    bool kept; /* the parts of the piece are stored and complete */
};

struct od_redactor {
    bool columns;
    bool learning;
    bool cut;       /* texts are parts of a report that may be cut */
    size_t cut_end; /* maximum number of bytes in a line after a cut */
    size_t window;
    struct od_map numbers[OD_REDACT_END]; /* maps a replaced text to its number */
    struct od_map learnt;  /* maps a learnt name or secret to its struct od_learnt_name */
    size_t nnames;         /* number of learnt texts that are names */
    uint64_t heads[HEADS]; /* bit set of first bytes of learnt texts */
    size_t longest;        /* length of the longest learnt text */
    uint64_t counts[OD_REDACT_END];
    OD_VEC(struct piece) pieces;
    OD_VEC(struct place) places;
    size_t piece;    /* index of the next piece to write */
    bool names_only; /* search only for learnt names, because other finds are stored */
    struct od_words *words;
    struct od_heads *line_heads;
    struct od_forms *forms;
    struct od_layers layers;
    struct od_before before[OD_LAYERS_MOST + 1]; /* one for each layer */
    od_finds finds;                              /* finds in a layer */
    OD_VEC(struct od_redacted_part) parts;       /* parts of the text */
    struct od_arena *scratch;
};

static const struct {
    const char *word, *one, *many;
} kinds[OD_REDACT_END] = {
#define OD_REDACT_KIND(constant, word, one, many) {word, one, many},
    OD_REDACT_KINDS(OD_REDACT_KIND)
#undef OD_REDACT_KIND
};

struct od_redactor *od_redactor_new(bool columns)
{
    struct od_redactor *r = od_mem_alloc(1, sizeof *r);
    r->columns = columns;
    r->window = WINDOW;
    r->words = od_words_new();
    r->line_heads = od_mem_alloc(1, sizeof *r->line_heads);
    r->forms = od_forms_new();
    r->scratch = od_arena_new();
    return r;
}

void od_redactor_free(struct od_redactor *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < OD_REDACT_END; i++)
        od_map_done(&r->numbers[i]);
    od_map_done(&r->learnt);
    od_words_free(r->words);
    od_mem_free(r->line_heads);
    od_forms_free(r->forms);
    od_layers_done(&r->layers);
    od_vec_done(&r->finds);
    od_vec_done(&r->parts);
    od_vec_done(&r->pieces);
    od_vec_done(&r->places);
    od_arena_free(r->scratch);
    od_mem_free(r);
}

static uint64_t number_of(struct od_redactor *r, enum od_redact_kind kind, struct od_view what)
{
    struct od_map *map = &r->numbers[kind];
    const uint64_t *known = od_map_get(map, what);
    if (known)
        return *known;
    if (map->n >= OD_REDACT_NAMES)
        return OD_REDACT_NAMES + 1;
    uint64_t *number = od_map_at(map, what);
    *number = map->n;
    return *number;
}

/* Writes the replacement word. If columns must be kept, cuts it before its number or pads it to the
 * length of the replaced text. */
static void put_word(const struct od_redactor *r, const char *word, uint64_t number, size_t length,
                     struct od_buf *to)
{
    char digits[21];
    const char *tail = od_num_print_u64(number, digits);
    size_t letters = strlen(word);
    size_t need = strlen(tail);
    if (r->columns && length > need && length < letters + need)
        letters = length - need;
    od_buf_add(to, (struct od_view){word, letters});
    od_buf_add_str(to, tail);
    for (size_t n = letters + need; r->columns && n < length; n++)
        od_buf_add_char(to, '_');
}

static void put_learnt(struct od_redactor *r, struct od_view name, uint64_t value)
{
    unsigned head = od_learnt_head(name.p);
    *od_map_at(&r->learnt, name) = value;
    r->heads[head / 64] |= (uint64_t)1 << head % 64;
    r->longest = name.n > r->longest ? name.n : r->longest;
}

static void learn_name(struct od_redactor *r, struct od_view name, enum od_redact_kind kind)
{
    if (name.n < LEARNT_LEAST || name.n > LEARNT_MOST ||
        od_words_is(r->words, name, OD_ROLE_COMMON | OD_ROLE_SITE) || r->nnames >= OD_REDACT_NAMES)
        return;
    r->nnames += od_map_get(&r->learnt, name) == NULL;
    put_learnt(r, name, (uint64_t)kind);
}

/* Learns a password, which is then replaced wherever it is a separate word. Common words are not
 * learnt unless they are long or have more than letters. Stores the number of marks at both ends,
 * because searches begin at a letter. */
static void learn_secret(struct od_redactor *r, struct od_view secret)
{
    enum { LEAST = 6, LETTERS_LEAST = 8, SECRETS = OD_REDACT_NAMES, ENDS_MOST = 255 };
    struct od_view core = secret;
    while (core.n > 0 && !od_is_text(core.p[core.n - 1]))
        core.n--;
    size_t trail = secret.n - core.n;
    while (core.n > 0 && !od_is_text(core.p[0]))
        core = od_view_from(core, 1);
    size_t lead = secret.n - trail - core.n;
    bool letters = od_is_letters(core, "");
    bool marked = od_run(core, 0, "") < core.n;
    if (secret.n < LEAST || core.n < LEARNT_LEAST + 1 || core.n > OD_RUN_MOST ||
        lead + trail > ENDS_MOST || r->learnt.n - r->nnames >= SECRETS ||
        od_words_roles(r->words, core) != 0 || od_map_get(&r->learnt, core))
        return;
    bool digits = od_num_digits(core) == core.n;
    if (letters || marked || digits ? secret.n >= LETTERS_LEAST : od_is_mixed(secret, LEAST))
        put_learnt(r, core,
                   (uint64_t)OD_REDACT_SECRET | (uint64_t)lead << 8 | (uint64_t)trail << 16);
}

/* Replaces the name's digits by zeros, in a buffer of LEARNT_MOST bytes. */
static struct od_view masked(struct od_view name, char *room)
{
    for (size_t i = 0; i < name.n; i++)
        room[i] = od_is_digit(name.p[i]) ? '0' : name.p[i];
    return (struct od_view){room, name.n};
}

/* Learns all machines whose names differ only in their numbers: gpu-b07 and gpu-b12. */
static void learn_family(struct od_redactor *r, struct od_view name)
{
    char room[LEARNT_MOST];
    if (name.n <= LEARNT_MOST && od_has_digit(name) && od_is_machine(r->words, name, false))
        learn_name(r, masked(name, room), OD_REDACT_HOST);
}

/* Learns the first label of a host with the host's number. */
static void learn_host(struct od_redactor *r, struct od_view name)
{
    learn_family(r, od_view_head(name, od_view_find_char(name, '.', 0)));
    size_t dot = od_view_find_char(name, '.', 0);
    if (dot == OD_VIEW_NONE || dot < 4)
        return;
    struct od_view label = od_view_head(name, dot);
    uint64_t number = number_of(r, OD_REDACT_HOST, label);
    if (!od_map_get(&r->numbers[OD_REDACT_HOST], name))
        *od_map_at(&r->numbers[OD_REDACT_HOST], name) = number;
    learn_name(r, label, OD_REDACT_HOST);
}

/* Learns the uncommon words of a name, in lower case and capitalized: "renske" and "Hoekstra" of
 * "Renske Hoekstra"; of a person also "rhoekstra" and "renskehoekstra". */
static void learn_words(struct od_redactor *r, struct od_view name, enum od_redact_kind kind)
{
    char all[LEARNT_MOST], initial[LEARNT_MOST];
    size_t words = 0, n = 0, last = 0;
    for (size_t at = 0; at < name.n && name.n <= LEARNT_MOST; at++) {
        size_t start = at;
        while (at < name.n && (od_is_letter(name.p[at]) || name.p[at] & '\x80'))
            at++;
        if (at == start)
            continue;
        (void)od_view_lowered(od_view_part(name, start, at), all + n, sizeof all - n);
        struct od_view word = {all + n, at - start};
        bool own = word.n > LEARNT_LEAST && od_is_strange(r->words, word);
        last = own ? n : last;
        n += word.n;
        words++;
        if (!own)
            continue;
        learn_name(r, word, kind);
        initial[0] = od_upper(word.p[0]);
        memcpy(initial + 1, word.p + 1, word.n - 1);
        learn_name(r, (struct od_view){initial, word.n}, kind);
    }
    if (kind != OD_REDACT_USER || words < 2 || last == 0)
        return;
    learn_name(r, (struct od_view){all, n}, kind);
    initial[0] = all[0];
    memcpy(initial + 1, all + last, n - last);
    learn_name(r, (struct od_view){initial, n - last + 1}, kind);
}

/* Learns the owner of a site: "stellwerk" of "wiki.stellwerk.example". */
static void learn_owner(struct od_redactor *r, struct od_view host)
{
    struct od_view owner = od_registered(host);
    if (owner.n < host.n && !od_words_is(r->words, owner, OD_ROLE_SITE) &&
        od_is_strange(r->words, owner)) {
        learn_name(r, owner, OD_REDACT_ORG);
        learn_words(r, owner, OD_REDACT_ORG);
    }
}

static void learn(struct od_redactor *r, struct od_view name, const struct od_found *found)
{
    enum od_redact_kind kind = found->kind;
    bool known = od_map_get(&r->learnt, name) != NULL;
    if (kind == OD_REDACT_EMAIL) {
        struct od_view local = od_view_head(name, od_view_find_char(name, '@', 0));
        learn_owner(r, od_view_from(name, local.n + 1));
        name = local;
        kind = OD_REDACT_USER;
    } else if (kind == OD_REDACT_SECRET) {
        if (found->learn)
            learn_secret(r, name);
        return;
    }
    /* a common word like "vision" is an organization only where the text marks it as one */
    if (kind == OD_REDACT_ORG ? !od_is_letters(name, "") || od_is_strange(r->words, name)
                              : found->learn || found->kind == OD_REDACT_EMAIL)
        learn_name(r, name, kind);
    if (kind == OD_REDACT_USER || kind == OD_REDACT_ORG)
        learn_words(r, name, kind);
    if (kind == OD_REDACT_HOST && found->learn && !known) {
        learn_host(r, name);
        learn_owner(r, name);
    }
}

static bool look_up(const void *self, struct od_view name, struct od_learnt_name *ret_name)
{
    const struct od_redactor *r = self;
    const uint64_t *value = od_map_get(&r->learnt, name);
    char room[LEARNT_MOST];
    if (!value && name.n <= LEARNT_MOST && od_has_digit(name)) {
        value = od_map_get(&r->learnt, masked(name, room));
        value = value && (*value & 255) == OD_REDACT_HOST ? value : NULL;
    }
    if (value)
        *ret_name = (struct od_learnt_name){.kind = (enum od_redact_kind)(*value & 255),
                                            .lead = *value >> 8 & 255,
                                            .trail = *value >> 16};
    return value != NULL;
}

/* Converts the finds of a layer to parts of the text. */
static void take_finds(struct od_redactor *r, size_t base)
{
    struct od_view text = od_layers_text(&r->layers);
    for (size_t i = 0; i < r->finds.n; i++) {
        const struct od_found *found = &r->finds.items[i];
        if (found->end <= found->start)
            continue;
        struct od_view name = od_view_part(text, found->start, found->end);
        struct od_view source = od_layers_source(&r->layers, found->start, found->end);
        size_t start = base + (size_t)(source.p - r->layers.text.p);
        if (!r->layers.is_plain)
            name = od_view_eq(name, source) ? source : od_arena_view(r->scratch, name);
        learn(r, name, found);
        od_vec_push(&r->parts,
                    ((struct od_redacted_part){start, start + source.n, found->kind, name}));
    }
}

/* Searches the present layer of a piece of text that begins at offset `base`. */
static void search_layer(struct od_redactor *r, unsigned layer, size_t base)
{
    const struct od_learnt learnt = {
        .self = r, .look_up = look_up, .heads = r->heads, .longest = r->longest};
    struct od_search s = {.words = r->words,
                          .heads = r->line_heads,
                          .forms = r->forms,
                          .before = &r->before[layer],
                          .finds = &r->finds,
                          .names_only = r->names_only};
    r->finds.n = 0;
    od_search_text(&s, od_layers_text(&r->layers), &learnt);
    take_finds(r, base);
}

static int by_start(const void *a, const void *b)
{
    const struct od_redacted_part *x = a;
    const struct od_redacted_part *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->end == y->end ? 0 : x->end > y->end ? -1 : 1;
}

/* Sorts the parts from `first` on and merges overlapping ones. The longer one gives the kind. */
static void merge(struct od_redactor *r, size_t first)
{
    struct od_redacted_part *parts = r->parts.items;
    size_t n = first;
    size_t sorted = first + 1;
    while (sorted < r->parts.n && by_start(&parts[sorted - 1], &parts[sorted]) <= 0)
        sorted++;
    if (sorted < r->parts.n)
        qsort(parts + first, r->parts.n - first, sizeof *parts, by_start);
    for (size_t i = first; i < r->parts.n; i++) {
        struct od_redacted_part part = parts[i];
        struct od_redacted_part *last = n > first ? &parts[n - 1] : NULL;
        if (!last || part.start >= last->end) {
            parts[n++] = part;
            continue;
        }
        size_t end = part.end > last->end ? part.end : last->end;
        if (part.end - part.start > last->end - last->start) {
            last->kind = part.kind;
            last->what = part.what;
        }
        last->end = end;
    }
    r->parts.n = n;
}

/* Searches a long line in pieces that overlap, so that no find is divided. */
static void search_line(struct od_redactor *r, struct od_view line, size_t base)
{
    size_t overlap = r->window / 2;
    for (size_t at = 0;; at += r->window - overlap) {
        struct od_view piece = od_view_head(od_view_from(line, at), r->window);
        size_t first = r->parts.n; /* parts before this one cannot overlap the piece */
        while (first > 0 && r->parts.items[first - 1].end > base + at)
            first--;
        bool more = od_layers_start(&r->layers, piece);
        unsigned layer = r->layers.is_ended;
        do
            search_layer(r, layer++, base + at);
        while (more && layer <= OD_LAYERS_MOST && od_layers_next(&r->layers));
        merge(r, first);
        if (at + piece.n >= line.n)
            return;
    }
}

/* Searches all lines without escapes in one call, and each other line in its own call. */
static void find_parts(struct od_redactor *r, struct od_view text)
{
    size_t at = 0;
    od_arena_reset(r->scratch);
    do {
        struct od_view rest = od_view_from(text, at);
        size_t n = text.n <= r->window ? od_layers_escape(&r->layers, text, at) - at : 0;
        while (n > 0 && n < rest.n && rest.p[n - 1] != '\n')
            n--;
        if (n > 0 || rest.n == 0) {
            od_layers_plain(&r->layers, od_view_head(rest, n));
            search_layer(r, 0, at);
            at += n;
        } else {
            struct od_view line = od_view_head(rest, od_view_find_char(rest, '\n', 0));
            search_line(r, line, at);
            at += line.n + 1;
        }
    } while (at < text.n);
    merge(r, 0);
}

/* Does the next line not depend on the lines so far? */
static bool is_fresh(const struct od_redactor *r)
{
    static const struct od_before nothing;
    bool fresh = true;
    for (size_t i = 0; i < OD_COUNT_OF(r->before); i++)
        fresh = fresh && memcmp(&r->before[i], &nothing, sizeof nothing) == 0;
    return fresh;
}

/* Stores the parts found in a piece; fresh and names describe the state before it. */
static void remember(struct od_redactor *r, struct od_view text, bool fresh, size_t names)
{
    struct piece piece = {.hash = XXH3_64bits(text.p, text.n),
                          .n = text.n,
                          .names = names,
                          .place = r->places.n,
                          .nplaces = r->parts.n};
    piece.kept =
        fresh && is_fresh(r) && text.n <= UINT32_MAX && piece.place + piece.nplaces <= PLACES_MOST;
    for (size_t i = 0; piece.kept && i < r->parts.n; i++) {
        const struct od_redacted_part *part = &r->parts.items[i];
        struct od_view what = od_view_part(text, part->start, part->end);
        struct place place = {(uint32_t)part->start, (uint32_t)what.n, part->kind};
        piece.kept = od_view_eq(part->what, what);
        od_vec_push(&r->places, place);
    }
    od_vec_push(&r->pieces, piece);
}

/* The stored piece, if it is the next one in order and reading it again would give the same finds.
 * NULL = none. */
static const struct piece *next_read(struct od_redactor *r, struct od_view text)
{
    const struct piece *piece = r->piece < r->pieces.n ? &r->pieces.items[r->piece++] : NULL;
    bool same = piece && piece->kept && piece->n == text.n && is_fresh(r) &&
                piece->hash == XXH3_64bits(text.p, text.n);
    return same ? piece : NULL;
}

/* Adds the stored parts of a piece. */
static void recall(struct od_redactor *r, const struct piece *piece, struct od_view text)
{
    for (size_t i = 0; i < piece->nplaces; i++) {
        struct place at = r->places.items[piece->place + i];
        struct od_view what = od_view_head(od_view_from(text, at.start), at.n);
        od_vec_push(&r->parts,
                    ((struct od_redacted_part){at.start, at.start + at.n, at.kind, what}));
    }
    merge(r, 0);
}

void od_redact_learning(struct od_redactor *r, bool learning)
{
    r->learning = learning;
    r->piece = 0;
    if (learning)
        r->pieces.n = r->places.n = 0;
    memset(r->before, 0, sizeof r->before);
    memset(r->counts, 0, sizeof r->counts);
}

void od_redact_expect_cuts(struct od_redactor *r, size_t end)
{
    r->cut = true;
    r->cut_end = end;
}

void od_redact_set_window(struct od_redactor *r, size_t bytes)
{
    r->window = bytes;
}

struct span {
    size_t start, end;
};

/* Writes a span of the text, with a replacement word for each part that begins in it. */
static void write_piece(struct od_redactor *r, struct od_view text, struct span span, size_t *part,
                        struct od_buf *to)
{
    size_t start = span.start;
    size_t end = span.end;
    while (start < end) {
        while (*part < r->parts.n && r->parts.items[*part].end <= start)
            ++*part;
        const struct od_redacted_part *p = *part < r->parts.n ? &r->parts.items[*part] : NULL;
        size_t stop = p && p->start < end ? p->start : end;
        if (stop > start) {
            od_buf_add(to, od_view_part(text, start, stop));
            start = stop;
        } else {
            if (p->start == start) {
                struct od_view what = p->what;
                r->counts[p->kind]++;
                put_word(r, kinds[p->kind].word, number_of(r, p->kind, what), p->end - p->start,
                         to);
            }
            start = p->end;
        }
    }
}

/* Removes words that a cut may have halved, if the text is part of a report. */
static struct od_view whole_words(const struct od_redactor *r, struct od_view text,
                                  struct od_buf *to)
{
    return r->cut ? od_without_cut_words(text, r->cut_end, to) : text;
}

/* Takes whole lines of about PIECE_MOST bytes. */
static struct od_view next_piece(struct od_view text)
{
    if (text.n <= PIECE_MOST)
        return text;
    size_t n = PIECE_MOST;
    while (n > 0 && text.p[n - 1] != '\n')
        n--;
    size_t end = n > 0 ? n - 1 : od_view_find_char(text, '\n', PIECE_MOST);
    return od_view_head(text, end == OD_VIEW_NONE ? text.n : end + 1);
}

void od_redact_learn(struct od_redactor *r, struct od_view text)
{
    while (text.n > 0) {
        struct od_view piece = next_piece(text);
        r->parts.n = 0;
        find_parts(r, piece);
        text = od_view_from(text, piece.n);
    }
}

void od_redact_join(struct od_redactor *r, const struct od_redactor *other)
{
    for (size_t i = 0; i < other->learnt.n; i++) {
        const struct od_map_entry *entry = &other->learnt.entries[i];
        bool is_name = (entry->value & 255) != OD_REDACT_SECRET;
        if (od_map_get(&r->learnt, entry->key) || r->learnt.n >= 2 * OD_REDACT_NAMES)
            continue;
        r->nnames += is_name;
        put_learnt(r, entry->key, entry->value);
    }
}

static void redact_piece(struct od_redactor *r, struct od_view text, struct od_buf *to)
{
    size_t part = 0, names = r->learnt.n;
    bool fresh = is_fresh(r), large = text.n >= PIECE_LEAST;
    r->parts.n = 0;
    const struct piece *read = r->learning || !large ? NULL : next_read(r, text);
    r->names_only = read && read->names != r->learnt.n;
    if (!read || r->names_only)
        find_parts(r, text);
    if (read)
        recall(r, read, text);
    r->names_only = false;
    if (r->learning && large)
        remember(r, text, fresh, names);
    if (!r->learning)
        write_piece(r, text, (struct span){0, text.n}, &part, to);
    else if (to)
        od_buf_add(to, text);
}

void od_redact(struct od_redactor *r, struct od_view text, struct od_buf *to)
{
    struct od_buf whole = {0};
    text = whole_words(r, text, &whole);
    do {
        struct od_view piece = next_piece(text);
        redact_piece(r, piece, to);
        text = od_view_from(text, piece.n);
    } while (text.n > 0);
    od_buf_done(&whole);
}

void od_redact_parts(struct od_redactor *r, const struct od_view *parts, size_t n,
                     struct od_view between, struct od_buf *to)
{
    struct od_buf all = {0}, whole = {0};
    size_t part = 0, start = 0;
    for (size_t i = 0; i < n; i++) {
        whole.n = 0;
        od_buf_add(&to[i], whole_words(r, parts[i], &whole));
        od_buf_add(&all, od_buf_view(&to[i]));
        if (i + 1 < n)
            od_buf_add(&all, between);
    }
    r->parts.n = 0;
    find_parts(r, od_buf_view(&all));
    for (size_t i = 0; i < n; i++) {
        size_t end = start + to[i].n;
        if (!r->learning) {
            to[i].n = 0;
            write_piece(r, od_buf_view(&all), (struct span){start, end}, &part, &to[i]);
        }
        start = end + between.n;
    }
    od_buf_done(&whole);
    od_buf_done(&all);
}

uint64_t od_redacted(const struct od_redactor *r, enum od_redact_kind kind)
{
    return r->counts[kind];
}

void od_redacted_words(const struct od_redactor *r, struct od_buf *to)
{
    bool any = false;
    for (size_t i = 0; i < OD_REDACT_END; i++) {
        if (r->counts[i] == 0)
            continue;
        od_buf_printf(to, "%s%" PRIu64 " %s", any ? ", " : "", r->counts[i],
                      r->counts[i] == 1 ? kinds[i].one : kinds[i].many);
        any = true;
    }
    if (!any)
        od_buf_add_str(to, "nothing");
}
