#include "rules/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdalign.h>
#include <stdio.h>
#include <time.h>

enum {
    MATCH_LIMIT = 500000,
    DEPTH_LIMIT = 50000,
    HEAP_LIMIT_KIB = 16 * 1024,
    /* When to compile a pattern to machine code. Compiling takes as long as interpreting as many
     * bytes of text as the compiled pattern has, or as going back half as often from one position.
     * Interpreted patterns also reach limits on long lines by going back, machine code does not. */
    JIT_STEPS = 2,
    JIT_STACK_FIRST = 32 * 1024,
    JIT_STACK_MOST = 1024 * 1024,
    /* PCRE2's limits apply to each start of a match. In a long text this many starts are tried
     * at once, then twice as many, until the time budget is used: 200 ms are enough for 100 MB
     * if each byte is examined once (0.5 GB/s), and for 64 KB if each start examines a tenth of
     * the text. */
    LONG_BYTES = 4096,
    STARTS_FIRST = 256,
    BUDGET_NS = 200000000,
    RESERVE_BYTES = 4 * 1024 * 1024 /* larger than the machine code of any pattern */
};

/* Reserve for allocations that fail while machine code is generated, because PCRE2 10.42 crashes at
 * some of them. If used, it lives as long as the code. */
struct reserve {
    char *memory;
    size_t used;
};

struct od_regex {
    pcre2_code *code;
    struct reserve reserve;
    struct od_foreign held; /* releases the code if the work is interrupted */
    size_t cheap; /* number of bytes to interpret before the pattern is compiled to machine code */
    bool no_jit;
    uint32_t steps;
    uint32_t names;
    uint32_t name_size;
    PCRE2_SPTR name_table;
};

struct od_regex_matcher {
    pcre2_match_context *context;
    pcre2_match_data *data;
    pcre2_jit_stack *jit_stack;
    struct od_foreign held; /* releases the three objects if the work is interrupted */
};

static void release_code(void *self)
{
    struct od_regex *regex = self;
    pcre2_code_free(regex->code);
    free(regex->reserve.memory);
}

static void release_matcher(void *self)
{
    struct od_regex_matcher *matcher = self;
    pcre2_match_data_free(matcher->data);
    pcre2_match_context_free(matcher->context);
    pcre2_jit_stack_free(matcher->jit_stack);
}

static void *allocate(PCRE2_SIZE size, void *data)
{
    struct reserve *reserve = data;
    void *memory = malloc(size);
    if (memory || !reserve->memory || size > RESERVE_BYTES - reserve->used)
        return memory;
    memory = reserve->memory + reserve->used;
    reserve->used +=
        (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    return memory;
}

static void release(void *memory, void *data)
{
    const struct reserve *reserve = data;
    uintptr_t at = (uintptr_t)memory, start = (uintptr_t)reserve->memory;
    if (!reserve->memory || at < start || at - start >= RESERVE_BYTES)
        free(memory);
}

static pcre2_code *compile(const char *pattern, struct reserve *reserve,
                           struct od_regex_error *error)
{
    pcre2_general_context *general = pcre2_general_context_create(allocate, release, reserve);
    pcre2_compile_context *context = general ? pcre2_compile_context_create(general) : NULL;
    if (!context) {
        pcre2_general_context_free(general);
        od_mem_die();
    }
    pcre2_set_max_pattern_length(context, OD_REGEX_MAX_PATTERN);
    pcre2_set_newline(context, PCRE2_NEWLINE_LF);
    int code = 0;
    PCRE2_SIZE offset = 0;
    pcre2_code *compiled =
        pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
                      PCRE2_NEVER_UTF | PCRE2_NEVER_UCP | PCRE2_DUPNAMES | PCRE2_USE_OFFSET_LIMIT,
                      &code, &offset, context);
    pcre2_compile_context_free(context);
    pcre2_general_context_free(general);
    if (!compiled && code == PCRE2_ERROR_HEAP_FAILED)
        od_mem_die();
    if (!compiled && error) {
        PCRE2_UCHAR message[128] = "";
        pcre2_get_error_message(code, message, sizeof message);
        snprintf(error->message, sizeof error->message, "%s", (const char *)message);
        error->offset = offset == PCRE2_UNSET ? 0 : offset;
    }
    return compiled;
}

struct od_regex *od_regex_new(const char *pattern, const struct od_regex_options *options,
                              struct od_regex_error *ret_error)
{
    struct od_regex *regex = od_mem_alloc(1, sizeof *regex);
    pcre2_code *code = regex->code = compile(pattern, &regex->reserve, ret_error);
    od_foreign_hold(&regex->held, regex, release_code);
    uint32_t groups = 0;
    if (!code) {
        od_regex_free(regex);
        return NULL;
    }
    pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &groups);
    if (groups > OD_REGEX_MAX_GROUPS) {
        od_regex_free(regex);
        if (ret_error)
            *ret_error = (struct od_regex_error){.message = "more than 63 groups"};
        return NULL;
    }
    pcre2_pattern_info(code, PCRE2_INFO_NAMECOUNT, &regex->names);
    pcre2_pattern_info(code, PCRE2_INFO_NAMEENTRYSIZE, &regex->name_size);
    pcre2_pattern_info(code, PCRE2_INFO_NAMETABLE, &regex->name_table);
    pcre2_pattern_info(code, PCRE2_INFO_SIZE, &regex->cheap);
    regex->steps = (uint32_t)(regex->cheap / JIT_STEPS);
    regex->no_jit = options->no_jit;
    return regex;
}

void od_regex_jit(struct od_regex *regex)
{
    /* without JIT, patterns are interpreted: slower, but with the same matches */
    struct reserve *reserve = &regex->reserve;
    if (!regex->no_jit)
        reserve->memory = malloc(RESERVE_BYTES);
    if (reserve->memory && !regex->no_jit)
        (void)pcre2_jit_compile(regex->code, PCRE2_JIT_COMPLETE);
    if (reserve->used == 0) {
        free(reserve->memory);
        reserve->memory = NULL;
    }
    regex->no_jit = true;
}

void od_regex_free(struct od_regex *regex)
{
    if (!regex)
        return;
    od_foreign_release(&regex->held);
    od_mem_free(regex);
}

size_t od_regex_names(const struct od_regex *regex)
{
    return regex->names;
}

struct od_regex_name od_regex_name(const struct od_regex *regex, size_t i)
{
    PCRE2_SPTR entry = regex->name_table + i * regex->name_size;
    return (struct od_regex_name){.name = (const char *)entry + 2,
                                  .group = (unsigned)entry[0] << 8 | entry[1]};
}

struct od_regex_matcher *od_regex_matcher_new(void)
{
    struct od_regex_matcher *matcher = od_mem_alloc(1, sizeof *matcher);
    od_foreign_hold(&matcher->held, matcher, release_matcher);
    matcher->context = pcre2_match_context_create(NULL);
    matcher->data = pcre2_match_data_create(OD_REGEX_MAX_GROUPS + 1, NULL);
    if (!matcher->context || !matcher->data)
        od_mem_die();
    pcre2_set_match_limit(matcher->context, MATCH_LIMIT);
    pcre2_set_depth_limit(matcher->context, DEPTH_LIMIT);
    pcre2_set_heap_limit(matcher->context, HEAP_LIMIT_KIB);
    matcher->jit_stack = pcre2_jit_stack_create(JIT_STACK_FIRST, JIT_STACK_MOST, NULL);
    if (matcher->jit_stack)
        pcre2_jit_stack_assign(matcher->context, NULL, matcher->jit_stack);
    return matcher;
}

void od_regex_matcher_free(struct od_regex_matcher *matcher)
{
    if (!matcher)
        return;
    od_foreign_release(&matcher->held);
    od_mem_free(matcher);
}

bool od_regex_has_start(const struct od_regex *regex)
{
    uint32_t type = 0, options = 0;
    const uint8_t *first = NULL;
    pcre2_pattern_info(regex->code, PCRE2_INFO_FIRSTCODETYPE, &type);
    pcre2_pattern_info(regex->code, PCRE2_INFO_ALLOPTIONS, &options);
    pcre2_pattern_info(regex->code, PCRE2_INFO_FIRSTBITMAP, &first);
    return type != 0 || (options & PCRE2_ANCHORED) || first;
}

static uint64_t spent_ns(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Finds a match that starts within the given bytes of the text. */
static int match_from(const struct od_regex *regex, struct od_regex_matcher *matcher,
                      struct od_view text, size_t from, size_t to)
{
    PCRE2_SPTR subject = text.n > 0 ? (PCRE2_SPTR)text.p : (PCRE2_SPTR) "";
    pcre2_set_offset_limit(matcher->context, to);
    int found = pcre2_match(regex->code, subject, text.n, from, 0, matcher->data, matcher->context);
    if (found == PCRE2_ERROR_JIT_STACKLIMIT)
        found = pcre2_match(regex->code, subject, text.n, from, PCRE2_NO_JIT, matcher->data,
                            matcher->context);
    if (found == PCRE2_ERROR_NOMEMORY)
        od_mem_die();
    return found;
}

static int match_long(const struct od_regex *regex, struct od_regex_matcher *matcher,
                      struct od_view text, size_t from)
{
    int found = PCRE2_ERROR_NOMATCH;
    uint64_t began = spent_ns();
    size_t n = STARTS_FIRST;
    for (size_t at = from; found == PCRE2_ERROR_NOMATCH && at <= text.n; at += n, n *= 2) {
        found = match_from(regex, matcher, text, at, at + n - 1);
        if (found == PCRE2_ERROR_NOMATCH && spent_ns() - began > BUDGET_NS)
            return PCRE2_ERROR_MATCHLIMIT;
    }
    return found;
}

enum od_regex_result od_regex_match(struct od_regex *regex, struct od_regex_matcher *matcher,
                                    struct od_view text, size_t from)
{
    int found = PCRE2_ERROR_MATCHLIMIT;
    if (!regex->no_jit && text.n <= regex->cheap) {
        regex->cheap -= text.n;
        pcre2_set_match_limit(matcher->context, regex->steps);
        found = match_from(regex, matcher, text, from, text.n);
        pcre2_set_match_limit(matcher->context, MATCH_LIMIT);
    }
    if (found < 0 && found != PCRE2_ERROR_NOMATCH) {
        od_regex_jit(regex);
        found = text.n > LONG_BYTES ? match_long(regex, matcher, text, from)
                                    : match_from(regex, matcher, text, from, text.n);
    }
    if (found >= 0)
        return OD_REGEX_YES;
    return found == PCRE2_ERROR_NOMATCH ? OD_REGEX_NO : OD_REGEX_LIMIT;
}

bool od_regex_group(const struct od_regex_matcher *matcher, struct od_view text, unsigned group,
                    struct od_view *ret_group)
{
    const PCRE2_SIZE *offsets = pcre2_get_ovector_pointer(matcher->data);
    PCRE2_SIZE start = offsets[2 * group];
    PCRE2_SIZE end = offsets[2 * group + 1];
    /* \K in a lookahead can place the end before the start */
    if (start == PCRE2_UNSET || end == PCRE2_UNSET || end < start || end > text.n)
        return false;
    *ret_group = (struct od_view){.p = text.p + start, .n = end - start};
    return true;
}
