/* A search: one layer of a text, line by line, every finder at its place. Linear in the text. */
#pragma once

#include "redact/found.h"

/* A name or a secret that was learnt: with so many marks before and after what it was found by. */
struct od_learnt_name {
    enum od_redact_kind kind;
    size_t lead, trail;
};

/* Names that were learnt. */
struct od_learnt {
    const void *self;
    /* False when it was not learnt. */
    bool (*look_up)(const void *self, struct od_view name, struct od_learnt_name *ret_name);
    const uint64_t *heads; /* bits: the first three bytes of one that was */
    size_t longest;
};

/* search: words, forms, finds; text is ignored. Lines end with LF or CR. */
void od_search_text(struct od_search *search, struct od_view text, const struct od_learnt *learnt);

/* The bit of a name's first three bytes. */
static inline unsigned od_learnt_head(const char *name)
{
    return ((unsigned char)name[0] * 961U + (unsigned char)name[1] * 31U + (unsigned char)name[2]) &
           8191U;
}
