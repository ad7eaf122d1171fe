/*
 * The template of a line: its text with 0 for every digit. A pattern that cannot tell one digit
 * from another matches lines of one template alike and captures at the same places, so what it made
 * of a line is remembered for the next of its template. Logs of training repeat few templates many
 * times.
 *
 * Bounded: a few hundred templates are kept, the newest wins its place; long lines have none.
 */
#ifndef OD_RULES_TEMPLATE_H
#define OD_RULES_TEMPLATE_H

#include "base/view.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Can this PCRE2 pattern tell one digit from another? It can when a digit stands in it as itself,
 * a range of a class ends among the digits, or what was captured is compared; when in doubt, true.
 */
bool od_pattern_tells_digits(const char *pattern);

enum { OD_SPANS_MAX = 16, OD_SPAN_NONE = UINT16_MAX };

/* Part of a line, in bytes; start is OD_SPAN_NONE when the group took no part in the match. */
struct od_span {
    uint16_t start, n;
};

/* What one pattern made of lines of a template. */
struct od_outcome {
    uint32_t rule;
    bool matched;
    struct od_span spans[OD_SPANS_MAX]; /* as the caller numbers them */
};

struct od_template;
struct od_templates;

struct od_templates *od_templates_new(void);
void od_templates_free(struct od_templates *templates);

/* The template of a text, perhaps new; NULL when the text is too long for one. Valid until the next
 * call. */
struct od_template *od_templates_of(struct od_templates *templates, struct od_view text);

/* NULL when it is not known. Valid until the next call of od_templates_of. */
const struct od_outcome *od_template_find(const struct od_template *template, uint32_t rule);

/* Remembers, if there is room. */
void od_template_note(struct od_template *template, const struct od_outcome *outcome);

#endif
