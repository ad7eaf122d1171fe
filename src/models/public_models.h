/*
 * Public transformers by name, so that users need not pass a config.json. Entries are generated
 * from public_models.tsv during the build; each contains a config.json, which is read like a
 * user's. A name means a configuration, not weights: fine-tunes with the same name share it.
 */
#pragma once

#include "base/base.h"

struct od_public_model {
    const char *names;     /* separated by blanks; the first one is shown */
    const char *published; /* published number of parameters: "6738415616", or rounded: "67.4B" */
    const char *config;    /* JSON */
};

/* All of them, in the order of the file. */
const struct od_public_model *od_public_models(size_t *ret_n);

/* The name to show, its first one. */
struct od_view od_public_model_name(const struct od_public_model *model);

/*
 * Finds a model by name; NULL if unknown. Case, separators, the organisation or folder before the
 * last part, and words such as "chat" or "instruct" after a size are ignored. Any other word
 * counts: "llama-2-7b-something" is unknown. *ret_quantized: does the name say that the weights are
 * quantized, so that they take less memory than the configuration says?
 */
const struct od_public_model *od_public_model_find(struct od_view name, bool *ret_quantized);

/* The closest known name, allocated in arena; NULL if none is close. */
const char *od_public_model_suggest(struct od_view name, struct od_arena *arena);
