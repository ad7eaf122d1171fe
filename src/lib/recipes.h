/*
 * Divides the operands of `oomdoctor plan` into settings of programs (plan/recipe.h) and a model.
 */
#pragma once

#include "plan/recipe.h"

enum { OD_RECIPES_MOST = 8 };

struct od_recipes {
    struct od_recipe list[OD_RECIPES_MOST];
    size_t n;
    const char *model;  /* an operand, otherwise named in the settings; NULL = none */
    const char *config; /* without a model: dimensions as in a config.json; NULL = none */
    size_t models;      /* number of operands that are models */
    bool bad;           /* settings were invalid; diagnostics explain it */
};

/* Reads the operands, and the settings files that they name. Allocated in arena. */
struct od_recipes *od_recipes_read(const char *const *operands, size_t n, struct od_arena *arena,
                                   struct od_diags *diags);

/* Sets the options that the request lacks; of two files, the later one wins. */
void od_recipes_apply(const struct od_recipes *recipes, struct od_plan_request *request,
                      struct od_arena *arena, struct od_diags *diags);
