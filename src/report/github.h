/*
 * Text within a workflow command of GitHub Actions (`::error file=F,line=N,title=T::MESSAGE`).
 */
#ifndef OD_REPORT_GITHUB_H
#define OD_REPORT_GITHUB_H

#include "base/buf.h"

#include <stdbool.h>

/*
 * Appends text, escaped as the runner undoes it: '%' and line ends, which would end the command and
 * could begin another; in a property (file, title) also ':' and ',', which end one.
 */
void od_github_text(struct od_buf *to, const char *text, bool property);

#endif
