#include "plan/device.h"

#include "base/suggest.h"
#include "facts/accelerator.h"

/* Usable share of a card's nominal memory. The driver and error correction take 1.1 to 1.5 %. */
static const double sold_usable = 0.985;

static bool is_sold_size(struct od_view text)
{
    return !od_view_has(text, OD_VIEW("i")) &&
           (od_view_ends(text, OD_VIEW("GB")) || od_view_ends(text, OD_VIEW("gb")) ||
            od_view_ends(text, OD_VIEW("G")) || od_view_ends(text, OD_VIEW("g")));
}

static bool find_sized(struct od_view text, struct od_arena *arena,
                       struct od_plan_device *ret_device)
{
    struct od_bytes size;
    if (!od_bytes_parse(text, OD_UNIT_BINARY, &size) || size.n == 0)
        return false;
    double usable = (double)size.n * sold_usable;
    *ret_device = (struct od_plan_device){
        .name = od_arena_str(arena, text),
        .bytes = size.n,
        .usable_bytes = is_sold_size(text) ? (uint64_t)usable : size.n,
        .is_size = true,
    };
    return true;
}

static struct od_plan_device device_of(const struct od_accelerator *accelerator)
{
    return (struct od_plan_device){.name = accelerator->name,
                                   .bytes = accelerator->bytes,
                                   .usable_bytes = accelerator->usable_bytes,
                                   .part = accelerator->part,
                                   .usual = accelerator->usual,
                                   .hopper = accelerator->hopper,
                                   .no_bitsandbytes = accelerator->no_bitsandbytes};
}

/* Names are tried first: "3090" is a card, not a number of bytes. */
bool od_plan_device_find(const char *text, struct od_arena *arena,
                         struct od_plan_device *ret_device)
{
    struct od_view view = od_view_trim(od_view_of(text));
    struct od_accelerator accelerator;
    if (!od_accelerator_find(view, &accelerator))
        return find_sized(view, arena, ret_device);
    *ret_device = device_of(&accelerator);
    return true;
}

bool od_plan_device_at(size_t i, struct od_plan_device *ret_device)
{
    struct od_accelerator accelerator;
    if (!od_accelerator_at(i, &accelerator))
        return false;
    *ret_device = device_of(&accelerator);
    return true;
}

const char *od_plan_device_suggest(struct od_view text)
{
    enum { MOST = 512, LONGEST = 32 };
    const char *names[MOST];
    char word[LONGEST] = "";
    size_t n = 0, length = 0;
    struct od_accelerator accelerator;
    while (n < MOST && od_accelerator_at(n, &accelerator))
        names[n++] = accelerator.name;
    for (size_t i = 0; i < text.n && length + 1 < LONGEST; i++)
        if (text.p[i] != ' ')
            word[length++] = od_lower(text.p[i]);
    return od_suggest(word, names, n);
}
