/*
 * Words for catalogue rows and conditions: kinds of samples that programs process, and environments
 * of programs.
 */
#include "rules/software.h"

const char *const od_sample_words[] = {"text",   "images", "volumes", "audio", "video",
                                       "graphs", "points", "rows",    NULL};

const char *const od_place_words[] = {"dockerfile", "compose", "kubernetes", "container",
                                      "notebook",   "service", "job",        "ci",
                                      "shell",      "windows", NULL};
