/*
 * Lines of programs. Who pastes code pastes the words that it would say, not words that were said:
 * `raise RuntimeError("out of memory")`, `print("Killed")`, `return "bad_alloc";`.
 *
 * Only the line itself is looked at, so a string on lines of its own, and one that is assigned to a
 * name, are no code: a traceback that shows variables prints them, too.
 */
#pragma once

#include "base/base.h"

/* Is it a statement of C, C++, Rust, Python, JavaScript or a shell with words in quotes, a
 * comment after two slashes, a command, or prose with a literal of reStructuredText or LaTeX? */
bool od_is_code_line(struct od_view text);

/* Does it begin as a comment, a statement, or the usage of a command? What it holds is no value. */
bool od_begins_as_code(struct od_view text);

/* Is it a command that somebody gave, after a shell's prompt, traced by `set -x`, or of `oomdoctor
 * run`? It has settings, but its words are no message: `+ grep "out of memory" train.log`. */
bool od_is_command_line(struct od_view text);
