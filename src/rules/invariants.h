/*
 * Conditions for printing a sentence: rows of rules/words/invariants.yaml. A sentence asserts a
 * relation between its cause and amounts; each row has a condition for some relations.
 * failure/assertion.h checks assertions against the rows. Written as a constant C table by the
 * build.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "rules/when.h"

enum od_relation {
#define OD_RELATION(name, constant, about) OD_ASSERTS_##constant,
#include "rules/relations.def"
#undef OD_RELATION
    OD_RELATIONS
};

/* Names of the relations; the list ends with NULL. */
extern const char *const od_relation_words[];

struct od_invariant {
    const char *id;
    const char *const *of; /* relations to which the row applies; ends with NULL */
    struct od_when must;   /* an assertion is dropped if this is false (not if it is unknown) */
    const char *means;
    const char *drops; /* the omitted text, or the text printed instead */
};

struct od_invariants {
    const struct od_invariant *rows;
    size_t nrows;
};

/* Loads the file root/name; root may be NULL. OD_ERULE with diagnostics if it is invalid, OD_EINPUT
 * if it cannot be read. */
enum od_err od_invariants_load_file(const char *root, const char *name, struct od_arena *arena,
                                    struct od_diags *diags,
                                    const struct od_invariants **ret_invariants) OD_MUST_USE;

/* Does the row apply to the relation? */
bool od_invariant_is_of(const struct od_invariant *invariant, enum od_relation relation);

extern const struct od_invariants od_shipped_invariants;
