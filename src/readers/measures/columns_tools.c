#include "readers/measures/columns_tools.h"

/* What several of them have in common. */
#define OF_PROCESSES .unit = "KiB", .space = "host", .processes = true
#define OF_GROUPS .unit = "B", .space = "host", .processes = true
#define OF_DEVICES                    \
    .unit = "MiB", .space = "device", \
    .names = {                        \
        {"gpu", OD_F_DEVICE}, {"pid", OD_F_PID}, {"fb", OD_F_IN_USE}, {"command", OD_F_PROCESS}}

static const struct od_columns_tool tools[] = {
    /* ps, pidstat -r, smem; what ps -o printed without a PID */
    {.must = {"PID", "RSS"},
     OF_PROCESSES,
     .names = {{"PID", OD_F_PID},
               {"RSS", OD_F_RSS},
               {"VSZ", OD_F_VIRTUAL},
               {"COMMAND", OD_F_PROCESS},
               {"Command", OD_F_PROCESS},
               {"CMD", OD_F_PROCESS}}},
    {.must = {"RSS", "COMMAND"},
     OF_PROCESSES,
     .names = {{"RSS", OD_F_RSS}, {"VSZ", OD_F_VIRTUAL}, {"COMMAND", OD_F_PROCESS}}},
    {.must = {"RSS", "CMD"},
     OF_PROCESSES,
     .names = {{"RSS", OD_F_RSS}, {"VSZ", OD_F_VIRTUAL}, {"CMD", OD_F_PROCESS}}},
    /* top, htop */
    {.must = {"PID", "RES", "VIRT"},
     OF_PROCESSES,
     .names = {{"PID", OD_F_PID},
               {"RES", OD_F_RSS},
               {"VIRT", OD_F_VIRTUAL},
               {"COMMAND", OD_F_PROCESS},
               {"Command", OD_F_PROCESS}}},
    /* free */
    {.must = {"total", "used", "free"},
     .shift = 1,
     .row = "Mem:",
     .space = "host",
     .names = {{"total", OD_F_CAPACITY}, {"used", OD_F_IN_USE}, {"available", OD_F_FREE}}},
    /* vmstat */
    {.must = {"swpd", "free", "cache"}, .space = "host", .names = {{"free", OD_F_FREE}}},
    /* dstat, dool */
    {.must = {"used", "free", "cach"}, .space = "host", .names = {{"used", OD_F_IN_USE}}},
    /* sar -r */
    {.must = {"kbmemfree", "kbmemused"},
     .unit = "KiB",
     .space = "host",
     .names = {{"kbmemused", OD_F_IN_USE}, {"kbavail", OD_F_FREE}}},
    /* nvidia-smi dmon, pmon; with -o T, with -o D */
    {.must = {"#", "gpu", "fb"}, .shift = -1, OF_DEVICES},
    {.must = {"#Time", "gpu", "fb"}, OF_DEVICES},
    {.must = {"#Date", "gpu", "fb"}, OF_DEVICES},
    /* psrecord */
    {.must = {"elapsed", "real", "virtual"},
     .unit = "MiB",
     .space = "host",
     .names = {{"elapsed", OD_F_ELAPSED}, {"real", OD_F_RSS}, {"virtual", OD_F_VIRTUAL}}},
    /* systemd-cgtop, before version 250 and since */
    {.must = {"Control", "Group", "Memory"},
     .shift = -1,
     OF_GROUPS,
     .names = {{"Group", OD_F_GROUP}, {"Memory", OD_F_IN_USE}}},
    {.must = {"CGroup", "Tasks", "Memory"},
     OF_GROUPS,
     .names = {{"CGroup", OD_F_GROUP}, {"Memory", OD_F_IN_USE}}},
    /* who holds most, by Ray's monitor of a node */
    {.must = {"PID", "MEM", "COMMAND"},
     .space = "host",
     .processes = true,
     .names = {{"PID", OD_F_PID}, {"MEM", OD_F_RSS}, {"COMMAND", OD_F_PROCESS}}},
    {.must = {"PID", "MEM(GB)", "COMMAND"},
     .unit = "GiB",
     .space = "host",
     .processes = true,
     .names = {{"PID", OD_F_PID}, {"MEM(GB)", OD_F_RSS}, {"COMMAND", OD_F_PROCESS}}},
    /* a monitor of data loaders, with K, M, G */
    {.must = {"PID", "rss", "pss"},
     .space = "host",
     .processes = true,
     .names = {{"PID", OD_F_PID}, {"rss", OD_F_RSS}}},
    /* jstat -gc, -gcutil: what outlives a collection */
    {.must = {"OC", "OU"},
     .unit = "KiB",
     .space = "host",
     .process = "heap",
     .names = {{"OU", OD_F_RSS}}},
    {.must = {"O", "YGC"}, .space = "host", .process = "heap", .names = {{"O", OD_F_SHARE}}},
    /* sacct, sstat */
    {.must = {"MaxRSS"}, .space = "host", .names = {{"JobID", OD_F_GROUP}, {"MaxRSS", OD_F_PEAK}}},
};

enum { STAMP_WORDS = 6 };

static bool is_count(struct od_view text)
{
    uint64_t n;
    return od_num_parse_u64(text, &n);
}

static bool is_number(struct od_view text)
{
    double n;
    return od_num_parse_double(text, &n);
}

static bool is_size(struct od_view text)
{
    return od_columns_size(text, "B").known;
}

static bool has_char(struct od_view text, char c)
{
    return od_view_find_char(text, c, 0) != OD_VIEW_NONE;
}

/* "Rl+", "S", "D": the state of a process. */
static bool is_state(struct od_view text)
{
    return text.n > 0 && text.n <= 4 && memchr("RSDZTtXI", text.p[0], 8);
}

static bool is_ps_row(const struct od_columns_words *w)
{
    return w->n >= 11 && is_count(w->items[1]) && is_number(w->items[2]) &&
           has_char(w->items[3], '.') && is_number(w->items[3]) && is_count(w->items[4]) &&
           is_count(w->items[5]) && is_state(w->items[7]) && has_char(w->items[9], ':');
}

void od_columns_split(struct od_view text, struct od_columns_words *to)
{
    to->n = 0;
    od_view_skip_blanks(&text);
    while (text.n > 0 && to->n < OD_COLUMNS_TOKENS) {
        size_t n = 0;
        while (n < text.n && text.p[n] != ' ' && text.p[n] != '\t')
            n++;
        to->items[to->n++] = od_view_head(text, n);
        text = od_view_from(text, n);
        od_view_skip_blanks(&text);
    }
    /* "Sep 23 01:53:44 Mem:  ...": somebody's time in front of a row of free or ps. */
    for (size_t i = 1; i <= STAMP_WORDS && i < to->n; i++) {
        struct od_columns_words row = {.n = to->n - i};
        memcpy(row.items, to->items + i, row.n * sizeof *row.items);
        if (!od_view_eq_str(row.items[0], "Mem:") && (!is_ps_row(&row) || is_ps_row(to)))
            continue;
        *to = row;
    }
}

static bool has_word(const struct od_columns_words *words, const char *wanted)
{
    for (size_t i = 0; i < words->n; i++) {
        if (od_view_eq_str(words->items[i], wanted))
            return true;
    }
    return false;
}

const struct od_columns_tool *od_columns_tool_of(const struct od_columns_words *heading)
{
    for (size_t i = 0; i < OD_COUNT_OF(tools); i++) {
        const struct od_columns_tool *tool = &tools[i];
        bool all = true;
        for (size_t j = 0; j < 3 && tool->must[j]; j++)
            all = all && has_word(heading, tool->must[j]);
        if (all)
            return tool;
    }
    return NULL;
}

struct od_bytes od_columns_size(struct od_view text, const char *unit)
{
    struct od_bytes bytes = {0};
    double number;
    if (od_num_parse_double(text, &number)) {
        if (unit)
            (void)od_bytes_parse_unit(text, od_view_of(unit), OD_UNIT_BINARY, &bytes);
        return bytes;
    }
    char last[4] = {0};
    if (text.n < 2)
        return bytes;
    last[0] = text.p[text.n - 1];
    if (strchr("kmgt", last[0])) {
        last[0] = (char)(last[0] - 'a' + 'A');
        (void)od_bytes_parse_unit(od_view_head(text, text.n - 1), od_view_of(last), OD_UNIT_BINARY,
                                  &bytes);
    } else if (od_is_digit(text.p[0]))
        (void)od_bytes_parse(text, OD_UNIT_BINARY, &bytes);
    return bytes;
}

/* --- rows that stand alone --- */

static bool is_top_row(const struct od_columns_words *w)
{
    return w->n >= 12 && is_count(w->items[0]) && is_number(w->items[3]) && is_size(w->items[4]) &&
           is_size(w->items[5]) && is_size(w->items[6]) && w->items[7].n == 1 &&
           is_state(w->items[7]) && is_number(w->items[8]) && is_number(w->items[9]) &&
           has_char(w->items[10], ':');
}

/* free's six numbers: what is used, free and cached is all there is; in the days before 2014 what
 * is cached was used, too. */
static const char *heading_of_free(const struct od_columns_words *w)
{
    double n[6];
    if (w->n != 7 || !od_view_eq_str(w->items[0], "Mem:"))
        return NULL;
    for (size_t i = 0; i < OD_COUNT_OF(n); i++) {
        if (!is_size(w->items[i + 1]))
            return NULL;
        n[i] = (double)od_columns_size(w->items[i + 1], "B").n;
    }
    double slack = 0.03 * n[0], all = n[1] + n[2] + n[4] - n[0], old = n[1] + n[2] - n[0];
    if (all <= slack && all >= -slack)
        return "total used free shared buff/cache available";
    if (old <= slack && old >= -slack)
        return "total used free shared buffers cached";
    /* Since 2022 what is used is all but what is available. */
    double most = n[1] + n[5] - n[0];
    return most <= slack && most >= -slack ? "total used free shared buff/cache available" : NULL;
}

const char *od_columns_heading_for(const struct od_columns_words *line, bool *ret_is_row)
{
    *ret_is_row = true;
    if (is_ps_row(line))
        return "USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND";
    if (is_top_row(line))
        return "PID USER PR NI VIRT RES SHR S %CPU %MEM TIME+ COMMAND";
    const char *heading = heading_of_free(line);
    if (heading)
        return heading;
    *ret_is_row = false;
    if (has_word(line, "Elapsed") && has_word(line, "Real") && has_word(line, "Virtual"))
        return "elapsed cpu real virtual";
    return NULL;
}
