/*
 * Packs as C: the constant tables that are compiled into the program. Output depends on nothing
 * but the packs.
 */
#pragma once

#include "rules/advice.h"
#include "rules/pack.h"
#include "rules/software.h"
#include "rules/words.h"

/* What was read, all of it proved; lists end with NULL. */
struct od_shipped {
    const struct od_pack **packs;
    const struct od_advice **advice;
    const struct od_lexicon *lexicon;
    const struct od_meanings *meanings; /* one a subject */
    const struct od_software_list *software;
};

/* A whole C file that defines od_shipped_packs, _advice, _software, _signs, _lexicon, _meanings. */
void od_shipped_emit(const struct od_shipped *shipped, struct od_buf *to);

/* A C expression for the bytes of text: a string, or an array where strings may not be so long. */
void od_text_emit(const char *text, struct od_buf *to);
