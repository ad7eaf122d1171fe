/*
 * Finds numbers in scripts and configurations that size memory, if a run's command names the file.
 * Prints them as lines that are read like output of the run.
 */
#pragma once

#include "base/base.h"

/* Appends "oomdoctor run: sets: train.py:12: batch_size = 64" for each of these numbers in plain
 * files of code of less than 64 KiB among the words, at most 24 lines in all. Omits numbers that an
 * option of the command sets. */
void od_script_print(char *const *argv, struct od_buf *to);
