/*
 * Words that smell of memory running out. A line that holds one and that neither a rule nor a
 * reader took is worth a look: a wording we do not know yet, or somebody's prose.
 */
#pragma once

#include "base/base.h"

/* What the prefilter looks for; NULL-terminated. */
extern const char *const od_smell_literals[];

/* Does one of them stand in the text as words of their own (not OOM in ZOOM)? */
bool od_smells(struct od_view text);
