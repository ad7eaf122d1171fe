#include "base/ansi.h"
#include "input/peel.h"

enum { MOST_SPACES = 8 };

static const char esc = '\x1b';

bool od_peel_nuls(struct od_peel *peel)
{
    struct od_view v = peel->text;
    (void)od_view_take(&v, OD_VIEW("\xef\xbb\xbf"));
    while (v.n > 0 && v.p[0] == '\0')
        v = od_view_from(v, 1);
    while (v.n > 0 && v.p[v.n - 1] == '\0')
        v.n--;
    bool peeled = v.n < peel->text.n;
    peel->text = v;
    return peeled;
}

/* Writes the text that replaces a sequence that moves the cursor. Returns its length. */
static size_t csi_becomes(struct od_view csi, char *to)
{
    char final = csi.p[csi.n - 1];
    if (final == 'C') {
        uint64_t n = 1;
        (void)od_num_take_u64(&csi, &n);
        size_t spaces = n < MOST_SPACES ? (size_t)n : MOST_SPACES;
        memset(to, ' ', spaces);
        return spaces;
    }
    if (!strchr("ABEFGHdf", final))
        return 0;
    *to = '\r';
    return 1;
}

/* Length of the sequence after an ESC (without the ESC); writes its replacement to `to`. */
static size_t take_sequence(struct od_view v, char *to, size_t *ret_written)
{
    size_t n = od_ansi_sequence(v);
    *ret_written =
        n > 1 && v.p[0] == '[' ? csi_becomes(od_view_from(od_view_head(v, n), 1), to) : 0;
    return n;
}

/* Positions of the next ESC and of the next "#033[", which syslog daemons write for an ESC before a
 * color. Each is searched again only after it was passed. */
struct escapes {
    size_t real, written;
};

static const struct od_view written_esc = {.p = "#033[", .n = 5};

/* most lines have no '#' */
static size_t find_written(struct od_view v, size_t from)
{
    size_t first = od_view_find_char(v, written_esc.p[0], from);
    return first == OD_VIEW_NONE ? first : od_view_find(v, written_esc, first);
}

static void find_escapes(struct od_view v, size_t from, struct escapes *e)
{
    if (e->real != OD_VIEW_NONE && e->real < from)
        e->real = od_view_find_char(v, esc, from);
    if (e->written != OD_VIEW_NONE && e->written < from)
        e->written = find_written(v, from);
}

bool od_peel_ansi(struct od_peel *peel)
{
    struct od_view v = peel->text;
    struct escapes e = {od_view_find_char(v, esc, 0), find_written(v, 0)};
    if (e.real == OD_VIEW_NONE && e.written == OD_VIEW_NONE)
        return false;
    /* twice the length is enough: ESC [ 9 C (four bytes) becomes eight spaces */
    char *copy = od_arena_alloc(peel->arena, v.n + 1, 2);
    size_t n = 0;
    for (size_t from = 0; from < v.n;) {
        size_t at = e.real < e.written ? e.real : e.written;
        size_t end = at == OD_VIEW_NONE ? v.n : at;
        memcpy(copy + n, v.p + from, end - from);
        n += end - from;
        if (end == v.n)
            break;
        size_t written;
        from = end + (at == e.real ? 1 : written_esc.n - 1);
        from += take_sequence(od_view_from(v, from), copy + n, &written);
        n += written;
        find_escapes(v, from, &e);
    }
    peel->text = (struct od_view){.p = copy, .n = n};
    return true;
}
