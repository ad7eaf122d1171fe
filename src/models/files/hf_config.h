/*
 * Reads a Hugging Face configuration printed in a log. od_file_reader_hf_config reads a config.json
 * file.
 */
#pragma once

#include "facts/event.h"

/* Reads one JSON object from a log. Emits its model if it describes a complete transformer.
 * Otherwise reports no error, because the user did not pass it as a model. Copies texts into the
 * arena. */
void od_hf_config_printed(struct od_view text, const struct od_prov *at, const struct od_sink *sink,
                          struct od_arena *arena);
