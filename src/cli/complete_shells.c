#include "cli/complete.h"

#include <string.h>

static void add_commands(struct od_buf *to)
{
    for (const struct od_command *const *c = od_commands; *c; c++)
        od_buf_printf(to, "%s ", (*c)->name);
}

/* ---- bash ---- */

static void bash_option(const struct od_option *o, struct od_buf *to)
{
    struct od_buf words = {0};
    enum od_complete_kind kind = od_complete_value(o, &words);
    od_buf_add_str(to, "        ");
    if (o->letter)
        od_buf_printf(to, "-%c | ", o->letter);
    od_buf_printf(to, "--%s) ", o->name);
    if (kind == OD_COMPLETE_FILES)
        od_buf_add_str(to, "taken=yes files=yes operand=");
    else
        od_buf_printf(to, "taken=yes files= operand='%s'", od_buf_str(&words));
    od_buf_add_str(to, " ;;\n");
    od_buf_done(&words);
}

static void bash_command(const struct od_command *command, struct od_buf *to)
{
    struct od_buf words = {0};
    enum od_complete_kind kind = od_complete_operand(command, &words);
    od_buf_printf(to, "    %s)\n        options='", command->name);
    for (const struct od_option *o = command->options; o->name; o++)
        if (o->help)
            od_buf_printf(to, "--%s ", o->name);
    od_buf_printf(to, "--help'\n        operand='%s'\n", od_buf_str(&words));
    if (kind == OD_COMPLETE_FILES)
        od_buf_add_str(to, "        files=yes\n");
    od_buf_add_str(to, "        case $prev in\n        :) files=yes operand= ;;\n");
    for (const struct od_option *o = command->options; o->name; o++)
        if (o->help && o->argument)
            bash_option(o, to);
    od_buf_add_str(to, "        esac\n        ;;\n");
    od_buf_done(&words);
}

void od_complete_bash(struct od_buf *to)
{
    od_buf_add_str(to,
                   "# Completion of oomdoctor for bash; made by 'oomdoctor completion bash'.\n"
                   "_oomdoctor() {\n"
                   "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
                   "    local command=${COMP_WORDS[1]} options='' operand='' files='' taken=''\n"
                   "    COMPREPLY=()\n"
                   "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                   "        mapfile -t COMPREPLY < <(compgen -W '");
    add_commands(to);
    od_buf_add_str(to, "--help --version' -- \"$cur\")\n"
                       "        if [ ${#COMPREPLY[@]} -eq 0 ]; then\n"
                       "            compopt -o filenames 2>/dev/null\n"
                       "            mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
                       "        fi\n"
                       "        return\n"
                       "    fi\n"
                       "    # --format=json comes as three words, html:FILE too\n"
                       "    if [ \"$cur\" = = ]; then\n"
                       "        cur=\n"
                       "    elif [ \"$prev\" = = ] && [ \"$COMP_CWORD\" -gt 2 ]; then\n"
                       "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
                       "    fi\n"
                       "    case $command in\n");
    for (const struct od_command *const *c = od_commands; *c; c++)
        bash_command(*c, to);
    od_buf_add_str(to, "    esac\n"
                       "    case $cur in\n"
                       "    -*) [ -n \"$taken\" ] || operand=$options ;;\n"
                       "    esac\n"
                       "    mapfile -t COMPREPLY < <(compgen -W \"$operand\" -- \"$cur\")\n"
                       "    if [ -n \"$files\" ] && [ ${#COMPREPLY[@]} -eq 0 ]; then\n"
                       "        compopt -o filenames 2>/dev/null\n"
                       "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
                       "    fi\n"
                       "}\n"
                       "complete -F _oomdoctor oomdoctor\n");
}

/* ---- zsh ---- */

/* Inside single quotes: a description between brackets. */
static void zsh_words(const char *text, struct od_buf *to)
{
    for (; *text; text++) {
        if (strchr("[]:\\", *text))
            od_buf_add_char(to, '\\');
        if (*text == '\'')
            od_buf_add_str(to, "'\\''");
        else
            od_buf_add_char(to, *text);
    }
}

static void zsh_action(enum od_complete_kind kind, const char *words, struct od_buf *to)
{
    if (kind == OD_COMPLETE_FILES)
        od_buf_add_str(to, "_files");
    else if (kind == OD_COMPLETE_WORDS)
        od_buf_printf(to, "(%s)", words);
    else
        od_buf_add_char(to, ' ');
}

static void zsh_spec(const struct od_option *o, bool letter, struct od_buf *to)
{
    struct od_buf words = {0};
    enum od_complete_kind kind = od_complete_value(o, &words);
    od_buf_add_str(to, " \\\n            '*");
    if (letter)
        od_buf_printf(to, "-%c", o->letter);
    else
        od_buf_printf(to, "--%s%s", o->name, o->argument ? "=" : "");
    od_buf_add_char(to, '[');
    zsh_words(o->help, to);
    od_buf_add_char(to, ']');
    if (o->argument) {
        od_buf_add_char(to, ':');
        zsh_words(o->argument, to);
        od_buf_add_char(to, ':');
        zsh_action(kind, od_buf_str(&words), to);
    }
    od_buf_add_char(to, '\'');
    od_buf_done(&words);
}

static void zsh_command(const struct od_command *command, struct od_buf *to)
{
    struct od_buf words = {0};
    enum od_complete_kind kind = od_complete_operand(command, &words);
    od_buf_printf(to, "    %s)\n        _arguments", command->name);
    for (const struct od_option *o = command->options; o->name; o++) {
        if (!o->help)
            continue;
        if (o->letter)
            zsh_spec(o, true, to);
        zsh_spec(o, false, to);
    }
    od_buf_add_str(to, " \\\n            '(- *)'{-h,--help}'[print the help]'");
    if (kind != OD_COMPLETE_NOTHING) {
        od_buf_add_str(to, " \\\n            '*:operand:");
        zsh_action(kind, od_buf_str(&words), to);
        od_buf_add_char(to, '\'');
    }
    od_buf_add_str(to, "\n        ;;\n");
    od_buf_done(&words);
}

void od_complete_zsh(struct od_buf *to)
{
    od_buf_add_str(to, "#compdef oomdoctor\n"
                       "# Completion of oomdoctor for zsh; made by 'oomdoctor completion zsh'.\n"
                       "_oomdoctor() {\n"
                       "    local -a commands\n"
                       "    commands=(\n");
    for (const struct od_command *const *c = od_commands; *c; c++) {
        od_buf_printf(to, "        '%s:", (*c)->name);
        zsh_words((*c)->summary, to);
        od_buf_add_str(to, "'\n");
    }
    od_buf_add_str(to,
                   "    )\n"
                   "    if (( CURRENT == 2 )); then\n"
                   "        _describe command commands\n"
                   "        _files\n"
                   "        _arguments '--help[print the help]' '--version[print the version]'\n"
                   "        return\n"
                   "    fi\n"
                   "    shift words\n"
                   "    (( CURRENT-- ))\n"
                   "    case $words[1] in\n");
    for (const struct od_command *const *c = od_commands; *c; c++)
        zsh_command(*c, to);
    od_buf_add_str(to, "    esac\n"
                       "}\n"
                       "if [ \"$funcstack[1]\" = _oomdoctor ]; then\n"
                       "    _oomdoctor \"$@\"\n"
                       "else\n"
                       "    compdef _oomdoctor oomdoctor\n"
                       "fi\n");
}

/* ---- fish ---- */

static void fish_head(const struct od_command *command, struct od_buf *to)
{
    od_buf_printf(to, "complete -c oomdoctor -n '__fish_seen_subcommand_from %s'", command->name);
}

static void fish_action(enum od_complete_kind kind, const char *words, struct od_buf *to)
{
    if (kind == OD_COMPLETE_FILES)
        od_buf_add_str(to, " -F");
    if (kind == OD_COMPLETE_WORDS)
        od_buf_printf(to, " -a '%s'", words);
}

static void fish_option(const struct od_command *command, const struct od_option *o,
                        struct od_buf *to)
{
    struct od_buf words = {0};
    enum od_complete_kind kind = od_complete_value(o, &words);
    fish_head(command, to);
    od_buf_printf(to, " -l %s", o->name);
    if (o->letter)
        od_buf_printf(to, " -s %c", o->letter);
    if (o->argument)
        od_buf_add_str(to, kind == OD_COMPLETE_FILES ? " -r" : " -x");
    fish_action(kind, od_buf_str(&words), to);
    od_buf_add_str(to, " -d ");
    od_complete_quote(o->help, to);
    od_buf_add_char(to, '\n');
    od_buf_done(&words);
}

static void fish_command(const struct od_command *command, struct od_buf *to)
{
    struct od_buf words = {0};
    enum od_complete_kind kind = od_complete_operand(command, &words);
    od_buf_printf(to, "complete -c oomdoctor -n __fish_use_subcommand -a %s -d ", command->name);
    od_complete_quote(command->summary, to);
    od_buf_add_char(to, '\n');
    for (const struct od_option *o = command->options; o->name; o++)
        if (o->help)
            fish_option(command, o, to);
    fish_head(command, to);
    od_buf_add_str(to, " -l help -s h -d 'print the help'\n");
    if (kind != OD_COMPLETE_NOTHING) {
        fish_head(command, to);
        fish_action(kind, od_buf_str(&words), to);
        od_buf_add_char(to, '\n');
    }
    od_buf_done(&words);
}

void od_complete_fish(struct od_buf *to)
{
    od_buf_add_str(
        to, "# Completion of oomdoctor for fish; made by 'oomdoctor completion fish'.\n"
            "complete -c oomdoctor -f\n"
            "complete -c oomdoctor -n __fish_use_subcommand -F\n"
            "complete -c oomdoctor -n __fish_use_subcommand -l help -d 'print the help'\n"
            "complete -c oomdoctor -n __fish_use_subcommand -l version -d 'print the version'\n");
    for (const struct od_command *const *c = od_commands; *c; c++)
        fish_command(*c, to);
}
