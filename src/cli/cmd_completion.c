#include "base/num.h"
#include "cli/complete.h"

#include <string.h>

static int run(int argc, char **argv);

static const struct od_option options[] = {{0}};

const struct od_command od_command_completion = {
    .name = "completion",
    .use = OD_USE_OTHER,
    .arguments = "bash | zsh | fish",
    .summary = "Print the completion script of a shell",
    .details =
        "To try it: source <(oomdoctor completion bash). 'make install' installs all three.\n",
    .options = options,
    .run = run,
};

static int run(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*write)(struct od_buf *to);
    } shells[] = {{"bash", od_complete_bash}, {"zsh", od_complete_zsh}, {"fish", od_complete_fish}};
    struct od_args args = od_args_start(&od_command_completion, argc, argv);
    if (od_args_next(&args) == OD_ARGS_MISUSED)
        return OD_EXIT_USAGE;
    if (args.argc - args.at != 1)
        return od_usage_error(&od_command_completion, "name a shell: bash, zsh or fish");
    for (size_t i = 0; i < OD_COUNT_OF(shells); i++) {
        if (strcmp(argv[args.at], shells[i].name) != 0)
            continue;
        struct od_buf text = {0};
        shells[i].write(&text);
        bool ok = od_write_all(text.p, text.n);
        od_buf_done(&text);
        return ok ? OD_EXIT_OK : OD_EXIT_INTERNAL;
    }
    return od_usage_error(&od_command_completion,
                          "no completion for '%s'; choose bash, zsh or fish", argv[args.at]);
}
