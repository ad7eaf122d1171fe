/*
 * The ways of a remedy: how the software that failed is told to do it. By the settings of the
 * user's program, in the form that the log shows; by the library that a script of the user's own
 * stands on; by the machine it ran on; else in words that are for anybody.
 */
#pragma once

#include "advise/remedies.h"

/* Fills ret_how, which has room for OD_WAYS_MAX; the number of ways that apply. */
enum { OD_WAYS_MAX = 24 };
size_t od_ways_of(const struct od_advise_question *question, const struct od_remedy *remedy,
                  struct od_arena *arena, struct od_remedy_how ret_how[static OD_WAYS_MAX]);

/* Does advice for that framework, platform or sort of program apply to the stack? */
bool od_ways_apply(const struct od_stack *stack, const struct od_diagnosis *diagnosis,
                   const char *framework);

/* Has it words for anybody, whatever the software? */
bool od_remedy_is_for_anybody(const struct od_advice_remedy *advice);

/* "TensorFlow", "PyTorch"; "" where it is nobody's name. */
const char *od_ways_title(const char *framework);
