/* Keys, tokens and ids that tell themselves by their form (forms.tsv). */
#pragma once

#include "redact/found.h"

struct od_forms;

struct od_forms *od_forms_new(void);
void od_forms_free(struct od_forms *forms);

/* The form that begins at that byte of the text, with a word that ends at end. */
bool od_find_form(const struct od_forms *forms, struct od_view text, size_t at, size_t end,
                  struct od_found *ret_found);

/* The forms that there are, for tests: NULL after the last. */
const char *od_form_pattern(size_t i);

/* The class of a pattern's letter: does c belong to it? */
bool od_form_class(char class, char c);
