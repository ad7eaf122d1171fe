#include "base/buf.h"
#include "base/diag.h"
#include "input/open.h"
#include "rules/ruleset.h"
#include "scan/event_queue.h"
#include "scan/read_ahead.h"
#include "scan/scan.h"
#include "tests/unit/scan/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>

/* What a log is made of, and how large its blocks are. */
struct row {
    const char *name;
    void (*add_line)(struct od_buf *log, unsigned i);
    unsigned lines;
    size_t block_bytes;
};

static void add_mixed(struct od_buf *log, unsigned i)
{
    if (i % 7 == 0)
        od_buf_printf(log, "Epoch %u/9 loss: 0.%u memory: %uMiB\n", i % 9, i, 4000 + i % 5);
    else if (i % 50 == 1)
        od_buf_printf(log, "RuntimeError: CUDA out of memory. Tried to allocate %u.00 MiB\n", i);
    else
        od_buf_printf(log, "I0102 server.cc:%u] accepted 10.0.0.%u:%u\n", i, i % 256, i);
}

static void add_chunk(struct od_buf *log, unsigned i)
{
    const char *front = "2026-01-02 03:04:05.000000: I tensorflow/core/common_runtime/"
                        "bfc_allocator.cc:1060] ";
    if (i == 0)
        od_buf_printf(log, "%sBFCAllocator dump for GPU_0_bfc\n%sNext region of size %u\n", front,
                      front, 256U * 4000);
    od_buf_printf(log, "%sInUse at %x of size 256 next %u\n", front, 0x1000000 + 256 * i, i + 1);
    if (i % 1000 == 999)
        od_buf_add_str(log, "Epoch 3/9 loss: 0.5\n");
}

/* Some larger than what is kept: they are lent. */
static void add_giant(struct od_buf *log, unsigned i)
{
    od_buf_add_repeat(log, i % 2 ? "word step 3 " : "x", i % 3 == 0 ? 200000 : 10);
    od_buf_add_char(log, '\n');
}

/* A console cut the lines: blocks have spans. */
static void add_wrapped(struct od_buf *log, unsigned i)
{
    char line[256];
    int n = snprintf(line, sizeof line,
                     "2026-01-02 03:04:05 worker-%u Epoch %u/9: loss 0.%u with a tail so long that "
                     "every console has to cut it somewhere, number%u in the middle",
                     i % 3, i % 9, i, i * 7919);
    for (int at = 0; at < n; at += 80) {
        od_buf_add(log, (struct od_view){line + at, (size_t)(n - at < 80 ? n - at : 80)});
        od_buf_add_char(log, '\n');
    }
}

static const struct row rows[] = {
    {"mixed", add_mixed, 20000, 4096},     {"mixed, large blocks", add_mixed, 20000, 1 << 18},
    {"chunks", add_chunk, 4000, 16384},    {"giants", add_giant, 60, 65536},
    {"wrapped", add_wrapped, 3000, 16384}, {"one line", add_mixed, 1, 4096},
};

struct reading {
    struct od_buf log;
    struct od_diags *diags;
    struct od_input *input;
    struct od_buf lines;
};

static void begin(struct reading *r, const struct row *row)
{
    *r = (struct reading){.diags = od_diags_new()};
    for (unsigned i = 0; i < row->lines; i++)
        row->add_line(&r->log, i);
    r->input = od_input_new(NULL, r->diags);
    od_input_set_block(r->input, row->block_bytes);
    for (unsigned source = 0; source < 2; source++)
        ck_assert_int_eq(od_input_add_bytes(r->input, "log", od_buf_view(&r->log)), OD_OK);
}

static void end(struct reading *r)
{
    od_input_free(r->input);
    od_diags_free(r->diags);
    od_buf_done(&r->log);
    od_buf_done(&r->lines);
}

static void note_block(struct reading *r, const struct od_block *block)
{
    struct od_cursor cursor = od_cursor_start(block);
    struct od_raw_line line;
    while (od_cursor_next(&cursor, &line)) {
        od_buf_printf(&r->lines, "%u:%llu+%u@%llu ", line.at.source,
                      (unsigned long long)line.at.line, line.at.nlines,
                      (unsigned long long)line.at.offset);
        od_buf_add(&r->lines, line.bytes);
        od_buf_add_char(&r->lines, '\n');
    }
}

/* Filtered as a whole; or those of some lines, and each line listed once with its shape. */
static void assert_listing_is_of(struct od_finder *finder, const struct od_read_ahead_block *next)
{
    const struct od_block_lines *listing = next->listing;
    struct od_hits all = {0};
    size_t at = 0, end = 0;
    od_finder_more(finder, next->block.bytes, 0, next->block.bytes.n, &all);
    if (listing->lines.n == 0)
        ck_assert_uint_eq(all.list.n, listing->hits.list.n);
    OD_FOR_EACH (const struct od_filter_hit, hit, listing->hits.list) {
        while (at < all.list.n && all.list.items[at].end < hit->end)
            at++;
        ck_assert_uint_lt(at, all.list.n);
        ck_assert_uint_eq(all.list.items[at].end, hit->end);
    }
    OD_FOR_EACH (const struct od_listed, line, listing->lines) {
        ck_assert_uint_eq(line->start, end);
        ck_assert(!line->shape || line->shape->n == line->end - line->start);
        end = line->next;
    }
    ck_assert(listing->lines.n == 0 || end == next->block.bytes.n);
    od_vec_done(&all.list);
}

/* Both sources, each but for its first block read by another thread. */
static void read_ahead(struct reading *r, const struct od_candidates *candidates, bool shapes)
{
    struct od_finder *finder = od_finder_new(candidates);
    struct od_block block;
    struct od_read_ahead_block next;
    while (od_input_next(r->input, &block)) {
        note_block(r, &block);
        struct od_read_ahead *ahead = od_read_ahead_start(r->input, candidates, shapes);
        ck_assert_ptr_nonnull(ahead);
        for (unsigned i = 0;
             od_read_ahead_next(ahead, &(struct od_read_ahead_wish){.renew = i % 5 == 0}, &next);
             i++) {
            note_block(r, &next.block);
            if (next.listing)
                assert_listing_is_of(finder, &next);
        }
        od_read_ahead_stop(ahead);
    }
    od_finder_free(finder);
}

START_TEST(blocks_are_the_same)
{
    struct od_ruleset *rules = od_ruleset_new(NULL, 0);
    struct od_candidates *candidates = od_candidates_new(rules, NULL, NULL);
    struct reading plain, ahead;
    struct od_block block;
    begin(&plain, &rows[_i]);
    begin(&ahead, &rows[_i]);
    while (od_input_next(plain.input, &block))
        note_block(&plain, &block);
    read_ahead(&ahead, candidates, _i % 2 == 0);
    ck_assert_uint_eq(plain.lines.n, ahead.lines.n);
    ck_assert_str_eq(od_buf_str(&plain.lines), od_buf_str(&ahead.lines));
    ck_assert_str_eq(od_input_source(plain.input, 1)->digest,
                     od_input_source(ahead.input, 1)->digest);
    end(&plain);
    end(&ahead);
    od_candidates_free(candidates);
    od_ruleset_free(rules);
}
END_TEST

START_TEST(it_can_be_stopped_at_any_time)
{
    struct od_ruleset *rules = od_ruleset_new(NULL, 0);
    struct od_candidates *candidates = od_candidates_new(rules, NULL, NULL);
    for (unsigned blocks = 0; blocks < 12; blocks++) {
        struct reading r;
        struct od_block block;
        struct od_read_ahead_block next;
        begin(&r, &rows[_i]);
        ck_assert(od_input_next(r.input, &block));
        struct od_read_ahead *ahead = od_read_ahead_start(r.input, candidates, true);
        for (unsigned i = 0;
             i < blocks && od_read_ahead_next(ahead, &(struct od_read_ahead_wish){0}, &next); i++)
            note_block(&r, &next.block);
        od_read_ahead_stop(ahead);
        end(&r);
    }
    od_candidates_free(candidates);
    od_ruleset_free(rules);
}
END_TEST

static void note_field(struct od_buf *to, const struct od_field_value *value)
{
    od_buf_printf(to, " %s=", od_field_name(value->field));
    switch (od_field_type(value->field)) {
    case OD_T_TEXT:
        od_buf_add(to, value->as.text);
        break;
    case OD_T_SHAPE:
        od_buf_printf(to, "%u dims", value->as.shape->n);
        break;
    case OD_T_BYTES:
        od_buf_printf(to, "%llu", (unsigned long long)value->as.bytes.n);
        break;
    case OD_T_NUMBER:
        od_buf_printf(to, "%g", value->as.number);
        break;
    case OD_T_COUNT:
    case OD_T_DTYPE:
        od_buf_printf(to, "%llu", (unsigned long long)value->as.count);
        break;
    }
}

static void note_event(void *self, const struct od_event *event)
{
    struct reading *r = self;
    od_buf_printf(&r->lines, "%s %llu %s %d ", od_event_kind_name(event->kind),
                  (unsigned long long)event->at.line, event->rule ? event->rule : "-",
                  event->dump != NULL);
    od_buf_add(&r->lines, event->excerpt);
    for (size_t i = 0; i < event->nfields; i++)
        note_field(&r->lines, &event->fields[i]);
    if (event->line) {
        od_buf_add(&r->lines, event->line->text);
        od_buf_add(&r->lines, event->line->stamp);
        od_buf_printf(&r->lines, " lane %u", event->line->lane);
    }
    od_buf_add_char(&r->lines, '\n');
}

START_TEST(events_are_the_same)
{
    struct od_ruleset *rules = od_ruleset_new(NULL, 0);
    struct reading readings[2];
    for (unsigned i = 0; i < 2; i++) {
        struct reading *r = &readings[i];
        struct od_arena *arena = od_arena_new();
        begin(r, &rows[_i]);
        const struct od_scan_options options = {.ahead_from = i, .arena = arena, .diags = r->diags};
        const struct od_sink sink = {.event = note_event, .self = r};
        (void)od_scan(r->input, rules, &options, &sink);
        od_arena_free(arena);
    }
    ck_assert_str_eq(od_buf_str(&readings[0].lines), od_buf_str(&readings[1].lines));
    for (unsigned i = 0; i < 2; i++)
        end(&readings[i]);
    od_ruleset_free(rules);
}
END_TEST

enum { EVENTS = 5000, LONG_TEXT = 40000, DIRECT = 17 /* one of so many is given out at once */ };

/* Of a line that is gone when the next one comes. */
static void put_events(struct od_event_queue *behind, const struct od_sink *sink, unsigned n)
{
    static char bytes[LONG_TEXT];
    struct od_shape_memory other = {0}, memory = {.other = &other};
    struct od_dump dump = {0};
    memset(bytes, 'x', sizeof bytes);
    for (unsigned i = 0; i < n; i++) {
        struct od_shape shape = {.dims = {i}, .n = 1 + i % 3, .known = true};
        size_t used = (size_t)snprintf(bytes, 100, "12:00:%02u step %u of the run", i % 60, i);
        size_t text_n = i % DIRECT == 1 ? LONG_TEXT - 9 : used - 9;
        const struct od_line line = {.text = {bytes + 9, text_n},
                                     .stamp = {bytes, 8},
                                     .at = {.line = i + 1, .nlines = 1},
                                     .lane = i % 5,
                                     .memory = &memory};
        struct od_event event;
        od_event_begin(&event, i % DIRECT == 2 ? OD_EV_DUMP : OD_EV_SAMPLE, &line, "test");
        event.dump = event.kind == OD_EV_DUMP ? &dump : NULL;
        event.excerpt = od_view_head(line.text, 6);
        od_event_set_text(&event, OD_F_NAME, od_view_head(line.text, 9));
        od_event_set_text(&event, OD_F_DEVICE, (struct od_view){bytes + 6, 2});
        if (event.kind == OD_EV_SAMPLE)
            od_event_set_count(&event, OD_F_STEP, i);
        od_event_set(&event, &(struct od_field_value){OD_F_SHAPE, {.shape = &shape}});
        od_event_queue_next_line(behind);
        od_sink_put(sink, &event);
        od_event_set_text(&event, OD_F_NAME, line.text);
        od_sink_put(sink, &event);
        memset(bytes, '#', used);
        memset(&shape, 0, sizeof shape);
    }
}

START_TEST(events_behind_are_the_same)
{
    struct reading plain = {0}, behind = {0};
    struct od_sink sink = {.event = note_event, .self = &behind};
    put_events(NULL, &(struct od_sink){.event = note_event, .self = &plain}, EVENTS);
    struct od_event_queue *b = od_event_queue_start(&sink);
    ck_assert_ptr_nonnull(b);
    put_events(b, od_event_queue_sink(b), EVENTS / 2);
    od_event_queue_wait(b);
    ck_assert_uint_gt(behind.lines.n, plain.lines.n / 3);
    behind.lines.n = 0;
    put_events(b, od_event_queue_sink(b), EVENTS);
    od_event_queue_stop(b);
    ck_assert_uint_eq(plain.lines.n, behind.lines.n);
    ck_assert_mem_eq(plain.lines.p, behind.lines.p, plain.lines.n);
    od_buf_done(&plain.lines);
    od_buf_done(&behind.lines);
}
END_TEST

Suite *od_read_ahead_suite(void)
{
    int n = (int)(sizeof rows / sizeof *rows);
    Suite *suite = od_suite_loop("ahead", blocks_are_the_same, n);
    TCase *tcase = tcase_create("ahead scan");
    tcase_add_loop_test(tcase, it_can_be_stopped_at_any_time, 0, n);
    tcase_add_loop_test(tcase, events_are_the_same, 0, n);
    tcase_add_test(tcase, events_behind_are_the_same);
    tcase_set_timeout(tcase, 120);
    suite_add_tcase(suite, tcase);
    return suite;
}
