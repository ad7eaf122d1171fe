#include "plan/device.h"

#include "base/bytes.h"

/* Of the memory a card is sold with, the driver and error correction keep 1.1 to 1.5 %. */
static const double sold_usable = 0.985;

static bool is_sold_size(struct od_view text)
{
    return !od_view_has(text, OD_VIEW("i")) &&
           (od_view_ends(text, OD_VIEW("GB")) || od_view_ends(text, OD_VIEW("gb")) ||
            od_view_ends(text, OD_VIEW("G")) || od_view_ends(text, OD_VIEW("g")));
}

bool od_plan_device_find(const char *text, struct od_arena *arena,
                         struct od_plan_device *ret_device)
{
    struct od_view view = od_view_trim(od_view_of(text));
    struct od_bytes size;
    if (!od_bytes_parse(view, OD_UNIT_BINARY, &size) || size.n == 0)
        return false;
    *ret_device = (struct od_plan_device){
        .name = od_arena_str(arena, view),
        .bytes = size.n,
        .usable_bytes = is_sold_size(view) ? (uint64_t)((double)size.n * sold_usable) : size.n,
        .is_size = true,
    };
    return true;
}

bool od_plan_device_at(size_t i, struct od_plan_device *ret_device)
{
    (void)i, (void)ret_device;
    return false;
}
