/*
 * Each allocation of a small analysis fails once, by the public interface: the caller gets an error
 * or the whole report, and nothing is left allocated. With AddressSanitizer only our own
 * allocations fail (the linker's --wrap), without it those of all libraries.
 */
#include <oomdoctor.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OURS_ALONE
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || !defined(__GLIBC__)
#define OURS_ALONE
#endif

static unsigned long fail_at, seen, held;

static bool fails(void)
{
    return ++seen == fail_at;
}

void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);

#ifdef OURS_ALONE
void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
    return fails() ? NULL : __real_realloc(p, n);
}
#else
void *__wrap_calloc(size_t n, size_t size)
{
    return __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
    return __real_realloc(p, n);
}

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t alignment, size_t n);
void __libc_free(void *p);

#include <errno.h>

#define EVERYWHERE __attribute__((visibility("default")))

static void *counted(void *p)
{
    held += p != NULL;
    return p;
}

static bool refuses(void)
{
    bool refused = fails();
    if (refused)
        errno = ENOMEM;
    return refused;
}

EVERYWHERE void *malloc(size_t n)
{
    return refuses() ? NULL : counted(__libc_malloc(n));
}

EVERYWHERE void *calloc(size_t n, size_t size)
{
    return refuses() ? NULL : counted(__libc_calloc(n, size));
}

EVERYWHERE void *realloc(void *p, size_t n)
{
    if (refuses())
        return NULL;
    void *q = __libc_realloc(p, n);
    held += !p && q;
    return q;
}

EVERYWHERE int posix_memalign(void **ret_p, size_t alignment, size_t n)
{
    *ret_p = refuses() ? NULL : counted(__libc_memalign(alignment, n));
    return *ret_p ? 0 : ENOMEM;
}

EVERYWHERE void free(void *p)
{
    held -= p != NULL;
    __libc_free(p);
}
#endif

static const char run_log[] =
    "model = {\"model_type\": \"llama\", \"hidden_size\": 64, \"num_hidden_layers\": 2}\n"
    "step 1 loss 2.3\nRuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 10.76 "
    "GiB total capacity; 8.10 GiB already allocated; 1.21 GiB free; 8.30 GiB reserved in total by "
    "PyTorch)\n";
static const char pack[] =
    "schema: 1\npack: own\nproducer: other\nrules:\n  - id: own.lost\n    means: alloc_failed\n"
    "    literals: [no room for]\n    match: 'no room for (?<requested>\\d+ "
    "bytes)'\n    set: {space: host}\n    samples:\n"
    "      - line: 'no room for 4096 bytes'\n"
    "        gives: {requested: 4096}\n";

struct outcome {
    bool complete; /* no call gave an error */
    char *report;  /* freed with oomdoctor_text_free */
};

static struct outcome analyze(const char *rules, const char *packed)
{
    struct outcome got = {0};
    struct oomdoctor *doctor = oomdoctor_new(&rules, 1);
    got.complete = oomdoctor_add_bytes(doctor, "run.log", run_log, sizeof run_log - 1);
    got.complete = oomdoctor_add_file(doctor, packed) && got.complete;
    got.complete = oomdoctor_analyze(doctor) == OOMDOCTOR_MEMORY_FAILURE && got.complete;
    got.report = oomdoctor_render(doctor, "json", NULL);
    char *messages = oomdoctor_messages(doctor);
    got.complete = got.complete && messages && *messages == '\0';
    oomdoctor_text_free(messages);
    oomdoctor_free(doctor);
    return got;
}

static struct outcome plan(const char *rules, const char *packed)
{
    const char *options[] = {"batch=4", "device=24GB"};
    char *messages = NULL;
    struct outcome got = {.report = oomdoctor_plan("resnet50", options, 2, "json", &messages)};
    (void)rules, (void)packed;
    got.complete = messages && got.report;
    oomdoctor_text_free(messages);
    return got;
}

static int test(const char *name, struct outcome (*work)(const char *, const char *),
                const char *rules, const char *packed)
{
    fail_at = 0;
    struct outcome whole = work(rules, packed); /* what libraries allocate once is there now */
    unsigned long wrong = 0, left = 0, errors = 0, n = 0;
    bool reached = true;
    for (; reached && whole.complete; n++) {
        unsigned long before = held;
        seen = 0;
        fail_at = n + 1;
        struct outcome got = work(rules, packed);
        reached = seen >= fail_at;
        fail_at = 0;
        bool same = got.report && strcmp(got.report, whole.report) == 0;
        errors += !got.complete || !got.report;
        if (got.complete && got.report && !same && wrong++ < 5)
            printf("# %s: allocation %lu: another report without an error\n", name, n + 1);
        oomdoctor_text_free(got.report);
        if (held != before && left++ < 5)
            printf("# %s: allocation %lu: %ld blocks are left\n", name, n + 1,
                   (long)(held - before));
    }
    printf("# %s: %lu allocations failed one by one, %lu gave an error\n", name, n - 1, errors);
    oomdoctor_text_free(whole.report);
    return whole.complete && errors > 0 && wrong == 0 && left == 0 ? 0 : 1;
}

/* A file in the folder with those bytes. */
static const char *write_file(char path[64], const void *bytes, size_t n)
{
    strcpy(path, "/tmp/oomdoctor-no-memory-XXXXXX.yaml");
    int fd = mkstemps(path, 5);
    bool ok = fd >= 0 && write(fd, bytes, n) == (ssize_t)n;
    if (fd >= 0)
        (void)close(fd);
    return ok ? path : "/nonexistent";
}

int main(void)
{
    /* gzip of "step 2 loss 2.2\n" */
    static const unsigned char gzip[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02,
                                         0x03, 0x2b, 0x2e, 0x49, 0x2d, 0x50, 0x30, 0x52, 0xc8,
                                         0xc9, 0x2f, 0x2e, 0x56, 0x30, 0xd2, 0x33, 0xe2, 0x02,
                                         0x00, 0x91, 0xf8, 0xea, 0x44, 0x10, 0x00, 0x00, 0x00};
    char rules[64], packed[64];
    write_file(rules, pack, sizeof pack - 1);
    write_file(packed, gzip, sizeof gzip);
    int failed = test("analyze", analyze, rules, packed);
    printf("%s 1 - each allocation of an analysis fails once\n", failed ? "not ok" : "ok");
    int planned = test("plan", plan, rules, packed);
    printf("%s 2 - each allocation of a plan fails once\n1..2\n", planned ? "not ok" : "ok");
    (void)unlink(rules);
    (void)unlink(packed);
    return failed | planned;
}
