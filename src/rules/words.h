/*
 * The lexicon from YAML (rules/words/failure.yaml) and to C, when the project is built.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "facts/meaning.h"
#include "facts/words.h"

/*
 * The lexicon in the file root/name (name when root is NULL). It lives in arena. OD_ERULE with
 * diagnostics when it is invalid, OD_EINPUT when it cannot be read. Does not prove samples.
 */
enum od_err od_words_load_file(const char *root, const char *name, struct od_arena *arena,
                               struct od_diags *diags,
                               const struct od_lexicon **ret_lexicon) OD_MUST_USE;

/*
 * What texts of one subject mean, from the file root/name, into its place of meanings (one a
 * subject). Proves its samples. The same errors; R0501 a word that cannot be found, R0502 an
 * unknown subject, R0503 a sample that means something else, R0504 a meaning without a sample.
 */
enum od_err od_meanings_load_file(const char *root, const char *name, struct od_arena *arena,
                                  struct od_diags *diags, struct od_meanings *meanings) OD_MUST_USE;

/* The lexicon we ship, proved when the project was built. */
extern const struct od_lexicon od_shipped_lexicon;
