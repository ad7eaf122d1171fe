/* Searches one layer of a text line by line with each finder. Linear in the text. */
#pragma once

#include "redact/found.h"

/* A learnt name or secret: numbers of marks before and after the word that identifies it. */
struct od_learnt_name {
    enum od_redact_kind kind;
    size_t lead, trail;
};

/* Access to the learnt names. */
struct od_learnt {
    const void *self;
    /* False if the name was not learnt. */
    bool (*look_up)(const void *self, struct od_view name, struct od_learnt_name *ret_name);
    const uint64_t *heads; /* bit set of od_learnt_head of learnt texts */
    size_t longest;
};

/* search: words, forms and finds must be set; text is overwritten. Lines end with LF or CR. */
void od_search_text(struct od_search *search, struct od_view text, const struct od_learnt *learnt);

/* Bit number for a name's first three bytes. */
static inline unsigned od_learnt_head(const char *name)
{
    return ((unsigned char)name[0] * 961U + (unsigned char)name[1] * 31U + (unsigned char)name[2]) &
           8191U;
}
