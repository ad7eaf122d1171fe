/*
 * Help texts from the tables of commands and options: grouped, 80 columns wide.
 */
#pragma once

#include "cli/command.h"

/* The list of all commands, and the usage of a command line. */
void od_help(struct od_buf *to);

/* The help of one command: usage, details, options, examples. */
void od_help_of(const struct od_command *command, struct od_buf *to);
