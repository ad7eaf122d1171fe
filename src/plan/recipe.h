/*
 * Settings of a training or serving program as options of the plan: its configuration (YAML, JSON)
 * or its command line. What a key means is in rules/words/recipes.yaml. Pure: the text is given.
 */
#pragma once

#include "plan/request.h"

enum { OD_RECIPE_UNREAD_MOST = 24 };

struct od_recipe_setting {
    const char *knob, *value;
    const char *key; /* of the program */
};

struct od_recipe {
    const char *name;     /* of the file; NULL = a command line */
    const char *programs; /* "axolotl", "accelerate, the Trainer of transformers" */
    const char *model;    /* that it names; NULL = none */
    const char *other;    /* another file of settings that it names; NULL = none */
    struct od_recipe_setting settings[OD_KNOBS_N];
    size_t nsettings;
    const char *unread[OD_RECIPE_UNREAD_MOST]; /* keys that may change memory, and what they are */
    size_t nunread;
    bool bad; /* its text cannot be read; a diagnostic says why */
};

/* What a text of settings contains, as a list. */
struct od_recipe_pair {
    const char *key, *value;
};

struct od_recipe_text {
    bool command;
    OD_VEC(const char *) words; /* of the command, without options */
    OD_VEC(struct od_recipe_pair) pairs;
};

/* Whether text is a command line of a program we know, or a configuration with one of its marks.
 * Texts live in arena. */
bool od_recipe_read(struct od_view text, const char *name, struct od_arena *arena,
                    struct od_diags *diags, struct od_recipe *ret_recipe);

/* Sets the options that `given` does not have; says which values make no sense. */
void od_recipe_apply(const struct od_recipe *recipe, const struct od_plan_request *given,
                     struct od_plan_request *request, struct od_arena *arena,
                     struct od_diags *diags);

/* ---- recipe_text.c ---- */

/* A command line: the words, and the pairs of its options. False where there is no command. */
bool od_recipe_split(struct od_view text, struct od_arena *arena, struct od_recipe_text *ret_text);

/* A mapping in YAML or JSON: keys inside others joined by dots, lists by commas. False with
 * diagnostics where it cannot be read. */
bool od_recipe_flatten(struct od_view text, const char *name, struct od_arena *arena,
                       struct od_diags *diags, struct od_recipe_text *ret_text);

/* Whether text begins as a mapping does. */
bool od_recipe_is_mapping(struct od_view text);

void od_recipe_text_done(struct od_recipe_text *text);
