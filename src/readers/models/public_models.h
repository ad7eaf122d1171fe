/*
 * Public transformers by name: who names one need not hand in its config.json. Entries are made
 * from public_models.tsv when the project is built; what an entry holds is a config.json, read by
 * the same reader as a user's. A name stands for a configuration, never for weights: fine-tunes
 * that are published under the same name share it.
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
 * The one of that name, NULL for none. Case, the kind of separator, the organisation or folder
 * before the last part, and behind a size words like "chat" or "instruct" do not matter; any other
 * word does: "llama-2-7b-something" is nobody's. *ret_quantized tells whether the name says that
 * the weights are quantized, so that they take less than the configuration says.
 */
const struct od_public_model *od_public_model_find(struct od_view name, bool *ret_quantized);

/* Our name of the nearest one, in arena; NULL where none is near. */
const char *od_public_model_suggest(struct od_view name, struct od_arena *arena);
