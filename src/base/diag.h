/*
 * Diagnostics: messages for people, collected below cli/ and printed there in the format of a
 * compiler. The severity only affects printing; callers check the od_err of a call.
 */
#pragma once

#include "base/base.h"

enum od_severity {
    OD_NOTE,
    OD_WARNING,
    OD_ERROR,
    OD_OPEN /* an error unless another file defines the name in `help` (od_diags_settle) */
};

struct od_diag {
    enum od_severity severity;
    const char *code;    /* "R0107", or NULL */
    const char *file;    /* file name, or NULL */
    uint64_t line;       /* 1-based; 0 = no line */
    uint64_t column;     /* 1-based, in bytes; 0 = no column */
    uint64_t width;      /* bytes to underline; 0 = one caret */
    const char *message; /* the problem, as text */
    const char *snippet; /* the line of source with the problem, or NULL */
    const char *help;    /* advice, or NULL */
};

struct od_diags;

struct od_diags *od_diags_new(void);
void od_diags_free(struct od_diags *diags);

/* Copies diag and every text in it. */
void od_diags_add(struct od_diags *diags, const struct od_diag *diag);

/* Copies all of the others. */
void od_diags_add_all(struct od_diags *diags, const struct od_diags *others);

/* Decides those that are open: each becomes an error, or is dropped. is_error may replace the help.
 * True if none is an error. */
bool od_diags_settle(struct od_diags *diags,
                     bool (*is_error)(const void *with, struct od_diag *diag), const void *with);

/* Adds a diagnostic with only a severity and a message. */
void od_diags_say(struct od_diags *diags, enum od_severity severity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

size_t od_diags_count(const struct od_diags *diags);
const struct od_diag *od_diags_at(const struct od_diags *diags, size_t i);
bool od_diags_has_error(const struct od_diags *diags);

/*
 * Appends a diagnostic; control characters are made visible:
 *   file:line:column: error R0107: message
 *   | snippet
 *   |    ^~~~
 *   help: ...
 * Control characters of the log or pack are made visible. One that is open is not printed.
 */
void od_diag_print(const struct od_diag *diag, struct od_buf *to);
