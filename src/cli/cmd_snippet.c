#include "cli/command.h"

static int run(int argc, char **argv);

static const struct od_option options[] = {{0}};

const struct od_command od_command_snippet = {
    .name = "snippet",
    .use = OD_USE_OTHER,
    .arguments = "FRAMEWORK",
    .summary = "Print a script that records a training step for plan, without a GPU",
    .details = OD_HELP_snippet,
    .options = options,
    .run = run,
};

static const char snippet_jax[] = {
#include "cli/snippet_jax.inc"
    0};

static const char snippet_keras[] = {
#include "cli/snippet_keras.inc"
    0};

static const char snippet_pytorch[] = {
#include "cli/snippet_pytorch.inc"
    0};

static const struct {
    const char *name;
    const char *script;
} snippets[] = {{"jax", snippet_jax}, {"keras", snippet_keras}, {"pytorch", snippet_pytorch}};

static int run(int argc, char **argv)
{
    struct od_args args = od_args_start(&od_command_snippet, argc, argv);
    if (od_args_next(&args) != OD_ARGS_END)
        return OD_EXIT_USAGE;
    if (args.argc - args.at != 1)
        return od_usage_error(&od_command_snippet,
                              "one framework is needed: pytorch, keras or jax");
    for (size_t i = 0; i < OD_COUNT_OF(snippets); i++)
        if (strcmp(args.argv[args.at], snippets[i].name) == 0)
            return od_write_all(snippets[i].script, strlen(snippets[i].script)) ? OD_EXIT_OK
                                                                                : OD_EXIT_INTERNAL;
    return od_usage_error(&od_command_snippet,
                          "no snippet for '%s'; there is one for pytorch, keras and jax",
                          args.argv[args.at]);
}
