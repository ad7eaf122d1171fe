/*
 * Converts the settings of a training or serving program (YAML, JSON or a command line) to options
 * of the plan. The meaning of keys is in rules/words/recipes.yaml. Pure: the text is given.
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
    const char *model;    /* the model that it names; NULL = none */
    const char *config;   /* the model's dimensions, as in its config.json; NULL = none */
    const char *other;    /* another settings file that it names; NULL = none */
    const char *global;   /* the batch size of all devices and steps; NULL = not given */
    struct od_recipe_setting settings[OD_KNOBS_N];
    size_t nsettings;
    const char *unread[OD_RECIPE_UNREAD_MOST]; /* keys that may change memory but are not
                                                  supported, with descriptions */
    size_t nunread;
    bool bad; /* the text is invalid; a diagnostic explains why */
};

/* The contents of a settings text as a list of pairs. */
struct od_recipe_pair {
    const char *key, *value;
};

struct od_recipe_text {
    bool command;
    OD_VEC(const char *) words; /* words of the command, without options */
    OD_VEC(struct od_recipe_pair) pairs;
};

/* Is the text a command line of a known program, or a configuration that one of a program's marks
 * identifies? Texts are allocated in arena. */
bool od_recipe_read(struct od_view text, const char *name, struct od_arena *arena,
                    struct od_diags *diags, struct od_recipe *ret_recipe);

/* Sets the options that `given` does not have, and reports invalid values. */
void od_recipe_apply(const struct od_recipe *recipe, const struct od_plan_request *given,
                     struct od_plan_request *request, struct od_arena *arena,
                     struct od_diags *diags);

/* Finds the steps of accumulation, or else the number of devices, from the batch size of all of
 * them. */
void od_recipe_divide(const char *global, struct od_plan_request *request, struct od_arena *arena);

/* A command line as words, and pairs for its options. False if there is no command. is_program: is
 * the word a program's command, its path, or a container image of it? */
bool od_recipe_split(struct od_view text, bool (*is_program)(const char *word),
                     struct od_arena *arena, struct od_recipe_text *ret_text);

/* A mapping in YAML or JSON: nested keys are joined by dots, lists by commas. False with
 * diagnostics if it is invalid. */
bool od_recipe_flatten(struct od_view text, const char *name, struct od_arena *arena,
                       struct od_diags *diags, struct od_recipe_text *ret_text);

/* The settings' dimensions of a model as a config.json, with what is usual for those that they
 * lack. */
const char *od_recipe_config(const struct od_recipe *recipe, struct od_arena *arena);

/* Does the text start like a mapping? */
bool od_recipe_is_mapping(struct od_view text);

void od_recipe_text_done(struct od_recipe_text *text);
