#include "lib/script.h"

#include "facts/argv.h"
#include "facts/meaning.h"
#include "facts/mention.h"
#include "facts/number.h"

#include <stdio.h>
#include <sys/stat.h>
#include <sys/vfs.h>

enum { FILE_MOST = 1 << 16, LINES_MOST = 24, VALUE_MOST = 24 };

extern char **environ;

struct reading {
    struct od_argv command;
    const char *name; /* name of the file */
    size_t line, printed;
    struct od_buf *to;
};

/* Is the file data? Rows of data have names and numbers, too. */
static bool is_data(const char *name)
{
    static const char *const kinds[] = {".csv",   ".tsv",    ".txt", ".log", ".md",
                                        ".html",  ".xml",    ".sql", ".svg", ".lp",
                                        ".jsonl", ".ndjson", NULL};
    const char *end = strrchr(name, '.');
    return end && od_view_eq_any(od_view_of(end), kinds);
}

/* Does the number size memory, because of its name or because it is large? */
static bool is_size(struct od_view name, size_t digits)
{
    enum { LARGE = 5 };
    const uint64_t sizes = UINT64_C(1) << OD_SIZE_AT_ONCE | UINT64_C(1) << OD_SIZE_MEMORY |
                           UINT64_C(1) << OD_SIZE_ITEMS | UINT64_C(1) << OD_SIZE_EXTENT;
    static const char *const jobs[] = {"-j", "-P", NULL}; /* options of make, parallel and xargs */
    uint64_t means = od_mention_means(name);
    return (means & sizes) != 0 || od_view_eq_any(name, jobs) ||
           (digits >= LARGE && !od_means(means, OD_SIZE_OTHER));
}

/* Is the number a line of a configuration: "maxmemory 6mb"? */
static bool is_pair(struct od_view text, const struct od_number *number, struct od_view *ret_name)
{
    struct od_view rest = text;
    return number->end == text.n && od_view_cut(&rest, ' ', ret_name) &&
           od_view_trim(rest).p == text.p + number->start && od_is_letter(text.p[0]);
}

static void read_line(struct reading *r, struct od_view line)
{
    struct od_number number;
    struct od_number_name name;
    struct od_view text = od_view_trim(line);
    if (text.n == 0 || text.p[0] == '#' || od_view_starts(text, OD_VIEW("//")))
        return;
    for (size_t at = 0; r->printed < LINES_MOST && od_number_next(text, &at, &number);) {
        struct od_view value = {text.p + number.start, number.end - number.start};
        bool named = od_number_name(text, number.start, &name) && (name.sign || name.flag);
        if (value.n > VALUE_MOST || !(named || is_pair(text, &number, &name.name)) ||
            !is_size(name.name,
                     r->printed < LINES_MOST / 2 ? number.digits_end - number.start : 0) ||
            od_argv_find(&r->command, name.name) >= 0)
            continue;
        struct od_view said = {name.name.p, (size_t)(value.p - name.name.p)};
        said = named ? said : name.name;
        od_buf_printf(r->to, "oomdoctor run: sets: %s:%zu: %.*s%s%.*s\n", r->name, r->line,
                      (int)said.n, said.p, named ? "" : "=", (int)value.n, value.p);
        r->printed++;
    }
}

/* Prints the variables with a number that the program's file names. */
static void read_variables(struct reading *r, struct od_view program)
{
    static const char *const of_terminals[] = {"COLUMNS", "LINES", "SHLVL", NULL};
    for (char **variable = environ; *variable; variable++) {
        struct od_view value = od_view_of(*variable), name;
        size_t at = od_view_cut(&value, '=', &name) && value.n > 0 && value.n < VALUE_MOST &&
                            od_is_digit(value.p[0]) && !od_view_eq_any(name, of_terminals)
                        ? od_view_find(program, name, 0)
                        : OD_VIEW_NONE;
        if (at == OD_VIEW_NONE || (at > 0 && od_is_word(program.p[at - 1])) ||
            (at + name.n < program.n && od_is_word(program.p[at + name.n])) ||
            od_view_has(od_buf_view(r->to), od_view_of(*variable)))
            continue;
        od_buf_printf(r->to, "oomdoctor run: sets: Environment: %s\n", *variable);
    }
}

/* Reads a program in parts that overlap, so that no name is divided. */
static void read_file(struct reading *r, struct od_arena *arena)
{
    enum { COMMON = 64, PROGRAM_MOST = 1 << 24 };
    struct stat is;
    bool plain = stat(r->name, &is) == 0 && S_ISREG(is.st_mode) && is.st_size > 0 &&
                 is.st_size < PROGRAM_MOST;
    FILE *file = plain ? fopen(r->name, "rbe") : NULL;
    if (!file)
        return;
    char *bytes = OD_NEW_N(arena, FILE_MOST, char);
    size_t kept = 0, n;
    bool text = is.st_size < FILE_MOST && !is_data(r->name);
    while ((n = fread(bytes + kept, 1, FILE_MOST - kept, file)) > 0) {
        struct od_view all = {bytes, kept + n}, rest = all, line;
        read_variables(r, all);
        text = text && !memchr(bytes, '\0', all.n);
        for (r->line = 1; text && rest.n > 0; r->line++) {
            (void)od_view_cut(&rest, '\n', &line);
            read_line(r, line);
        }
        kept = all.n < COMMON ? all.n : COMMON;
        memmove(bytes, bytes + all.n - kept, kept);
    }
    (void)fclose(file);
}

/* ---- files in memory ---- */

/* The name on a disk for a path in memory, or in a folder in memory; NULL = not in memory. */
static const char *name_on_disk(const char *path, struct od_arena *arena)
{
    const uint64_t in_memory = 0x01021994; /* TMPFS_MAGIC of linux/magic.h */
    const char *slash = strrchr(path, '/');
    struct stat is;
    struct statfs system;
    bool folder = stat(path, &is) == 0 && S_ISDIR(is.st_mode);
    const char *in = folder || !slash || slash == path
                         ? path
                         : od_arena_str(arena, (struct od_view){path, (size_t)(slash - path)});
    bool found = statfs(in, &system) == 0 && (uint64_t)system.f_type == in_memory;
    return !found ? NULL : od_arena_printf(arena, "/var/tmp%s", folder ? "" : slash);
}

/* Prints the option or variable that names a folder in memory, with a folder on a disk. */
static void print_on_disk(const struct reading *r)
{
    static const char *const places[] = {"HOME", "PWD", "OLDPWD", NULL};
    static const char start[] = "oomdoctor run: on a disk: ";
    struct od_arena *arena = r->command.arena;
    const char *disk;
    for (size_t i = 1; i < r->command.n; i++) {
        const char *word = r->command.argv[i], *value = od_option_value(r->command.argv, i),
                   *own = od_option_own_value(word);
        if (od_is_option(word) && value && !od_view_has(od_view_of(word), OD_VIEW("out")) &&
            (disk = name_on_disk(value, arena))) {
            od_buf_printf(r->to, "%s%.*s%s%s\n", start,
                          (int)(own ? own - word : (long)strlen(word)), word, own ? "" : " ", disk);
            return;
        }
    }
    for (char **variable = environ; *variable; variable++) {
        struct od_view value = od_view_of(*variable), name;
        if (od_view_cut(&value, '=', &name) && value.n > 0 && value.p[0] == '/' &&
            !od_view_eq_any(name, places) && (disk = name_on_disk(value.p, arena))) {
            od_buf_printf(r->to, "%sexport %.*s=%s\n", start, (int)name.n, name.p, disk);
            return;
        }
    }
    if (!getenv("TMPDIR") && name_on_disk("/tmp", arena))
        od_buf_printf(r->to, "%sexport TMPDIR=/var/tmp\n", start);
}

void od_script_print(char *const *argv, struct od_buf *to)
{
    struct od_arena *arena = od_arena_new();
    struct reading r = {.command = od_argv_start(argv, (struct od_view){0}, arena), .to = to};
    for (size_t i = 0; argv[i]; i++) {
        const char *own = od_option_own_value(argv[i]);
        r.name = own ? own : argv[i][0] == '@' ? argv[i] + 1 : argv[i];
        read_file(&r, arena);
    }
    print_on_disk(&r);
    od_arena_free(arena);
}
