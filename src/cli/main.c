#include "base/suggest.h"
#include "cli/command.h"
#include "cli/help.h"
#include "config.h"
#include "host/system.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static int print_help(const struct od_command *command)
{
    struct od_buf text = {0};
    if (command)
        od_help_of(command, &text);
    else
        od_help(&text);
    bool ok = od_write_all(text.p, text.n);
    od_buf_done(&text);
    return ok ? OD_EXIT_OK : OD_EXIT_INTERNAL;
}

static int version(void)
{
    static const char text[] = "oomdoctor " PACKAGE_VERSION "\n";
    return od_write_all(text, sizeof text - 1) ? OD_EXIT_OK : OD_EXIT_INTERNAL;
}

/* Is one of our own arguments that option? */
static bool asks_for(const char *option, const char *letter, const struct od_command *command,
                     int argc, char **argv)
{
    if (command->runs_command && argc > 2)
        argc = 2; /* another program's arguments follow */
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], option) == 0 || strcmp(argv[i], letter) == 0)
            return true;
    }
    return false;
}

/* Makes writing to a closed pipe an error. Programs that we run must not inherit that. */
static void mind_pipes(void)
{
    (void)sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
}

/* If a standard stream is closed, the next opened file would get its number. Opens a placeholder
 * instead whose use fails, so that errors are reported; false if that is impossible. */
static bool mind_closed(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        int flags = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", flags) != fd)
            return false;
    }
    return true;
}

static const struct od_command *find(const char *name)
{
    for (const struct od_command *const *c = od_commands; *c; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

static int unknown(const char *name)
{
    enum { MOST = 32 };
    const char *names[MOST];
    size_t n = 0;
    for (; od_commands[n] && n < MOST; n++)
        names[n] = od_commands[n]->name;
    const char *near = od_suggest(name, names, n);
    if (near)
        return od_usage_error(NULL, "no command and no file '%s'; did you mean 'oomdoctor %s'?",
                              name, near);
    return od_usage_error(NULL, "no command and no file '%s'", name);
}

/* Does the word look like a path, whether or not the file exists? Opening it reports errors. */
static bool is_path(const char *word)
{
    return strpbrk(word, "./") || access(word, F_OK) == 0;
}

/* argv[0] is the command's name, or another word before the arguments. */
static int run(const struct od_command *command, int argc, char **argv)
{
    if (asks_for("--help", "-h", command, argc, argv))
        return print_help(command);
    if (asks_for("--version", "-V", command, argc, argv))
        return version();
    if (!command->runs_command)
        mind_pipes();
    return command->run(argc, argv);
}

static int help_on(const char *name)
{
    const struct od_command *command = name ? find(name) : NULL;
    return name && !command ? unknown(name) : print_help(command);
}

int main(int argc, char **argv)
{
    if (!mind_closed())
        return OD_EXIT_INTERNAL;
    od_system_keep_memory();
    const char *name = argc > 1 ? argv[1] : "";
    if (argc < 2 && isatty(STDIN_FILENO))
        return od_usage_error(NULL, "name a log: oomdoctor train.log");
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return print_help(NULL);
    if (strcmp(name, "help") == 0)
        return help_on(argv[2]);
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        return version();
    const struct od_command *command = find(name);
    if (command)
        return run(command, argc - 1, argv + 1);
    if (argc < 2 || name[0] == '-' || is_path(name))
        return run(find("analyze"), argc, argv);
    return unknown(name);
}
