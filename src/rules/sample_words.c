/*
 * Words of catalogue rows and conditions: kinds of samples that programs work on, and places in
 * which programs run.
 */
#include "rules/software.h"

const char *const od_sample_words[] = {"text",   "images", "volumes", "audio", "video",
                                       "graphs", "points", "rows",    NULL};

const char *const od_place_words[] = {"dockerfile", "compose", "kubernetes", "container",
                                      "notebook",   "service", "job",        "ci",
                                      "shell",      "windows", NULL};
