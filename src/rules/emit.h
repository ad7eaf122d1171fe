/*
 * Packs as C: the constant tables that are compiled into the program. Output depends on nothing
 * but the packs.
 */
#ifndef OD_RULES_EMIT_H
#define OD_RULES_EMIT_H

#include "base/buf.h"
#include "rules/advice.h"
#include "rules/pack.h"
#include "rules/software.h"

#include <stddef.h>

/* A whole C file that defines od_shipped_packs (rules/ruleset.h). */
void od_packs_emit(const struct od_pack *const *packs, size_t n, struct od_buf *to);

/* The C that defines od_shipped_advice (rules/advice.h), to stand behind the packs. */
void od_advice_emit(const struct od_advice *const *advice, size_t n, struct od_buf *to);

/* The C that defines od_shipped_software and od_shipped_signs (rules/software.h), the same. */
void od_software_emit(const struct od_software_list *list, struct od_buf *to);

/* A C expression for the bytes of text: a string, or an array where strings may not be so long. */
void od_text_emit(const char *text, struct od_buf *to);

#endif
