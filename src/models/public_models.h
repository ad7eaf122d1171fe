/*
 * Public transformers by name, so that users need not pass a config.json. The entries are generated
 * from public_models.tsv when the project is built; each contains a config.json, which is read like
 * a user's. A name means a configuration, not weights: fine-tunes with the same name share it.
 */
#pragma once

#include "base/base.h"

struct od_public_model {
    const char *names;     /* with blanks between them; the first is ours */
    const char *published; /* its parameters, as published: "6738415616", or rounded: "67.4B" */
    const char *config;    /* JSON */
};

/* All of them, in the order of the file. */
const struct od_public_model *od_public_models(size_t *ret_n);

/* What we call it: the first of its names. */
struct od_view od_public_model_name(const struct od_public_model *model);

/*
 * Finds a model by name; NULL if unknown. Case, separators, the organisation or folder before the
 * last part, and words such as "chat" or "instruct" after a size are ignored. Any other word
 * counts: "llama-2-7b-something" is unknown. *ret_quantized: does the name say that the weights are
 * quantized, so that they take less memory than the configuration says?
 */
const struct od_public_model *od_public_model_find(struct od_view name, bool *ret_quantized);

/* Our name of the nearest one, in arena; NULL where none is near. */
const char *od_public_model_suggest(struct od_view name, struct od_arena *arena);
