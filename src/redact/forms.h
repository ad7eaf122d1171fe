/* Keys, tokens and ids that are recognizable by their form (forms.tsv). */
#pragma once

#include "redact/found.h"

struct od_forms;

struct od_forms *od_forms_new(void);
void od_forms_free(struct od_forms *forms);

/* Finds a form (forms.tsv) at `at`, whose first word ends at `end`. */
bool od_find_form(const struct od_forms *forms, struct od_view text, size_t at, size_t end,
                  struct od_found *ret_found);

/* The pattern of the i-th form, for tests; NULL after the last one. */
const char *od_form_pattern(size_t i);

/* Does c belong to the class with this letter in patterns? */
bool od_form_class(char class, char c);
