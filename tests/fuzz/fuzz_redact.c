/* Text without secrets and names: lines stay, and what was replaced is not replaced again. */
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

static size_t lines_of(struct od_view text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == '\n';
    return n;
}

static void one_way(struct od_view bytes, bool columns)
{
    struct od_redactor *redactor = od_redactor_new(columns);
    struct od_buf learnt = {0};
    struct od_buf text = {0};
    struct od_buf words = {0};
    od_redact_learning(redactor, true);
    redact_lines(redactor, bytes, &learnt);
    od_redact_learning(redactor, false);
    redact_lines(redactor, bytes, &text);
    od_redacted_words(redactor, &words);
    if (lines_of(od_buf_view(&learnt)) != lines_of(od_buf_view(&text)) || words.n == 0)
        abort();
    od_buf_done(&learnt);
    od_buf_done(&text);
    od_buf_done(&words);
    od_redactor_free(redactor);
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
