/*
 * Recognizes lines of source code. Pasted code contains messages that it may print, not messages
 * that it printed: `raise RuntimeError("out of memory")`, `print("Killed")`, `return "bad_alloc";`.
 *
 * Only the line itself is considered. A string on a line of its own, or assigned to a name, does
 * not count as code, because tracebacks that show variables print the same.
 */
#pragma once

#include "base/base.h"

/* Is the line a statement of C, C++, Rust, Python, JavaScript or a shell with words in quotes, a
 * comment after two slashes, a command, or prose with a literal of reStructuredText or LaTeX? */
bool od_is_code_line(struct od_view text);

/* Does the line begin like a comment, a statement, or the usage of a command? Then its numbers are
 * not values of this run. */
bool od_begins_as_code(struct od_view text);

/* Is the line a command: after a shell's prompt, traced by `set -x`, or printed by `oomdoctor run`?
 * It has settings, but its words are not a message: `+ grep "out of memory" train.log`. */
bool od_is_command_line(struct od_view text);

/* Does that command only show a log, and run nothing? */
bool od_is_command_of_viewer(struct od_view text);

/* The command of a line that is one, without its prompt. */
bool od_command_of_line(struct od_view text, struct od_view *ret_command);

/* "train.py:12" of a line of `oomdoctor run` on what a script sets, or "Environment" of one on a
 * variable, and what follows that. */
bool od_script_of_line(struct od_view text, struct od_view *ret_place, struct od_view *ret_setting);
