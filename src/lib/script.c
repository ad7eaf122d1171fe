#include "lib/script.h"

#include "facts/argv.h"
#include "facts/meaning.h"
#include "facts/mention.h"
#include "facts/number.h"

#include <stdio.h>
#include <sys/stat.h>

enum { FILE_MOST = 1 << 16, LINES_MOST = 24, VALUE_MOST = 24 };

struct reading {
    struct od_argv command;
    const char *name; /* of the file */
    size_t line, printed;
    struct od_buf *to;
};

static bool is_code(const char *name)
{
    static const char *const kinds[] = {".py",  ".sh",   ".R",   ".r",   ".jl",   ".js",   ".mjs",
                                        ".ts",  ".pl",   ".rb",  ".lua", ".php",  ".m",    ".yaml",
                                        ".yml", ".toml", ".ini", ".cfg", ".conf", ".json", NULL};
    const char *end = strrchr(name, '.');
    return end && od_view_eq_any(od_view_of(end), kinds);
}

/* Does the name say that its number sizes memory? */
static bool is_size(struct od_view name)
{
    const uint64_t sizes = UINT64_C(1) << OD_SIZE_AT_ONCE | UINT64_C(1) << OD_SIZE_MEMORY |
                           UINT64_C(1) << OD_SIZE_ITEMS | UINT64_C(1) << OD_SIZE_EXTENT;
    return (od_mention_means(name) & sizes) != 0;
}

static void read_line(struct reading *r, struct od_view line)
{
    struct od_number number;
    struct od_number_name name;
    struct od_view text = od_view_trim(line);
    if (text.n == 0 || text.p[0] == '#' || od_view_starts(text, OD_VIEW("//")))
        return;
    for (size_t at = 0; r->printed < LINES_MOST && od_number_next(text, &at, &number);) {
        size_t value = number.end - number.start;
        if (value > VALUE_MOST || !od_number_name(text, number.start, &name) ||
            !(name.sign || name.flag) || !is_size(name.name) ||
            od_argv_find(&r->command, name.name) >= 0)
            continue;
        od_buf_printf(r->to, "oomdoctor run: sets: %s:%zu: %.*s\n", r->name, r->line,
                      (int)(number.end - name.start), text.p + name.start);
        r->printed++;
    }
}

static void read_file(struct reading *r, struct od_arena *arena)
{
    struct stat is;
    bool plain = is_code(r->name) && stat(r->name, &is) == 0 && S_ISREG(is.st_mode) &&
                 is.st_size < FILE_MOST;
    FILE *file = plain ? fopen(r->name, "rbe") : NULL;
    if (!file)
        return;
    char *bytes = OD_NEW_N(arena, FILE_MOST, char);
    struct od_view rest = {bytes, fread(bytes, 1, FILE_MOST, file)}, line;
    (void)fclose(file);
    for (r->line = 1; rest.n > 0; r->line++) {
        (void)od_view_cut(&rest, '\n', &line);
        read_line(r, line);
    }
}

void od_script_print(char *const *argv, struct od_buf *to)
{
    struct od_arena *arena = od_arena_new();
    struct reading r = {.command = od_argv_start(argv, (struct od_view){0}, arena), .to = to};
    for (size_t i = 0; argv[i]; i++) {
        const char *own = od_option_own_value(argv[i]);
        r.name = own ? own : argv[i];
        read_file(&r, arena);
    }
    od_arena_free(arena);
}
