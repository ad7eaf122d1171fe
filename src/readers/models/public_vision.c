#include "readers/models/public_vision.h"

#include "base/ascii.h"
#include "base/num.h"
#include "base/suggest.h"

static const struct od_public_vision rows[] = {
#include "readers/models/public_vision.inc"
};

const struct od_public_vision *od_public_visions(size_t *ret_n)
{
    *ret_n = OD_COUNT_OF(rows);
    return rows;
}

/* Behind separators; *ret_apart: they keep two numbers apart ("1_6"), which are one without. */
static size_t skip(struct od_view v, size_t i, bool *ret_apart)
{
    size_t from = i;
    while (i < v.n && !od_is_alnum(v.p[i]))
        i++;
    *ret_apart =
        i > from && from > 0 && i < v.n && od_is_digit(v.p[from - 1]) && od_is_digit(v.p[i]);
    return i;
}

/* In letters and numbers. */
static bool is_same(struct od_view a, struct od_view b)
{
    size_t i = 0, k = 0;
    for (;;) {
        bool a_apart, b_apart;
        i = skip(a, i, &a_apart);
        k = skip(b, k, &b_apart);
        if (i == a.n || k == b.n)
            return i == a.n && k == b.n;
        if (a_apart != b_apart || od_lower(a.p[i++]) != od_lower(b.p[k++]))
            return false;
    }
}

static const struct od_public_vision *find(struct od_view name, struct od_view library)
{
    for (size_t i = 0; i < OD_COUNT_OF(rows); i++) {
        struct od_view names = od_view_of(rows[i].names), one;
        if (!od_view_starts(od_view_of(rows[i].library), library))
            continue;
        while (od_view_cut(&names, ' ', &one))
            if (is_same(one, name))
                return &rows[i];
    }
    return NULL;
}

const struct od_public_vision *od_public_vision_find(struct od_view name)
{
    struct od_view library = {0}, left = od_view_trim(name), head = {0};
    size_t slash = od_view_find_char(left, '/', 0);
    if (slash != OD_VIEW_NONE) {
        library = od_view_head(left, slash);
        left = od_view_from(left, slash + 1);
        if (!od_view_eq_str(library, "timm") && !od_view_eq_str(library, "torchvision"))
            return NULL;
    }
    const struct od_public_vision *found = find(left, library);
    if (!found && od_view_cut(&left, '.', &head) && left.n > 0)
        found = find(head, library);
    return found;
}

const char *od_public_vision_suggest(struct od_view name, struct od_arena *arena)
{
    const char *known[OD_COUNT_OF(rows)];
    for (size_t i = 0; i < OD_COUNT_OF(rows); i++) {
        struct od_view names = od_view_of(rows[i].names), first = {0};
        (void)od_view_cut(&names, ' ', &first);
        known[i] = od_arena_str(arena, first);
    }
    return od_suggest(od_arena_str(arena, name), known, OD_COUNT_OF(rows));
}

static double share(int16_t thousandths)
{
    return thousandths < 0 ? -1 : thousandths / 1000.0;
}

struct od_model od_public_vision_model(const struct od_public_vision *vision)
{
    struct od_view names = od_view_of(vision->names), first = {0};
    (void)od_view_cut(&names, ' ', &first);
    struct od_model model = {.name = first,
                             .format = OD_MODEL_PUBLIC,
                             .framework = OD_VIEW("pytorch"),
                             .parameters = od_count_of(vision->parameters),
                             .trainable = od_count_of(vision->parameters),
                             .dtype = OD_FLOAT32,
                             .complete = true};
    model.measured = (struct od_measured){.known = true,
                                          .library = od_view_of(vision->library),
                                          .height = vision->height,
                                          .width = vision->width,
                                          .square_fused = share(vision->square_fused),
                                          .square_eager = share(vision->square_eager),
                                          .unfolded = vision->unfolded,
                                          .buffers = vision->buffers};
    for (size_t i = 0; i < OD_MEASURED_WIDTHS; i++) {
        model.measured.fused[i] = vision->fused[i];
        model.measured.eager[i] = vision->eager[i];
    }
    return model;
}
