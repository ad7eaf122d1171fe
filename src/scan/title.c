#include "scan/title.h"

bool od_event_says_why(const struct od_event *event)
{
    bool cut = od_view_eq_str(od_event_text(event, OD_F_NAME), "Traceback");
    bool aborted = event->kind == OD_EV_CRASH &&
                   od_view_eq_str(od_event_text(event, OD_F_NAME), "SIGABRT") &&
                   od_event_text(event, OD_F_MESSAGE).n == 0;
    return !cut && !aborted && event->kind != OD_EV_RUN_ENDED;
}

bool od_title_asks(struct od_view title)
{
    title = od_view_trim(title);
    return od_view_ends(title, OD_VIEW("?")) || od_view_ends(title, OD_VIEW("？"));
}

struct od_view od_title_without_circumstances(struct od_view title)
{
    static const char *const words[] = {" when ", " while ", " during ", " after ",
                                        " on ",   " in ",    " with ",   " despite ",
                                        " even ", " at ",    " ("};
    for (size_t i = 0; i < OD_COUNT_OF(words); i++) {
        size_t at = od_view_find(title, od_view_of(words[i]), 0);
        title = od_view_head(title, at == OD_VIEW_NONE ? title.n : at);
    }
    return od_view_trim(title);
}

bool od_title_names_device(struct od_view title)
{
    static const char *const words[] = {"CUDA", "Cuda", "cuda", "GPU", "gpu",    "VRAM", "HIP",
                                        "ROCm", "MPS",  "XPU",  "NPU", "Vulkan", "显存"};
    bool named = false;
    for (size_t i = 0; i < OD_COUNT_OF(words); i++)
        named = named || od_view_has(title, od_view_of(words[i]));
    return named;
}

bool od_title_is_row(struct od_view first, struct od_view second)
{
    size_t n = 0;
    while (n < first.n && !od_is_digit(first.p[n]))
        n++;
    return n < first.n && od_view_starts(second, od_view_head(first, n));
}
