/* Sentences for settings of the software catalogue that are a name, a line of a file or words. */
#pragma once

#include "rules/software.h"

/* Writes the step as a sentence: "Set max_bin=63.", "In oomd.conf, set SwapUsedLimit=95%.", "Use
 * more swap.". usual: the verb for a name ("Lower"). In arena. */
const char *od_set_sentence(const char *set, enum od_less less, const char *usual,
                            struct od_arena *arena);
