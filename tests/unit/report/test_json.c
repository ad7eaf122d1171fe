#include "report/json_write.h"
#include "tests/unit/report/fixture.h"
#include "tests/unit/report/suites.h"
#include "tests/unit/suite.h"

#include <jansson.h>
#include <string.h>

static json_t *parse(struct od_buf *buf)
{
    json_error_t error;
    json_t *root = json_loadb(buf->p, buf->n, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    ck_assert_msg(root != NULL, "line %d: %s", error.line, error.text);
    return root;
}

static json_t *load(enum od_fixture_kind kind, const char *format, bool chunks)
{
    struct od_report_options options = {.chunks = chunks};
    struct od_buf buf = od_fixture_render(kind, format, &options);
    json_t *root = parse(&buf);
    od_buf_done(&buf);
    return root;
}

static const char *const top_keys[] = {
    "schema",     "version",        "inputs",        "outcome",          "incidents",
    "series",     "allocators",     "attribution",   "models",           "host",
    "settings",   "plan",           "diagnosis",     "phases",           "conflicts",
    "outcome_at", "outcome_reason", "unknown_lines", "memory_states",    "memory_state_count",
    "software",   "lost",           "decide",        "cause_not_in_log", "account"};

/* Jansson has no integer above 2^63, which the hostile report has. */
static const enum od_fixture_kind parsed[] = {OD_FIX_FRAGMENTED, OD_FIX_EXHAUSTED, OD_FIX_UNKNOWN,
                                              OD_FIX_SOURCES,    OD_FIX_CUT,       OD_FIX_SURVIVED,
                                              OD_FIX_OTHER,      OD_FIX_EMPTY};

START_TEST(report_has_the_contracts_keys)
{
    json_t *root = load(parsed[_i], "json", true);
    ck_assert_uint_eq(json_object_size(root), OD_COUNT_OF(top_keys));
    for (size_t i = 0; i < OD_COUNT_OF(top_keys); i++)
        ck_assert_msg(json_object_get(root, top_keys[i]) != NULL, "%s", top_keys[i]);
    json_t *line = load(parsed[_i], "jsonl", true);
    ck_assert(json_equal(root, line));
    json_decref(root);
    json_decref(line);
}
END_TEST

START_TEST(jsonl_is_one_line)
{
    struct od_report_options options = {.chunks = true};
    struct od_buf buf = od_fixture_render((enum od_fixture_kind)_i, "jsonl", &options);
    ck_assert_ptr_eq(memchr(buf.p, '\n', buf.n), buf.p + buf.n - 1);
    for (size_t i = 0; i + 1 < buf.n; i++)
        ck_assert_int_ge((unsigned char)buf.p[i], 0x20);
    od_buf_done(&buf);
}
END_TEST

static json_int_t number(json_t *root, const char *key)
{
    json_t *value = json_object_get(root, key);
    ck_assert_msg(json_is_integer(value), "%s is no integer", key);
    return json_integer_value(value);
}

START_TEST(whole_dump_is_told_exactly)
{
    json_t *root = load(OD_FIX_FRAGMENTED, "json", true);
    json_t *a = json_array_get(json_object_get(root, "allocators"), 0);
    json_t *chunks = json_object_get(a, "chunks");
    ck_assert_int_eq(number(chunks, "in_use"), 40 + 140 + 240 + 3 * 4);
    ck_assert_int_eq(number(chunks, "free"), 6);
    ck_assert_int_eq(number(chunks, "largest_free_bytes"), 1310 * 1048576 + 256);
    ck_assert_int_eq(number(a, "line_first"), 812);
    ck_assert_int_eq(number(a, "line_last"), 812 + 900 - 1);
    ck_assert_uint_eq(json_array_size(json_object_get(a, "chunk_list")), 438);
    ck_assert_uint_eq(json_array_size(json_object_get(a, "bins")), OD_BINS);
    ck_assert_ptr_null(json_object_get(a, "requested_bytes_range"));
    json_t *settings = json_object_get(root, "settings");
    ck_assert_int_eq(number(settings, "batch_size"), 28);
    ck_assert_str_eq(json_string_value(json_object_get(settings, "optimizer")), "adam");
    ck_assert(json_is_null(json_object_get(settings, "workers")));
    json_decref(root);
}
END_TEST

START_TEST(list_that_was_not_kept_is_null)
{
    struct od_fixture *f = od_fixture_new(OD_FIX_FRAGMENTED);
    od_allocator_forget_chunks(f->c.allocators.items[0]);
    struct od_buf buf = {0};
    od_format_report(od_format_find(OD_VIEW("json")), &f->report,
                     &(struct od_report_options){.chunks = true}, &buf);
    json_t *root = parse(&buf);
    json_t *a = json_array_get(json_object_get(root, "allocators"), 0);
    ck_assert(json_is_null(json_object_get(a, "chunk_list")));
    ck_assert_int_eq(number(json_object_get(a, "chunks"), "free"), 6);
    json_decref(root);
    od_buf_done(&buf);
    od_fixture_free(f);
}
END_TEST

START_TEST(rounded_size_has_its_range)
{
    json_t *root = load(OD_FIX_EXHAUSTED, "json", false);
    json_t *incident = json_array_get(json_object_get(root, "incidents"), 0);
    json_t *range = json_object_get(incident, "requested_bytes_range");
    ck_assert_int_eq(number(incident, "requested_bytes"), 67);
    ck_assert_int_eq(json_integer_value(json_array_get(range, 0)), 60);
    ck_assert_int_eq(json_integer_value(json_array_get(range, 1)), 71);
    ck_assert_ptr_null(json_object_get(incident, "free_bytes_range"));
    json_t *a = json_array_get(json_object_get(root, "allocators"), 0);
    ck_assert(json_is_null(json_object_get(a, "fragmentation")));
    ck_assert_ptr_null(json_object_get(a, "chunk_list"));
    json_decref(root);
}
END_TEST

START_TEST(cut_dump_has_no_totals)
{
    json_t *root = load(OD_FIX_CUT, "json", false);
    json_t *a = json_array_get(json_object_get(root, "allocators"), 0);
    json_t *chunks = json_object_get(a, "chunks");
    ck_assert(json_is_null(json_object_get(chunks, "free_bytes")));
    ck_assert(json_is_null(json_object_get(chunks, "count")));
    ck_assert_int_eq(number(json_object_get(chunks, "seen"), "free"), 6);
    ck_assert_int_eq(number(chunks, "lost"), 5);
    ck_assert(json_is_null(json_object_get(a, "fragmentation")));
    json_decref(root);
}
END_TEST

START_TEST(several_sources_are_told_apart)
{
    json_t *root = load(OD_FIX_SOURCES, "json", false);
    json_t *incidents = json_object_get(root, "incidents");
    for (size_t i = 0; i < json_array_size(incidents); i++) {
        json_t *incident = json_array_get(incidents, i);
        ck_assert_int_eq(number(incident, "source"), (json_int_t)(i % 3));
        json_t *evidence = json_array_get(json_object_get(incident, "evidence"), 0);
        ck_assert_int_eq(number(evidence, "source"), (json_int_t)(i % 3));
    }
    json_decref(root);
    root = load(OD_FIX_FRAGMENTED, "json", false);
    json_t *incident = json_array_get(json_object_get(root, "incidents"), 0);
    ck_assert_ptr_null(json_object_get(incident, "source"));
    json_decref(root);
}
END_TEST

START_TEST(hostile_text_stays_text)
{
    struct od_buf buf = {0};
    struct od_json json = {.to = &buf};
    static const char text[] = "a\"\\\x1b\x00\xff\n\x7f\xe2\x82\xac";
    od_json_array(&json, NULL);
    od_json_text(&json, NULL, (struct od_view){text, sizeof text - 1});
    od_json_double(&json, NULL, 1e300 * 1e300);
    od_json_double(&json, NULL, 9007199254740993.0);
    od_json_double(&json, NULL, -0.25);
    od_json_end(&json);
    ck_assert_str_eq(od_buf_str(&buf), "[\"a\\\"\\\\\\u001b\\u0000\xef\xbf\xbd\\n\\u007f"
                                       "\xe2\x82\xac\", null, 9007199254740992, -0.25]");
    json_decref(parse(&buf));
    od_buf_done(&buf);
}
END_TEST

START_TEST(schema_is_there)
{
    const char *schema = od_schema_find(OD_VIEW("report"));
    json_t *root = json_loads(schema, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_ptr_nonnull(root);
    json_decref(root);
    ck_assert_ptr_null(od_schema_find(OD_VIEW("nothing")));
    ck_assert_ptr_null(od_format_find(OD_VIEW("nothing")));
}
END_TEST

Suite *od_json_suite(void)
{
    Suite *suite = suite_create("json");
    TCase *tcase = tcase_create("json");
    tcase_add_loop_test(tcase, report_has_the_contracts_keys, 0, OD_COUNT_OF(parsed));
    tcase_add_loop_test(tcase, jsonl_is_one_line, 0, OD_FIXTURES);
    tcase_add_test(tcase, whole_dump_is_told_exactly);
    tcase_add_test(tcase, list_that_was_not_kept_is_null);
    tcase_add_test(tcase, rounded_size_has_its_range);
    tcase_add_test(tcase, cut_dump_has_no_totals);
    tcase_add_test(tcase, several_sources_are_told_apart);
    tcase_add_test(tcase, hostile_text_stays_text);
    tcase_add_test(tcase, schema_is_there);
    suite_add_tcase(suite, tcase);
    return suite;
}
