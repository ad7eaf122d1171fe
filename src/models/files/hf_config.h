/*
 * A Hugging Face configuration printed in a log. A config.json file is read by
 * od_file_reader_hf_config.
 */
#pragma once

#include "facts/event.h"

/* text is one JSON object from a log. Emits its model if it describes a complete transformer;
 * otherwise reports nothing, because the user did not pass it. Texts are copied into the arena. */
void od_hf_config_printed(struct od_view text, const struct od_prov *at, const struct od_sink *sink,
                          struct od_arena *arena);
