/*
 * The word of a command that determines the refused request: "-m 3000M" if 3000 MiB were requested.
 */
#pragma once

#include "advise/remedies.h"

/* Halves it by an edit of the command. False if no word has that size, or if a known remedy already
 * changes that line. */
bool od_requested_halve(const struct od_advise_question *question, const struct od_remedies *known,
                        struct od_arena *arena, struct od_remedy_how *ret_how);
