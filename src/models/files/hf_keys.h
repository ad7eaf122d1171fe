/*
 * The keys of a Hugging Face config.json. A number may have several keys, written "a|b|c": the
 * first one that exists and is not null counts.
 */
#pragma once

#include "facts/model.h"
#include "models/file_reader.h"

#include <jansson.h>

struct od_hf_config {
    const struct od_file *file;
    json_t *top; /* the current object: the whole file, or its text_config */
    struct od_transformer *t;
    bool lost; /* a value could not be read */
};

/* The value of a key; NULL if none. */
json_t *od_hf_at(const struct od_hf_config *config, const char *keys);

/* A count; unknown if there is none. Reports a value that is not a count. */
struct od_count od_hf_number(struct od_hf_config *config, const char *keys);

/* A flag; od_hf_text: a text. `otherwise` (or an empty text) if none, or if it has another type. */
bool od_hf_flag(const struct od_hf_config *config, const char *keys, bool otherwise);
double od_hf_real(const struct od_hf_config *config, const char *keys, double otherwise);
struct od_view od_hf_text(const struct od_hf_config *config, const char *keys);
