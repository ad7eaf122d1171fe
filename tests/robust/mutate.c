/*
 * Analyzes many mutated logs in one process, for tests/robust/mutated.
 *
 *   mutate FIRST COUNT SECONDS BASE FILE...    run FIRST + i mutates a file, which is chosen and
 * changed by that number alone. Each number is written to standard output before its run, over the
 * last one. Ends with status 1 where a run takes more processor time than SECONDS, or where the
 * memory of the process exceeds BASE bytes and four for each of the log.
 */
#include "config.h" /* OD_SANITIZED */

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/mem.h"
#include "lib/oomdoctor.h"
#include "lib/tools.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { LOG_MOST = 1 << 18 };

struct rng {
    uint64_t state;
};

static uint64_t next(struct rng *rng)
{
    uint64_t z = (rng->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static size_t below(struct rng *rng, size_t n)
{
    return n > 0 ? (size_t)(next(rng) % n) : 0;
}

static struct od_buf read_file(const char *name)
{
    struct od_buf bytes = {0};
    FILE *in = fopen(name, "rb");
    for (size_t n = 1; in && n > 0; bytes.n += n)
        n = fread(od_buf_reserve(&bytes, 1 << 14), 1, 1 << 14, in);
    if (in)
        (void)fclose(in);
    return bytes;
}

/* A stretch of the text: some bytes, or whole lines. */
static struct od_view stretch(struct rng *rng, struct od_view text)
{
    size_t at = below(rng, text.n), n = 1 + below(rng, 24);
    if (below(rng, 2) == 0) {
        while (at > 0 && text.p[at - 1] != '\n')
            at--;
        for (size_t lines = 1 + below(rng, 8), end = at; lines > 0 && end < text.n; end++) {
            lines -= text.p[end] == '\n';
            n = end + 1 - at;
        }
    }
    return od_view_head(od_view_from(text, at), n);
}

static void put(struct od_buf *to, struct od_view text, struct od_view old, struct od_view new)
{
    od_buf_add(to, od_view_head(text, (size_t)(old.p - text.p)));
    od_buf_add(to, new);
    od_buf_add(to, od_view_from(text, (size_t)(old.p - text.p) + old.n));
}

static struct od_view word(struct rng *rng)
{
    static const char *const words[] = {"\n",          "\r",    " ",
                                        "(",           ")",     "[",
                                        "]",           "0",     "-1",
                                        "None",        "99999", "1e",
                                        "999999999",   "\033",  "\t",
                                        "\\n",         "\"",    "GiB",
                                        ": ",          "x",     "",
                                        "(0-2): 3 x ", "{",     "}",
                                        "\xff",        "|",     "18446744073709551616",
                                        "NaN",         "├─",    ",",
                                        "═",           "\0",    "[rank1]: ",
                                        "'",           "=",     "0x7fffffffffffffff"};
    return od_view_of(words[below(rng, OD_COUNT_OF(words))]);
}

/* One change: a stretch is dropped, doubled, moved, replaced by one of another log or by a word. */
static void change(struct rng *rng, struct od_view other, struct od_buf *log, struct od_buf *room)
{
    struct od_view text = od_buf_view(log), old = stretch(rng, text), none = {text.p, 0};
    struct od_view at = {text.p + below(rng, text.n), 0};
    room->n = 0;
    switch (below(rng, 6)) {
    case 0:
        put(room, text, old, none);
        break;
    case 1:
        put(room, text, at, old);
        break;
    case 2:
        put(room, text, at, stretch(rng, other));
        break;
    case 3:
        put(room, text, old, stretch(rng, other));
        break;
    case 4:
        put(room, text, old, word(rng));
        break;
    default:
        put(room, text, at, word(rng));
        break;
    }
    if (room->n > LOG_MOST)
        room->n = LOG_MOST;
    struct od_buf changed = *room;
    *room = *log;
    *log = changed;
}

static void analyze(struct od_tools *tools, struct od_view log)
{
    static const char *const formats[] = {"text", "json", "html"};
    const struct od_report_options shown = {.verbose = true};
    struct od_diags *diags = od_diags_new();
    const struct od_session_options options = {.tools = tools};
    struct od_session *session = od_session_new(&options, diags);
    if (session && od_session_add_bytes(session, "log", log.p, log.n)) {
        const struct od_report *report = od_session_analyze(session);
        for (size_t i = 0; i < OD_COUNT_OF(formats); i++) {
            struct od_buf text = {0};
            od_format_report(od_format_find(od_view_of(formats[i])), report, &shown, &text);
            od_buf_done(&text);
        }
    }
    od_session_free(session);
    od_diags_free(diags);
}

static double processor_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

#ifdef OD_SANITIZED
/* The peak of allocated bytes, without the margins, shadow and freed blocks of the sanitizer. Its
 * functions are declared here, as Debian's gcc comes without their header. */
void __sanitizer_malloc_hook(const volatile void *block, size_t n);
void __sanitizer_free_hook(const volatile void *block);
size_t __sanitizer_get_allocated_size(const volatile void *block);

static uint64_t allocated, peak;

void __sanitizer_malloc_hook(const volatile void *block, size_t n)
{
    (void)block;
    allocated += n;
    if (allocated > peak)
        peak = allocated;
}

void __sanitizer_free_hook(const volatile void *block)
{
    if (block)
        allocated -= __sanitizer_get_allocated_size(block);
}

static uint64_t peak_bytes(void)
{
    return peak;
}
#else
static uint64_t peak_bytes(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024;
}
#endif

/* False with a message where it took too much. */
static bool run(uint64_t number, char **argv, size_t nfiles, struct od_tools *tools)
{
    struct rng rng = {number * 1000003};
    struct od_buf log = read_file(argv[below(&rng, nfiles)]),
                  other = read_file(argv[below(&rng, nfiles)]), room = {0};
    for (size_t changes = 1 + below(&rng, 12); changes > 0 && log.n > 0 && other.n > 0; changes--)
        change(&rng, od_buf_view(&other), &log, &room);
    double before = processor_s(), most_s = strtod(argv[-2], NULL);
    analyze(tools, od_buf_view(&log));
    double took = processor_s() - before;
    uint64_t base = strtoull(argv[-1], NULL, 10), most = peak_bytes();
    bool ok = took <= most_s && most <= base + 4 * log.n;
    if (!ok)
        (void)fprintf(stderr, "run %llu: %.2f s, %llu KiB for %zu bytes\n",
                      (unsigned long long)number, took, (unsigned long long)most >> 10, log.n);
    od_buf_done(&log);
    od_buf_done(&other);
    od_buf_done(&room);
    return ok;
}

int main(int argc, char **argv)
{
    struct od_diags *diags = od_diags_new();
    struct od_tools *tools = od_tools_new(NULL, diags);
    if (argc < 6 || !tools)
        return 2;
    uint64_t first = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
    bool ok = true;
    for (uint64_t i = 0; i < count && ok; i++) {
        char number[24];
        int n = snprintf(number, sizeof number, "%20llu\n", (unsigned long long)(first + i));
        if (pwrite(STDOUT_FILENO, number, (size_t)n, 0) != n)
            return 2;
        ok = run(first + i, argv + 5, (size_t)argc - 5, tools);
    }
    od_tools_free(tools);
    od_diags_free(diags);
    return ok ? 0 : 1;
}
