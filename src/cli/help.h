/*
 * Help texts, made from the tables of commands and options: grouped, at 80 columns.
 */
#pragma once

#include "cli/command.h"

/* All commands, and how a command line begins. */
void od_help(struct od_buf *to);

/* One command: usage, details, options, examples. */
void od_help_of(const struct od_command *command, struct od_buf *to);
