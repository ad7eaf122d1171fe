#include "base/mem.h"
#include "base/num.h"
#include "input/unwrap.h"
#include "tests/unit/input/helper.h"
#include "tests/unit/input/suites.h"

#include <stdio.h>
#include <string.h>

#define PLAIN "2024-02-03 04:05:06.789012: I tensorflow/core/bfc.cc:77] InUse at 0x7f10 of size 512"

struct row {
    const char *raw;
    const char *text;  /* lines with '|' between */
    const char *place; /* "host/process/pid/rank" of the last one */
    const char *stamp; /* stamp of the last one */
    enum od_block_prefixes labels;
};

static const struct row rows[] = {
    /* plain text stays */
    {"", "", "///", "", 0},
    {PLAIN, PLAIN, "///", "", 0},
    {"I tensorflow/core/bfc.cc:77] Bin (256):", "I tensorflow/core/bfc.cc:77] Bin (256):", "///",
     "", 0},
    {"W0305 11:10:23.123456   123 file.cc:1] x", "W0305 11:10:23.123456   123 file.cc:1] x", "///",
     "", 0},
    {"2024-02-03T04:05:06.789Z INFO x", "2024-02-03T04:05:06.789Z INFO x", "///", "", 0},
    {"2024-02-03T04:05:06.789012Z INFO x", "2024-02-03T04:05:06.789012Z INFO x", "///", "", 0},
    {"3: not a label", "3: not a label", "///", "", 0},
    {"[3] not a label", "[3] not a label", "///", "", 0},
    {"block-1  | 64 x 64 | 12", "block-1  | 64 x 64 | 12", "///", "", 0},
    {"step [1] <stdout> (pid) {x}", "step [1] <stdout> (pid) {x}", "///", "", 0},
    {"{'loss': 0.25, 'epoch': 1.0}", "{'loss': 0.25, 'epoch': 1.0}", "///", "", 0},
    {"{\"mode\": \"train\", \"memory\": 3456}", "{\"mode\": \"train\", \"memory\": 3456}", "///",
     "", 0},
    {"{\"log\": \"cut off in the mid", "{\"log\": \"cut off in the mid", "///", "", 0},
    {"\"just a quoted sentence\",", "\"just a quoted sentence\",", "///", "", 0},
    {"it's 5 o'clock", "it's 5 o'clock", "///", "", 0},
    {"open('C:\\new\\notes.txt')", "open('C:\\new\\notes.txt')", "///", "", 0},
    {"- a list mark", "- a list mark", "///", "", 0},
    {"a & b &c; d", "a & b &c; d", "///", "", 0},
    {"Mar  3 is a date", "Mar  3 is a date", "///", "", 0},
    {"Epoch 3 10:11:12 one two", "Epoch 3 10:11:12 one two", "///", "", 0},
    {"[0.123456, 0.5] x", "[0.123456, 0.5] x", "///", "", 0},
    {"in\0side", "in", "///", "", 0},

    /* colours */
    {"\x1b[1;31mred\x1b[0m text", "red text", "///", "", 0},
    {"#033[2m#033[33m(r)#033[0m done", "(r) done", "///", "", 0},
    {"at #033 and #0334", "at #033 and #0334", "///", "", 0},
    {"\x1b]0;title\x07text\x1b(B", "text", "///", "", 0},
    {"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link", "///", "", 0},
    {"a\x1b[3Cb\x1b[Kc", "a   bc", "///", "", 0},
    {"50%\x1b[A100%", "50%|100%", "///", "", 0},
    {"\x1b]unfinished", "]unfinished", "///", "", 0},
    {"\x1b[12 MiB\x1b", "[12 MiB", "///", "", 0},

    /* bars */
    {" 0%\r 50%\r100%", " 0%| 50%|100%", "///", "", 0},
    {"\r\rx\r", "x", "///", "", 0},
    {"\r", "", "///", "", 0},
    {"1/2\b\b\b2/2", "1/2|2/2", "///", "", 0},

    /* JSON */
    {"{\"log\":\"out of memory\\n\",\"stream\":\"stderr\",\"time\":\"2024-02-03T04:05:06.7Z\"}",
     "out of memory", "///", "2024-02-03T04:05:06.7Z", 0},
    {"{\"log\":\"\\n\",\"stream\":\"stdout\",\"time\":\"t\"}", "", "///", "t", 0},
    {"{\"msg\":\"a\\tb \\u20ac \\ud83d\\ude00\",\"pid\":12,\"hostname\":\"n1\",\"rank\":\"3\"}",
     "a\tb \xe2\x82\xac \xf0\x9f\x98\x80", "n1//12/3", "", 0},
    {"{\"jsonPayload\":{\"message\":\"deep\"},\"resource\":{\"labels\":{\"pod_name\":\"p-0\"}}}",
     "deep", "/p-0//", "", 0},
    {"{\"MESSAGE\":\"m\",\"_HOSTNAME\":\"h\",\"_PID\":\"9\",\"SYSLOG_IDENTIFIER\":\"python3\"}",
     "m", "h/python3/9/", "", 0},
    {"{\"level\":\"error\",\"message\":\"failed\",\"exc_info\":\"Traceback:\\n  oom\"}",
     "failed|Traceback:|  oom", "///", "", 0},
    {"{\"textPayload\":\"x\",\"timestamp\":\"T\"},", "x", "///", "T", 0},
    {"      \"Limit:   123\\n\",", "Limit:   123", "///", "", 0},
    {"   \"\\u001b[31mError\\u001b[0m: x\"", "Error: x", "///", "", 0},
    {"{\"cells\":[{\"cell_type\":\"code\",\"outputs\":[{\"text\":[\"one\\n\",\"two\\n\"]},"
     "{\"evalue\":\"three\"}]}],\"nbformat\":4}",
     "one|two|three", "///", "", 0},

    /* heads of hosts */
    {"2024-02-03T04:05:06.123456789Z stderr F text", "text", "///",
     "2024-02-03T04:05:06.123456789Z", 0},
    {"2024-02-03T04:05:06.123456789+01:00 stdout P part", "part", "///",
     "2024-02-03T04:05:06.123456789+01:00", 0},
    {"2024-02-03T04:05:06Z CUDA error: x", "CUDA error: x", "///", "2024-02-03T04:05:06Z", 0},
    {"2024-02-03T04:05:06Z Killed", "Killed", "///", "2024-02-03T04:05:06Z", 0},
    {"2024-02-03T04:05:06.789+0100 Killed", "Killed", "///", "2024-02-03T04:05:06.789+0100", 0},
    {"2024-02-03T04:05:06.1234567Z   File \"x.py\"", "  File \"x.py\"", "///",
     "2024-02-03T04:05:06.1234567Z", 0},
    {"2024-02-03T04:05:06.1234567Z", "", "///", "2024-02-03T04:05:06.1234567Z", 0},
    {"2024-02-03T04:05:06.123456Z 00O step 1", "step 1", "///", "2024-02-03T04:05:06.123456Z", 0},
    {"train\tRun it\t2024-02-03T04:05:06.1234567Z epoch 1", "epoch 1", "/train//",
     "2024-02-03T04:05:06.1234567Z", 0},
    {"Mar  3 10:11:12 node7 python3[231]: text", "text", "node7/python3/231/", "Mar  3 10:11:12",
     0},
    {"M\xc3\xa4r 03 10:11:12 node7 python3[231]:  two spaces", " two spaces", "node7/python3/231/",
     "M\xc3\xa4r 03 10:11:12", 0},
    {"f\xc3\xa9vr. 3 10:11:12 node7 app: x", "x", "node7/app//", "f\xc3\xa9vr. 3 10:11:12", 0},
    {"<13>Mar  3 10:11:12 node7 app: x", "x", "node7/app//", "Mar  3 10:11:12", 0},
    {"2024-02-03T04:05:06+0100 gpu-1 slurmd[8]: x", "x", "gpu-1/slurmd/8/",
     "2024-02-03T04:05:06+0100", 0},
    {"Tue 2024-02-06 04:05:06 CET gpu-1 app[8]: x", "x", "gpu-1/app/8/",
     "Tue 2024-02-06 04:05:06 CET", 0},
    {"<165>1 2024-02-03T04:05:06.003Z h app 77 ID [a@1 b=\"c ] d\"] text", "text", "h/app/77/",
     "2024-02-03T04:05:06.003Z", 0},
    {"<34>1 - - app - - - text", "text", "/app//", "", 0},
    {"[ 1234.567890] Out of memory: x", "Out of memory: x", "///", " 1234.567890", 0},
    {"<6>[ 1234.567890][ T99] x", "x", "///", " 1234.567890", 0},
    {"[Tue Mar  3 10:11:12 2024] x", "x", "///", "Tue Mar  3 10:11:12 2024", 0},
    {"Mar  3 10:11:12 n kernel: [ 1234.567890] oom", "oom", "n/kernel//", "Mar  3 10:11:12", 0},

    /* ranks */
    {"[rank3]: Traceback", "Traceback", "///3", "", 0},
    {"[rank3]:[W x] y", "[W x] y", "///3", "", 0},
    {"[default12]:  File", "  File", "///12", "", 0},
    {"[1,5]<stderr>:text", "text", "///5", "", 0},
    {"[1,mpirank:2,algo-1]<stdout>:text", "text", "algo-1///2", "", 0},
    {"[2]<stdout>:text", "text", "///2", "", 0},
    {"[pod/train-0/main] text", "text", "/train-0/main//", "", 0},
    {"(pid=123) text", "text", "//123/", "", 0},
    {"(EngineCore_0 pid=77)  text", " text", "/EngineCore_0/77/", "", 0},
    {"(VllmWorker rank=2 pid=9) text", "text", "/VllmWorker/9/2", "", 0},
    {"(RayTrainWorker pid=1, ip=10.0.0.2) text", "text", "10.0.0.2/RayTrainWorker/1/", "", 0},
    {"10.0.0.5: text", "text", "10.0.0.5///", "", 0},
    {"3: " PLAIN, PLAIN, "///3", "", 0},
    {"[3]: Traceback (most recent call last):", "Traceback (most recent call last):", "///3", "",
     0},
    {"train-1  | torch.OutOfMemoryError: x", "torch.OutOfMemoryError: x", "/train-1//", "", 0},
    {" 3: Limit: 12", "Limit: 12", "///3", "", OD_BLOCK_PREFIX_NUMBER},
    {"3:", "", "///3", "", OD_BLOCK_PREFIX_NUMBER},
    {"[3]: Limit: 12", "Limit: 12", "///3", "", OD_BLOCK_PREFIX_BRACKET},
    {"train-1  | Limit: 12", "Limit: 12", "/train-1//", "", 0},
    {"3: 4: x", "4: x", "///3", "", OD_BLOCK_PREFIX_NUMBER},

    /* services */
    {"2024-02-03T04:05:06.12+00:00 app[web.1]: Killed", "Killed", "/web.1//",
     "2024-02-03T04:05:06.12+00:00", 0},
    {"2024-02-03T04:05:06.12 app[d8912] fra [info] Killed", "Killed", "/d8912//",
     "2024-02-03T04:05:06.12", 0},
    {"ERROR 2024-02-03T04:05:06.12Z [resource.labels.name: x] [labels.id: 7] Killed", "Killed",
     "///", "2024-02-03T04:05:06.12Z", 0},
    {"ERROR 2024-02-03T04:05:06.12Z [main] Killed", "ERROR 2024-02-03T04:05:06.12Z [main] Killed",
     "///", "", 0},
    {"2024-02-03T04:05:06.12Z\t3d1a-9\tERROR\tKilled", "Killed", "///", "2024-02-03T04:05:06.12Z",
     0},
    {"#12 34.56 Killed", "Killed", "///", "", 0},
    {"#12 34 Killed", "#12 34 Killed", "///", "", 0},
    {"#1  0x00 in main", "#1  0x00 in main", "///", "", 0},
    {"9:05:06 AM: Killed", "Killed", "///", "", 0},
    {"10:11:12 PM: Killed", "Killed", "///", "", 0},
    {"May 21 10:11:12 AM  Killed", "Killed", "///", "", 0},
    {"0|api      | Killed", "Killed", "/api//", "", 0},
    {"10:11:12 web.1  | Killed", "Killed", "/web.1//", "", 0},
    {"[2024-02-03T04:05:06.12Z] Killed", "Killed", "///", "2024-02-03T04:05:06.12Z", 0},
    {"#> Killed", "Killed", "///", "", 0},
    {"2024-02-03T04:05:06.12 runner[d8912] fra [info] Killed", "Killed", "/d8912//",
     "2024-02-03T04:05:06.12", 0},
    {"   2024-02-03T04:05:06.12+0200 [APP/PROC/WEB/0] ERR Killed", "Killed", "///",
     "2024-02-03T04:05:06.12+0200", 0},
    {"shop-6d8f7c5b9-x2k4q api Killed", "Killed", "/api//", "", 0},
    {"prod shop-6d8f7c5b9-x2k4q api Killed", "Killed", "/api//", "", 0},
    {"2024-02-03T04:05:06.12Z {app=\"shop\"} Killed", "Killed", "///", "2024-02-03T04:05:06.12Z",
     0},
    {"[shop-6d8f7c5b9-x2k4q] Killed", "Killed", "/shop-6d8f7c5b9-x2k4q//", "", 0},
    {"gpt-assistant-small was Killed", "gpt-assistant-small was Killed", "///", "", 0},
    {"[10:11:12] :\t [Step 1/2] Killed", "Killed", "///", "", 0},
    {"error\t02-May-2024 10:11:12\tKilled", "Killed", "///", "", 0},
    {"web:build: Killed", "Killed", "/web//", "", 0},
    {"main.cpp:12: Killed", "main.cpp:12: Killed", "///", "", 0},
    {"@shop/web: Killed", "Killed", "/web//", "", 0},
    {"packages/web build: Killed", "Killed", "/web//", "", 0},
    {"worker  | Killed", "Killed", "/worker//", "", 0},
    {"worker  | Killed | 3", "worker  | Killed | 3", "///", "", 0},
    {"dmesg | tail", "dmesg | tail", "///", "", 0},
    {"time=\"2024-02-03\" level=error msg=\"fork: \\\"out of memory\\\"\"",
     "fork: \"out of memory\"", "///", "", 0},
    {"level=error msg=\"failed\" error=\"Killed\"", "level=error msg=\"failed\" error=\"Killed\"",
     "///", "", 0},

    /* quotes */
    {"> text", "text", "///", "", 0},
    {"> > text", "text", "///", "", 0},
    {">>> text", ">>> text", "///", "", 0},
    {"`text here`", "text here", "///", "", 0},
    {"`a` and `b`", "`a` and `b`", "///", "", 0},
    {"2024-03-01T10:11:12.1234567Z ##[error]out of memory", "out of memory", "///",
     "2024-03-01T10:11:12.1234567Z", 0},
    {"##[vso]stays", "##[vso]stays", "///", "", 0},
    {"&lt;module&gt; &quot;x&quot; &amp;&#39;", "<module> \"x\" &'", "///", "", 0},
    {"out\xc2\xa0of&nbsp;mem\xe2\x80\x8bory \xc2\xb5s", "out of memory \xc2\xb5s", "///", "", 0},
    {"b'one\\ntwo\\x1b[0m \\'q\\''", "one|two 'q'", "///", "", 0},
    {"'one\\ntwo'", "one|two", "///", "", 0},
    {"stderr: b'one\\ntwo' (1)", "stderr: b'one|two' (1)", "///", "", 0},
    {"Error(\"a 'b'\\nc\")", "Error(\"a 'b'|c\")", "///", "", 0},
};

static void place_text(const struct od_place *place, struct od_buf *to)
{
    to->n = 0;
    od_buf_add(to, place->host);
    od_buf_add_char(to, '/');
    od_buf_add(to, place->process);
    od_buf_add_char(to, '/');
    if (place->pid.known)
        od_buf_printf(to, "%llu", (unsigned long long)place->pid.n);
    od_buf_add_char(to, '/');
    if (place->rank.known)
        od_buf_printf(to, "%llu", (unsigned long long)place->rank.n);
}

struct peeled {
    struct od_buf text, place, stamp;
    uint32_t lane;
};

static void peel(struct od_unwrap *unwrap, struct od_view raw, enum od_block_prefixes labels,
                 struct peeled *ret)
{
    const struct od_raw_line line = {
        .bytes = raw, .at = {.source = 0, .nlines = 1, .line = 7, .offset = 99}, .labels = labels};
    struct od_line out;
    bool first = true;
    ret->text.n = ret->stamp.n = 0;
    od_unwrap_start(unwrap, &line);
    while (od_unwrap_next(unwrap, &out)) {
        if (!first)
            od_buf_add_char(&ret->text, '|');
        first = false;
        od_buf_add(&ret->text, out.text);
        place_text(out.place, &ret->place);
        ret->stamp.n = 0;
        od_buf_add(&ret->stamp, out.stamp);
        ret->lane = out.lane;
        ck_assert_uint_eq(out.at.line, 7);
        ck_assert_uint_eq(out.at.offset, 99);
    }
    ck_assert(!first);
    ck_assert(!od_unwrap_next(unwrap, &out));
}

static void peeled_done(struct peeled *p)
{
    od_buf_done(&p->text);
    od_buf_done(&p->place);
    od_buf_done(&p->stamp);
}

START_TEST(wrappers_are_peeled)
{
    const struct row *row = &rows[_i];
    struct od_unwrap *unwrap = od_unwrap_new();
    struct peeled p = {0};
    peel(unwrap, od_view_of(row->raw), row->labels, &p);
    ck_assert_str_eq(od_buf_str(&p.text), row->text);
    ck_assert_str_eq(od_buf_str(&p.place), row->place);
    ck_assert_str_eq(od_buf_str(&p.stamp), row->stamp);
    peeled_done(&p);
    od_unwrap_free(unwrap);
}
END_TEST

/* Puts text into a wrapper in place of %s, escaped for JSON. */
struct wrapper {
    const char *head, *tail;
    bool json;
};

static const struct wrapper wrappers[] = {
    {"\x1b[32m", "\x1b[0m", false},
    {"{\"log\":\"", "\\n\",\"stream\":\"stderr\",\"time\":\"t\"}", true},
    {"{\"severity\":\"ERROR\",\"textPayload\":\"", "\"}", true},
    {"      \"", "\\n\",", true},
    {"2024-02-03T04:05:06.123456789Z stderr F ", "", false},
    {"2024-02-03T04:05:06.1234567Z ", "", false},
    {"Mar  3 10:11:12 node7 python3[231]: ", "", false},
    {"<165>1 2024-02-03T04:05:06.003Z h app 77 - - ", "", false},
    {"[ 1234.567890] ", "", false},
    {"[rank1]: ", "", false},
    {"[default1]:", "", false},
    {"[1,1]<stdout>:", "", false},
    {"(EngineCore pid=77) ", "", false},
    {"(RayTrainWorker pid=1, ip=10.0.0.2) ", "", false},
    {"[pod/train-0/main] ", "", false},
    {"1: ", "", false},
    {"[1]: ", "", false},
    {"train-1  | ", "", false},
    {"10.0.0.5: ", "", false},
    {"> ", "", false},
    {"`", "`", false},
    {"old text\r", "", false},
};

static void put_escaped(struct od_view text, struct od_buf *to)
{
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (c < 0x20)
            od_buf_printf(to, "\\u%04x", c);
        else if (c == '"' || c == '\\')
            od_buf_printf(to, "\\%c", c);
        else
            od_buf_add_char(to, (char)c);
    }
}

static void wrap_in(const struct wrapper *wrapper, struct od_view text, struct od_buf *to)
{
    od_buf_add_str(to, wrapper->head);
    if (wrapper->json)
        put_escaped(text, to);
    else
        od_buf_add(to, text);
    od_buf_add_str(to, wrapper->tail);
}

/* Each wrapper, and each in each: the program's line comes out, as the last one. */
START_TEST(wrappers_in_wrappers_are_peeled)
{
    const struct wrapper *inner = &wrappers[_i];
    struct od_unwrap *unwrap = od_unwrap_new();
    for (size_t o = 0; o <= OD_COUNT_OF(wrappers); o++) {
        /* two bars are the cells of a table */
        if (inner == &wrappers[o] && strstr(inner->head, " | "))
            continue;
        struct od_buf once = {0};
        struct od_buf raw = {0};
        struct peeled p = {0};
        wrap_in(inner, OD_VIEW(PLAIN), &once);
        if (o == OD_COUNT_OF(wrappers))
            od_buf_add(&raw, od_buf_view(&once));
        else
            wrap_in(&wrappers[o], od_buf_view(&once), &raw);
        /* "1: " before another wrapper is no label unless its neighbours have one. */
        enum od_block_prefixes labels = OD_BLOCK_PREFIX_NONE;
        if (o < OD_COUNT_OF(wrappers) && strcmp(wrappers[o].head, "1: ") == 0)
            labels = OD_BLOCK_PREFIX_NUMBER;
        else if (o < OD_COUNT_OF(wrappers) && strcmp(wrappers[o].head, "[1]: ") == 0)
            labels = OD_BLOCK_PREFIX_BRACKET;
        peel(unwrap, od_buf_view(&raw), labels, &p);
        struct od_view text = od_buf_view(&p.text);
        if (od_view_starts(text, OD_VIEW("old text|")))
            while (od_view_take(&text, OD_VIEW("old text|")))
                continue;
        if (!od_view_eq(text, OD_VIEW(PLAIN)))
            ck_abort_msg("%s\ngave %s", od_buf_str(&raw), od_buf_str(&p.text));
        peeled_done(&p);
        od_buf_done(&once);
        od_buf_done(&raw);
    }
    od_unwrap_free(unwrap);
}
END_TEST

START_TEST(lanes_tell_printers_apart)
{
    static const char *const lines[] = {
        "plain",     "[rank0]: a",  "[rank1]: b",    "[rank0]: c",  "(pid=5) a",
        "(pid=6) a", "plain again", "(pid=5) again", "10.0.0.1: x", "(A pid=5) other"};
    static const uint32_t lanes[] = {0, 1, 2, 1, 3, 4, 0, 3, 5, 6};
    struct od_unwrap *unwrap = od_unwrap_new();
    for (size_t i = 0; i < OD_COUNT_OF(lines); i++) {
        struct peeled p = {0};
        peel(unwrap, od_view_of(lines[i]), OD_BLOCK_PREFIX_NONE, &p);
        ck_assert_uint_eq(p.lane, lanes[i]);
        peeled_done(&p);
    }
    od_unwrap_free(unwrap);
}
END_TEST

START_TEST(overprinted_lines_say_so)
{
    static const struct {
        const char *raw;
        const char *said; /* one digit in each line */
    } bars[] = {{"plain", "0"},
                {"1/2\r2/2", "10"},
                {"\r1/2\r2/2\r", "10"},
                {"crlf\r", "0"},
                {"twice\r\r", "0"},
                {"1\b\b\b2", "10"},
                {"{\"log\":\"a\\rb\\nc\"}", "100"},
                {"[rank0]: a\rb", "10"}};
    struct od_unwrap *unwrap = od_unwrap_new();
    for (size_t i = 0; i < OD_COUNT_OF(bars); i++) {
        const struct od_raw_line raw = {.bytes = od_view_of(bars[i].raw), .at = {.nlines = 1}};
        struct od_buf said = {0};
        struct od_line line;
        od_unwrap_start(unwrap, &raw);
        while (od_unwrap_next(unwrap, &line))
            od_buf_add_char(&said, line.overprinted ? '1' : '0');
        ck_assert_str_eq(od_buf_str(&said), bars[i].said);
        od_buf_done(&said);
    }
    od_unwrap_free(unwrap);
}
END_TEST

START_TEST(too_many_lanes_share_the_last)
{
    struct od_unwrap *unwrap = od_unwrap_new();
    struct peeled p = {0};
    for (unsigned i = 0; i < 5000; i++) {
        char raw[32];
        int n = snprintf(raw, sizeof raw, "(pid=%u) x", i);
        peel(unwrap, (struct od_view){raw, (size_t)n}, OD_BLOCK_PREFIX_NONE, &p);
        ck_assert_uint_eq(p.lane, i < 4096 ? i : 4095);
        ck_assert_str_eq(od_buf_str(&p.text), "x");
    }
    ck_assert_uint_eq(od_unwrap_crowded(unwrap), 5000 - 4096);
    peeled_done(&p);
    od_unwrap_free(unwrap);
}
END_TEST

START_TEST(nuls_at_the_ends_go)
{
    struct od_unwrap *unwrap = od_unwrap_new();
    struct peeled p = {0};
    peel(unwrap, OD_VIEW("\0\0[rank1]: a\0b\0\0"), OD_BLOCK_PREFIX_NONE, &p);
    ck_assert(od_view_eq(od_buf_view(&p.text), OD_VIEW("a\0b")));
    ck_assert_str_eq(od_buf_str(&p.place), "///1");
    peeled_done(&p);
    od_unwrap_free(unwrap);
}
END_TEST

/* Bytes that wrappers are made of, in any order: nothing crashes, hangs or reads beyond. */
START_TEST(soup_is_survived)
{
    static const char *const parts[] = {
        "{\"log\":\"", "\"}",   "\\n",  "\\",     "\"",   "'",     "[rank1]: ", "(pid=1) ",
        "\x1b[",       "\x1b]", "\r",   "\n",     "\b\b", "&amp;", "b'",        "> ",
        "`",           "\\u12", "<13>", "[1.",    "Mar ", "3 ",    "10:11:12 ", "a[1]: ",
        "2024-02-03T", "\t",    "{",    "[",      "]",    "}",     ":",         ",",
        "\\ud83d",     "\xff",  "12.3", "000000", "1: ",  "| ",    "x-1 ",      "\x1b[9C"};
    struct od_unwrap *unwrap = od_unwrap_new();
    uint64_t state = 2463534242U + (uint64_t)_i;
    for (unsigned round = 0; round < 5000; round++) {
        struct od_buf raw = {0};
        size_t n = round % 40;
        for (size_t i = 0; i < n; i++) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            od_buf_add_str(&raw, parts[(state >> 33) % OD_COUNT_OF(parts)]);
        }
        /* An exact copy, so that a sanitizer sees a byte too far. */
        char *exact = od_mem_alloc(raw.n + 1, 1);
        if (raw.n > 0)
            memcpy(exact, raw.p, raw.n);
        exact = od_mem_resize(exact, raw.n > 0 ? raw.n : 1, 1);
        struct peeled p = {0};
        peel(unwrap, (struct od_view){exact, raw.n}, (enum od_block_prefixes)(round % 4), &p);
        peeled_done(&p);
        od_mem_free(exact);
        od_buf_done(&raw);
    }
    od_unwrap_free(unwrap);
}
END_TEST

/* One line of megabytes of the same: time and memory stay in proportion. */
START_TEST(long_lines_take_no_long_time)
{
    static const char *const units[] = {
        "\r", "\\n",  "\"",    "'\\n", "\x1b]", "\x1b[9C", "&amp;",  "{\"log\":\"", "[",
        "{",  "\\\"", "a\r\n", "`",    "> ",    "\b",      "b'\\n'", "{\"text\":[", "\\\\n'"};
    struct od_buf raw = {0};
    od_buf_add_str(&raw, _i % 2 ? "'" : "");
    od_buf_add_repeat(&raw, units[_i], (4U << 20) / strlen(units[_i]));
    struct od_unwrap *unwrap = od_unwrap_new();
    const struct od_raw_line line = {.bytes = od_buf_view(&raw), .at = {.nlines = 1, .line = 1}};
    struct od_line out;
    od_unwrap_start(unwrap, &line);
    while (od_unwrap_next(unwrap, &out))
        continue;
    od_unwrap_free(unwrap);
    od_buf_done(&raw);
}
END_TEST

Suite *od_unwrap_suite(void)
{
    Suite *suite = suite_create("unwrap");
    TCase *tcase = tcase_create("unwrap");
    tcase_set_timeout(tcase, 30);
    tcase_add_loop_test(tcase, wrappers_are_peeled, 0, (int)OD_COUNT_OF(rows));
    tcase_add_loop_test(tcase, wrappers_in_wrappers_are_peeled, 0, (int)OD_COUNT_OF(wrappers));
    tcase_add_test(tcase, lanes_tell_printers_apart);
    tcase_add_test(tcase, overprinted_lines_say_so);
    tcase_add_test(tcase, too_many_lanes_share_the_last);
    tcase_add_test(tcase, nuls_at_the_ends_go);
    tcase_add_loop_test(tcase, soup_is_survived, 0, 3);
    tcase_add_loop_test(tcase, long_lines_take_no_long_time, 0, 18);
    suite_add_tcase(suite, tcase);
    return suite;
}
