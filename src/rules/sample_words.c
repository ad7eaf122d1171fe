/*
 * Kinds of samples that programs work on, used by catalogue rows and conditions.
 */
#include "rules/software.h"

const char *const od_sample_words[] = {"text",   "images", "volumes", "audio", "video",
                                       "graphs", "points", "rows",    NULL};
