/* A search: one layer of a text, line by line, every finder at its place. Linear in the text. */
#pragma once

#include "redact/found.h"

/* Names that were learnt. */
struct od_learnt {
    const void *self;
    /* The kind of a name; false when it was not learnt. */
    bool (*kind_of)(const void *self, struct od_view name, enum od_redact_kind *ret_kind);
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
