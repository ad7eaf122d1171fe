/*
 * A file without a description of a model may still name one: a launch command, a trainer's YAML
 * (axolotl, LLaMA-Factory), a server's command line, an adapter's configuration. What it says
 * beside the name is put into words of `plan`, so that somebody told to give the model's
 * config.json need not look for them. Nothing is fetched and nothing is planned from it.
 */
#ifndef OD_LIB_LAUNCH_H
#define OD_LIB_LAUNCH_H

#include "base/arena.h"

#include <stdbool.h>

/* "Qwen/Qwen3-8B" and "--batch 2 --seq 4096"; either is NULL when the text does not say it. Texts
 * hold letters, digits and "/._-" alone. */
struct od_launch {
    const char *model;
    const char *options;
    bool known; /* the model is public, and its name enough (readers/models/public_models.h) */
    bool index; /* of shards of a .safetensors file: names and places of tensors, no shapes */
};

struct od_launch od_launch_find(struct od_view text, struct od_arena *arena);

/* The same of the first 64 KiB of a plain file. */
struct od_launch od_launch_find_in_file(const char *name, struct od_arena *arena);

#endif
