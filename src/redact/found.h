/* Matchers: what stands at a place of a text, told by its form or by the words before it. */
#ifndef OD_REDACT_FOUND_H
#define OD_REDACT_FOUND_H

#include "base/view.h"
#include "redact/redact.h"

#include <stdbool.h>
#include <stddef.h>

struct od_found {
    size_t start, end; /* what is replaced; start may be behind the place that was asked for */
    enum od_redact_kind kind;
    bool learn; /* a name: replaced wherever it stands alone */
};

/* Each: does something begin at that byte of the text, which begins a word? */
bool od_find_token(struct od_view text, size_t at, struct od_found *ret_found);
bool od_find_assigned(struct od_view text, size_t at, struct od_found *ret_found);
bool od_find_email(struct od_view text, size_t at, struct od_found *ret_found);
bool od_find_ipv4(struct od_view text, size_t at, struct od_found *ret_found);
bool od_find_colons(struct od_view text, size_t at, struct od_found *ret_found);
bool od_find_host(struct od_view text, size_t at, struct od_found *ret_found);

bool od_find_relative_home(struct od_view text, size_t at, struct od_found *ret_found);

/* At any byte, not only where a word begins. */
bool od_find_home(struct od_view text, size_t at, struct od_found *ret_found);
bool od_find_url_login(struct od_view text, size_t at, struct od_found *ret_found);

/* Only at the start of a line. */
bool od_find_log_head(struct od_view text, struct od_found *ret_found);

/* Names that tell nothing of anybody: "ubuntu", "runner", "data". */
bool od_is_common_name(struct od_view name);

/* Length of the run of bytes from at on that are letters, digits or in extra. */
size_t od_run(struct od_view text, size_t at, const char *extra);

/* Equal without regard to case; b in lower case. */
bool od_equals_folded(struct od_view a, const char *b);
bool od_ends_folded(struct od_view a, const char *end);

#endif
