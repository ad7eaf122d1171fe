/*
 * Lines to paste in the form of the place in which the program ran: a variable for a Dockerfile.
 */
#pragma once

#include "advise/remedies.h"

/* "export JAVA_OPTS=..." for a setting that the log shows as part of a variable: NAME=..., NAME:
 * ... Unchanged for a key of a file with all its options: "org.gradle.jvmargs=-Xmx2g -Da=b". NULL =
 * it is neither. */
const char *od_variable_of(const char *setting, struct od_arena *arena);

/* Rewrites a step's code for that place; a shell's line stays as it is where no place is known. */
void od_put_in_place(const struct od_advise_question *question, struct od_arena *arena,
                     struct od_remedy_how *how);
