#include "base/buf.h"
#include "cli/command.h"
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void describe_options(const struct od_command *command, struct od_buf *to)
{
    od_buf_add_str(to, "\nOptions:\n");
    for (const struct od_option *o = command->options; o->name; o++) {
        if (!o->help)
            continue;
        struct od_buf left = {0};
        if (o->letter)
            od_buf_printf(&left, "  -%c, --%s", o->letter, o->name);
        else
            od_buf_printf(&left, "      --%s", o->name);
        if (o->argument)
            od_buf_printf(&left, " %s", o->argument);
        od_buf_printf(to, "%-30s %s\n", od_buf_str(&left), o->help);
        od_buf_done(&left);
    }
    od_buf_add_str(to, "  -h, --help                   this text\n");
}

static int help_of(const struct od_command *command)
{
    struct od_buf text = {0};
    od_buf_printf(&text, "usage: oomdoctor %s %s\n\n%s\n", command->name, command->arguments,
                  command->summary);
    if (command->details)
        od_buf_printf(&text, "\n%s", command->details);
    describe_options(command, &text);
    bool ok = od_write_all(text.p, text.n);
    od_buf_done(&text);
    return ok ? OD_EXIT_OK : OD_EXIT_INTERNAL;
}

static int help(void)
{
    struct od_buf text = {0};
    od_buf_add_str(&text, "usage: oomdoctor COMMAND [ARGUMENT...]\n\n"
                          "Reads the log of a deep-learning run that died of memory and says what "
                          "failed and why.\n\n");
    for (const struct od_command *const *c = od_commands; *c; c++)
        od_buf_printf(&text, "  %-10s %s\n", (*c)->name, (*c)->summary);
    od_buf_add_str(&text, "\n'oomdoctor COMMAND --help' tells more. 'oomdoctor --version' prints "
                          "the version.\n");
    bool ok = od_write_all(text.p, text.n);
    od_buf_done(&text);
    return ok ? OD_EXIT_OK : OD_EXIT_INTERNAL;
}

static int version(void)
{
    static const char text[] = "oomdoctor " PACKAGE_VERSION "\n";
    return od_write_all(text, sizeof text - 1) ? OD_EXIT_OK : OD_EXIT_INTERNAL;
}

static bool asks_for_help(const struct od_command *command, int argc, char **argv)
{
    if (command->runs_command && argc > 2)
        argc = 2; /* the words of another program follow */
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    }
    return false;
}

/* A closed pipe is a write error; a program that we run is not to inherit that. */
static void mind_pipes(void)
{
    (void)sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
}

/* A closed standard stream would be the number of the next file that is opened. What stands in for
 * it cannot be used, so that whoever tries is told. False where nothing can. */
static bool mind_closed(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        int flags = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", flags) != fd)
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    if (!mind_closed())
        return OD_EXIT_INTERNAL;
    if (argc < 2)
        return od_usage_error(NULL, "a command is needed");
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return help();
    if (strcmp(name, "--version") == 0)
        return version();
    for (const struct od_command *const *c = od_commands; *c; c++) {
        if (strcmp((*c)->name, name) != 0)
            continue;
        if (asks_for_help(*c, argc - 1, argv + 1))
            return help_of(*c);
        if (!(*c)->runs_command)
            mind_pipes();
        return (*c)->run(argc - 1, argv + 1);
    }
    return od_usage_error(NULL, "unknown command '%s'", name);
}
