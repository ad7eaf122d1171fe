/* Text without secrets and names: lines stay, and it is the same line by line and at once, where
 * what was read while names were learnt is not looked for again. */
#include "redact/redact.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

static void redact_lines(struct od_redactor *redactor, struct od_view bytes, struct od_buf *to)
{
    while (bytes.n > 0) {
        size_t n = od_view_find_char(bytes, '\n', 0);
        od_redact(redactor, od_view_head(bytes, n), to);
        od_buf_add_char(to, '\n');
        bytes = od_view_from(bytes, n < bytes.n ? n + 1 : bytes.n);
    }
}

static void at_once(struct od_redactor *redactor, struct od_view bytes, struct od_buf *to)
{
    od_redact(redactor, bytes, to);
    if (bytes.n > 0 && bytes.p[bytes.n - 1] != '\n')
        od_buf_add_char(to, '\n');
}

typedef void passes(struct od_redactor *, struct od_view, struct od_buf *);

static void go(struct od_view bytes, bool columns, passes *way, struct od_buf *to)
{
    struct od_redactor *redactor = od_redactor_new(columns);
    struct od_buf words = {0};
    od_redact_learning(redactor, true);
    way(redactor, bytes, to);
    to->n = 0;
    od_redact_learning(redactor, false);
    way(redactor, bytes, to);
    od_redacted_words(redactor, &words);
    od_buf_add(to, od_buf_view(&words));
    od_buf_done(&words);
    od_redactor_free(redactor);
}

static void one_way(struct od_view bytes, bool columns)
{
    struct od_buf lines = {0};
    struct od_buf all = {0};
    go(bytes, columns, redact_lines, &lines);
    go(bytes, columns, at_once, &all);
    if (!od_view_eq(od_buf_view(&lines), od_buf_view(&all)))
        abort();
    od_buf_done(&lines);
    od_buf_done(&all);
}

static void redact(struct od_ruleset *rules, struct od_view bytes)
{
    (void)rules;
    one_way(bytes, true);
    one_way(bytes, false);
}

static const char *const words[] = {"/home/",
                                    "/Users/",
                                    "C:\\Users\\",
                                    "HOSTNAME=",
                                    "USER=",
                                    "--password=",
                                    "token: ",
                                    "Authorization: Bearer ",
                                    "https://a:b@c.example/",
                                    "@example.org",
                                    "10.0.0.1",
                                    "fe80::1",
                                    "52:54:00:ab:cd:ef",
                                    "-----BEGIN RSA PRIVATE KEY-----",
                                    "-----END RSA PRIVATE KEY-----",
                                    "AWS_SECRET_ACCESS_KEY=",
                                    "api_key=",
                                    "node17",
                                    "eyJ",
                                    "ssh alice@",
                                    "logname=",
                                    "uid=0(root)",
                                    NULL};

const struct od_fuzz od_fuzz_redact = {.name = "redact", .words = words, .one = redact};
