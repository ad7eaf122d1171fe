/*
 * Sentences that say that memory ran out, and lines that do not, through the whole scan.
 *
 *   check                 TAP: wordings.tsv and wordings_more.tsv are read as labelled, each of
 * wordings_known.tsv is, innocent.txt is silent check -v [FILE...]    what is read otherwise; of
 * each line of FILE a failure that is read of it
 *
 * A wording is read whole when an event of one of its kinds has all of its sizes, within 0.6 %.
 */
#include "base/buf.h"
#include "base/num.h"
#include "base/vec.h"
#include "lib/packs.h"
#include "rules/ruleset.h"
#include "rules/words.h"
#include "scan/scan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_WHOLE = 97, MOST_FALSE_PER_MILLE = 5 };

struct checker {
    struct od_packs *packs;
    struct od_ruleset *rules;
    struct od_candidates *candidates;
    struct od_diags *diags;
};

/* What the events of one text come to. */
struct heard {
    const char *kinds; /* wanted; NULL = any failure of memory */
    const char *sizes;
    bool kind, whole;
};

static const char *kind_of(const struct od_event *event)
{
    struct od_view space = od_event_text(event, OD_F_SPACE);
    switch ((int)event->kind) {
    case OD_EV_ALLOC_FAILED:
        return od_view_eq_str(space, "host") || od_view_eq_str(space, "pinned")
                   ? "host_alloc_failed"
                   : "device_alloc_failed";
    case OD_EV_COMPILE_FAILED:
        return "device_compile_oom";
    case OD_EV_KV_CACHE_FAILED:
        return "kv_cache_too_small";
    case OD_EV_SHM_EXHAUSTED:
        return "shm_exhausted";
    case OD_EV_JOB_KILLED:
        return "job_limit_kill";
    default:
        return NULL;
    }
}

/* "requested=42;free=1", every one of them. */
static bool has_sizes(const struct od_event *event, const char *sizes)
{
    struct od_view rest = od_view_of(sizes), fact, name;
    if (od_view_eq_str(rest, "-"))
        return true;
    while (od_view_cut(&rest, ';', &fact)) {
        uint64_t wanted = 0;
        (void)od_view_cut(&fact, '=', &name);
        if (!od_num_parse_u64(fact, &wanted))
            return false;
        struct od_bytes given = od_event_bytes(event, od_field_find(name));
        if (!given.known || fabs((double)given.n - (double)wanted) > 0.006 * (double)wanted + 1)
            return false;
    }
    return true;
}

static void hear(void *self, const struct od_event *event)
{
    struct heard *heard = self;
    const char *kind = kind_of(event);
    if (!kind || (heard->kinds && !strstr(heard->kinds, kind)))
        return;
    heard->kind = true;
    heard->whole = heard->whole || !heard->sizes || has_sizes(event, heard->sizes);
}

static void read_text(struct checker *c, struct od_view text, struct heard *heard)
{
    struct od_input *input = od_input_new(NULL, c->diags);
    struct od_arena *arena = od_arena_new();
    struct od_sink sink = {.event = hear, .self = heard};
    struct od_scan_options options = {
        .candidates = c->candidates, .arena = arena, .diags = c->diags};
    if (od_input_add_bytes(input, "-", text) == OD_OK)
        (void)od_scan(input, c->rules, &options, &sink);
    od_arena_free(arena);
    od_input_free(input);
}

/* The column of a row of a table. */
static struct od_view column(struct od_view *row)
{
    struct od_view text = {0};
    (void)od_view_cut(row, '\t', &text);
    return text;
}

static void unfold(struct od_view text, struct od_buf *to)
{
    to->n = 0;
    for (size_t i = 0; i < text.n; i++) {
        bool fold = text.p[i] == '\\' && i + 1 < text.n && text.p[i + 1] == 'n';
        od_buf_add_char(to, fold ? '\n' : text.p[i]);
        i += fold;
    }
    od_buf_add_char(to, '\n');
}

struct tally {
    size_t n, kind, whole;
};

static void check_wording(struct checker *c, struct od_view row, struct tally *halves, bool verbose)
{
    struct od_buf text = {0};
    char kinds[128], sizes[256];
    struct od_view all = row;
    struct tally *half = &halves[od_view_eq_str(column(&row), "first")];
    struct od_view wanted = column(&row), said = column(&row);
    (void)snprintf(kinds, sizeof kinds, "%.*s", (int)wanted.n, wanted.p);
    (void)snprintf(sizes, sizeof sizes, "%.*s", (int)said.n, said.p);
    struct heard heard = {.kinds = kinds, .sizes = sizes};
    unfold(row, &text);
    read_text(c, od_buf_view(&text), &heard);
    half->n++;
    half->kind += heard.kind;
    half->whole += heard.kind && heard.whole;
    if (verbose && !heard.whole)
        printf("# %s: %.*s\n", heard.kind ? "sizes" : "kind", (int)all.n, all.p);
    od_buf_done(&text);
}

static bool load(const char *name, struct od_buf *to)
{
    FILE *file = fopen(name, "rb");
    size_t n = 1;
    while (file && n > 0) {
        n = fread(od_buf_reserve(to, 65536), 1, 65536, file);
        to->n += n;
    }
    return file && fclose(file) == 0;
}

static bool next_line(struct od_view *rest, struct od_view *ret_line)
{
    return od_view_cut(rest, '\n', ret_line);
}

static void check_wordings(struct checker *c, struct od_view table, size_t number, bool verbose)
{
    static const char *const names[] = {"tuned on", "not looked at"};
    struct tally halves[2] = {{0}};
    struct od_view row;
    while (next_line(&table, &row))
        check_wording(c, row, halves, verbose);
    for (size_t i = 0; i < 2; i++) {
        const struct tally *half = &halves[i];
        bool good = half->n >= 200 && half->whole * 100 >= half->n * LEAST_WHOLE;
        printf("%sok %zu - of %zu wordings %s the kind is told of %zu, kind and sizes of %zu\n",
               good ? "" : "not ", number + i, half->n, names[i], half->kind, half->whole);
    }
}

/* What was once not read: kinds, sizes, text. Every one of them. */
static void check_known(struct checker *c, struct od_view table, bool verbose)
{
    struct tally tally[2] = {{0}};
    struct od_buf row = {0};
    struct od_view text;
    while (next_line(&table, &text)) {
        row.n = 0;
        od_buf_add_str(&row, "tune\t");
        od_buf_add(&row, text);
        check_wording(c, od_buf_view(&row), tally, verbose);
    }
    od_buf_done(&row);
    printf("%sok 6 - of %zu wordings that once were not read %zu are, with their sizes\n",
           tally[0].n > 0 && tally[0].whole == tally[0].n ? "" : "not ", tally[0].n,
           tally[0].whole);
}

/* How many of the lines are taken for a failure. */
static size_t count_false(struct checker *c, struct od_view lines, bool verbose, size_t *ret_n)
{
    struct od_view line;
    size_t n = 0;
    while (next_line(&lines, &line)) {
        struct heard heard = {.kinds = NULL};
        read_text(c, line, &heard);
        ++*ret_n;
        n += heard.kind;
        if (verbose && heard.kind)
            printf("# false: %.*s\n", (int)line.n, line.p);
    }
    return n;
}

static void check_innocent(struct checker *c, struct od_view lines, bool verbose)
{
    size_t n = 0;
    size_t wrong = count_false(c, lines, verbose, &n);
    printf("%sok 5 - of %zu lines of prose and healthy logs %zu are taken for a failure\n",
           n >= 2000 && wrong * 1000 <= n * MOST_FALSE_PER_MILLE ? "" : "not ", n, wrong);
}

static int check(struct checker *c, const char *folder, bool verbose)
{
    struct od_buf wordings = {0}, more = {0}, innocent = {0}, known = {0}, name = {0};
    od_buf_printf(&name, "%s/wordings.tsv", folder);
    bool good = load(od_buf_str(&name), &wordings);
    name.n = 0;
    od_buf_printf(&name, "%s/wordings_more.tsv", folder);
    good = load(od_buf_str(&name), &more) && good;
    name.n = 0;
    od_buf_printf(&name, "%s/innocent.txt", folder);
    good = load(od_buf_str(&name), &innocent) && good;
    name.n = 0;
    od_buf_printf(&name, "%s/wordings_known.tsv", folder);
    good = load(od_buf_str(&name), &known) && good;
    puts("1..6");
    if (good) {
        check_wordings(c, od_buf_view(&wordings), 1, verbose);
        check_wordings(c, od_buf_view(&more), 3, verbose);
        check_innocent(c, od_buf_view(&innocent), verbose);
        check_known(c, od_buf_view(&known), verbose);
    }
    od_buf_done(&known);
    od_buf_done(&wordings);
    od_buf_done(&more);
    od_buf_done(&innocent);
    od_buf_done(&name);
    return good ? 0 : 1;
}

static int check_files(struct checker *c, char **names)
{
    for (; *names; names++) {
        struct od_buf text = {0};
        size_t n = 0, wrong = 0;
        if (load(*names, &text))
            wrong = count_false(c, od_buf_view(&text), true, &n);
        printf("%s: of %zu lines %zu are taken for a failure\n", *names, n, wrong);
        od_buf_done(&text);
    }
    return 0;
}

int main(int argc, char **argv)
{
    bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    struct od_buf folder = {0};
    const char *top = getenv("TOP_SRCDIR");
    struct checker c = {.diags = od_diags_new()};
    c.packs = od_packs_new(NULL, 0, c.diags);
    c.rules = od_ruleset_new(od_packs_list(c.packs), od_packs_count(c.packs));
    od_ruleset_set_lexicon(c.rules, &od_shipped_lexicon);
    c.candidates = od_candidates_new(c.rules, NULL, NULL);
    od_buf_printf(&folder, "%s/tests/sentences", top ? top : ".");
    int status = argc > 2 ? check_files(&c, argv + 2) : check(&c, od_buf_str(&folder), verbose);
    od_buf_done(&folder);
    od_candidates_free(c.candidates);
    od_ruleset_free(c.rules);
    od_packs_free(c.packs);
    od_diags_free(c.diags);
    return status;
}
