/*
 * Loads the lexicon from YAML (rules/words/failure.yaml) and writes it as C for the build.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "facts/meaning.h"
#include "facts/words.h"

/* Loads the lexicon from the file root/name (root may be NULL) into arena. OD_ERULE with
 * diagnostics if it is invalid, OD_EINPUT if it cannot be read. Does not check samples. */
enum od_err od_words_load_file(const char *root, const char *name, struct od_arena *arena,
                               struct od_diags *diags,
                               const struct od_lexicon **ret_lexicon) OD_MUST_USE;

/* Loads the meanings of one subject's texts from the file root/name into its element of `meanings`,
 * and checks their samples. Errors as for od_words_load_file, with codes R0501 a word that cannot
 * be found, R0502 an unknown subject, R0503 a sample with another meaning, R0504 a meaning without
 * a sample. */
enum od_err od_meanings_load_file(const char *root, const char *name, struct od_arena *arena,
                                  struct od_diags *diags, struct od_meanings *meanings) OD_MUST_USE;

/* The shipped lexicon, verified by the build. */
extern const struct od_lexicon od_shipped_lexicon;
