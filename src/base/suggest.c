#include "base/suggest.h"

enum { LONGEST = 48 };

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
    unsigned least = a < b ? a : b;
    return least < c ? least : c;
}

/* Edit distance (insert, delete, replace, swap two neighbours) between a and b; both are short. */
static unsigned distance(const char *a, const char *b)
{
    unsigned rows[3][LONGEST + 1] = {{0}};
    size_t na = strlen(a);
    size_t nb = strlen(b);
    for (unsigned j = 0; j <= nb; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *before = rows[(i - 1) % 3];
        const unsigned *before2 = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= nb; j++) {
            unsigned change = a[i - 1] != b[j - 1];
            row[j] = min3(before[j] + 1, row[j - 1] + 1, before[j - 1] + change);
            bool swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swap && before2[j - 2] + 1 < row[j])
                row[j] = before2[j - 2] + 1;
        }
    }
    return rows[na % 3][nb];
}

const char *od_suggest(const char *word, const char *const *words, size_t n)
{
    size_t length = strlen(word);
    if (length == 0 || length > LONGEST)
        return NULL;
    const char *best = NULL;
    /* up to half of a short word may be wrong: "reqest" finds "requested" */
    unsigned best_distance = (length < 2 ? 1 : length < 10 ? (unsigned)length / 2 : 4) + 1;
    for (size_t i = 0; i < n; i++) {
        if (!words[i] || strlen(words[i]) > LONGEST)
            continue;
        unsigned found = distance(word, words[i]);
        if (found < best_distance) {
            best = words[i];
            best_distance = found;
        }
    }
    return best;
}

const char *od_suggest_help(const char *word, const char *const *words, size_t n,
                            struct od_arena *arena)
{
    const char *best = od_suggest(word, words, n);
    if (best)
        return od_arena_printf(arena, "did you mean '%s'?", best);
    struct od_buf buf = {0};
    for (size_t i = 0; i < n; i++) {
        if (!words[i])
            continue;
        od_buf_add_str(&buf, buf.n == 0 ? "one of: " : ", ");
        od_buf_add_str(&buf, words[i]);
    }
    const char *help = buf.n > 0 ? od_arena_str(arena, od_buf_view(&buf)) : NULL;
    od_buf_done(&buf);
    return help;
}
