#include "case/device.h"

struct device_word {
    const char *word;   /* lower case */
    const char *device; /* NULL for the host, which has no number */
};

static const struct device_word words[] = {
    {"gpu", "GPU"},   {"gpu_async", "GPU"}, {"cuda", "GPU"},   {"rocm", "GPU"},
    {"hip", "GPU"},   {"tpu", "TPU"},       {"npu", "NPU"},    {"mlu", "MLU"},
    {"xpu", "XPU"},   {"cpu", NULL},        {"mklcpu", NULL},  {"host", NULL},
    {"pinned", NULL}, {"cudapinned", NULL}, {"device", "GPU"},
};

/* Length of the word if it is a whole word of text at that place; otherwise 0. */
static size_t word_at(struct od_view text, size_t at, const char *word)
{
    size_t n = 0;
    if (at > 0 && od_is_letter(text.p[at - 1]))
        return 0;
    while (word[n] && at + n < text.n && od_lower(text.p[at + n]) == word[n])
        n++;
    if (word[n])
        return 0;
    return at + n == text.n || !od_is_letter(text.p[at + n]) ? n : 0;
}

static bool take_index(struct od_view rest, uint64_t *ret_index)
{
    rest = od_view_from(rest, od_view_at_any(rest, 0, ":_ -#"));
    return od_num_take_u64(&rest, ret_index);
}

static struct od_view name(struct od_arena *arena, const char *device, uint64_t index)
{
    return od_view_of(od_arena_printf(arena, "%s:%llu", device, (unsigned long long)index));
}

static struct od_view look_at(struct od_arena *arena, struct od_view text, size_t at)
{
    for (size_t i = 0; i < OD_COUNT_OF(words); i++) {
        size_t n = word_at(text, at, words[i].word);
        uint64_t index;
        if (n == 0)
            continue;
        if (!words[i].device)
            return OD_VIEW("CPU");
        if (take_index(od_view_from(text, at + n), &index))
            return name(arena, words[i].device, index);
    }
    return (struct od_view){0};
}

struct od_view od_device_normal(struct od_arena *arena, struct od_view printed)
{
    uint64_t index;
    printed = od_view_trim(printed);
    if (od_num_parse_u64(printed, &index))
        return name(arena, "GPU", index);
    /* The last match counts: "/job:gpu_worker/task:0/device:CPU:0" is a CPU. */
    for (size_t at = printed.n; at-- > 0;) {
        struct od_view found = look_at(arena, printed, at);
        if (found.n > 0)
            return found;
    }
    return (struct od_view){0};
}

struct od_view od_device_of_allocator(struct od_arena *arena, struct od_view allocator)
{
    uint64_t number;
    /* Words are searched from the end: gpu_host_bfc is host memory pinned for a GPU. */
    if (od_num_parse_u64(allocator, &number))
        return (struct od_view){0};
    return od_device_normal(arena, allocator);
}

bool od_device_is_pool(struct od_view allocator)
{
    return od_view_has(allocator, OD_VIEW("bfc_cpu"));
}
