/*
 * Recognizes lines of source code. Pasted code has messages that it may print, not messages that it
 * printed: `raise RuntimeError("out of memory")`, `print("Killed")`, `return "bad_alloc";`.
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

/* Does the command of the line only show a log, without running anything? */
bool od_is_command_of_viewer(struct od_view text);

/* Sets *ret_command to the command without its prompt. False if the line is no command. */
bool od_command_of_line(struct od_view text, struct od_view *ret_command);

/* Reads a line that `oomdoctor run` prints about a script or the environment. *ret_place is
 * "train.py:12" or "Environment". False for any other line. */
bool od_script_of_line(struct od_view text, struct od_view *ret_place, struct od_view *ret_setting);
