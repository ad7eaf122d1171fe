#include "estimate/device.h"

#include "base/num.h"

static const struct od_device devices[] = {
#include "estimate/devices.inc"
};

enum { NAME_MAX_BYTES = 96 };

/* A name without what people add or leave out. */
struct plain {
    char text[NAME_MAX_BYTES];
    size_t n;
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_noise(char c)
{
    return c == ' ' || c == '-' || c == '_' || c == '\t' || c == '(' || c == ')';
}

/* "nvidia", "laptopgpu" -> "laptop": words that tell nothing. */
static void drop_word(struct plain *plain, struct od_view word)
{
    struct od_view text = {.p = plain->text, .n = plain->n};
    size_t at = od_view_find(text, word, 0);
    if (at == OD_VIEW_NONE || word.n == plain->n)
        return;
    for (size_t i = at + word.n; i < plain->n; i++)
        plain->text[i - word.n] = plain->text[i];
    plain->n -= word.n;
}

static bool make_plain(struct od_view name, struct plain *ret_plain)
{
    static const char *const words[] = {"nvidia",   "geforce", "tesla", "amd", "radeon",
                                        "instinct", "google",  "intel", "gpu"};
    struct plain plain = {.n = 0};
    for (size_t i = 0; i < name.n; i++) {
        if (is_noise(name.p[i]))
            continue;
        if (plain.n == sizeof plain.text)
            return false;
        plain.text[plain.n++] = lower(name.p[i]);
    }
    for (size_t i = 0; i < OD_COUNT_OF(words); i++)
        drop_word(&plain, od_view_of(words[i]));
    *ret_plain = plain;
    return plain.n > 0;
}

static bool is_called(const struct od_device *device, const struct plain *name)
{
    struct od_view rest = od_view_of(device->names), head;
    struct plain other;
    while (od_view_cut(&rest, ' ', &head)) {
        if (make_plain(head, &other) && od_view_eq((struct od_view){.p = other.text, .n = other.n},
                                                   (struct od_view){.p = name->text, .n = name->n}))
            return true;
    }
    return false;
}

const struct od_device *od_device_find(struct od_view name)
{
    struct plain plain;
    if (!make_plain(name, &plain))
        return NULL;
    for (size_t i = 0; i < OD_COUNT_OF(devices); i++)
        if (is_called(&devices[i], &plain))
            return &devices[i];
    return NULL;
}

const struct od_device *od_device_at(size_t i)
{
    return i < OD_COUNT_OF(devices) ? &devices[i] : NULL;
}
