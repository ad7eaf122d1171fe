/*
 * Lines to paste in the form for the environment of the program, such as a variable for a
 * Dockerfile.
 */
#pragma once

#include "advise/remedies.h"

/* "export JAVA_OPTS=..." for a setting that the log shows within a variable: NAME=..., NAME: ... A
 * key of a file with all its options is returned unchanged: "org.gradle.jvmargs=-Xmx2g -Da=b". NULL
 * = neither. */
const char *od_variable_of(const char *setting, struct od_arena *arena);

/* Rewrites a step's code for the environment. A shell's line stays unchanged if no environment is
 * known. */
void od_put_in_place(const struct od_advise_question *question, struct od_arena *arena,
                     struct od_remedy_how *how);
