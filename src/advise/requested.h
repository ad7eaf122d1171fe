/* The word of a command that asks for what was refused: "-m 3000M" where 3000 MiB were requested.
 */
#pragma once

#include "advise/remedies.h"

/* The way to ask for half of it, as an edit of the command; false where no word says that size, or
 * what is known already changes that line. */
bool od_requested_halve(const struct od_advise_question *question, const struct od_remedies *known,
                        struct od_arena *arena, struct od_remedy_how *ret_how);
