/*
 * Text within a workflow command of GitHub Actions (`::error file=F,line=N,title=T::MESSAGE`).
 */
#pragma once

#include "base/base.h"

/*
 * Appends text, escaped as the runner undoes it: '%' and line ends, which would end the command and
 * could begin another; in a property (file, title) also ':' and ',', which end one.
 */
void od_github_text(struct od_buf *to, const char *text, bool property);
