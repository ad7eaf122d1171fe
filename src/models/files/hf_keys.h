/*
 * The keys of a Hugging Face config.json. One number has several names: keys are "a|b|c", the first
 * that is there and not null counts.
 */
#pragma once

#include "facts/model.h"
#include "models/file_reader.h"

#include <jansson.h>

struct od_hf_config {
    const struct od_file *file;
    json_t *top; /* the object read: the whole, or its text_config */
    struct od_transformer *t;
    bool lost; /* something there could not be read */
};

/* NULL when none is there. */
json_t *od_hf_at(const struct od_hf_config *config, const char *keys);

/* Unknown when none is there; said, when it counts nothing. */
struct od_count od_hf_number(struct od_hf_config *config, const char *keys);

/* The values otherwise when none is there, or of another type; an empty text then. */
bool od_hf_flag(const struct od_hf_config *config, const char *keys, bool otherwise);
double od_hf_real(const struct od_hf_config *config, const char *keys, double otherwise);
struct od_view od_hf_text(const struct od_hf_config *config, const char *keys);
