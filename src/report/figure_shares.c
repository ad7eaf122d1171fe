/* What each byte of a dump is, for figures: names and colors. */
#include "report/figure_parts.h"

static const struct {
    const char *name, *color, *ink;
} share_words[OD_SHARES] = {
#define OD_SHARE_WORDS(constant, words, color, ink) [OD_SHARE_##constant] = {words, color, ink},
#include "report/words.def"
};

static int by_bytes(const void *a, const void *b)
{
    const struct od_size *const *x = a, *const *y = b;
    return ((*x)->bytes > (*y)->bytes) - ((*x)->bytes < (*y)->bytes);
}

const char *od_share_color(enum od_share share)
{
    return share_words[share].color;
}

enum od_share od_share_of_role(enum od_role role)
{
    static const enum od_share shares[OD_ROLES] = {
#define OD_ROLE_WORDS(constant, words, share, fill) [OD_ROLE_##constant] = OD_SHARE_##share,
#include "report/words.def"
    };
    return role < OD_ROLES ? shares[role] : OD_SHARE_UNKNOWN;
}

const char *od_share_name(enum od_share share)
{
    return share_words[share].name;
}

/* Grey is what remains; where nothing else is there, it need not be. */
const char *od_shares_color(const struct od_shares *shares, enum od_share share)
{
    return od_share_color(share == OD_SHARE_UNKNOWN && !shares->explained ? OD_SHARE_ACTIVATIONS
                                                                          : share);
}

struct od_shares od_shares_of(const struct od_report *report, const struct od_allocator *allocator,
                              struct od_arena *arena)
{
    struct od_shares shares = {.allocator = allocator};
    const struct od_attribution *attribution = report->attribution;
    for (size_t i = 0; attribution && i < attribution->nholdings; i++)
        if (attribution->holdings[i].allocator == allocator)
            shares.holding = &attribution->holdings[i];
    shares.by_bytes = OD_NEW_N(arena, allocator->nsizes + 1, const struct od_size *);
    for (size_t i = 0; i < allocator->nsizes; i++)
        shares.by_bytes[i] = &allocator->sizes[i];
    for (unsigned role = OD_ROLE_UNKNOWN + 1; shares.holding && role < OD_ROLES; role++)
        shares.explained = shares.explained || shares.holding->bytes_by_role[role] > 0;
    qsort(shares.by_bytes, allocator->nsizes, sizeof *shares.by_bytes, by_bytes);
    return shares;
}

enum od_share od_shares_find(const struct od_shares *shares, uint64_t bytes)
{
    struct od_size wanted = {.bytes = bytes};
    const struct od_size *key = &wanted;
    if (!shares->holding || !shares->holding->sizes)
        return OD_SHARE_UNKNOWN;
    const struct od_size **found = bsearch(&key, shares->by_bytes, shares->allocator->nsizes,
                                           sizeof *shares->by_bytes, by_bytes);
    if (!found)
        return OD_SHARE_UNKNOWN;
    const struct od_size_candidates *size =
        &shares->holding->sizes[*found - shares->allocator->sizes];
    return size->n > 0 ? od_share_of_role(size->list[0].role) : OD_SHARE_UNKNOWN;
}

const char *od_shares_name(const struct od_shares *shares, enum od_share share)
{
    return share == OD_SHARE_UNKNOWN && shares->explained ? "unexplained" : od_share_name(share);
}

const char *od_share_ink(enum od_share share)
{
    return share_words[share].ink;
}
