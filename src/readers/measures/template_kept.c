#include "readers/measures/template_pieces.h"

enum { BARE_BYTES = 10 << 20 };

bool od_template_is_bytes(struct od_view number)
{
    uint64_t n;
    bool address = number.n > 1 && number.p[0] == '0';
    return !address && od_num_parse_u64(number, &n) && n >= BARE_BYTES;
}

bool od_template_size(struct od_view number, struct od_view unit, struct od_bytes *ret_bytes)
{
    bool spelled = od_view_ends(unit, OD_VIEW("abytes"));
    return od_bytes_parse_unit(number, unit.n > 0 ? unit : OD_VIEW("B"),
                               spelled ? OD_UNIT_DECIMAL : OD_UNIT_BINARY, ret_bytes);
}

uint64_t od_template_hash(uint64_t hash, struct od_view text, bool digits)
{
    for (size_t i = 0; i < text.n; i++)
        if (digits || !od_is_digit(text.p[i]))
            hash = (hash ^ (unsigned char)text.p[i]) * UINT64_C(1099511628211);
    return hash;
}

uint64_t od_template_identity(const struct od_template *t)
{
    uint64_t hash = t->label;
    if (t->n > 0 && t->slots[0].device.count.known)
        hash = (hash ^ t->slots[0].device.count.n) * UINT64_C(1099511628211);
    return od_template_hash(hash, od_span_of(t->text, t->key), true);
}

/* --- lines that differ only in digits --- */

struct od_template_kept {
    struct od_template_kept *next;
    struct od_template t; /* only the used slots; its text may be freed */
};

/* Templates of one shape, which differ in the magnitude of numbers without a unit. */
enum { KEPT_MOST = 4 };

static size_t size_of(const struct od_template *t)
{
    return offsetof(struct od_template, slots) + t->n * sizeof t->slots[0];
}

struct od_template_kept *od_template_keep(const struct od_template *t, struct od_arena *arena,
                                          struct od_template_kept *kept)
{
    size_t n = 0;
    for (const struct od_template_kept *each = kept; each; each = each->next)
        n++;
    if (t->digits_matter || n >= KEPT_MOST || t->text.n > UINT16_MAX || od_num_has_long(t->text))
        return kept;
    struct od_template_kept *to =
        od_arena_alloc(arena, 1, offsetof(struct od_template_kept, t) + size_of(t));
    memcpy(&to->t, t, size_of(t));
    to->next = kept;
    return to;
}

static bool apply_count(struct od_view text, struct od_template_count *count)
{
    return count->digits.n == 0 ||
           od_num_parse_u64(od_span_of(text, count->digits), &count->count.n);
}

static bool apply_slot(struct od_view text, struct od_slot *slot)
{
    struct od_view number = od_span_of(text, slot->digits);
    if (slot->share_digits.n > 0) {
        if (!od_num_parse_double(od_span_of(text, slot->share_digits), &slot->share))
            return false;
        slot->share /= 100;
    }
    if (!apply_count(text, &slot->device) || (slot->unitless && od_template_is_bytes(number)) ||
        (slot->counted && !od_template_is_bytes(number)))
        return false;
    if (number.n == 0)
        return true;
    return slot->unitless ? od_num_parse_double(number, &slot->number)
                          : od_template_size(number, od_span_of(text, slot->unit), &slot->bytes);
}

bool od_template_apply(const struct od_template_kept *kept, struct od_view text,
                       struct od_template *ret_template)
{
    struct od_template *t = ret_template;
    bool good = false;
    for (; kept && !good; kept = kept->next) {
        memcpy(t, &kept->t, size_of(&kept->t));
        t->text = text;
        good = apply_count(text, &t->step) && apply_count(text, &t->epoch) &&
               apply_count(text, &t->rank) && apply_count(text, &t->pid);
        for (size_t i = 0; i < t->n && good; i++)
            good = apply_slot(text, &t->slots[i]);
    }
    return good;
}
