/*
 * The number and size of samples as printed by a program or written by a person: "Loaded 16283
 * images of 150x150x3", "found 1,200 patches with shape (64, 64, 3)", "5000 rows by 40 columns".
 * The shape is that of an array with all of them; whether one existed is shown by
 * a request of its size.
 */
#include "readers/reader.h"

enum { SAMPLES_LEAST = 100, BETWEEN_MOST = 6, LINE_MOST = 600, SIDE_MOST = 1 << 20 };

static const char *const openers[] = {
    " images ",  " pictures ", " photos ", " samples ",      " frames ",   " patches ", " slices ",
    " volumes ", " tiles ",    " crops ",  " spectrograms ", " examples ", " rows ",    NULL};

/* Skips words between what is counted and its size. */
static bool skip_between(struct od_view *text)
{
    static const char *const words[] = {"of ",     "at ",    "with ",       "a ",          "size ",
                                        "shape ",  "sized ", "resolution ", "dimensions ", "each ",
                                        "shaped ", "in ",    "having ",     "dimension ",  "by ",
                                        "and ",    "x ",     "* ",          "\xc3\x97 ",   NULL};
    unsigned taken = 0;
    for (bool found = true; found && taken <= BETWEEN_MOST; taken += found) {
        found = false;
        for (size_t i = 0; words[i] && !found; i++)
            found = od_view_take(text, od_view_of(words[i]));
    }
    return taken > 0 || od_view_starts(*text, OD_VIEW("("));
}

static bool take_times(struct od_view *text)
{
    static const char *const signs[] = {"x", "X", "*", "\xc3\x97", ",", NULL};
    struct od_view rest = *text;
    od_view_skip_blanks(&rest);
    for (size_t i = 0; signs[i]; i++) {
        if (!od_view_take(&rest, od_view_of(signs[i])))
            continue;
        od_view_skip_blanks(&rest);
        *text = rest;
        return true;
    }
    return false;
}

/* "40 columns": the size of each row. */
static bool is_of_row(struct od_view text)
{
    static const char *const words[] = {" columns", " features", " cols", " variables", NULL};
    for (size_t i = 0; words[i]; i++)
        if (od_view_starts(text, od_view_of(words[i])))
            return true;
    return false;
}

/* The element size in "4 bytes" after the dimensions. */
static enum od_dtype take_width(struct od_view *text)
{
    static const struct {
        const char *words;
        enum od_dtype dtype;
    } widths[] = {{"1 byte", OD_UINT8},    {"2 bytes", OD_FLOAT16}, {"4 bytes", OD_FLOAT32},
                  {"4 B", OD_FLOAT32},     {"8 bytes", OD_FLOAT64}, {"4 byte", OD_FLOAT32},
                  {"float32", OD_FLOAT32}, {"uint8", OD_UINT8}};
    for (size_t i = 0; i < OD_COUNT_OF(widths); i++)
        if (od_view_take(text, od_view_of(widths[i].words)))
            return widths[i].dtype;
    return OD_DTYPE_UNKNOWN;
}

/* Reads dimensions after the number of samples: "150x150x3", "(64, 64, 3)", "150x150x3 x 4
 * bytes". */
static bool take_sides(struct od_view text, struct od_shape *shape, enum od_dtype *ret_dtype)
{
    uint64_t side;
    (void)od_view_take(&text, OD_VIEW("("));
    do {
        *ret_dtype = shape->n > 2 ? take_width(&text) : OD_DTYPE_UNKNOWN;
        if (*ret_dtype != OD_DTYPE_UNKNOWN)
            break;
        if (!od_num_take_u64(&text, &side) || side == 0 || side > SIDE_MOST || shape->n > 4)
            return false;
        shape->dims[shape->n++] = side;
        (void)(od_view_take(&text, OD_VIEW(")")));
    } while (take_times(&text));
    return shape->n >= 3 || (shape->n == 2 && is_of_row(text));
}

/* The number directly before the opening word; it may have commas between thousands. */
static bool number_before(struct od_view text, size_t at, uint64_t *ret_number)
{
    uint64_t n = 0, scale = 1;
    size_t i = at, digits = 0;
    for (; i > 0 && digits < 12; i--) {
        char c = text.p[i - 1];
        if (c == ',' && digits > 0 && digits % 3 == 0)
            continue;
        if (c < '0' || c > '9')
            break;
        n += scale * (uint64_t)(c - '0');
        scale *= 10;
        digits++;
    }
    bool alone = i == 0 || text.p[i - 1] == ' ' || text.p[i - 1] == ':' || text.p[i - 1] == '=';
    *ret_number = n;
    return digits > 0 && alone;
}

static bool read_words(struct od_view text, struct od_shape *ret_shape, enum od_dtype *ret_dtype)
{
    for (size_t i = 0; openers[i]; i++) {
        struct od_view word = od_view_of(openers[i]);
        size_t at = od_view_find(text, word, 0);
        struct od_shape shape = {.known = true, .n = 1};
        if (at == OD_VIEW_NONE || !number_before(text, at, &shape.dims[0]) ||
            shape.dims[0] < SAMPLES_LEAST)
            continue;
        struct od_view rest = od_view_from(text, at + word.n);
        if (!skip_between(&rest) || !take_sides(rest, &shape, ret_dtype))
            continue;
        *ret_shape = shape;
        return true;
    }
    return false;
}

static enum od_take read_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    (void)state;
    struct od_shape shape;
    enum od_dtype dtype = OD_DTYPE_UNKNOWN;
    struct od_field_value value = {.field = OD_F_SHAPE, .as.shape = &shape};
    if (line->text.n > LINE_MOST || !read_words(line->text, &shape, &dtype))
        return OD_TAKE_NONE;
    struct od_event event;
    od_event_begin(&event, OD_EV_MEMORY_STATE, line, "data_words");
    event.excerpt = od_view_trim(line->text);
    od_event_set(&event, &value);
    od_event_set_text(&event, OD_F_NAME, OD_VIEW("dataset"));
    value = (struct od_field_value){.field = OD_F_DTYPE, .as.dtype = dtype};
    if (dtype != OD_DTYPE_UNKNOWN)
        od_event_set(&event, &value);
    od_sink_put(sink, &event);
    return OD_TAKE_SHARE;
}

const struct od_reader od_reader_data_words = {
    .name = "data_words",
    .literals = openers,
    .state_size = 1, /* no state is kept */
    .line = read_line,
};
