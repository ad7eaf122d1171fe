/*
 * Writes packs as C: the constant tables of the program. The output depends only on the packs.
 */
#pragma once

#include "rules/advice.h"
#include "rules/cause_rows.h"
#include "rules/pack.h"
#include "rules/software.h"
#include "rules/topics.h"
#include "rules/words.h"

/* All loaded and verified data. Lists end with NULL. */
struct od_shipped {
    const struct od_pack **packs;
    const struct od_advice **advice;
    const struct od_cause_row **causes;
    const struct od_topic **topics;
    const struct od_invariants *invariants;
    const struct od_lexicon *lexicon;
    const struct od_meanings *meanings; /* one element for each subject */
    const struct od_software_list *software;
};

/* Writes a complete C file that defines od_shipped_packs, _advice, _causes, _topics, _invariants,
 * _software, _signs, _lexicon, _meanings. */
void od_shipped_emit(const struct od_shipped *shipped, struct od_buf *to);

/* Writes the text as a C expression: a string, or an array if too long for a string. */
void od_text_emit(const char *text, struct od_buf *to);
