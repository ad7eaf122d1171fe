/*
 * Public transformers by name, so that users need no config.json. The build generates the entries
 * from public_models.tsv; each contains a config.json, which is read like a user's. A name
 * identifies a configuration, not weights: fine-tunes with the same name share it.
 */
#pragma once

#include "base/base.h"

struct od_public_model {
    const char *names;     /* names separated by blanks, the displayed one first */
    const char *published; /* published number of parameters: "6738415616", or rounded: "67.4B" */
    const char *config;    /* config.json as text */
};

/* All public models in the order of the file. */
const struct od_public_model *od_public_models(size_t *ret_n);

/* The displayed name, which is the first one. */
struct od_view od_public_model_name(const struct od_public_model *model);

/*
 * Finds a model by name; NULL if unknown. Ignores case, separators, the organization or folder
 * before the last part, and words such as "chat" or "instruct" after a size. Any other word counts:
 * "llama-2-7b-something" is unknown. *ret_quantized: the name marks quantized weights, which take
 * less memory than the configuration gives.
 */
const struct od_public_model *od_public_model_find(struct od_view name, bool *ret_quantized);

/* The most similar known name, allocated in arena; NULL if no name is close. */
const char *od_public_model_suggest(struct od_view name, struct od_arena *arena);
