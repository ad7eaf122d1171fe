#include "facts/accelerator.h"

struct entry {
    const char *name;
    const char *names; /* all names, separated by blanks */
    uint64_t mib, usable_mib;
    bool part, usual;
};

static const struct entry catalogue[] = {
#include "facts/accelerators.inc"
};

/* Words that makers and drivers put around a name. */
#define WORD(text)               \
    {                            \
        (text), sizeof(text) - 1 \
    }
static const struct od_view ornaments[] = {
    WORD("nvidia"), WORD("geforce"),  WORD("tesla"), WORD("sxm2"), WORD("sxm3"),
    WORD("sxm4"),   WORD("sxm5"),     WORD("sxm"),   WORD("pcie"), WORD("amd"),
    WORD("radeon"), WORD("instinct"), WORD("apple"), WORD("gpu"),  WORD("withmaxqdesign")};

static void drop_ornaments(struct od_buf *to)
{
    for (size_t k = 0; to->n > 0 && k < OD_COUNT_OF(ornaments); k++) {
        struct od_view ornament = ornaments[k];
        if (to->p[to->n - 1] == ornament.p[ornament.n - 1] &&
            od_view_ends(od_buf_view(to), ornament))
            to->n -= ornament.n;
    }
}

/* Appends the letters and digits of a name, in lower case, without makers' words. */
static void normalize(struct od_view name, struct od_buf *to)
{
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            od_buf_add_char(to, c);
        drop_ornaments(to);
    }
}

/* Cards of the Hopper generation; slices of them have names that start alike. */
static bool is_hopper(struct od_view name)
{
    static const struct od_view cards[] = {WORD("h100"), WORD("h200"), WORD("h800"), WORD("h20"),
                                           WORD("gh200")};
    for (size_t i = 0; i < OD_COUNT_OF(cards); i++)
        if (od_view_starts(name, cards[i]) && (name.n == cards[i].n || name.p[cards[i].n] == '-'))
            return true;
    return false;
}

/* bitsandbytes has kernels for CUDA and ROCm only. Apple's names look like "m2-max-64gb". */
static bool lacks_kernels(struct od_view name)
{
    bool metal = name.n > 2 && name.p[0] == 'm' && od_is_digit(name.p[1]) && name.p[2] == '-';
    return metal || od_view_starts(name, OD_VIEW("tpu")) || od_view_starts(name, OD_VIEW("gaudi"));
}

static struct od_accelerator accelerator_of(const struct entry *entry)
{
    return (struct od_accelerator){
        .name = entry->name,
        .bytes = entry->mib << 20,
        .usable_bytes = entry->usable_mib << 20,
        .part = entry->part,
        .usual = entry->usual,
        .hopper = is_hopper(od_view_of(entry->name)),
        .no_bitsandbytes = lacks_kernels(od_view_of(entry->name)),
    };
}

enum fit { OTHER, SIZED, SAME };

/* Does the name contain the letters and digits of wanted in the same order? */
static bool may_fit(struct od_view wanted, struct od_view name)
{
    size_t n = 0;
    for (size_t i = 0; wanted.n <= name.n && i < name.n && n < wanted.n; i++)
        n += od_lower(name.p[i]) == wanted.p[n];
    return n == wanted.n;
}

/* Is wanted that name, or the name without its memory size ("a100" for "a100-80gb")? */
static enum fit fit_name(struct od_view wanted, struct od_view name)
{
    struct od_buf plain = {0};
    enum fit fit = OTHER;
    normalize(name, &plain);
    struct od_view rest = od_buf_view(&plain);
    if (od_view_take(&rest, wanted)) {
        uint64_t size;
        if (rest.n == 0)
            fit = SAME;
        else if (od_num_take_u64(&rest, &size) && od_view_eq_str(rest, "gb"))
            fit = SIZED;
    }
    od_buf_done(&plain);
    return fit;
}

static enum fit fit_names(struct od_view wanted, const char *names)
{
    struct od_view rest = od_view_of(names), name;
    enum fit best = OTHER;
    while (od_view_cut(&rest, ' ', &name)) {
        enum fit fit = may_fit(wanted, name) ? fit_name(wanted, name) : OTHER;
        best = fit > best ? fit : best;
    }
    return best;
}

/* Finds the name itself, otherwise the smallest device of that name with a size. */
static bool find_named(struct od_view wanted, struct od_accelerator *ret_accelerator)
{
    const struct entry *found = NULL;
    bool same = false;
    size_t sizes = 0;
    for (size_t i = 0; i < OD_COUNT_OF(catalogue); i++) {
        enum fit fit = fit_names(wanted, catalogue[i].names);
        sizes += fit != OTHER;
        if (!same && (fit == SAME || (fit == SIZED && !found)))
            found = &catalogue[i];
        same |= fit == SAME;
    }
    if (!found)
        return false;
    *ret_accelerator = accelerator_of(found);
    ret_accelerator->several = sizes > 1;
    return true;
}

bool od_accelerator_find(struct od_view name, struct od_accelerator *ret_accelerator)
{
    enum { NAME_MOST = 64 };
    struct od_buf wanted = {0};
    if (name.n <= NAME_MOST)
        normalize(name, &wanted);
    bool found = wanted.n > 0 && find_named(od_buf_view(&wanted), ret_accelerator);
    od_buf_done(&wanted);
    return found;
}

bool od_accelerator_at(size_t i, struct od_accelerator *ret_accelerator)
{
    if (i >= OD_COUNT_OF(catalogue))
        return false;
    *ret_accelerator = accelerator_of(&catalogue[i]);
    return true;
}
