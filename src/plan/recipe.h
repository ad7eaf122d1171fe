/*
 * Converts the settings of a training or serving program (YAML, JSON or a command line) to options
 * of the plan. The meaning of keys is in rules/words/recipes.yaml. Reads no files.
 */
#pragma once

#include "plan/request.h"

enum { OD_RECIPE_UNREAD_MOST = 24 };

struct od_recipe_setting {
    const char *knob, *value;
    const char *key; /* key in the program's settings */
};

struct od_recipe {
    const char *name;     /* file name; NULL = a command line */
    const char *programs; /* "axolotl", "accelerate, the Trainer of transformers" */
    const char *model;    /* name of the model; NULL = none */
    const char *config;   /* dimensions of the model, as in its config.json; NULL = none */
    const char *other;    /* name of another settings file to read; NULL = none */
    const char *global;   /* batch size over all devices and accumulation steps; NULL = not given */
    struct od_recipe_setting settings[OD_KNOBS_N];
    size_t nsettings;
    /* descriptions of keys that may change memory but are not supported */
    const char *unread[OD_RECIPE_UNREAD_MOST];
    size_t nunread;
    bool bad; /* the text is invalid; a diagnostic gives the reason */
};

/* A settings text as a list of pairs. */
struct od_recipe_pair {
    const char *key, *value;
};

struct od_recipe_text {
    bool command;
    OD_VEC(const char *) words; /* words of the command that are not options */
    OD_VEC(struct od_recipe_pair) pairs;
};

/* Reads a command line of a known program, or a configuration that has a program's marks. False for
 * any other text. Texts are allocated in arena. */
bool od_recipe_read(struct od_view text, const char *name, struct od_arena *arena,
                    struct od_diags *diags, struct od_recipe *ret_recipe);

/* Sets the options that are not set in `given`. Reports invalid values. */
void od_recipe_apply(const struct od_recipe *recipe, const struct od_plan_request *given,
                     struct od_plan_request *request, struct od_arena *arena,
                     struct od_diags *diags);

/* Derives the accumulation steps, or else the number of devices, from the global batch size. */
void od_recipe_divide(const char *global, struct od_plan_request *request, struct od_arena *arena);

/* Splits a command line into words, and into pairs for its options. False if there is no command.
 * is_program: is the word a program's command, its path, or its container image? */
bool od_recipe_split(struct od_view text, bool (*is_program)(const char *word),
                     struct od_arena *arena, struct od_recipe_text *ret_text);

/* Reads a mapping in YAML or JSON: nested keys are joined by dots, lists by commas. False with
 * diagnostics if it is invalid. */
bool od_recipe_flatten(struct od_view text, const char *name, struct od_arena *arena,
                       struct od_diags *diags, struct od_recipe_text *ret_text);

/* The model's dimensions from the settings as a config.json, with usual values for missing ones. */
const char *od_recipe_config(const struct od_recipe *recipe, struct od_arena *arena);

/* Does the text begin like a mapping of YAML or JSON? */
bool od_recipe_is_mapping(struct od_view text);

void od_recipe_text_done(struct od_recipe_text *text);
