#include "readers/logs/xla_words.h"

static const struct od_xla_word words[OD_XLA_WORDS] = {
    {"BufferAssignment stats:", 0, OD_XLA_STATS, OD_XLA_SECTION, NULL},
    {"Peak buffers:", 0, OD_XLA_BUFFERS, OD_XLA_SECTION, NULL},
    {"Largest program allocations in hbm", 0, OD_XLA_BUFFERS, OD_XLA_SECTION, NULL},
    {"Largest program allocations in memory space hbm", 0, OD_XLA_BUFFERS, OD_XLA_SECTION, NULL},
    {"Program hbm requirement", 0, OD_XLA_PROGRAM, OD_XLA_SECTION, NULL},
    {"Total hbm usage >=", 0, OD_XLA_USAGE, OD_XLA_TOTAL, "total"},
    {"parameter allocation:", OD_XLA_STATS, OD_XLA_STATS, OD_XLA_TOTAL, "parameter"},
    {"constant allocation:", OD_XLA_STATS, OD_XLA_STATS, OD_XLA_TOTAL, "constant"},
    {"maybe_live_out allocation:", OD_XLA_STATS, OD_XLA_STATS, OD_XLA_TOTAL, "live_out"},
    {"preallocated temp allocation:", OD_XLA_STATS, OD_XLA_STATS, OD_XLA_TOTAL, "temp"},
    {"preallocated temp fragmentation:", OD_XLA_STATS, OD_XLA_STATS, OD_XLA_IGNORED, NULL},
    {"total allocation:", OD_XLA_STATS, OD_XLA_STATS, OD_XLA_TOTAL, "total"},
    {"total fragmentation:", OD_XLA_STATS, OD_XLA_STATS, OD_XLA_TOTAL, "fragmentation"},
    {"reserved", OD_XLA_USAGE, OD_XLA_USAGE, OD_XLA_TOTAL, "reserved"},
    {"program", OD_XLA_USAGE, OD_XLA_USAGE, OD_XLA_TOTAL, "program"},
    {"arguments", OD_XLA_USAGE, OD_XLA_USAGE, OD_XLA_TOTAL, "arguments"},
    {"Output size", OD_XLA_USAGE | OD_XLA_PROGRAM, OD_XLA_USAGE, OD_XLA_TOTAL, "live_out"},
    {"HLO temp", OD_XLA_PROGRAM, OD_XLA_PROGRAM, OD_XLA_TOTAL, "temp"},
    {"global", OD_XLA_PROGRAM, OD_XLA_PROGRAM, OD_XLA_TOTAL, "global"},
    {"Buffer ", OD_XLA_BUFFERS, OD_XLA_BUFFERS, OD_XLA_NUMBER, NULL},
    {"Size:", OD_XLA_BUFFERS, OD_XLA_BUFFERS, OD_XLA_SIZE, NULL},
    {"Unpadded size:", OD_XLA_BUFFERS, OD_XLA_BUFFERS, OD_XLA_UNPADDED, NULL},
    {"Operator:", OD_XLA_BUFFERS, OD_XLA_BUFFERS, OD_XLA_OPERATOR, NULL},
    {"XLA Label:", OD_XLA_BUFFERS, OD_XLA_BUFFERS, OD_XLA_LABEL, NULL},
    {"XLA label:", OD_XLA_BUFFERS, OD_XLA_BUFFERS, OD_XLA_LABEL, NULL},
    {"Shape:", OD_XLA_BUFFERS, OD_XLA_BUFFERS, OD_XLA_SHAPE, NULL},
    {"Entry Parameter Subshape:", OD_XLA_BUFFERS, OD_XLA_BUFFERS, OD_XLA_SHAPE, NULL},
    {"Extra memory due to padding:", OD_XLA_BUFFERS, OD_XLA_BUFFERS, OD_XLA_IGNORED, NULL},
    {"Allocation type:", OD_XLA_BUFFERS, OD_XLA_BUFFERS, OD_XLA_IGNORED, NULL},
    {"=====", OD_XLA_BUFFERS, OD_XLA_BUFFERS, OD_XLA_RULE, NULL},
};

static bool ends_word(char c)
{
    return c == ' ' || c == '\t' || c == ';' || c == ':' || c == '\\';
}

bool od_xla_size(struct od_view value, struct od_bytes *ret_size)
{
    size_t n = 0;
    value = od_view_trim(value);
    while (n < value.n && !ends_word(value.p[n]))
        n++;
    bool has_unit = n > 0 && (value.p[n - 1] == 'B' || value.p[n - 1] >= 'G');
    return has_unit && od_bytes_parse(od_view_head(value, n), OD_UNIT_BINARY, ret_size);
}

static bool is_inner(char c)
{
    return od_is_word(c) || c == '/' || c == '"' || c == '.' || c == '-';
}

/* Position of word i at or after `at`, unless it is the end of a longer word. */
static size_t find_word(const struct od_xla_cutter *c, size_t i, size_t at)
{
    struct od_view needle = od_view_of(words[i].text);
    for (;;) {
        at = od_view_find(c->text, needle, at);
        if (at == OD_VIEW_NONE || at == 0 || !is_inner(c->text.p[at - 1]))
            return at;
        at++;
    }
}

/* Words without a colon (program, reserved) only count before a size, "Buffer" only before a
 * number. */
static bool is_meant(const struct od_xla_cutter *c, size_t i, size_t at)
{
    struct od_bytes size;
    struct od_view rest = od_view_from(c->text, at + od_view_of(words[i].text).n);
    if (words[i].what == OD_XLA_NUMBER)
        return rest.n > 0 && od_is_digit(rest.p[0]);
    if (words[i].what != OD_XLA_TOTAL || od_view_ends(od_view_of(words[i].text), OD_VIEW(":")))
        return true;
    return od_xla_size(od_view_head(rest, 64), &size);
}

void od_xla_cutter_start(struct od_xla_cutter *c, struct od_view text)
{
    c->text = text;
    for (size_t i = 0; i < OD_XLA_WORDS; i++)
        c->next[i] = find_word(c, i, 0);
}

const struct od_xla_word *od_xla_cutter_next(struct od_xla_cutter *c, enum od_xla_section section,
                                             size_t *at)
{
    size_t best = OD_VIEW_NONE;
    const struct od_xla_word *found = NULL;
    for (size_t i = 0; i < OD_XLA_WORDS; i++) {
        if (words[i].in != 0 && (words[i].in & section) == 0)
            continue;
        while (c->next[i] != OD_VIEW_NONE && (c->next[i] < *at || !is_meant(c, i, c->next[i])))
            c->next[i] = find_word(c, i, c->next[i] < *at ? *at : c->next[i] + 1);
        if (c->next[i] < best) {
            best = c->next[i];
            found = &words[i];
        }
    }
    if (found)
        *at = best;
    return found;
}
