/* Names of settings as people write them in a sentence. */
#pragma once

#include "base/base.h"

bool od_is_of_name(char c);

/* Length of "--tiles", "--tiles=4", "--tiles 4" or "-j2" at the start of the text; 0: it is none.
 */
size_t od_flag_length(struct od_view text);

/* Length of "max_split_size_mb", "NAME_OF_IT=1" or "engine=\"lazy\"" at its start; 0: it is none.
 */
size_t od_name_length(struct od_view text);
