/*
 * The operands of `oomdoctor plan`: which are settings of programs (plan/recipe.h), which is a
 * model.
 */
#pragma once

#include "plan/recipe.h"

enum { OD_RECIPES_MOST = 8 };

struct od_recipes {
    struct od_recipe list[OD_RECIPES_MOST];
    size_t n;
    const char *model; /* an operand, else what the settings name; NULL = none */
    size_t models;     /* operands that are models */
    bool bad;          /* settings that cannot be read; diagnostics say why */
};

/* Reads them, and the files of settings that they name. Lives in arena. */
struct od_recipes *od_recipes_read(const char *const *operands, size_t n, struct od_arena *arena,
                                   struct od_diags *diags);

/* Sets what the request does not have; of two files, the later one wins. */
void od_recipes_apply(const struct od_recipes *recipes, struct od_plan_request *request,
                      struct od_arena *arena, struct od_diags *diags);
