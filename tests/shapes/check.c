/*
 * Shapes change nothing but the time: the events of a scan that asks for shapes
 * (scan/line_shapes.h) are those of one that does not. Over the samples, the inputs of the golden
 * cases, the samples of all rules, and what of them is written around here: each line with lines of
 * other digits behind it. check FILE... looks at these files instead.
 */
#include "base/ascii.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/mem.h"
#include "facts/dump.h"
#include "facts/model.h"
#include "input/open.h"
#include "lib/packs.h"
#include "rules/ruleset.h"
#include "rules/software.h"
#include "rules/words.h"
#include "scan/scan.h"

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

/* ---- events, written down ---- */

static void write_value(struct od_buf *to, const struct od_field_value *value)
{
    od_buf_printf(to, " %s=", od_field_name(value->field));
    switch (od_field_type(value->field)) {
    case OD_T_BYTES:
        od_buf_printf(to, "%llu..%llu", (unsigned long long)value->as.bytes.lo,
                      (unsigned long long)value->as.bytes.hi);
        break;
    case OD_T_COUNT:
        od_buf_printf(to, "%llu", (unsigned long long)value->as.count);
        break;
    case OD_T_NUMBER:
        od_buf_printf(to, "%a", value->as.number);
        break;
    case OD_T_TEXT:
        od_buf_add(to, value->as.text);
        break;
    case OD_T_DTYPE:
        od_buf_printf(to, "%d", (int)value->as.dtype);
        break;
    case OD_T_SHAPE:
        for (size_t i = 0; i < value->as.shape.n; i++)
            od_buf_printf(to, "%llu,", (unsigned long long)value->as.shape.dims[i]);
        break;
    }
}

static void write_prov(struct od_buf *to, const struct od_prov *at)
{
    od_buf_printf(to, "%u:%llu+%u@%llu ", at->source, (unsigned long long)at->line, at->nlines,
                  (unsigned long long)at->offset);
}

static void write_count(struct od_buf *to, struct od_count count)
{
    od_buf_printf(to, "|%d %llu", (int)count.known, (unsigned long long)count.n);
}

static void write_line(struct od_buf *to, const struct od_line *line)
{
    write_prov(to, &line->at);
    od_buf_add(to, line->text);
    od_buf_add_char(to, '|');
    od_buf_add(to, line->stamp);
    if (line->place) {
        od_buf_add_char(to, '|');
        od_buf_add(to, line->place->host);
        od_buf_add_char(to, '|');
        od_buf_add(to, line->place->process);
        write_count(to, line->place->pid);
        write_count(to, line->place->rank);
    }
}

static void write_event(void *self, const struct od_event *event)
{
    struct od_buf *to = self;
    od_buf_printf(to, "%s %s ", od_event_kind_name(event->kind), event->rule);
    write_prov(to, &event->at);
    od_buf_add(to, event->excerpt);
    for (size_t i = 0; i < event->nfields; i++)
        write_value(to, &event->fields[i]);
    if (event->kind == OD_EV_DUMP && event->dump)
        od_buf_printf(to, " dump %zu %zu %zu", event->dump->chunks.n, event->dump->regions.n,
                      event->dump->bins.n);
    if (event->kind == OD_EV_MODEL && event->model)
        od_buf_printf(to, " model %zu", event->model->layers.n);
    od_buf_add_str(to, "\n  ");
    if (event->line)
        write_line(to, event->line);
    od_buf_add_char(to, '\n');
}

/* ---- scans ---- */

struct run {
    bool no_shapes;
    size_t block_bytes;
};

static void scan(struct checker *c, struct od_view log, const struct run *run, struct od_buf *ret)
{
    struct od_arena *arena = od_arena_new();
    struct od_input *input = od_input_new(NULL, c->diags);
    struct od_scan_options options = {.no_shapes = run->no_shapes,
                                      .candidates = c->candidates,
                                      .arena = arena,
                                      .diags = c->diags};
    od_input_set_block(input, run->block_bytes);
    if (od_input_add_bytes(input, "log", log) == OD_OK) {
        struct od_sink sink = {.event = write_event, .self = ret};
        struct od_scan_stats stats = od_scan(input, c->rules, &options, &sink);
        od_buf_printf(ret, "lines %llu, unknown %llu, crowded %llu\n",
                      (unsigned long long)stats.lines, (unsigned long long)stats.unknown,
                      (unsigned long long)stats.crowded);
    }
    od_input_free(input);
    od_arena_free(arena);
}

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
    scan(c, log, &(struct run){.no_shapes = true, .block_bytes = block_bytes}, &without);
    scan(c, log, &(struct run){.block_bytes = block_bytes}, &with);
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
    c.candidates = od_candidates_new(c.rules, od_shipped_signs);
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
