/* What the samples of a program are: for its row of the catalogue and for conditions. */
#include "rules/software.h"

const char *const od_sample_words[] = {"text",   "images", "volumes", "audio", "video",
                                       "graphs", "points", "rows",    NULL};
