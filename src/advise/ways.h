/*
 * The steps of a remedy: how to carry it out with the software that failed. By settings of the
 * user's program in the form shown in the log, by the library that the user's script uses, by the
 * machine on which it ran, or in words for any program.
 */
#pragma once

#include "advise/remedies.h"

/* Fills ret_how, an array of OD_WAYS_MAX. Returns the number of steps that apply. */
enum { OD_WAYS_MAX = 24 };
size_t od_ways_of(const struct od_advise_question *question, struct od_remedy *remedy,
                  struct od_arena *arena, struct od_remedy_how ret_how[static OD_WAYS_MAX]);

/* Does advice for that framework, platform or sort of program apply to the failure? */
bool od_ways_apply(const struct od_advise_question *question, const char *framework);

/* The program whose versions count for the framework: "tensorflow" for "keras". */
const char *od_ways_of_versions(const char *framework);

/* Title of a program: "TensorFlow", "PyTorch"; "" if it is no program. */
const char *od_ways_title(const struct od_advice *const *advice, const char *framework);
