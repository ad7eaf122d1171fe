/*
 * Shapes change nothing but the time: the events of a scan that asks for shapes
 * (scan/line_shapes.h) are those of one that does not. Over the samples, the inputs of the golden
 * cases, the samples of all rules, and what of them is written around here: each line with lines of
 * other digits behind it. check FILE... looks at these files instead.
 */
#include "base/ascii.h"
#include "base/buf.h"
#include "base/diag.h"
#include "lib/packs.h"
#include "rules/ruleset.h"
#include "rules/software.h"
#include "rules/words.h"
#include "scan/scan.h"
#include "tests/shapes/written.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct checker {
    struct od_diags *diags;
    struct od_packs *packs;
    struct od_ruleset *rules;
    struct od_candidates *candidates;
    unsigned tests, failed;
};

/* ---- scans ---- */

/* Where they begin to differ: from the beginning of that line on. */
static void show_difference(const struct od_buf *without, const struct od_buf *with)
{
    size_t at = 0, line = 0;
    while (at < without->n && at < with->n && without->p[at] == with->p[at]) {
        line = without->p[at] == '\n' ? at + 1 : line;
        at++;
    }
    printf("# without: %.*s\n", (int)strcspn(without->p + line, "\n"), without->p + line);
    printf("# with:    %.*s\n", (int)strcspn(with->p + line, "\n"), with->p + line);
}

static bool are_alike(struct checker *c, struct od_view log, size_t block_bytes)
{
    struct od_buf with = {0}, without = {0};
    struct od_written_scan asked = {.rules = c->rules,
                                    .candidates = c->candidates,
                                    .diags = c->diags,
                                    .block_bytes = block_bytes};
    od_write_scan(&asked, log, &with);
    asked.no_shapes = true;
    od_write_scan(&asked, log, &without);
    bool alike = od_view_eq(od_buf_view(&with), od_buf_view(&without));
    (void)od_buf_str(&with);
    (void)od_buf_str(&without);
    if (!alike)
        show_difference(&without, &with);
    od_buf_done(&with);
    od_buf_done(&without);
    return alike;
}

/* ---- logs ---- */

/* Other digits in the places of the digits; of every other turn zeros stay. */
static void add_turned(struct od_buf *to, struct od_view line, unsigned turn)
{
    for (size_t i = 0; i < line.n; i++) {
        char c = line.p[i];
        bool turns = od_is_digit(c) && (c != '0' || turn % 2 == 1);
        od_buf_add_char(to, turns ? (char)('0' + ((unsigned)(c - '0') + 3 * turn) % 10) : c);
    }
    od_buf_add_char(to, '\n');
}

static void add_with_mutants(struct od_buf *to, struct od_view log)
{
    struct od_view line;
    while (od_view_cut(&log, '\n', &line))
        for (unsigned turn = 0; turn < 3; turn++)
            add_turned(to, line, turn);
}

static bool load(const char *name, struct od_buf *to)
{
    char bytes[65536];
    FILE *file = fopen(name, "rb");
    for (size_t n; file && (n = fread(bytes, 1, sizeof bytes, file)) > 0;)
        od_buf_add(to, (struct od_view){bytes, n});
    return file && fclose(file) == 0;
}

static void check_log(struct checker *c, const char *name, struct od_view log)
{
    struct od_buf mutants = {0};
    add_with_mutants(&mutants, log);
    bool good = are_alike(c, log, 1 << 18) && are_alike(c, od_buf_view(&mutants), 1 << 18) &&
                are_alike(c, od_buf_view(&mutants), 1 << 12);
    od_buf_done(&mutants);
    c->failed += !good;
    printf("%sok %u - %s\n", good ? "" : "not ", ++c->tests, name);
}

static void check_file(struct checker *c, const char *name)
{
    struct od_buf log = {0};
    if (load(name, &log))
        check_log(c, name, od_buf_view(&log));
    od_buf_done(&log);
}

static void check_files(struct checker *c, const char *top, const char *pattern)
{
    glob_t found = {0};
    struct od_buf path = {0};
    od_buf_printf(&path, "%s/%s", top, pattern);
    if (glob(od_buf_str(&path), 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            check_file(c, found.gl_pathv[i]);
    globfree(&found);
    od_buf_done(&path);
}

static void add_samples(struct od_buf *to, const struct od_sample *samples, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        od_buf_add_str(to, samples[i].line);
        od_buf_add_char(to, '\n');
    }
}

static void check_rules(struct checker *c)
{
    struct od_buf log = {0};
    for (size_t i = 0; i < od_ruleset_count(c->rules); i++) {
        const struct od_rule *rule = od_ruleset_rule(c->rules, i);
        add_samples(&log, rule->samples, rule->nsamples);
        add_samples(&log, rule->near_misses, rule->nnear_misses);
    }
    check_log(c, "samples of rules", od_buf_view(&log));
    od_buf_done(&log);
}

int main(int argc, char **argv)
{
    const char *top = getenv("TOP_SRCDIR");
    struct checker c = {.diags = od_diags_new()};
    c.packs = od_packs_new(NULL, 0, c.diags);
    c.rules = od_ruleset_new(od_packs_list(c.packs), od_packs_count(c.packs));
    od_ruleset_set_lexicon(c.rules, &od_shipped_lexicon);
    c.candidates = od_candidates_new(c.rules, od_shipped_signs, &od_shipped_literals);
    for (int i = 1; i < argc; i++)
        check_file(&c, argv[i]);
    if (argc < 2) {
        check_rules(&c);
        check_files(&c, top ? top : ".", "samples/*.*");
        check_files(&c, top ? top : ".", "tests/cases/*.case/input*");
    }
    printf("1..%u\n", c.tests);
    od_candidates_free(c.candidates);
    od_ruleset_free(c.rules);
    od_packs_free(c.packs);
    od_diags_free(c.diags);
    return c.failed > 0;
}
