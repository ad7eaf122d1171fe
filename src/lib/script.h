/*
 * The numbers that a script or a configuration gives to what sizes memory, for a run whose command
 * names the file: as lines that are read like the output of the run.
 */
#pragma once

#include "base/base.h"

/* Appends "oomdoctor run: sets: train.py:12: batch_size = 64" for each plain file of code of less
 * than 64 KiB among the words, at most 24 lines in all. What an option of the command sets is left
 * out. */
void od_script_print(char *const *argv, struct od_buf *to);
