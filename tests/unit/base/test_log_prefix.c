/* The prefixes that loggers print before a message. */
#include "base/log_prefix.h"
#include "base/num.h"
#include "tests/unit/base/suites.h"
#include "tests/unit/suite.h"

static const struct {
    const char *line;
    const char *said; /* "" = no error; NULL = the whole line */
} heads[] = {
    {"ValueError: bad", "ValueError: bad"},
    {"2024-01-01 12:00:00 ERROR foo.py:12] RuntimeError: bad", "RuntimeError: bad"},
    {"2024-01-01 12:00:00,123 - a.b - ERROR - KeyError: 'x'", "KeyError: 'x'"},
    {"2024-02-01 09:10:11.123 | ERROR    | a.loop:train:88 - KeyError: 'x'", "KeyError: 'x'"},
    {"E0412 10:00:00.123456 4242 run.py:33] ValueError: bad", "ValueError: bad"},
    {"F20240412 10:00:00.1 4242 run.cc:33] a.b.FooException: bad", "a.b.FooException: bad"},
    {"ERROR:root:OSError: bad", "OSError: bad"},
    {"time=\"2024\" level=error caller=x.go:7 msg=\"TypeError: bad\"", "TypeError: bad"},
    {"[rank3]: 12:00:00 ERROR worker-7 pool ImportError: bad", "ImportError: bad"},
    {"12:00:00 ERROR RayTaskError(KeyError): KeyError: 'x'", "KeyError: 'x'"},
    {"OuterError: InnerError: bad", "InnerError: bad"},
    {"ValueError: expected: 3, but FooError: x", "ValueError: expected: 3, but FooError: x"},
    {"12:00:00 INFO worker ValueError: bad", ""},
    {"I0412 10:00:00.123456 4242 run.py:33] ValueError: bad", ""},
    {"level=warn msg=\"ValueError: bad\"", ""},
    {"WARNING:root:ValueError: bad", ""},
    {"the ValueError: that everybody has", NULL},
    {"ERROR while the model was read: ValueError: bad", NULL},
    {"", ""},
    {"[", NULL},
    {"a=\"", NULL},
};

START_TEST(logger_prefixes_are_removed)
{
    struct od_view line = od_view_of(heads[_i].line);
    struct od_view said = od_log_message(line);
    struct od_view wanted = heads[_i].said ? od_view_of(heads[_i].said) : line;
    ck_assert_msg(od_view_eq(said, wanted), "%s: %.*s", heads[_i].line, (int)said.n, said.p);
}
END_TEST

Suite *od_log_prefix_suite(void)
{
    return od_suite_loop("log_prefix", logger_prefixes_are_removed, (int)OD_COUNT_OF(heads));
}
