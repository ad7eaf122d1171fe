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

/* Is it that library of scripts whose own error it is? */
bool od_ways_is_its_error(const struct od_stack_part *part);

/* Is it, among others, for that sort of program ("own": a script of the user's own)? */
bool od_remedy_is_for(const struct od_advice_remedy *advice, const char *sort);

/* Does the log show a setting of anybody's that it turns? */
bool od_ways_shown(const struct od_case *c, const struct od_advice_remedy *advice);

/* Has it words for anybody, whatever the software? */
bool od_remedy_is_for_anybody(const struct od_advice_remedy *advice);

/* "TensorFlow", "PyTorch"; "" where it is nobody's name. */
const char *od_ways_title(const char *framework);

/* "PyTorch 2.1 or newer"; in arena. NULL when any version does. */
const char *od_how_needs(const struct od_advice_how *how, struct od_arena *arena);
