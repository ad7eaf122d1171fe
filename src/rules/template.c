#include "rules/template.h"

#include "base/ascii.h"
#include "base/mem.h"

#include <string.h>

enum { TEMPLATES = 1 << 9, TEXT_BYTES = 512, OUTCOMES = 12, WORD = 8 };

struct od_template {
    char text[TEXT_BYTES];
    size_t n; /* of text, 0 = the place is free */
    size_t noutcomes;
    struct od_outcome outcomes[OUTCOMES];
};

struct od_templates {
    struct od_template *places; /* by hash */
    char folded[TEXT_BYTES];
};

struct od_templates *od_templates_new(void)
{
    struct od_templates *templates = od_mem_alloc(1, sizeof *templates);
    templates->places = od_mem_alloc(TEMPLATES, sizeof *templates->places);
    return templates;
}

void od_templates_free(struct od_templates *templates)
{
    if (!templates)
        return;
    od_mem_free(templates->places);
    od_mem_free(templates);
}

/* Folds the text, padded to whole words; the hash of that. */
static uint64_t fold_text(struct od_view text, char folded[static TEXT_BYTES])
{
    uint64_t hash = text.n;
    for (size_t at = 0; at < text.n; at += WORD) {
        uint64_t word = 0;
        memcpy(&word, text.p + at, text.n - at < WORD ? text.n - at : WORD);
        word = od_fold_digits(word);
        memcpy(folded + at, &word, WORD);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

struct od_template *od_templates_of(struct od_templates *templates, struct od_view text)
{
    if (text.n == 0 || text.n > TEXT_BYTES)
        return NULL;
    uint64_t hash = fold_text(text, templates->folded);
    struct od_template *template = &templates->places[hash % TEMPLATES];
    if (template->n == text.n && memcmp(template->text, templates->folded, text.n) == 0)
        return template;
    memcpy(template->text, templates->folded, text.n);
    template->n = text.n;
    template->noutcomes = 0;
    return template;
}

const struct od_outcome *od_template_find(const struct od_template *template, uint32_t rule)
{
    for (size_t i = 0; i < template->noutcomes; i++) {
        if (template->outcomes[i].rule == rule)
            return &template->outcomes[i];
    }
    return NULL;
}

void od_template_note(struct od_template *template, const struct od_outcome *outcome)
{
    if (template->noutcomes < OUTCOMES)
        template->outcomes[template->noutcomes++] = *outcome;
}
