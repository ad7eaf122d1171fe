/*
 * Completion scripts made from the tables of options: what a table holds is what a shell offers.
 */
#ifndef OD_CLI_COMPLETE_H
#define OD_CLI_COMPLETE_H

#include "base/buf.h"
#include "cli/command.h"

void od_complete_bash(struct od_buf *to);
void od_complete_zsh(struct od_buf *to);
void od_complete_fish(struct od_buf *to);

/* What follows an option, or a command. */
enum od_complete_kind { OD_COMPLETE_NOTHING, OD_COMPLETE_FILES, OD_COMPLETE_WORDS };

/* With OD_COMPLETE_WORDS they are appended to words, a blank between them. */
enum od_complete_kind od_complete_value(const struct od_option *option, struct od_buf *words);
enum od_complete_kind od_complete_operand(const struct od_command *command, struct od_buf *words);

/* The text between single quotes, as fish reads them; quotes included. */
void od_complete_quote(const char *text, struct od_buf *to);

#endif
